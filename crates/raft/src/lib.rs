//! Raft as a [`kernel`] machine's part: randomised elections with pre-vote and check-quorum, log replication with
//! durable term, vote and log, snapshots, leader transfer, and linearizable reads by a round of heartbeats or by
//! the leader's lease. Membership is fixed: every peer is a voter, and nobody joins or leaves.
//!
//! A [`Raft`] is embedded: the server that holds it hands it its own inputs and an outbox ([`kernel::Lift`]), and
//! takes from it what is committed. It has no I/O and no clock of its own; its timers are lengths of its host's
//! monotonic time. Nothing is sent before what it promises is on disk, because a `Persist` effect holds
//! back the sends behind it, and [`Raft`] asks for its `Persist` first.
//!
//! The rules are those of Ongaro's thesis, *Consensus: Bridging Theory and Practice* (2014), with etcd-io/raft's
//! answers where the thesis leaves room; each item names its source.
//!
//! ```
//! use kernel::{Effect, Effects, Input, Mono, ProcessId, Rng, Span, Stream};
//! use raft::{App, Config, Disk, ElectionTimeout, Payload, Raft, Speech, Timer};
//!
//! #[derive(Clone, Debug)]
//! struct Words;
//! impl App for Words {
//!     type Command = &'static str;
//!     type Snapshot = ();
//! }
//!
//! // A cluster of one elects itself when its election timer is due.
//! let me = ProcessId(0);
//! let timeout = ElectionTimeout::uniform(Span::from_millis(100), Span::from_millis(200));
//! let config = Config::new(me, [me], Span::from_millis(50), timeout);
//! let mut raft = Raft::<Words>::start(config, &Disk::default(), Rng::new(Stream::new(1, 1, 1)));
//!
//! let mut out = Effects::<Speech<Words>>::default();
//! raft.on(Input::Boot, Mono::default(), &mut out);
//! let Some(Effect::Arm { timer: Timer::Election, due }) = out.0.pop() else { panic!("it waits for a leader") };
//! raft.on(Input::Timer(Timer::Election), due, &mut out);
//! assert!(raft.is_leader());
//!
//! raft.propose("hello", due, &mut out).expect("it leads");
//! assert!(matches!(raft.next_committed().unwrap().payload, Payload::Empty), "a term's first entry is empty");
//! assert!(matches!(raft.next_committed().unwrap().payload, Payload::Command("hello")));
//! assert!(raft.next_committed().is_none());
//! ```

mod config;
mod disk;
mod election;
mod heartbeat;
mod leader;
mod log;
mod message;
mod node;
mod note;
mod progress;
mod quorum;
mod read;
mod replication;
mod snapshot;
mod speech;
mod transfer;

pub use config::{Config, ConfigError, ElectionTimeout, Reads};
pub use disk::{Disk, Write};
pub use log::{Entry, Log, LogId, Payload};
pub use message::{Append, Message, Rejection};
pub use node::{Raft, Role, Timer};
pub use note::{Halt, Note, StepDown};
pub use progress::{Flow, Progress};
pub use quorum::{VOTERS_MAX, majority, reached_by_majority};
pub use read::ReadState;
pub use replication::Dropped;
pub use snapshot::Snapshot;
pub use speech::{App, Speech};
