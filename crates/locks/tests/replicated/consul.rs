//! Consul: what its servers do with sessions and keys, and its client.

use std::rc::Rc;

use kernel::ProcessId;
use locks::consul::{Behavior, Consul, Entry, Index, Recipe, Reply, Request};
use locks::{AnyReplica, ClientKind, Freed, Gone, Note, Policy, Wait};

use crate::cast::Do;
use crate::lab::{
    Lab, N1, N2, N3, POLICY, Run, Setup, crash, cut, delay, isolate, mono, ms, pause, s, twice,
};

const TTL: u64 = 10_000;
/// The first entry of the log is the second of all.
const FIRST: u64 = 2;

/// A lab with this lock-delay for the workers' sessions.
fn lab_with(setup: &Setup, behavior: Behavior, lock_delay: u64) -> Lab {
    let kind = ClientKind::Consul(Recipe::new(behavior, ms(lock_delay)));
    setup.log(&AnyReplica::Consul(Consul::new(Index::Lock)), kind)
}
fn lab() -> Lab {
    lab_with(&Setup::default(), Behavior::Release, 15_000)
}

fn ask(request: Request) -> locks::Request {
    locks::Request::Consul(Rc::new(request))
}
fn session_with(behavior: Behavior, lock_delay: u64) -> locks::Request {
    ask(Request::CreateSession { ttl: ms(TTL), behavior, lock_delay: ms(lock_delay) })
}
fn session() -> locks::Request {
    session_with(Behavior::Release, 15_000)
}
fn renew(session: u64) -> locks::Request {
    ask(Request::Renew { session })
}
fn destroy(session: u64) -> locks::Request {
    ask(Request::DestroySession { session, expired: false })
}
fn acquire(session: u64) -> locks::Request {
    ask(Request::Acquire { key: "job".into(), session })
}
fn release(session: u64) -> locks::Request {
    ask(Request::Release { key: "job".into(), session })
}
fn get() -> locks::Request {
    ask(Request::Get { key: "job".into() })
}
fn watch() -> locks::Request {
    ask(Request::Watch { key: "job".into() })
}

fn state(run: &Run, server: ProcessId) -> &Consul {
    match run.member(server).service() {
        AnyReplica::Consul(consul) => consul,
        AnyReplica::ZooKeeper(_)
        | AnyReplica::Hazelcast(_)
        | AnyReplica::Chubby(_)
        | AnyReplica::Raft(_)
        | AnyReplica::Felix(_) => panic!("this is a Consul"),
    }
}
/// The key, which all servers agree on.
fn key(run: &Run) -> Option<Entry> {
    let keys: Vec<Option<Entry>> = [N1, N2, N3]
        .iter()
        .map(|server| state(run, *server).keys().next().map(|(_, entry)| *entry))
        .collect();
    assert_eq!((keys[0], keys[0]), (keys[1], keys[2]));
    keys[0]
}
fn answer(run: &Run, asker: ProcessId, id: u64) -> Option<Reply> {
    run.asker(asker).answer(id).map(|reply| match reply {
        locks::Reply::Consul(reply) => **reply,
        other => panic!("{other:?}"),
    })
}
/// The LockIndex of a key that was acquired.
fn lock_index(run: &Run, asker: ProcessId, id: u64) -> u64 {
    match answer(run, asker, id) {
        Some(Reply::Acquired { token, .. }) => token.0,
        other => panic!("request {id}: {other:?}"),
    }
}

// --- The servers, by short scripts. ---

