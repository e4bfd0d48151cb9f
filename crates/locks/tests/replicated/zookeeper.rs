//! ZooKeeper: what its servers do with sessions and nodes, and its client.

use std::rc::Rc;

use kernel::ProcessId;
use locks::zookeeper::{Number, Recipe, Reply, Request, ZooKeeper};
use locks::{AnyReplica, ClientKind, Freed, Gone, Note, Policy};

use crate::cast::Do;
use crate::lab::{Lab, N1, N2, N3, POLICY, Run, Setup, crash, cut, isolate, ms, pause, s, twice};

/// A transaction of the first epoch.
const fn zxid(counter: u64) -> u64 {
    1 << 32 | counter
}
/// The session that the first transaction opens.
const FIRST: u64 = zxid(1);

fn lab_with(setup: &Setup, token: Number, tick: u64) -> Lab {
    let service = ZooKeeper::new(ms(tick), token, (1, 0));
    setup.log(&AnyReplica::ZooKeeper(service), ClientKind::ZooKeeper(Recipe::new(token)))
}
/// Half a second a tick.
fn lab() -> Lab {
    lab_with(&Setup::default(), Number::Czxid, 500)
}

fn ask(request: Request) -> locks::Request {
    locks::Request::ZooKeeper(Rc::new(request))
}
fn connect(timeout: u64) -> locks::Request {
    ask(Request::Connect { timeout: ms(timeout) })
}
fn ping(session: u64) -> locks::Request {
    ask(Request::Ping { session })
}
fn create_in(lock: &str, session: u64) -> locks::Request {
    ask(Request::Create { lock: lock.into(), session })
}
fn create(session: u64) -> locks::Request {
    create_in("job", session)
}
fn delete(sequence: u64) -> locks::Request {
    ask(Request::Delete { lock: "job".into(), sequence })
}
fn close(session: u64) -> locks::Request {
    ask(Request::Close { session, expired: false })
}
fn children() -> locks::Request {
    ask(Request::Children { lock: "job".into(), session: None })
}
fn watch(sequence: u64) -> locks::Request {
    ask(Request::Watch { lock: "job".into(), sequence, session: None })
}

fn state(run: &Run, server: ProcessId) -> &ZooKeeper {
    match run.member(server).service() {
        AnyReplica::ZooKeeper(zookeeper) => zookeeper,
        AnyReplica::Consul(_)
        | AnyReplica::Hazelcast(_)
        | AnyReplica::Chubby(_)
        | AnyReplica::Raft(_)
        | AnyReplica::Felix(_) => panic!("this is a ZooKeeper"),
    }
}
fn answer(run: &Run, asker: ProcessId, id: u64) -> Option<Reply> {
    run.asker(asker).answer(id).map(|reply| match reply {
        locks::Reply::ZooKeeper(reply) => Reply::clone(reply),
        other => panic!("{other:?}"),
    })
}
fn created(sequence: u64, counter: u64) -> Option<Reply> {
    Some(Reply::Created { sequence, czxid: zxid(counter) })
}

// --- The servers, by short scripts. ---

#[test]
fn a_timeout_is_two_to_twenty_ticks() {
    for (asked, granted) in [(100, 1_000), (1_000, 1_000), (4_321, 4_321), (60_000, 10_000)] {
        let mut lab = lab();
        let asker = lab.asker(vec![(0, N1, connect(asked))]);
        let run = lab.run(100);
        let expected = Reply::Connected { session: FIRST, timeout: ms(granted) };
        assert_eq!(answer(&run, asker, 1), Some(expected));
    }
}

#[test]
fn a_session_expires_up_to_a_tick_late_and_never_early() {
    // When the leader heard of it last, and the end of the tick behind the timeout.
    for (heard, ends) in [(1_498, 2_500), (1_499, 3_000), (1_700, 3_000), (1_998, 3_000)] {
        let mut lab = lab();
        let asker =
            lab.asker(vec![(700, N1, connect(1_000)), (701, N1, create(FIRST)), (heard, N1, ping(FIRST))]);
        let run = lab.run(10_000);
        assert_eq!(answer(&run, asker, 3), Some(Reply::Pong));
        // Its proposal takes a round trip.
        assert_eq!(run.freed(), [(ends + 2, Freed::Expired)], "heard at {}", heard + 1);
        let late = ends - (heard + 1 + 1_000);
        assert!(0 < late && late <= 500, "{late}");
    }
}

