//! A deterministic, event-driven world: hosts with imperfect clocks, processes that run machines on them, links
//! and disks between and below, and every fault that can strike them.
//!
//! A [`Machine`] is one process's software: a state and a function from one [`Input`] to effects. It never sees true
//! time, another host's clock, or a source of chance that is not its own; it cannot tell that it was
//! paused, except by its clocks. The [`World`] owns all of that, jumps from one due instant to the next, and
//! writes what happened to a [`Trace`] whose records name their causes.
//!
//! ```
//! use kernel::*;
//!
//! /// Says one word to its peer when it boots, and notes what it hears.
//! #[derive(Clone, Debug)]
//! struct Greeter { peer: ProcessId }
//!
//! #[derive(Clone, Debug)]
//! struct Greeting;
//! impl Dialect for Greeting {
//!     type Msg = &'static str;
//!     type Timer = ();
//!     type Write = ();
//!     type Disk = ();
//!     type Note = &'static str;
//!     type Role = ();
//! }
//!
//! impl Machine for Greeter {
//!     type Dialect = Greeting;
//!     fn on(&mut self, input: Input<'_, Greeting>, _now: Now, out: &mut impl Outbox<Greeting>) {
//!         match input {
//!             Input::Boot => out.send(self.peer, "hello"),
//!             Input::Message { msg, .. } => out.note(*msg),
//!             Input::Timer(()) | Input::Refused { .. } | Input::Closed { .. } => {}
//!         }
//!     }
//!     fn start(&self, _disk: &(), _start: Start, _rng: Rng) -> Self { self.clone() }
//! }
//!
//! let mut plan = Plan::new(1, SimTime::from_secs(1));
//! let left = plan.host(HostSpec::new("left"));
//! let right = plan.host(HostSpec::new("right"));
//! plan.link_all(LinkSpec { delay: Span::from_millis(2), ..LinkSpec::default() });
//! plan.process(ProcessSpec::new("l", left), Greeter { peer: ProcessId(1) });
//! plan.process(ProcessSpec::new("r", right), Greeter { peer: ProcessId(0) });
//!
//! let mut trace = Trace::recording();
//! let mut world = World::new(plan);
//! while world.step(&mut trace) {}
//! let heard: Vec<SimTime> =
//!     trace.records().iter().filter(|r| matches!(r.what, What::Noted(_))).map(|r| r.at).collect();
//! assert_eq!(heard, [SimTime::from_millis(2), SimTime::from_millis(2)]);
//! ```

mod chance;
mod clock;
mod fault;
mod link;
mod machine;
mod map;
pub mod order;
mod plan;
mod process;
mod queue;
mod time;
mod trace;
mod world;

pub use chance::{Ratio, Rng, Stream};
pub use clock::{Clock, ClockLine, Rate};
pub use fault::{Anchor, Fault, FaultId, FaultKind, Gap, Manner, Side, Target, WallAfter, When};
pub use link::LinkSpec;
pub use machine::{
    Dialect, Effect, Effects, Input, Keep, Keepalive, Lift, Machine, Now, Outbox, Speaks, Start, Topic,
};
pub use map::Map;
pub use plan::{HostId, HostSpec, Plan, ProcessId, ProcessSpec};
pub use process::Health;
pub use time::{Mono, SimTime, Span, Wall};
pub use trace::{Fate, Phase, Record, RecordId, Struck, Took, Trace, What};
pub use world::World;