#[test]
fn a_session_ends_twice_its_time_to_live_after_it_was_last_heard_of() {
    let mut lab = lab();
    let asker = lab.asker(vec![
        (0, N1, session()),
        (100, N1, acquire(FIRST)),
        (8_000, N1, renew(FIRST)),
        // Far behind its time to live, and it is there all the same.
        (27_000, N1, get()),
        (29_000, N1, get()),
    ]);
    let run = lab.run(40_000);
    assert_eq!(answer(&run, asker, 1), Some(Reply::Session { session: FIRST, ttl: s(10) }));
    assert_eq!(answer(&run, asker, 3), Some(Reply::Renewed(s(10))));
    assert_eq!(answer(&run, asker, 4), Some(Reply::Got(Some(locks::Token(1)))));
    assert_eq!(answer(&run, asker, 5), Some(Reply::Got(None)));
    // The leader heard of it at 8,001, and its proposal takes a round trip.
    assert_eq!(run.freed(), [(8_001 + 2 * TTL + 2, Freed::Expired)]);
}

#[test]
fn nobody_gets_a_key_for_the_lock_delay_after_a_sessions_end() {
    for behavior in [Behavior::Release, Behavior::Delete] {
        let mut lab = lab();
        let asker = lab.asker(vec![
            (0, N1, session_with(behavior, 15_000)),
            (10, N1, session()),
            (20, N1, acquire(FIRST)),
            (100, N1, destroy(FIRST)),
            (200, N1, acquire(FIRST + 1)),
            (200, N1, get()),
            (10_000, N1, renew(FIRST + 1)),
            (15_101, N1, acquire(FIRST + 1)), // Heard at 15,102; the leader applied the end at 103.
            (15_103, N1, acquire(FIRST + 1)),
        ]);
        let run = lab.run(16_000);
        assert_eq!(answer(&run, asker, 4), Some(Reply::Destroyed));
        assert_eq!(answer(&run, asker, 5), Some(Reply::NotAcquired), "{behavior:?}");
        assert_eq!(answer(&run, asker, 6), Some(Reply::Got(None)), "nobody has it either");
        assert_eq!(answer(&run, asker, 8), Some(Reply::NotAcquired));
        let index = if behavior == Behavior::Release { 2 } else { 1 };
        assert_eq!(lock_index(&run, asker, 9), index, "{behavior:?}");
    }
}

#[test]
fn a_released_key_has_no_delay_and_neither_has_one_without() {
    let mut lab = lab();
    let asker = lab.asker(vec![
        (0, N1, session_with(Behavior::Release, 0)),
        (10, N1, session()),
        (20, N1, acquire(FIRST + 1)),
        (30, N1, release(FIRST)), // It is not its own.
        (40, N1, release(FIRST + 1)),
        (50, N1, acquire(FIRST)),
        (60, N1, destroy(FIRST)),
        (70, N1, acquire(FIRST + 1)),
    ]);
    let run = lab.run(1_000);
    assert_eq!(answer(&run, asker, 4), Some(Reply::Released(false)));
    assert_eq!(answer(&run, asker, 5), Some(Reply::Released(true)));
    assert_eq!(lock_index(&run, asker, 6), 2);
    assert_eq!(lock_index(&run, asker, 8), 3);
    assert!([N1, N2, N3].iter().all(|server| state(&run, *server).delays().next().is_none()));
}

#[test]
fn the_lock_index_counts_acquisitions_and_the_modify_index_is_the_logs() {
    let mut lab = lab();
    let asker = lab.asker(vec![
        (0, N1, session()),       // 2
        (10, N1, session()),      // 3
        (20, N1, acquire(FIRST)), // 4
        (30, N1, acquire(FIRST)), // 5: again by the same, and unchanged
        (40, N1, acquire(3)),     // 6: refused
        (50, N1, release(FIRST)), // 7
        (60, N1, acquire(3)),     // 8
        (70, N1, acquire(77)),    // nobody's
    ]);
    let run = lab.run(1_000);
    assert_eq!((lock_index(&run, asker, 3), lock_index(&run, asker, 4)), (1, 1));
    assert_eq!(answer(&run, asker, 5), Some(Reply::NotAcquired));
    assert_eq!(lock_index(&run, asker, 7), 2);
    assert_eq!(answer(&run, asker, 8), Some(Reply::NoSession));
    assert_eq!(run.granted(), [(23, 1), (63, 2)]);
    let entry = key(&run).unwrap();
    assert_eq!((entry.session, entry.lock_index, entry.modify_index, entry.grant.0), (Some(3), 2, 8, 8));
}

