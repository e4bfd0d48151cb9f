//! Chubby: what a cell's replicas do with sessions and locks, and its client.

use std::rc::Rc;

use kernel::{ProcessId, Span};
use locks::chubby::{Chubby, Config, Recipe, Reply, Request};
use locks::{AnyReplica, ClientKind, Freed, Gone, GrantId, Note, Policy, Reading, Token, Wait};

use crate::cast::Do;
use crate::lab::{Lab, N1, N2, N3, POLICY, Run, Setup, crash, cut, isolate, mono, ms, pause, s};

/// A lease of 12 s, and the answer 3 s before it ends: the defaults.
const TTL: u64 = 12_000;
/// The first entry of the log is the second of all.
const FIRST: u64 = 2;
const DELAY: u64 = 15_000;

fn lab_with(setup: &Setup, lock_delay: u64, grace: u64) -> Lab {
    let cell = Chubby::new(Config { ttl: ms(TTL), answer_before: s(3) });
    let recipe = Recipe::new(ms(lock_delay), ms(grace));
    setup.log(&AnyReplica::Chubby(cell), ClientKind::Chubby(recipe))
}
fn lab() -> Lab {
    lab_with(&Setup::default(), DELAY, 45_000)
}
/// Replicas that are slow to elect a new master.
fn slow() -> Setup {
    Setup { election: s(15), ..Setup::default() }
}

fn ask(request: Request) -> locks::Request {
    locks::Request::Chubby(Rc::new(request))
}
fn open() -> locks::Request {
    ask(Request::OpenSession)
}
fn keep_alive(session: u64, epoch: u64, heard: u64) -> locks::Request {
    ask(Request::KeepAlive { session, epoch, heard })
}
fn close(session: u64) -> locks::Request {
    ask(Request::CloseSession { session, epoch: 1 })
}
fn acquire_with(session: u64, epoch: u64, lock_delay: u64) -> locks::Request {
    ask(Request::Acquire { lock: "job".into(), session, epoch, lock_delay: ms(lock_delay) })
}
fn acquire(session: u64) -> locks::Request {
    acquire_with(session, 1, DELAY)
}
fn release(session: u64, epoch: u64) -> locks::Request {
    ask(Request::Release { lock: "job".into(), session, epoch })
}
fn check(generation: Option<u64>) -> locks::Request {
    ask(Request::CheckSequencer { lock: "job".into(), generation })
}
fn watch() -> locks::Request {
    ask(Request::Watch { lock: "job".into() })
}

fn state(run: &Run, server: ProcessId) -> &Chubby {
    match run.member(server).service() {
        AnyReplica::Chubby(cell) => cell,
        AnyReplica::Consul(_)
        | AnyReplica::ZooKeeper(_)
        | AnyReplica::Hazelcast(_)
        | AnyReplica::Raft(_)
        | AnyReplica::Felix(_) => panic!("this is a Chubby"),
    }
}
fn answer(run: &Run, asker: ProcessId, id: u64) -> Option<Reply> {
    run.asker(asker).answer(id).map(|reply| match reply {
        locks::Reply::Chubby(reply) => **reply,
        other => panic!("{other:?}"),
    })
}
/// The generation of a lock that was acquired.
fn generation(run: &Run, asker: ProcessId, id: u64) -> u64 {
    match answer(run, asker, id) {
        Some(Reply::Acquired { generation, .. }) => generation.0,
        other => panic!("request {id}: {other:?}"),
    }
}
/// When the second master took over. It is in the second term, or a test that names its epoch shows nothing.
fn second_master(run: &Run) -> (u64, ProcessId, Vec<u64>) {
    let [_, second] = &run.took_over()[..] else { panic!("{:?}", run.took_over()) };
    assert_eq!(run.member(second.1).raft().term(), 2);
    second.clone()
}
/// When leases were extended by this replica.
fn extended(run: &Run, by: ProcessId) -> Vec<u64> {
    let renewed = |(at, process, note): (u64, ProcessId, &Note)| {
        (process == by && matches!(note, Note::Renewed { .. })).then_some(at)
    };
    run.notes().filter_map(renewed).collect()
}

// --- The replicas, by short scripts. ---