#[test]
fn one_transaction_deletes_all_nodes_of_a_session() {
    let mut lab = lab();
    let asker = lab.asker(vec![
        (0, N1, connect(5_000)),
        (10, N1, create_in("job", FIRST)),
        (20, N1, create_in("other", FIRST)),
        (30, N1, create_in("job", FIRST)),
        (100, N1, close(FIRST)),
        (200, N1, children()),
        (300, N1, create(FIRST)),
    ]);
    let mut run = lab.begin();
    run.until(90);
    assert_eq!(state(&run, N1).last_zxid(), zxid(4));
    run.until(250);
    assert_eq!(state(&run, N1).last_zxid(), zxid(5));
    assert_eq!(answer(&run, asker, 5), Some(Reply::Closed));
    assert_eq!(answer(&run, asker, 6), Some(Reply::Children(vec![])));
    let revisions: Vec<_> = run
        .notes()
        .filter_map(|(_, _, note)| match note {
            Note::Freed { lock, revision, .. } => Some((lock.to_string(), *revision)),
            _ => None,
        })
        .collect();
    // The first node of `job` gives way to the second for no time at all.
    assert_eq!(
        revisions,
        [("job".into(), Some(zxid(5))), ("job".into(), Some(zxid(5))), ("other".into(), Some(zxid(5)))]
    );
    run.until(1_000);
    assert_eq!(answer(&run, asker, 7), Some(Reply::Expired));
}

#[test]
fn sequence_numbers_count_what_was_created_and_take_nothing_back() {
    let mut lab = lab();
    let asker = lab.asker(vec![
        (0, N1, connect(9_000)),             // 1
        (10, N1, create(FIRST)),             // 2
        (20, N1, create(FIRST)),             // 3
        (30, N1, delete(1)),                 // 4
        (40, N1, delete(0)),                 // 5
        (50, N1, create(FIRST)),             // 6
        (60, N1, create_in("other", FIRST)), // 7: of a parent of its own
        (70, N3, children()),
    ]);
    let run = lab.run(1_000);
    assert_eq!(answer(&run, asker, 2), created(0, 2));
    assert_eq!(answer(&run, asker, 3), created(1, 3));
    assert_eq!(answer(&run, asker, 6), created(2, 6));
    assert_eq!(answer(&run, asker, 7), created(0, 7));
    assert_eq!(answer(&run, asker, 8), Some(Reply::Children(vec![(2, zxid(6))])));
}

#[test]
fn touches_by_way_of_a_follower_keep_a_session_alive() {
    let mut lab = lab();
    let mut asks = vec![(0, N2, connect(1_000)), (10, N2, create(FIRST))];
    // Every 0.6 s, which with half a tick is more than the second that it has.
    asks.extend((1..15).map(|k| (600 * k, N2, ping(FIRST))));
    lab.asker(asks);
    let run = lab.run(20_000);
    // The last ping, at 8,401; passed on half a tick later, at 8,652; a second, and the end of the tick.
    assert_eq!(run.freed(), [(10_002, Freed::Expired)]);
    assert!(state(&run, N2).buckets().next().is_none(), "a follower times nothing");
}

/// Every request on its connection shows that a client is there (`submitRequestNow` touches), not only pings.
#[test]
fn a_read_on_its_connection_keeps_a_session_alive() {
    let on = |session| (Some(session), "job".into());
    let children = |(session, lock)| ask(Request::Children { lock, session });
    let watch = |(session, lock)| ask(Request::Watch { lock, sequence: 0, session });
    // At the leader at once; at a follower with its next report, half a tick later.
    for (server, heard) in [(N1, 1_400), (N2, 1_200)] {
        for read in [children(on(FIRST)), watch(on(FIRST))] {
            let mut lab = lab();
            lab.asker(vec![(0, N1, connect(1_000)), (10, N1, create(FIRST)), (heard, server, read)]);
            // Without the read: at the end of the tick behind 1,003, at 1,500.
            assert_eq!(lab.run(5_000).freed(), [(2_502, Freed::Expired)], "{server:?}");
        }
    }
    // What somebody else reads does not count.
    let mut lab = lab();
    lab.asker(vec![(0, N1, connect(1_000)), (10, N1, create(FIRST)), (1_400, N1, self::children())]);
    assert_eq!(lab.run(5_000).freed(), [(1_502, Freed::Expired)]);
}