#[test]
fn with_behavior_delete_the_lock_index_begins_again() {
    for (behavior, second) in [(Behavior::Delete, 1), (Behavior::Release, 2)] {
        let mut lab = lab();
        let asker = lab.asker(vec![
            (0, N1, session_with(behavior, 0)),
            (10, N1, acquire(FIRST)),
            (20, N1, destroy(FIRST)),
            (30, N1, session()),
            (40, N1, acquire(5)),
        ]);
        let run = lab.run(1_000);
        assert_eq!((lock_index(&run, asker, 2), lock_index(&run, asker, 5)), (1, second));
    }
}

#[test]
fn a_renewal_never_touches_the_log() {
    let mut lab = lab();
    let asker = lab.asker(vec![
        (0, N1, session()),
        (100, N1, renew(FIRST)),
        (200, N2, renew(FIRST)),
        (300, N3, renew(9)),
    ]);
    let mut run = lab.begin();
    run.until(50);
    let before = run.member(N1).raft().last_index();
    run.until(1_000);
    assert_eq!(run.member(N1).raft().last_index(), before);
    assert_eq!(answer(&run, asker, 2), Some(Reply::Renewed(s(10))));
    assert_eq!(answer(&run, asker, 3), Some(Reply::Renewed(s(10))), "a follower passes it on");
    assert_eq!(run.asker(asker).answered_at(3), Some(204));
    assert_eq!(answer(&run, asker, 4), Some(Reply::NoSession));
}

#[test]
fn a_blocking_query_is_answered_when_the_key_changes() {
    let mut lab = lab();
    let asker = lab.asker(vec![
        (0, N1, session()),
        (10, N1, acquire(FIRST)),
        (20, N2, watch()),
        (500, N1, release(FIRST)),
        (600, N2, watch()),
    ]);
    let run = lab.run(1_000);
    // Passed on to the leader, and told by way of the follower; the last finds the key free.
    assert_eq!(run.asker(asker).told, [(3, 505), (5, 604)]);
}

// --- With faults. ---

#[test]
fn a_new_leader_lets_every_session_run_twice_its_time_from_now() {
    let mut lab = lab();
    let asker = lab.asker(vec![(0, N1, session()), (10, N1, acquire(FIRST)), (60_000, N2, get())]);
    lab.fault(15_000, None, crash(N1));
    let run = lab.run(61_000);
    let took = run.took_over();
    let [_, (at, leader, until)] = &took[..] else { panic!("{took:?}") };
    assert!((15_900..18_000).contains(at), "{at}");
    assert_ne!(*leader, N1);
    assert_eq!(until, &[at + 2 * TTL]);
    assert_eq!(run.freed(), [(at + 2 * TTL + 2, Freed::Expired)]);
    assert_eq!(answer(&run, asker, 3), Some(Reply::Got(None)));
}

#[test]
fn a_renewal_that_races_the_end_is_answered_and_the_session_dies() {
    let mut lab = lab();
    let asker = lab.asker(vec![
        (0, N1, session()),
        (10, N1, acquire(FIRST)),
        // The timer fires at 20,003, the end is applied at 20,003 + 202.
        (20_100, N1, renew(FIRST)),
        (20_300, N1, renew(FIRST)),
    ]);
    lab.fault(19_000, None, delay(&[N1], &[N2, N3], ms(200)));
    let run = lab.run(25_000);
    assert_eq!(answer(&run, asker, 3), Some(Reply::Renewed(s(10))));
    assert_eq!(answer(&run, asker, 4), Some(Reply::NoSession));
    assert_eq!(run.freed(), [(20_003 + 202, Freed::Expired)]);
}

