//! Random worlds: three members, three workers that want one lock, and faults of many kinds. What must hold holds in
//! all of them; what a known mistake breaks is found to be broken.
//!
//! `LOCKS_SEED=n cargo test -p fencepost-locks --test etcd worlds -- --nocapture` plays one world again, `LOCKS_TELL=1`
//! tells its story, `LOCKS_WORLDS=n` plays more of them.

mod check;
mod draw;

use kernel::{Trace, What, World};
use locks::{Anchor, HolderClock};

use self::check::{Check, Tally};
use self::draw::{Drawn, Kind, Way, draw};
use crate::common::Note;

const WORLDS: u64 = 700;

fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok().map(|value| value.parse().unwrap_or_else(|_| panic!("{name} is a number")))
}

/// Says which world it was when something panics within.
struct Playing(u64);
impl Drop for Playing {
    fn drop(&mut self) {
        if std::thread::panicking() {
            println!("world {}: LOCKS_SEED={} plays it again", self.0, self.0);
        }
    }
}

/// Plays a world and says what was wrong with it.
fn play(seed: u64, drawn: Drawn) -> Result<Tally, String> {
    let _playing = Playing(seed);
    let about = drawn.about.clone();
    let mut check = Check::new(&drawn);
    let (mut world, mut trace) = (World::new(drawn.plan), Trace::recording());
    while world.step(&mut trace) {
        check.step(&world, &trace).map_err(|error| format!("world {seed}: {error}; {about}"))?;
    }
    check.end(&world).map_err(|error| format!("world {seed}: {error}; {about}"))
}

fn tell(drawn: Drawn) {
    let (mut world, mut trace) = (World::new(drawn.plan), Trace::recording());
    while world.step(&mut trace) {}
    for record in trace.records() {
        match &record.what {
            What::Noted(Note::Lock(note)) => println!("{} {}: {note:?}", record.at, record.process.0),
            What::Noted(Note::Raft(note)) => println!("{} {}: {note:?}", record.at, record.process.0),
            What::Struck(struck) => println!("{} {struck:?}", record.at),
            What::Took(kernel::Took::Boot) => println!("{} {}: boots", record.at, record.process.0),
            What::Took(_) | What::Sent { .. } | What::Dropped | What::Kept(_) => {}
        }
    }
}

#[test]
fn what_must_hold_holds() {
    if let Some(seed) = number("LOCKS_SEED") {
        if std::env::var("LOCKS_TELL").is_ok() {
            tell(draw(seed, &Way::RIGHT));
        }
        println!("{:?}", play(seed, draw(seed, &Way::RIGHT)).unwrap_or_else(|error| panic!("{error}")));
        return;
    }
    let worlds = number("LOCKS_WORLDS").unwrap_or(WORLDS);
    let mut total = Tally::default();
    for seed in 1..=worlds {
        total += play(seed, draw(seed, &Way::RIGHT))
            .unwrap_or_else(|error| panic!("{error}\nLOCKS_SEED={seed} plays it again"));
    }
    println!("{worlds} worlds: {total:?}");
    // Seven hundred quiet worlds would prove nothing.
    assert!(total.grants > 6 * worlds && total.judged > 2 * worlds, "{total:?}");
    assert!(total.expired > worlds / 2 && total.lost > worlds / 4, "{total:?}");
    assert!(total.takeovers > worlds && total.restarts > worlds, "{total:?}");
    assert!(total.failed_renewals > 4 * worlds, "{total:?}");
}

#[test]
fn a_world_is_played_twice_alike() {
    let text = |seed| {
        let (mut world, mut trace) = (World::new(draw(seed, &Way::RIGHT).plan), Trace::recording());
        while world.step(&mut trace) {}
        format!("{:?}", trace.records())
    };
    for seed in [1, 2, 3] {
        assert!(text(seed) == text(seed), "world {seed}");
    }
}

/// In how many worlds somebody could act on a lock that was free already, of which the first is given.
fn broken(worlds: u64, way: &Way) -> (u64, Option<String>) {
    let errors: Vec<String> = (1..=worlds).filter_map(|seed| play(seed, draw(seed, way)).err()).collect();
    for error in &errors {
        assert!(error.contains("outlives the record"), "not what was looked for: {error}");
    }
    (errors.len() as u64, errors.into_iter().next())
}

const CONTROLS: u64 = 60;

/// A wrong behaviour, asserted: a lease timed on a wall clock that is stepped back outlives the authority's record. On
/// the monotonic clock, the same worlds are fine.
#[test]
fn a_lease_on_a_wall_clock_outlives_the_record() {
    let stepped = Way { only: Some(&[Kind::WallStep, Kind::CutClient]), ..Way::RIGHT };
    assert_eq!(broken(CONTROLS, &stepped), (0, None));
    let (count, first) = broken(CONTROLS, &Way { clock: HolderClock::Wall, ..stepped });
    assert!(count > 0, "no step did any harm in {CONTROLS} worlds");
    println!("{count} of {CONTROLS}: {}", first.unwrap_or_default());
}

/// A wrong behaviour, asserted: counted from a reply that was long on its way, a lease outlives the authority's record.
/// Counted from when the request was sent, the same worlds are fine.
#[test]
fn a_lease_counted_from_a_slow_reply_outlives_the_record() {
    let slow = Way { slow_replies: true, only: Some(&[Kind::CutClient]), ..Way::RIGHT };
    assert_eq!(broken(CONTROLS, &slow), (0, None));
    let (count, first) = broken(CONTROLS, &Way { anchor: Anchor::Received, ..slow });
    assert!(count > 0, "no slow reply did any harm in {CONTROLS} worlds");
    println!("{count} of {CONTROLS}: {}", first.unwrap_or_default());
}

/// A wrong behaviour, asserted: no client library can help it. A holder that is paused believes until it runs again;
/// what it does without a look at its clock then, it does as a holder.
#[test]
fn a_belief_that_is_paused_outlives_the_record() {
    let paused = Way { only: Some(&[Kind::PauseWorker]), ..Way::RIGHT };
    assert_eq!(broken(CONTROLS, &paused), (0, None), "by its clock, nobody could act");
    let (count, first) = broken(CONTROLS, &Way { beliefs_count: true, ..paused });
    assert!(count > 0, "no pause did any harm in {CONTROLS} worlds");
    println!("{count} of {CONTROLS}: {}", first.unwrap_or_default());
}