#[test]
fn a_keep_alive_is_held_back_until_shortly_before_the_lease_ends_and_extends_it() {
    let mut lab = lab();
    let asker =
        lab.asker(vec![(0, N1, open()), (50, N1, acquire(FIRST)), (100, N1, keep_alive(FIRST, 1, 1))]);
    let run = lab.run(40_000);
    assert_eq!(answer(&run, asker, 1), Some(Reply::Opened { session: FIRST, epoch: 1, lease: s(12) }));
    // The lease runs until 12,003. A round of heartbeats makes sure that it is the master still.
    let (held, left) = (ms(9_005 - 101), s(12));
    assert_eq!(answer(&run, asker, 3), Some(Reply::Lease { number: 2, held, left }));
    assert_eq!(run.asker(asker).answered_at(3), Some(9_006));
    // Nothing more is heard of the client: the session ends with the lease, and a proposal takes a round trip.
    assert_eq!(run.freed(), [(9_005 + TTL + 2, Freed::Expired)]);
    assert_eq!(state(&run, N1).sessions().count(), 0);
}

#[test]
fn a_client_that_has_not_heard_of_the_lease_is_told_at_once() {
    let mut lab = lab();
    let asker = lab.asker(vec![(0, N1, open()), (100, N2, keep_alive(FIRST, 1, 0))]);
    let run = lab.run(1_000);
    // By way of a replica that is not the master.
    let left = ms(12_003 - 102);
    assert_eq!(answer(&run, asker, 2), Some(Reply::Lease { number: 1, held: Span::ZERO, left }));
    assert_eq!(run.asker(asker).answered_at(2), Some(104));
    assert_eq!(extended(&run, N1), [0; 0], "that extends nothing");
}

#[test]
fn a_keep_alive_never_touches_the_log() {
    let mut lab = lab();
    let asker = lab.asker(vec![(0, N1, open()), (100, N1, keep_alive(FIRST, 1, 1))]);
    let mut run = lab.begin();
    run.until(50);
    let before = run.member(N1).raft().last_index();
    run.until(11_000);
    assert!(answer(&run, asker, 2).is_some());
    assert_eq!(run.member(N1).raft().last_index(), before);
}

#[test]
fn a_session_that_there_is_not_is_told_so_and_one_that_ends_meanwhile_too() {
    let mut lab = lab();
    let asker = lab.asker(vec![
        (0, N1, open()),
        (50, N1, keep_alive(99, 1, 1)),
        (100, N1, keep_alive(FIRST, 1, 1)),
        (200, N1, close(FIRST)),
        (300, N1, acquire(FIRST)),
    ]);
    let run = lab.run(1_000);
    assert_eq!(answer(&run, asker, 2), Some(Reply::NoSession));
    assert_eq!(answer(&run, asker, 4), Some(Reply::Closed));
    assert_eq!(answer(&run, asker, 3), Some(Reply::NoSession), "what was held back is answered");
    assert_eq!(answer(&run, asker, 5), Some(Reply::NoSession));
}

#[test]
fn nobody_gets_a_lock_for_the_lock_delay_after_its_holder_has_failed() {
    let mut lab = lab();
    let other = FIRST + 1;
    let asker = lab.asker(vec![
        (0, N1, open()),
        (10, N1, open()),
        (20, N1, acquire(FIRST)),
        (50, N1, keep_alive(other, 1, 1)),
        (10_000, N1, keep_alive(other, 1, 2)),
        (12_100, N1, acquire(other)),
        (12_100, N1, check(Some(1))),
        (13_000, N1, watch()),
        (19_000, N1, keep_alive(other, 1, 3)),
        (27_000, N1, acquire(other)),
        (27_100, N1, acquire(other)),
    ]);
    let run = lab.run(28_000);
    // The lease ends at 12,003 and the session at 12,005; the delay is over at 27,005, and its end takes a round trip.
    assert_eq!(run.freed(), [(12_005, Freed::Expired)]);
    assert_eq!(answer(&run, asker, 6), Some(Reply::NotAcquired));
    assert_eq!(answer(&run, asker, 7), Some(Reply::Sequencer(false)), "nobody has it either");
    assert_eq!(run.asker(asker).told, [(8, 27_008)]);
    assert_eq!(answer(&run, asker, 10), Some(Reply::NotAcquired));
    assert_eq!(generation(&run, asker, 11), 2);
    assert_eq!(state(&run, N1).delays().count(), 0);
}

