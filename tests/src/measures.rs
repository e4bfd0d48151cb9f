//! What the benches measure, natively and as wasm alike; each brings its own clock.

use std::hint::black_box;
use std::time::Duration;

use kernel::SimTime;
use scenario::{Play, Scenario, play};
use stats_alloc::{Region, StatsAlloc};
use timeline::{Options, Scene, layout};

use crate::cluster::{self, Nothing, Server};

/// How long the measured clusters live.
pub const CLUSTER_SECS: u64 = 1_200;

/// The measured clusters, by the names of their measures.
pub const CLUSTERS: [Measured; 4] = [
    ("cluster/idle, trace off", cluster::idle, kernel::Trace::off),
    ("cluster/idle, recorded", cluster::idle, kernel::Trace::recording),
    ("cluster/crashes, trace off", cluster::with_crashes, kernel::Trace::off),
    ("cluster/crashes, recorded", cluster::with_crashes, kernel::Trace::recording),
];

type Measured = (&'static str, PlanOf, fn() -> Recording);
type PlanOf = fn(SimTime) -> kernel::Plan<Server>;
type Recording = kernel::Trace<raft::Speech<Nothing>>;

/// The measured story.
pub fn billing() -> Scenario {
    let document = crate::case("billing", None).document;
    document.scenario().unwrap_or_else(|problems| panic!("{problems}"))
}

/// Plays a scenario and lays it out as a page of an ordinary width does; answers how many marks there are.
pub fn play_and_layout(scenario: &Scenario) -> usize {
    let play = play(scenario);
    let scene = Scene { cast: &play.cast, facts: &play.facts, horizon: play.horizon() };
    black_box(layout(&scene, &Options::for_width(1_400.0))).marks.len()
}

/// How long it takes to reach an instant: the median of many, and the worst.
#[derive(Clone, Copy, Debug)]
pub struct Scrubs {
    /// Half of the instants take less.
    pub median: Duration,
    /// None takes longer.
    pub worst: Duration,
}

/// Reaches many instants all over a play, in no order, and reads the state of every process there. Of several tries at
/// an instant the quickest counts: what else the computer does is not the play's.
pub fn scrubs(play: &Play, now: impl Fn() -> Duration) -> Scrubs {
    const INSTANTS: u64 = 997;
    const TRIES: u32 = 7;
    let horizon = play.horizon().as_micros();
    let mut times: Vec<Duration> = (0..INSTANTS)
        .map(|k| {
            let at = SimTime::from_micros(k * 619 % INSTANTS * horizon / INSTANTS);
            let once = |_| {
                let began = now();
                black_box(play.view(at));
                now().saturating_sub(began)
            };
            (0..TRIES).map(once).min().unwrap_or_default()
        })
        .collect();
    times.sort();
    Scrubs { median: times[times.len() / 2], worst: times[times.len() - 1] }
}

/// How many bytes a played story holds: what is allocated and not given back while it is kept.
pub fn bytes_held<A: std::alloc::GlobalAlloc>(
    allocator: &'static StatsAlloc<A>,
    scenario: &Scenario,
) -> usize {
    let region = Region::new(allocator);
    let play = black_box(play(scenario));
    let change = region.change();
    drop(play);
    change.bytes_allocated - change.bytes_deallocated
}

/// A measure that was taken by hand, as criterion prints its own.
pub fn time_line(name: &str, took: Duration) -> String {
    let micros = took.as_secs_f64() * 1e6;
    format!("{name:<24}time:   [{micros:.3} µs {micros:.3} µs {micros:.3} µs]")
}

/// A number of bytes, in the same form.
pub fn bytes_line(name: &str, bytes: usize) -> String {
    format!("{name:<24}bytes:  [{bytes} B {bytes} B {bytes} B]")
}