#[test]
fn a_follower_answers_pings_reads_and_watches_by_itself() {
    let mut lab = lab();
    let asker = lab.asker(vec![
        (0, N1, connect(9_000)),
        (10, N1, create(FIRST)),
        (500, N3, ping(FIRST)),
        (600, N3, children()),
        (700, N3, watch(0)),
        (800, N3, ping(77)),
        (900, N3, watch(5)),
        (1_000, N1, delete(0)),
    ]);
    let run = lab.run(2_000);
    let at = |id| run.asker(asker).answered_at(id);
    assert_eq!((answer(&run, asker, 3), at(3)), (Some(Reply::Pong), Some(502)));
    assert_eq!((answer(&run, asker, 4), at(4)), (Some(Reply::Children(vec![(0, zxid(2))])), Some(602)));
    assert_eq!(answer(&run, asker, 6), Some(Reply::Expired));
    // A node that is not there is gone; the other one is gone when this follower has applied that.
    let told = &run.asker(asker).told;
    assert_eq!((told[0], told[1].0), ((7, 902), 5));
    assert!((1_004..1_110).contains(&told[1].1), "{told:?}");
}

// --- With faults. ---

#[test]
fn overdue_sessions_are_closed_before_pings_that_waited() {
    let mut lab = lab();
    let mut asks = vec![(0, N1, connect(2_000)), (10, N1, create(FIRST))];
    asks.extend((1..20).map(|k| (400 * k, N1, ping(FIRST))));
    let asker = lab.asker(asks);
    // Too short for an election: the others hear of it again before theirs is over.
    let setup_pause = 4_000;
    lab.fault(1_000, Some(1_000 + setup_pause), pause(N1));
    for follower in [N2, N3] {
        lab.fault(1_000, Some(1_000 + setup_pause), pause(follower));
    }
    let run = lab.run(8_000);
    assert_eq!(run.took_over().len(), 1, "else this shows nothing");
    let freed = run.freed();
    assert!(freed.len() == 1 && (5_000..5_010).contains(&freed[0].0), "{freed:?}");
    assert_eq!(freed[0].1, Freed::Expired);
    // The pings of the meantime are not answered, those behind the end are told.
    assert_eq!(answer(&run, asker, 2 + 5), None);
    assert_eq!(answer(&run, asker, 2 + 14), Some(Reply::Expired));
}

#[test]
fn a_new_leader_starts_every_session_at_full_length_and_a_new_epoch() {
    let mut lab = lab();
    let asker = lab.asker(vec![
        (0, N1, connect(4_000)),
        (10, N1, create(FIRST)),
        (3_000, N2, children()),
        (9_000, N2, connect(1_000)),
        (9_000, N3, create(FIRST)),
    ]);
    // The session would end at 4,500.
    lab.fault(2_900, None, crash(N1));
    let run = lab.run(12_000);
    let took = run.took_over();
    let [_, (at, leader, until)] = &took[..] else { panic!("{took:?}") };
    assert_ne!(*leader, N1);
    let ends = (at + 4_000) / 500 * 500 + 500;
    assert_eq!(until, &[ends]);
    assert!(ends > 7_000, "{ends}");
    let freed = run.freed();
    assert!(freed.len() == 1 && (ends + 2..ends + 4).contains(&freed[0].0), "{freed:?}");
    let Some(Reply::Connected { session, .. }) = answer(&run, asker, 4) else { panic!("no session") };
    let term = run.member(*leader).raft().term();
    assert!(term > 1);
    assert_eq!((session >> 32, session & 0xffff_ffff), (term, 2), "the end of the first was the first");
}

#[test]
fn a_follower_that_has_lost_its_leader_turns_clients_away() {
    let mut lab = lab();
    let asker = lab.asker(vec![
        (0, N1, connect(9_000)),
        (10, N1, create(FIRST)),
        (1_000, N3, ping(FIRST)), // It does not know yet.
        (4_000, N3, ping(FIRST)),
        (4_000, N3, children()),
        (4_000, N3, watch(0)),
        (4_000, N3, create(FIRST)),
        (4_000, N2, ping(FIRST)),
    ]);
    lab.fault(500, None, cut(&[N3], &[N1, N2]));
    let run = lab.run(5_000);
    assert_eq!(answer(&run, asker, 3), Some(Reply::Pong));
    for id in 4..8 {
        assert_eq!(run.asker(asker).answer(id), Some(&locks::Reply::NoLeader), "request {id}");
    }
    assert_eq!(answer(&run, asker, 8), Some(Reply::Pong), "the others go on");
}