#[test]
fn the_delay_is_on_the_new_leader_as_well() {
    let mut lab = lab();
    let asker = lab.asker(vec![
        (0, N1, session()),
        (10, N1, session()),
        (20, N1, acquire(FIRST)),
        (100, N1, destroy(FIRST)),
        (5_000, N2, acquire(FIRST + 1)),
        (14_000, N2, acquire(FIRST + 1)),
        (15_200, N2, acquire(FIRST + 1)),
    ]);
    lab.fault(200, None, crash(N1));
    let run = lab.run(16_000);
    assert_eq!(run.took_over().len(), 2, "else this shows nothing");
    assert_eq!(answer(&run, asker, 5), Some(Reply::NotAcquired));
    assert_eq!(answer(&run, asker, 6), Some(Reply::NotAcquired));
    assert_eq!(lock_index(&run, asker, 7), 2);
}

#[test]
fn a_delay_is_not_in_a_snapshot() {
    let setup = Setup { snapshot_every: 4, ..Setup::default() };
    let mut lab = lab_with(&setup, Behavior::Release, 15_000);
    let mut asks =
        vec![(0, N1, session()), (10, N1, session()), (20, N1, acquire(FIRST)), (100, N1, destroy(FIRST))];
    asks.extend((0..30).map(|k| (200 + 10 * k, N1, release(9))));
    asks.push((6_000, N1, acquire(FIRST + 1)));
    let asker = lab.asker(asks);
    for server in [N1, N2, N3] {
        lab.fault(1_000, Some(2_000), crash(server));
    }
    let run = lab.run(7_000);
    assert_eq!(lock_index(&run, asker, 35), 2, "all servers began anew, from snapshots");
}

#[test]
fn servers_that_come_back_from_their_logs_set_the_delay_anew() {
    let mut lab = lab();
    let asker = lab.asker(vec![
        (0, N1, session()),
        (10, N1, session()),
        (20, N1, acquire(FIRST)),
        (100, N1, destroy(FIRST)),
        (16_500, N1, acquire(FIRST + 1)),
        (22_000, N1, acquire(FIRST + 1)),
    ]);
    for server in [N1, N2, N3] {
        lab.fault(3_000, Some(5_000), crash(server));
    }
    let run = lab.run(23_000);
    let took = run.took_over()[1].0;
    assert!((5_000..7_500).contains(&took), "{took}");
    assert_eq!(answer(&run, asker, 5), Some(Reply::NotAcquired), "15 s from when it was read again");
    assert_eq!(lock_index(&run, asker, 6), 2);
}

#[test]
fn a_server_that_is_cut_off_neither_grants_nor_ends() {
    let mut lab = lab();
    let asker = lab.asker(vec![
        (0, N1, session()),
        (600, N1, acquire(FIRST)),
        (700, N1, renew(FIRST)), // It still believes that it leads.
        (4_000, N1, renew(FIRST)),
        (4_000, N1, get()),
    ]);
    lab.fault(500, None, cut(&[N1], &[N2, N3]));
    let run = lab.run(5_000);
    assert_eq!(answer(&run, asker, 2), None);
    assert_eq!(answer(&run, asker, 3), Some(Reply::Renewed(s(10))));
    for id in [4, 5] {
        assert_eq!(run.asker(asker).answer(id), Some(&locks::Reply::NoLeader));
    }
    assert_eq!(run.granted(), []);
}

#[test]
fn what_a_connection_brings_twice_is_done_once() {
    let mut lab = lab();
    let asker = lab.asker(vec![(0, N2, session()), (10, N2, acquire(FIRST)), (20, N2, release(FIRST))]);
    lab.fault(0, None, twice(&[asker, N2], &[N1, N2]));
    let run = lab.run(1_000);
    assert!(answer(&run, asker, 2).is_some());
    assert_eq!(answer(&run, asker, 3), Some(Reply::Released(true)));
    assert_eq!(run.member(N1).raft().last_index(), FIRST + 2);
}

// --- Workers. ---

const WORKER: Policy = Policy { margin: s(0), renew_every: s(5), ..POLICY };

