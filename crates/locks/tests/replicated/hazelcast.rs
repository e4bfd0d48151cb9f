//! Hazelcast: what its members do with sessions and locks, and its client.

use std::rc::Rc;

use kernel::{FaultKind, ProcessId};
use locks::hazelcast::{Hazelcast, Recipe, Reply, Request};
use locks::{AnyReplica, ClientKind, Freed, Gone, Policy, Token, Wait};

use crate::cast::{Do, Role};
use crate::lab::{Lab, N1, N2, N3, POLICY, Run, Setup, crash, delay, ms, pause, s, wall_step};

const TTL: u64 = 10_000;

fn lab() -> Lab {
    let group = Hazelcast::new(ms(TTL), s(5));
    Setup::default().log(&AnyReplica::Hazelcast(group), ClientKind::Hazelcast(Recipe::default()))
}

fn ask(request: Request) -> locks::Request {
    locks::Request::Hazelcast(Rc::new(request))
}
fn session() -> locks::Request {
    ask(Request::CreateSession)
}
fn heartbeat(session: u64) -> locks::Request {
    ask(Request::Heartbeat { session })
}
fn close(session: u64) -> locks::Request {
    ask(Request::CloseSession { session })
}
fn lock(session: u64, uid: u64) -> locks::Request {
    ask(Request::Lock { lock: "job".into(), session, uid })
}
fn unlock(session: u64, uid: u64) -> locks::Request {
    ask(Request::Unlock { lock: "job".into(), session, uid })
}
fn is_locked() -> locks::Request {
    ask(Request::IsLocked { lock: "job".into() })
}
fn locked(fence: u64) -> Option<Reply> {
    Some(Reply::Locked { fence: Token(fence) })
}
fn jump(server: ProcessId) -> FaultKind<Role> {
    wall_step(server, s(60))
}

fn state(run: &Run, server: ProcessId) -> &Hazelcast {
    match run.member(server).service() {
        AnyReplica::Hazelcast(group) => group,
        AnyReplica::Consul(_)
        | AnyReplica::ZooKeeper(_)
        | AnyReplica::Chubby(_)
        | AnyReplica::Raft(_)
        | AnyReplica::Felix(_) => panic!("this is a Hazelcast"),
    }
}
fn answer(run: &Run, asker: ProcessId, id: u64) -> Option<Reply> {
    run.asker(asker).answer(id).map(|reply| match reply {
        locks::Reply::Hazelcast(reply) => **reply,
        other => panic!("{other:?}"),
    })
}

#[test]
fn the_fence_is_the_index_of_the_owners_own_request() {
    let mut lab = lab();
    let asker = lab.asker(vec![
        (0, N1, session()),      // 2
        (10, N1, session()),     // 3
        (20, N1, lock(1, 11)),   // 4
        (30, N1, lock(2, 21)),   // 5: in line
        (40, N1, unlock(2, 22)), // 6: it is not its own
        (50, N1, unlock(1, 12)), // 7
        (60, N1, lock(2, 21)),   // 8: the same request once more
    ]);
    let run = lab.run(1_000);
    assert_eq!(answer(&run, asker, 3), locked(4));
    assert_eq!(answer(&run, asker, 4), Some(Reply::Waits));
    assert_eq!(answer(&run, asker, 5), Some(Reply::Unlocked(false)));
    assert_eq!(answer(&run, asker, 6), Some(Reply::Unlocked(true)));
    assert_eq!(answer(&run, asker, 7), locked(5), "lower than the unlock's 7, above the last owner's 4");
    assert_eq!(run.granted(), [(23, 4), (53, 5)]);
}

#[test]
fn a_session_that_has_the_lock_keeps_its_fence_and_counts() {
    let mut lab = lab();
    // Apart, so that one that counts twice is not made up for by the other.
    let asker = lab.asker(vec![
        (0, N1, session()),
        (20, N1, lock(1, 11)), // 3
        (30, N1, lock(1, 12)), // again
        (40, N1, lock(1, 12)), // the same once more: it counts once
        (50, N1, unlock(1, 13)),
        (60, N1, unlock(1, 14)),
        (70, N1, is_locked()),
        (80, N1, lock(1, 15)),
        (90, N1, lock(1, 16)),
        (100, N1, unlock(1, 17)),
        (110, N1, unlock(1, 17)), // the same once more
        (120, N1, is_locked()),
        (130, N1, unlock(1, 18)),
        (140, N1, is_locked()),
        (150, N1, unlock(1, 19)),
    ]);
    let run = lab.run(1_000);
    for id in [2, 3, 4] {
        assert_eq!(answer(&run, asker, id), locked(3));
    }
    assert_eq!(answer(&run, asker, 7), Some(Reply::IsLocked(false)));
    assert_eq!(answer(&run, asker, 12), Some(Reply::IsLocked(true)));
    assert_eq!(answer(&run, asker, 14), Some(Reply::IsLocked(false)));
    assert_eq!(answer(&run, asker, 15), Some(Reply::Unlocked(false)));
}