#[test]
fn who_connects_again_is_answered_by_the_leader() {
    let mut lab = lab();
    let reconnect = |session| ask(Request::Reconnect { session });
    let asker = lab.asker(vec![
        (0, N1, connect(2_000)),
        (10, N1, create(FIRST)),
        (2_400, N2, reconnect(FIRST)), // Its bucket is over at 2,500, and half a tick would be too late.
        (2_600, N2, reconnect(77)),
        (9_000, N3, reconnect(FIRST)),
    ]);
    let run = lab.run(10_000);
    assert_eq!((answer(&run, asker, 3), run.asker(asker).answered_at(3)), (Some(Reply::Pong), Some(2_404)));
    assert_eq!(answer(&run, asker, 4), Some(Reply::Expired));
    assert_eq!(answer(&run, asker, 5), Some(Reply::Expired));
    assert_eq!(run.freed(), [(4_502, Freed::Expired)]);
}

#[test]
fn what_a_connection_brings_twice_is_done_once() {
    let mut lab = lab();
    let asker = lab.asker(vec![(0, N2, connect(9_000)), (10, N2, create(FIRST)), (100, N1, children())]);
    lab.fault(0, None, twice(&[asker, N2], &[N1, N2]));
    let run = lab.run(1_000);
    assert_eq!(answer(&run, asker, 2), created(0, 2));
    assert_eq!(answer(&run, asker, 3), Some(Reply::Children(vec![(0, zxid(2))])));
}

#[test]
fn a_server_that_loads_a_snapshot_knows_sessions_and_nodes_and_tells_who_watches() {
    let setup = Setup { snapshot_every: 4, ..Setup::default() };
    let mut lab = lab_with(&setup, Number::Czxid, 2_000);
    let mut asks = vec![(0, N1, connect(30_000)), (10, N1, create(FIRST)), (100, N3, watch(0))];
    asks.push((1_000, N1, delete(0)));
    asks.extend((0..60).map(|k| (1_100 + 10 * k, N1, delete(9))));
    asks.push((5_000, N1, create(FIRST)));
    let asker = lab.asker(asks);
    lab.fault(500, Some(3_000), cut(&[N3], &[N1, N2]));
    let run = lab.run(6_000);
    let installed = run.trace.records().iter().any(|record| {
        matches!(
            record.what,
            kernel::What::Noted(crate::cast::Note::Raft(raft::Note::InstalledSnapshot { .. }))
        )
    });
    assert!(installed, "else this shows nothing");
    let told = &run.asker(asker).told;
    assert!(told.len() == 1 && told[0].0 == 3 && (3_000..5_000).contains(&told[0].1), "{told:?}");
    assert_eq!(state(&run, N3).last_zxid(), state(&run, N1).last_zxid());
    assert!(state(&run, N3).client_of(FIRST).is_some());
}

// --- Workers. ---

const WORKER: Policy = Policy { ttl: s(4), margin: s(1), renew_every: ms(1_333), ..POLICY };

#[test]
fn a_release_wakes_the_next_in_line_and_nobody_else() {
    let mut lab = lab();
    let first = lab.worker(WORKER, &[(0, Do::Acquire), (3_000, Do::Release)]);
    let second = lab.worker(WORKER, &[(100, Do::Acquire), (6_000, Do::Release)]);
    let third = lab.worker(WORKER, &[(200, Do::Acquire)]);
    let mut run = lab.begin();
    let woken = |run: &Run, worker| run.count(worker, |note| matches!(note, Note::Woken { .. }));
    run.until(4_000);
    assert_eq!(run.let_go(first), [(3_000, Gone::Released)]);
    // Session and node, 4 ms each, and a look at who is ahead.
    assert_eq!(run.holds(first), [(10, zxid(2))]);
    assert_eq!(run.holds(second), [(3_006, zxid(4))], "3,004 told, and a look");
    assert_eq!((woken(&run, second), woken(&run, third)), (1, 0));
    run.until(8_000);
    assert_eq!(run.holds(third), [(6_006, zxid(6))]);
    assert_eq!((woken(&run, second), woken(&run, third)), (1, 1));
}