#[test]
fn a_lock_that_is_given_back_has_no_delay_nor_one_whose_holder_asked_for_none() {
    let mut lab = lab();
    let (other, third) = (FIRST + 1, FIRST + 2);
    let asker = lab.asker(vec![
        (0, N1, open()),
        (10, N1, open()),
        (20, N1, open()),
        (30, N1, acquire(FIRST)),
        (40, N1, release(other, 1)), // It is not its own.
        (50, N1, release(FIRST, 1)),
        (60, N1, acquire(other)),
        (70, N1, close(other)), // The end of a session that has not failed.
        (80, N1, acquire_with(FIRST, 1, 0)),
        (90, N1, keep_alive(third, 1, 1)),
        (12_100, N1, acquire(third)),
    ]);
    let run = lab.run(13_000);
    assert_eq!(answer(&run, asker, 5), Some(Reply::Released(false)));
    assert_eq!(answer(&run, asker, 6), Some(Reply::Released(true)));
    assert_eq!(generation(&run, asker, 7), 2);
    assert_eq!(generation(&run, asker, 9), 3);
    assert_eq!(run.freed().last(), Some(&(12_005, Freed::Expired)));
    assert_eq!(generation(&run, asker, 11), 4);
}

#[test]
fn the_generation_counts_how_often_a_free_lock_was_taken() {
    let mut lab = lab();
    let asker = lab.asker(vec![
        (0, N1, open()),          // 2
        (10, N1, open()),         // 3
        (20, N1, acquire(FIRST)), // 4
        (30, N1, acquire(FIRST)), // again by the same, and unchanged
        (40, N1, acquire(3)),     // refused
        (45, N1, check(Some(1))),
        (45, N1, check(Some(2))),
        (45, N2, check(None)),
        (50, N1, release(FIRST, 1)),
        (55, N1, check(Some(1))),
        (60, N1, acquire(3)), // 8
        (65, N1, check(Some(1))),
        (65, N3, check(Some(2))),
    ]);
    let run = lab.run(1_000);
    let taken =
        |grant, generation| Some(Reply::Acquired { grant: GrantId(grant), generation: Token(generation) });
    assert_eq!((answer(&run, asker, 3), answer(&run, asker, 4)), (taken(4, 1), taken(4, 1)));
    assert_eq!(answer(&run, asker, 5), Some(Reply::NotAcquired));
    assert_eq!(answer(&run, asker, 11), taken(8, 2));
    for (id, valid) in [(6, true), (7, false), (8, true), (10, false), (12, false), (13, true)] {
        assert_eq!(answer(&run, asker, id), Some(Reply::Sequencer(valid)), "request {id}");
    }
    assert_eq!(run.granted(), [(23, 1), (63, 2)]);
}

// --- With faults. ---

#[test]
fn a_new_master_extends_every_lease_to_what_the_old_one_can_have_promised() {
    let mut lab = lab();
    lab.asker(vec![(0, N1, open()), (10, N1, acquire(FIRST))]);
    lab.fault(5_000, None, crash(N1));
    let run = lab.run(40_000);
    let (at, leader, until) = second_master(&run);
    assert_ne!(leader, N1);
    assert_eq!(until, [at + TTL]);
    assert_eq!(run.freed(), [(at + TTL + 2, Freed::Expired)]);
}

