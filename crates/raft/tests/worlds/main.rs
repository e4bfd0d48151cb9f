//! Random worlds on the real kernel: clusters, clients and faults drawn from a seed, and what must always hold.
//!
//! `RAFT_SEED=17 cargo test -p fencepost-raft --test worlds` plays one world again, with `RAFT_TELL=1`
//! tells its story; `RAFT_WORLDS=100000` plays more.

mod cast;
mod check;
mod draw;

use kernel::{ProcessId, Record, Span, Took, Trace, What, World};

use check::{Check, Tally};
use draw::Disks;

/// Without a fault for so long, a cluster must have a leader ...
const CALM: Span = Span::from_secs(2);
/// ... and have written something in this time.
const PROGRESS: Span = Span::from_secs(1);

const WORLDS: u64 = 2_500;

/// More than a world needs, unless its servers answer each other for ever.
const STEPS_MAX: u64 = 60_000;

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
    let drawn = draw::draw(seed, Disks::Keep);
    let _replay = Replay { seed, about: drawn.about };
    let (mut world, mut trace) = (World::new(drawn.plan), Trace::recording());
    let mut check = Check::new(drawn.servers);
    while world.step(&mut trace) {
        check.step(&world, &trace);
    }
    assert!(world.inputs_taken() < STEPS_MAX, "{} steps", world.inputs_taken());
    check.end(&world);
    check.tally
}

/// The story of one world, without its messages.
fn tell(seed: u64) {
    let (mut world, mut trace) = (World::new(draw::draw(seed, Disks::Keep).plan), Trace::recording());
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

/// Disks that forget, and backups put in their place, break what Raft promises, but not the machine: it stops where etcd
/// panics, and never talks itself to death.
#[test]
fn forgetful_disks_stop_servers_and_nothing_else() {
    let mut halted = 0;
    for seed in 1..=WORLDS / 5 {
        let drawn = draw::draw(seed, Disks::Forget);
        let _replay = Replay { seed, about: drawn.about };
        let (mut world, mut trace) = (World::new(drawn.plan), Trace::off());
        while world.step(&mut trace) {}
        assert!(world.inputs_taken() < STEPS_MAX, "{} steps", world.inputs_taken());
        let servers = (0..drawn.servers as u16).map(ProcessId);
        halted +=
            servers.filter(|&s| world.machine(s).raft().is_some_and(|raft| raft.halted().is_some())).count();
    }
    assert!(halted > 0, "some lost what was committed");
}

#[test]
fn a_world_is_played_twice_alike() {
    let text = |seed| {
        let (mut world, mut trace) = (World::new(draw::draw(seed, Disks::Keep).plan), Trace::recording());
        while world.step(&mut trace) {}
        format!("{:?}", trace.records())
    };
    for seed in [1, 2, 3] {
        assert!(text(seed) == text(seed), "world {seed}");
    }
}