#[test]
fn a_worker_that_gives_back_leaves_neither_delay_nor_session() {
    let mut lab = lab();
    let first = lab.worker(WORKER, &[(0, Do::Acquire), (2_000, Do::Release)]);
    let second = lab.worker(WORKER, &[(500, Do::Acquire)]);
    let mut run = lab.begin();
    run.until(5_000);
    assert_eq!(run.holds(first), [(8, 1)], "a session and the key, 4 ms each");
    assert_eq!(run.let_go(first), [(2_000, Gone::Released)]);
    assert_eq!(run.holds(second), [(2_008, 2)], "it watched, and was told at 2,004");
    let sessions: Vec<u64> = state(&run, N1).timers().map(|(session, _)| session).collect();
    assert_eq!(sessions.len(), 1, "the first one's is gone: {sessions:?}");
}

#[test]
fn a_paused_holder_has_two_ttl_and_the_delay_before_anybody_else_holds() {
    let mut lab = lab();
    let first = lab.worker(WORKER, &[(0, Do::Acquire)]);
    let second = lab.worker(WORKER, &[(500, Do::Acquire)]);
    lab.fault(6_000, Some(60_000), pause(first));
    let run = lab.run(70_000);
    // Renewed for the last time at 5,001: destroyed 20,002 ms later, free 15 s after that.
    assert_eq!(run.freed()[0], (25_003, Freed::Expired));
    let (held, token) = run.holds(second)[0];
    assert_eq!(token, 2);
    assert!((40_003..45_010).contains(&held), "it tries every 5 s: {held}");
    assert_eq!(run.let_go(first), [(60_000, Gone::StopTime)]);
}

#[test]
fn without_a_delay_the_next_one_holds_at_once() {
    let mut lab = lab_with(&Setup::default(), Behavior::Release, 0);
    let first = lab.worker(WORKER, &[(0, Do::Acquire)]);
    let second = lab.worker(WORKER, &[(500, Do::Acquire)]);
    lab.fault(6_000, Some(60_000), pause(first));
    let run = lab.run(61_000);
    assert_eq!(run.holds(second), [(25_008, 2)]);
    assert_eq!(run.count(second, |note| matches!(note, Note::Woken { .. })), 1);
}

#[test]
fn a_holder_that_is_cut_off_stops_after_one_ttl() {
    let mut lab = lab();
    let first = lab.worker(WORKER, &[(0, Do::Acquire)]);
    lab.fault(6_000, None, isolate(&[first]));
    let run = lab.run(40_000);
    assert_eq!(run.let_go(first), [(15_000, Gone::StopTime)]);
    assert_eq!(run.freed()[0].0, 25_003);
}

#[test]
fn a_holder_keeps_its_lock_over_a_change_of_leaders() {
    let mut lab = lab();
    let first = lab.worker(WORKER, &[(0, Do::Acquire)]);
    lab.fault(6_000, None, crash(N1));
    let run = lab.run(60_000);
    assert_eq!(run.let_go(first), []);
    assert_eq!(run.freed(), []);
    assert_eq!(run.holds(first).len(), 1);
}

/// The old session's key may still be given back while the lock is wanted again: it is taken with another session.
#[test]
fn a_lock_that_is_wanted_again_while_it_is_given_back_is_taken_anew() {
    let mut lab = lab();
    let first = lab.worker(
        Policy { wait: Wait::Poll(s(1)), ..WORKER },
        &[(0, Do::Acquire), (2_000, Do::Release), (2_001, Do::Acquire)],
    );
    // The release is overtaken by what comes after it.
    lab.fault(1_999, Some(2_001), delay(&[first], &[N1], ms(300)));
    let run = lab.run(30_000);
    assert_eq!(run.freed(), [(2_303, Freed::Released)]);
    let holds = run.holds(first);
    assert_eq!(holds.len(), 2, "{holds:?}");
    assert!(holds[1].0 > 2_303 && holds[1].1 == 2, "{holds:?}");
    assert!(state(&run, N1).timers().all(|(_, until)| until > mono(30_000)));
}