#[test]
fn a_call_with_another_masters_epoch_is_refused_and_does_nothing() {
    let mut lab = lab();
    let asker = lab.asker(vec![
        (0, N1, open()),
        (10, N1, acquire(FIRST)),
        (6_000, N2, release(FIRST, 1)),
        (6_000, N2, keep_alive(FIRST, 1, 1)),
        (6_000, N2, close(FIRST)),
        (6_000, N2, acquire(FIRST)),
        (6_100, N2, check(Some(1))),
        (6_200, N2, keep_alive(FIRST, 2, 0)),
    ]);
    lab.fault(1_000, None, crash(N1));
    let run = lab.run(7_000);
    let (at, _, until) = second_master(&run);
    assert!(at < 6_000, "{at}");
    for id in [3, 4, 5, 6] {
        assert_eq!(answer(&run, asker, id), Some(Reply::Epoch(2)), "request {id}");
    }
    assert_eq!(answer(&run, asker, 7), Some(Reply::Sequencer(true)));
    let Some(Reply::Lease { number: 1, held: Span::ZERO, left }) = answer(&run, asker, 8) else {
        panic!("{:?}", answer(&run, asker, 8))
    };
    assert!((until[0] - 6_203..until[0] - 6_200).contains(&(left.as_micros() / 1_000)), "{left}, {until:?}");
}

#[test]
fn a_new_master_answers_keep_alives_and_nothing_else_until_it_has_heard_of_all_sessions() {
    let mut lab = lab();
    let other = FIRST + 1;
    let asker = lab.asker(vec![
        (0, N1, open()),
        (10, N1, open()),
        (20, N1, acquire(FIRST)),
        (6_000, N2, acquire_with(other, 2, DELAY)),
        (6_000, N2, open()),
        (6_100, N2, keep_alive(FIRST, 2, 0)),
        (6_200, N2, acquire_with(FIRST, 2, DELAY)),
        (6_300, N2, release(FIRST, 2)),
        (7_000, N2, keep_alive(other, 2, 0)),
        (7_100, N2, acquire_with(other, 2, DELAY)),
    ]);
    lab.fault(1_000, None, crash(N1));
    let run = lab.run(8_000);
    let (at, leader, _) = second_master(&run);
    assert!(at < 6_000, "{at}");
    for id in [4, 5, 7] {
        assert_eq!(answer(&run, asker, id), Some(Reply::Recovers), "request {id}");
    }
    assert!(matches!(answer(&run, asker, 6), Some(Reply::Lease { number: 1, .. })));
    // What gives something back is not refused: it waits.
    assert_eq!(answer(&run, asker, 8), Some(Reply::Released(true)));
    assert!(run.asker(asker).answered_at(8) > Some(7_000));
    assert_eq!(generation(&run, asker, 10), 2);
    assert_eq!(state(&run, leader).unheard(), 0);
}

#[test]
fn a_new_master_does_not_wait_for_a_session_that_is_over() {
    let mut lab = lab();
    let asker = lab.asker(vec![
        (0, N1, open()),
        (16_000, N2, open()),
        (16_100, N2, acquire_with(FIRST + 3, 2, DELAY)),
    ]);
    lab.fault(1_000, None, crash(N1));
    let run = lab.run(17_000);
    let (at, ..) = second_master(&run);
    assert!((1_900..4_000).contains(&at), "{at}");
    // Begun with an entry of its own, 3; the session's end is 4.
    assert_eq!(answer(&run, asker, 2), Some(Reply::Opened { session: FIRST + 3, epoch: 2, lease: s(12) }));
    assert_eq!(generation(&run, asker, 3), 1);
}

#[test]
fn a_master_that_is_cut_off_extends_nothing_and_says_so() {
    let mut lab = lab();
    let asker = lab.asker(vec![(0, N1, open()), (100, N1, keep_alive(FIRST, 1, 1))]);
    // Just before the KeepAlive is to be answered.
    lab.fault(8_900, None, cut(&[N1], &[N2, N3]));
    let run = lab.run(14_000);
    assert_eq!(extended(&run, N1), [0; 0]);
    assert_eq!(run.asker(asker).answer(2), Some(&locks::Reply::NoLeader));
    assert!((9_003..12_000).contains(&run.asker(asker).answered_at(2).unwrap()));
}

#[test]
fn a_master_that_is_cut_off_vouches_for_no_sequencer() {
    let mut lab = lab();
    let asker = lab.asker(vec![(0, N1, open()), (10, N1, acquire(FIRST)), (600, N1, check(Some(1)))]);
    lab.fault(500, None, cut(&[N1], &[N2, N3]));
    let run = lab.run(5_000);
    assert_eq!(generation(&run, asker, 2), 1);
    assert_eq!(run.asker(asker).answer(3), Some(&locks::Reply::NoLeader));
}