#[test]
fn one_that_leaves_the_line_passes_its_watch_on() {
    let mut lab = lab();
    let first = lab.worker(WORKER, &[(0, Do::Acquire)]);
    let second = lab.worker(WORKER, &[(100, Do::Acquire), (2_000, Do::Release)]);
    let third = lab.worker(WORKER, &[(200, Do::Acquire)]);
    lab.fault(10_000, None, crash(first));
    let run = lab.run(20_000);
    assert_eq!(run.holds(second), []);
    assert_eq!(run.count(third, |note| matches!(note, Note::Woken { .. })), 2);
    let (held, token) = run.holds(third)[0];
    assert_eq!(token, zxid(6));
    assert!((12_500..14_600).contains(&held), "{held}");
}

#[test]
fn the_sequence_number_can_stand_for_a_token() {
    let mut lab = lab_with(&Setup::default(), Number::Sequence, 500);
    let first = lab.worker(WORKER, &[(0, Do::Acquire), (3_000, Do::Release), (4_000, Do::Acquire)]);
    let run = lab.run(5_000);
    assert_eq!(run.holds(first), [(10, 0), (4_010, 1)]);
    assert_eq!(run.granted(), [(7, 0), (4_007, 1)]);
}

#[test]
fn a_client_counts_on_the_timeout_that_it_was_given() {
    // It asks for 60 s and gets 20 ticks: 10 s.
    let mut lab = lab();
    let worker = lab.worker(Policy { ttl: s(60), renew_every: s(3), ..WORKER }, &[(0, Do::Acquire)]);
    lab.fault(5_000, None, isolate(&[worker]));
    let run = lab.run(30_000);
    assert_eq!(run.let_go(worker), [(3_000 + 10_000 - 1_000, Gone::StopTime)]);
    assert_eq!(run.freed(), [(13_502, Freed::Expired)]);
}

#[test]
fn disconnected_is_not_expired() {
    let mut lab = lab();
    let first = lab.worker(Policy { margin: s(0), ..WORKER }, &[(0, Do::Acquire)]);
    lab.worker(WORKER, &[(100, Do::Acquire)]);
    // Its session is good for 4 s after its last ping, at 3,999 or so; it is away for 3.
    lab.fault(4_100, Some(7_100), isolate(&[first]));
    let run = lab.run(20_000);
    assert!(run.count(first, |note| matches!(note, Note::RenewalFailed { .. })) > 1);
    assert_eq!((run.let_go(first), run.freed()), (vec![], vec![]));
}

/// What a follower says to a ping is no word of the leader's: after a silence its client wants that.
#[test]
fn a_client_that_heard_nothing_for_two_thirds_of_its_timeout_connects_again() {
    let mut lab = lab();
    let worker = lab.worker(Policy { margin: s(0), ..WORKER }, &[(0, Do::Acquire)]);
    lab.fault(1_500, Some(4_500), isolate(&[worker]));
    let run = lab.run(8_000);
    let asked: Vec<(u64, bool)> = run
        .trace
        .records()
        .iter()
        .filter(|record| record.process == worker)
        .filter_map(|record| match &record.what {
            kernel::What::Sent {
                msg: locks::Msg::Request { request: locks::Request::ZooKeeper(request), .. },
                ..
            } => match **request {
                Request::Ping { .. } => Some((record.at.as_micros() / 1_000, false)),
                Request::Reconnect { .. } => Some((record.at.as_micros() / 1_000, true)),
                _ => None,
            },
            _ => None,
        })
        .collect();
    // It was answered last at 1,335 or so: from 4,002 on it asks the leader, and then pings again.
    assert!(asked.iter().all(|(at, again)| *again == (4_002..5_000).contains(at)), "{asked:?}");
    assert!(asked.iter().any(|(_, again)| *again) && asked.iter().any(|(at, _)| *at > 5_000), "{asked:?}");
    assert_eq!(run.let_go(worker), []);
}

#[test]
fn a_paused_holder_is_told_when_it_is_back() {
    let mut lab = lab();
    let policy = Policy { give_up: locks::GiveUp::Never, ..WORKER };
    let first = lab.worker(policy, &[(0, Do::Acquire)]);
    let second = lab.worker(WORKER, &[(100, Do::Acquire)]);
    lab.fault(2_000, Some(12_000), pause(first));
    let run = lab.run(20_000);
    // Heard of at 1,334; four seconds, and the end of the tick.
    assert_eq!(run.freed()[0], (5_502, Freed::Expired));
    assert_eq!(run.holds(second).len(), 1);
    assert_eq!(run.let_go(first), [(12_002, Gone::ToldGone)]);
}