#[test]
fn a_sessions_end_cancels_its_waits() {
    let mut lab = lab();
    let asker = lab.asker(vec![
        (0, N1, session()),
        (10, N1, session()),
        (20, N1, session()),
        (30, N1, lock(1, 11)), // 5
        (40, N1, lock(2, 21)),
        (50, N1, lock(3, 31)), // 7
        (60, N1, close(2)),
        (70, N1, close(1)),
        (80, N1, lock(3, 31)),
        (90, N1, heartbeat(2)),
    ]);
    let run = lab.run(1_000);
    assert_eq!(answer(&run, asker, 9), locked(7));
    assert_eq!(answer(&run, asker, 10), Some(Reply::NoSession));
}

#[test]
fn the_leader_scans_every_second_and_heartbeats_go_through_the_log() {
    let mut lab = lab();
    let asker = lab.asker(vec![
        (0, N1, session()),
        (100, N1, lock(1, 11)),
        (5_500, N2, heartbeat(1)),
        (15_900, N1, is_locked()),
    ]);
    let run = lab.run(20_000);
    assert_eq!(answer(&run, asker, 3), Some(Reply::Alive(s(10))));
    assert_eq!(answer(&run, asker, 4), Some(Reply::IsLocked(true)));
    // Over at 15.5 s; found at 16 s.
    assert_eq!(run.freed(), [(16_002, Freed::Expired)]);
    assert!([N1, N2, N3].iter().all(|server| state(&run, *server).sessions().count() == 0));
}

#[test]
fn a_heartbeat_that_is_committed_first_undoes_the_end() {
    let mut lab = lab();
    lab.asker(vec![
        (0, N1, session()),
        (100, N1, lock(1, 11)),
        // Proposed by way of a follower, and on its way when the leader scans.
        (9_990, N1, heartbeat(1)),
    ]);
    lab.fault(9_000, Some(10_990), delay(&[N1], &[N2, N3], ms(200)));
    lab.fault(9_995, None, jump(N1));
    let run = lab.run(10_900);
    assert_eq!(run.freed(), [], "the end named version 0, and it has version 1");
    assert_eq!(state(&run, N2).sessions().map(|(_, kept)| kept.version).collect::<Vec<_>>(), [1]);
}

#[test]
fn a_jump_of_the_leaders_wall_clock_ends_every_session_and_a_followers_none() {
    for (server, ended) in [(N1, 2), (N2, 0)] {
        let mut lab = lab();
        lab.asker(vec![(0, N1, session()), (10, N1, session()), (20, N1, lock(1, 11))]);
        lab.fault(1_500, None, jump(server));
        let run = lab.run(4_000);
        assert_eq!(state(&run, N3).sessions().count(), 2 - ended, "{server:?}");
        assert_eq!(run.freed().len(), ended / 2);
    }
}

#[test]
fn a_new_leader_adds_a_heartbeat_interval() {
    let mut lab = lab();
    lab.asker(vec![(0, N1, session()), (10, N1, lock(1, 11))]);
    lab.fault(3_000, None, crash(N1));
    let run = lab.run(20_000);
    let freed = run.freed();
    let [(at, Freed::Expired)] = freed[..] else { panic!("{freed:?}") };
    assert!((15_000..16_100).contains(&at), "{at}");
}

const WORKER: Policy = Policy { margin: s(0), renew_every: s(5), wait: Wait::Queue, ..POLICY };

#[test]
fn workers_stand_in_line_and_leave_nothing_behind() {
    let mut lab = lab();
    let first = lab.worker(WORKER, &[(0, Do::Acquire), (2_000, Do::Release)]);
    let second = lab.worker(WORKER, &[(500, Do::Acquire), (4_000, Do::Release)]);
    let run = lab.run(6_000);
    let (one, two) = (run.holds(first), run.holds(second));
    assert_eq!((one.len(), two.len()), (1, 1));
    assert!(one[0].1 < two[0].1 && (2_000..2_020).contains(&two[0].0), "{one:?}, {two:?}");
    assert_eq!(state(&run, N1).sessions().count(), 0);
}

#[test]
fn a_paused_holder_loses_its_session_and_is_told() {
    let mut lab = lab();
    let first = lab.worker(WORKER, &[(0, Do::Acquire)]);
    let second = lab.worker(WORKER, &[(500, Do::Acquire)]);
    lab.fault(1_000, Some(30_000), pause(first));
    let run = lab.run(31_000);
    assert_eq!(run.freed()[0].1, Freed::Expired);
    assert_eq!(run.let_go(first), [(30_000, Gone::StopTime)]);
    assert_eq!(run.holds(second).len(), 1);
}
