//! A worker and its sidecar when the sidecar dies: what is waited for is asked again.

use scenario::facts::MomentKind;

use crate::told::{Told, ms};

/// The story with nobody hanging; A begins at `start`, and its sidecar is down from one instant to another.
fn without_its_sidecar(start: &str, from: u64, to: u64) -> Told {
    let down = format!(
        "{{ id = \"agent-hangs\", kind = \"crash\", on = \"A-agent\", at = \"{from}ms\", for = \"{}ms\" }}",
        to - from
    );
    let edits = [("fault.a-hangs.enabled", "false"), ("worker.A.start", start), ("fault.agent-hangs", &down)];
    Told(fencepost_tests::played("sidecar", None, &edits))
}

fn finished(told: &Told, worker: &str) -> Option<u64> {
    let worker = told.process(worker);
    let mut moments = told.0.facts.moments.iter();
    moments.find(|moment| moment.process == worker && moment.what == MomentKind::Finished).map(|it| ms(it.at))
}

#[test]
fn a_worker_that_waits_for_its_lock_is_asked_for_again_by_the_sidecar_that_comes_up() {
    // B has the lock from 0.5 s until it is done, about 10 s later. A asks before its sidecar dies, or while it is down.
    for (start, from, to) in [("1s", 3_000, 5_000), ("3s", 2_000, 5_000), ("1s", 3_000, 20_000)] {
        let told = without_its_sidecar(start, from, to);
        let (b, a) = (finished(&told, "B").expect("B had the lock"), finished(&told, "A"));
        assert!(a.is_some_and(|a| a > b), "down from {from} to {to}: {a:?}");
        assert!(ms(told.belief("A").from) >= b.max(to), "down from {from} to {to}");
    }
}

/// The sidecar's session dies with it, and its lease ends by itself: there is nothing that it could give back.
#[test]
fn a_worker_that_gives_its_lock_back_while_its_sidecar_is_down_is_answered_when_that_comes_up() {
    let told = without_its_sidecar("0s", 9_500, 14_000);
    let a = finished(&told, "A").expect("it was answered");
    assert!((14_000..14_100).contains(&a), "{a}");
}

/// As before: who held a lock has lost it, and begins again or stops.
#[test]
fn a_worker_that_holds_has_lost_its_lock_when_its_sidecar_comes_up() {
    let told = without_its_sidecar("0s", 3_000, 4_000);
    let (ended, _) = told.belief("A").ended.expect("it is told");
    assert_eq!(ms(ended), 3_000, "its belief is its sidecar's");
    assert_eq!(finished(&told, "A"), None);
    assert!(finished(&told, "B").is_some());
}
