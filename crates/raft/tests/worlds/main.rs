//! Random worlds on the real kernel: clusters, clients and faults drawn from a seed, and what must always hold.
//!
//! `RAFT_SEED=17 cargo test -p fencepost-raft --test worlds` plays one world again, with `RAFT_TELL=1`
//! tells its story; `RAFT_WORLDS=100000` plays more.

mod cast;
mod check;
mod draw;

use kernel::{Record, Span, Took, Trace, What, World};

use check::{Check, Tally};

/// Without a fault for so long, a cluster must have a leader ...
const CALM: Span = Span::from_secs(2);
/// ... and have written something in this time.
const PROGRESS: Span = Span::from_secs(1);

const WORLDS: u64 = 1_500;

/// Says which seed it was when a world goes wrong.
struct Replay {
    seed: u64,
    about: String,
}

impl Drop for Replay {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("world {}: {}", self.seed, self.about);
            eprintln!("again: RAFT_SEED={} cargo test -p fencepost-raft --test worlds", self.seed);
        }
    }
}

fn number(variable: &str) -> Option<u64> {
    std::env::var(variable).ok().map(|value| value.parse().expect("a number"))
}

fn play(seed: u64) -> Tally {
    let drawn = draw::draw(seed);
    let _replay = Replay { seed, about: drawn.about };
    let (mut world, mut trace) = (World::new(drawn.plan), Trace::recording());
    let mut check = Check::new(drawn.servers);
    while world.step(&mut trace) {
        check.step(&world, &trace);
    }
    check.end(&world);
    check.tally
}

/// The story of one world, without its messages.
fn tell(seed: u64) {
    let (mut world, mut trace) = (World::new(draw::draw(seed).plan), Trace::recording());
    while world.step(&mut trace) {}
    for Record { at, process, what, .. } in trace.records() {
        match what {
            What::Noted(note) => println!("{at} {}: {note:?}", process.0),
            What::Struck(struck) => {
                println!("{at} {:?} {:?} {:?}", struck.phase, struck.processes, struck.links)
            }
            What::Took(Took::Boot) => println!("{at} {}: boots", process.0),
            What::Took(_) | What::Sent { .. } | What::Dropped | What::Kept(_) => {}
        }
    }
}

#[test]
fn what_must_hold_holds() {
    if let Some(seed) = number("RAFT_SEED") {
        if std::env::var("RAFT_TELL").is_ok() {
            tell(seed);
        }
        println!("{:?}", play(seed));
        return;
    }
    let mut total = Tally::default();
    let worlds = number("RAFT_WORLDS").unwrap_or(WORLDS);
    for seed in 1..=worlds {
        let tally = play(seed);
        total.steps += tally.steps;
        total.elections += tally.elections;
        total.crashes += tally.crashes;
        total.writes += tally.writes;
        total.reads += tally.reads;
        total.snapshots += tally.snapshots;
        total.transfers += tally.transfers;
        total.truncations += tally.truncations;
    }
    println!("{worlds} worlds: {total:?}");
    // A thousand quiet worlds would prove nothing.
    assert!(total.elections > 2 * worlds && total.crashes > worlds / 4, "{total:?}");
    assert!(total.writes > 50 * worlds && total.reads > 50 * worlds, "{total:?}");
    assert!(total.snapshots > worlds / 20 && total.truncations > worlds / 100, "{total:?}");
    assert!(total.transfers > worlds / 10, "{total:?}");
}

#[test]
fn a_world_is_played_twice_alike() {
    let text = |seed| {
        let (mut world, mut trace) = (World::new(draw::draw(seed).plan), Trace::recording());
        while world.step(&mut trace) {}
        format!("{:?}", trace.records())
    };
    for seed in [1, 2, 3] {
        assert!(text(seed) == text(seed), "world {seed}");
    }
}
