//! Felix: conditional writes, versions, and the pass that deletes what has run out.

use std::rc::Rc;

use locks::felix::{Broker, Condition, Consistency, Recipe, Reply, Request};
use locks::{AnyReplica, ClientKind, Freed, Gone};

use crate::cast::Do;
use crate::lab::{Lab, N1, POLICY, Run, Setup, ms};

/// The first record is the owner's own.
const FIRST: u64 = 2;

fn lab(consistency: Consistency) -> Lab {
    let service = AnyReplica::Felix(Broker::new(consistency));
    Setup::default().log(&service, ClientKind::Felix(Recipe::default()))
}
fn ask(request: Request) -> locks::Request {
    locks::Request::Felix(Rc::new(request))
}
fn put(value: u64, on: Condition) -> locks::Request {
    ask(Request::PutIf { lock: "job".into(), value, ttl: ms(10_000), on })
}
fn delete(version: u64) -> locks::Request {
    ask(Request::DeleteIf { lock: "job".into(), version })
}
fn get() -> locks::Request {
    ask(Request::Get { lock: "job".into() })
}
fn answers(run: &Run, asker: kernel::ProcessId, count: u64) -> Vec<Reply> {
    let answer = |id| match run.asker(asker).answer(id) {
        Some(locks::Reply::Felix(reply)) => **reply,
        other => panic!("request {id}: {other:?}"),
    };
    (1..=count).map(answer).collect()
}
fn applied(version: u64) -> Reply {
    Reply::Put { applied: true, version: Some(version) }
}
fn refused(version: Option<u64>) -> Reply {
    Reply::Put { applied: false, version }
}

#[test]
fn a_write_is_applied_on_its_condition_and_every_put_has_a_version_of_its_own() {
    for consistency in [Consistency::Quorum, Consistency::Leader { lag: ms(100) }] {
        let mut lab = lab(consistency);
        let asker = lab.asker(vec![
            (0, N1, put(1, Condition::Absent)),
            (10, N1, put(2, Condition::Absent)),
            (20, N1, put(1, Condition::Version(FIRST))),
            (30, N1, put(1, Condition::Version(FIRST))),
            (40, N1, delete(FIRST)),
            (50, N1, get()),
            (60, N1, delete(FIRST + 1)),
            (70, N1, put(2, Condition::Absent)),
            // What holds an older version touches nothing that came after it.
            (80, N1, put(1, Condition::Version(FIRST + 1))),
            (90, N1, delete(FIRST + 1)),
        ]);
        let run = lab.run(1_000);
        let expected = [
            applied(FIRST),
            refused(Some(FIRST)),
            applied(FIRST + 1),
            refused(Some(FIRST + 1)),
            Reply::Deleted(false),
            Reply::Got(Some((1, FIRST + 1))),
            Reply::Deleted(true),
            applied(FIRST + 3),
            refused(Some(FIRST + 3)),
            Reply::Deleted(false),
        ];
        assert_eq!(answers(&run, asker, 10), expected, "{consistency:?}");
    }
}

#[test]
fn a_put_need_not_wait_for_the_pass_that_deletes_what_has_run_out() {
    let mut lab = lab(Consistency::Quorum);
    let asker = lab.asker(vec![
        (500, N1, put(1, Condition::Absent)),
        (10_400, N1, put(2, Condition::Absent)),
        // The entry runs out at 10,501; the pass is at 11,000.
        (10_600, N1, put(1, Condition::Version(FIRST))),
        (10_610, N1, put(2, Condition::Absent)),
    ]);
    let run = lab.run(25_000);
    let expected = [applied(FIRST), refused(Some(FIRST)), refused(None), applied(FIRST + 1)];
    assert_eq!(answers(&run, asker, 4), expected);
    let freed = run.freed();
    assert_eq!(freed.len(), 2);
    // Nobody put anything over the second: its time is over at 20,611, and the pass comes at 21,000.
    assert!((21_000..21_010).contains(&freed[1].0) && freed[1].1 == Freed::Expired, "{freed:?}");
}

/// A release names the newest version: the one that the renewal on its way leaves.
#[test]
fn a_release_waits_for_the_renewal_that_is_on_its_way() {
    for consistency in [Consistency::Quorum, Consistency::Leader { lag: ms(100) }] {
        let mut lab = lab(consistency);
        let worker = lab.worker(POLICY, &[(0, Do::Acquire), (3_001, Do::Release)]);
        let run = lab.run(20_000);
        assert_eq!(run.let_go(worker), [(3_001, Gone::Released)]);
        let freed = run.freed();
        assert!(matches!(freed[..], [(3_002..3_010, Freed::Released)]), "{consistency:?}: {freed:?}");
    }
}