#[test]
fn a_master_that_loses_its_place_tells_whose_keep_alives_it_held_back() {
    let mut lab = lab();
    let asker = lab.asker(vec![(0, N1, open()), (100, N1, keep_alive(FIRST, 1, 1))]);
    lab.fault(3_000, None, cut(&[N1], &[N2, N3]));
    let run = lab.run(8_000);
    assert_eq!(run.asker(asker).answer(2), Some(&locks::Reply::NoLeader));
    assert!(run.asker(asker).answered_at(2).unwrap() < 6_000);
    assert_eq!(state(&run, N1).leases().count(), 0, "when leases end the new master knows");
}

#[test]
fn a_new_master_begins_the_lock_delay_anew() {
    for snapshot_every in [4, 10_000] {
        let mut lab = lab_with(&Setup { snapshot_every, ..Setup::default() }, DELAY, 45_000);
        let asker = lab.asker(vec![
            (0, N1, open()),
            (10, N1, acquire(FIRST)),
            (20_000, N2, open()),
            (20_100, N2, watch()),
            (20_200, N2, release(FIRST, 2)), // It is another session's.
        ]);
        // The session expires at 12,005; its delay would be over at 27,005.
        lab.fault(16_000, None, crash(N1));
        let run = lab.run(40_000);
        let (at, leader, _) = second_master(&run);
        assert!((16_900..19_000).contains(&at), "{at}");
        assert_eq!(answer(&run, asker, 5), Some(Reply::Released(false)));
        let told = run.asker(asker).told[0].1;
        assert!((at + DELAY + 3..at + DELAY + 6).contains(&told), "{told}, {at}");
        assert!(state(&run, leader).locks().all(|(_, lock)| lock.delayed.is_none()));
    }
}

// --- Workers. ---

const WORKER: Policy = Policy { ttl: ms(TTL), margin: ms(240), wait: Wait::Watch, ..POLICY };
/// The stop time after the extension at 9,005: the KeepAlive was sent at 4 and came at 5.
const SECOND_STOP: u64 = 4 + 9_000 + TTL - 240;

#[test]
fn a_holder_counts_its_lease_from_when_it_sent_what_was_held_back() {
    let mut lab = lab();
    let first = lab.worker(WORKER, &[(0, Do::Acquire)]);
    let run = lab.run(60_000);
    let stops: Vec<(u64, Reading)> = run
        .notes()
        .filter_map(|(at, _, note)| match note {
            Note::Extended { stop, .. } => Some((at, *stop)),
            _ => None,
        })
        .collect();
    assert_eq!(stops[0], (9_006, Reading::Mono(mono(SECOND_STOP))));
    // Every nine seconds or so, and never in jeopardy.
    assert_eq!(stops.len(), 6, "{stops:?}");
    assert_eq!(run.holds(first), [(8, 1)]);
    assert_eq!(run.let_go(first), []);
    assert_eq!(run.count(first, |note| matches!(note, Note::RenewalFailed { .. })), 0);
}

#[test]
fn one_that_counts_from_the_answer_believes_for_its_way_longer() {
    let mut lab = lab();
    lab.worker(Policy { anchor: locks::Anchor::Received, ..WORKER }, &[(0, Do::Acquire)]);
    let run = lab.run(10_000);
    let stop = run.notes().find_map(|(_, _, note)| match note {
        Note::Extended { stop, .. } => Some(*stop),
        _ => None,
    });
    assert_eq!(stop, Some(Reading::Mono(mono(9_006 + TTL - 240))));
}

#[test]
fn a_worker_that_gives_back_leaves_neither_delay_nor_session() {
    let mut lab = lab();
    let first = lab.worker(WORKER, &[(0, Do::Acquire), (2_000, Do::Release)]);
    let second = lab.worker(WORKER, &[(500, Do::Acquire)]);
    let run = lab.run(5_000);
    assert_eq!(run.holds(first), [(8, 1)], "a session and the lock, 4 ms each");
    assert_eq!(run.let_go(first), [(2_000, Gone::Released)]);
    assert_eq!(run.holds(second), [(2_008, 2)], "it watched, and was told at 2,004");
    assert_eq!(state(&run, N1).sessions().count(), 1);
}

#[test]
fn a_holder_in_jeopardy_is_safe_again_when_a_new_master_is_there_within_the_grace_period() {
    let mut lab = lab_with(&slow(), DELAY, 45_000);
    let first = lab.worker(WORKER, &[(0, Do::Acquire)]);
    lab.fault(10_000, None, crash(N1));
    let mut run = lab.begin();
    run.until(SECOND_STOP + 1);
    assert_eq!(run.let_go(first), [(SECOND_STOP, Gone::Jeopardy)]);
    run.until(60_000);
    let (at, ..) = second_master(&run);
    assert!((25_000..42_000).contains(&at), "{at}");
    let [_, (again, 1)] = run.holds(first)[..] else { panic!("{:?}", run.holds(first)) };
    assert!((at..at + 2_500).contains(&again), "{again}, {at}");
    assert_eq!(run.let_go(first), [(SECOND_STOP, Gone::Jeopardy)]);
    assert_eq!(run.freed(), [], "the outage was longer than the lease, and its session lives");
}

#[test]
fn when_the_grace_period_is_over_the_session_counts_as_expired() {
    let mut lab = lab_with(&slow(), DELAY, 3_000);
    let first = lab.worker(WORKER, &[(0, Do::Acquire)]);
    lab.fault(10_000, None, crash(N1));
    let run = lab.run(60_000);
    let (at, _, until) = second_master(&run);
    assert!(at > SECOND_STOP + 3_000);
    let gone = [(SECOND_STOP, Gone::Jeopardy), (SECOND_STOP + 3_000, Gone::GraceOver)];
    assert_eq!(run.let_go(first), gone);
    assert_eq!(run.freed(), [(until[0] + 2, Freed::Expired)], "the new master knows nothing of that");
}

#[test]
fn a_holder_that_is_cut_off_is_in_jeopardy_before_its_session_ends_and_learns_that_it_did() {
    let mut lab = lab();
    let first = lab.worker(WORKER, &[(0, Do::Acquire)]);
    let second = lab.worker(WORKER, &[(500, Do::Acquire)]);
    lab.fault(10_000, Some(30_000), isolate(&[first]));
    let run = lab.run(60_000);
    // Answered to nobody at 18,007, and so extended until 30,007.
    assert_eq!(extended(&run, N1).iter().filter(|at| (17_000..18_300).contains(*at)).count(), 1);
    assert_eq!(run.freed(), [(30_009, Freed::Expired)]);
    let let_go = run.let_go(first);
    assert_eq!(let_go[0], (SECOND_STOP, Gone::Jeopardy));
    assert_eq!(let_go.len(), 2, "{let_go:?}");
    assert!((30_000..33_000).contains(&let_go[1].0) && let_go[1].1 == Gone::ToldGone, "{let_go:?}");
    assert_eq!(run.holds(second), [(30_009 + DELAY + 7, 2)], "told when the delay is over, and not before");
}

#[test]
fn a_holder_that_is_paused_finds_itself_in_jeopardy_and_its_session_over() {
    let mut lab = lab();
    let first = lab.worker(WORKER, &[(0, Do::Acquire)]);
    lab.fault(8_000, Some(31_000), pause(first));
    let run = lab.run(40_000);
    assert_eq!(run.freed(), [(9_005 + TTL + 2, Freed::Expired)]);
    let let_go = run.let_go(first);
    let [(31_000, Gone::Jeopardy), (at, Gone::ToldGone)] = let_go[..] else { panic!("{let_go:?}") };
    assert!(at < 31_100, "{at}");
}

#[test]
fn one_whose_rule_is_to_give_up_at_the_first_error_has_no_grace() {
    let mut lab = lab_with(&slow(), DELAY, 45_000);
    let first = lab.worker(Policy { give_up: locks::GiveUp::FirstError, ..WORKER }, &[(0, Do::Acquire)]);
    lab.fault(10_000, None, crash(N1));
    let run = lab.run(60_000);
    assert_eq!(run.let_go(first).last().map(|(_, why)| *why), Some(Gone::RenewalFailed));
}
