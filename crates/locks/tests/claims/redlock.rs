//! Redlock: several Redis servers that know nothing of each other.

use kernel::{ProcessId, Span};
use locks::service::Durability;
use locks::{AnyService, Freed, Gone, Note, Policy, Reading, Request, Token, Wait, claim, redis, redlock};

use crate::common::{
    Do, Lab, POLICY, Run, crash, cut, cut_one_way, delay, isolate, mono, ms, pause, s, stop_mono, vanish,
    wall_step,
};

/// A lease of 10 s, of which a hundredth and 2 ms are given up for drift, and no margin beside that.
const REDLOCK: Policy = Policy { margin: Span::ZERO, wait: Wait::Poll(ms(200)), ..POLICY };
const DRIFT: u64 = 102;

fn lab_of(servers: u16, durability: Durability) -> Lab {
    let service = AnyService::Redis(redis::Redis::new(false, Token(0)));
    let recipe = redlock::Recipe::new(servers.into(), redlock::usual_drift(REDLOCK.ttl));
    Lab::of(servers, &service, durability, locks::ClientKind::Redlock(recipe), ms(1))
}
fn five() -> Lab {
    lab_of(5, Durability::Never)
}
fn acquire(lab: &mut Lab, from: u64) -> ProcessId {
    lab.worker(REDLOCK, vec![(ms(from), Do::Acquire)])
}
fn n(number: u16) -> ProcessId {
    ProcessId(number - 1)
}
fn since(run: &Run, worker: ProcessId) -> Vec<u64> {
    run.grants(worker).into_iter().map(|(at, ..)| at).collect()
}
/// How many servers have a key.
fn keys(run: &Run, servers: u16) -> usize {
    let has_key = |server: &u16| match run.service(*server) {
        AnyService::Redis(redis) => redis.keys().iter().count() > 0,
        other => panic!("{other:?} is no Redis"),
    };
    (0..servers).filter(has_key).count()
}
/// When a process asked servers to delete its key, and which.
fn deletes(run: &Run, by: ProcessId) -> Vec<(u64, u16)> {
    let is_it = |request: &Request| matches!(request, Request::Claim(request) if matches!(**request, claim::Request::Release { .. }));
    let asked = run.asked(by).into_iter();
    asked.filter(|(.., request)| is_it(request)).map(|(at, server, _)| (at, server)).collect()
}

#[test]
fn the_drift_term_is_a_hundredth_of_the_lease_and_2_ms() {
    assert_eq!(redlock::usual_drift(s(10)), ms(DRIFT));
    assert_eq!(redlock::usual_drift(s(30)), ms(302));
}

#[test]
fn a_majority_is_more_than_half() {
    let majorities: Vec<usize> = (1..=9).map(locks::majority).collect();
    assert_eq!(majorities, [1, 2, 2, 3, 3, 4, 4, 5, 5]);
}

#[test]
fn all_servers_are_asked_at_once_and_the_lease_counts_from_before_that_less_the_drift() {
    let mut lab = five();
    let a = acquire(&mut lab, 100);
    lab.fault(200, None, isolate(&[n(1), n(2), n(3), n(4), n(5)]));
    let run = lab.run(20_000);
    let claims: Vec<(u64, u16)> =
        run.asked(a).into_iter().map(|(at, server, _)| (at, server)).take(5).collect();
    assert_eq!(claims, [(100, 0), (100, 1), (100, 2), (100, 3), (100, 4)]);
    let holds: Vec<_> = run
        .notes()
        .filter_map(|(at, _, note)| match note {
            Note::Holds(holds) => Some((at.as_micros() / 1_000, holds.sent, holds.stop, holds.token)),
            _ => None,
        })
        .collect();
    assert_eq!(holds, [(102, mono(100), stop_mono(10_100 - DRIFT), None)]);
    assert_eq!(run.let_go(a), [(10_100 - DRIFT, Gone::StopTime)]);
}

#[test]
fn a_minority_of_servers_can_be_down_and_no_more() {
    for (servers, down, holds) in [
        (1, 0, true),
        (1, 1, false),
        (3, 1, true),
        (3, 2, false),
        (4, 1, true),
        (4, 2, false),
        (5, 2, true),
        (5, 3, false),
    ] {
        for silent in [false, true] {
            let mut lab = lab_of(servers, Durability::Never);
            let a = acquire(&mut lab, 100);
            for server in 1..=down {
                lab.fault(0, None, if silent { vanish(n(server)) } else { crash(n(server)) });
            }
            let run = lab.run(30_000);
            let expected = if holds { vec![102] } else { vec![] };
            assert_eq!(since(&run, a), expected, "{down} of {servers} down");
            assert_eq!(run.let_go(a), [], "{down} of {servers} down: renewed by a majority");
        }
    }
}

/// A server that does not answer is still waited for when the next renewal is due: it must not be what that waits for.
#[test]
fn a_silent_server_does_not_hold_up_renewals() {
    for timeout in [ms(500), s(3), s(5)] {
        let mut lab = lab_of(3, Durability::Never);
        let a = lab.worker(Policy { timeout, ..REDLOCK }, vec![(ms(0), Do::Acquire)]);
        lab.fault(100, None, vanish(n(3)));
        let run = lab.run(60_000);
        assert_eq!((since(&run, a), run.let_go(a)), (vec![2], vec![]), "{timeout}");
        let renewals: Vec<u64> =
            run.asked(a).into_iter().filter(|(_, server, _)| *server == 0).map(|(at, ..)| at).collect();
        assert_eq!(renewals[..4], [0, 3_000, 6_000, 9_000], "{timeout}");
    }
}

/// Those who take the lock from each other give back what they have, and rest for a while that is drawn.
#[test]
fn a_split_vote_is_given_back_and_ends() {
    let mut lab = lab_of(4, Durability::Never);
    let (a, b) = (acquire(&mut lab, 0), acquire(&mut lab, 0));
    // A is first at n1 and n2, B at n3 and n4; nobody has three.
    lab.fault(0, Some(1), delay(&[a], &[n(3), n(4)], ms(5)));
    lab.fault(0, Some(1), delay(&[b], &[n(1), n(2)], ms(5)));
    let run = lab.run(8_000);
    let first = |worker| deletes(&run, worker).first().copied();
    assert_eq!((first(a), first(b)), (Some((7, 0)), Some((7, 0))), "both have lost when two say no");
    let mut holds = [since(&run, a), since(&run, b)].concat();
    holds.sort();
    // Half to one and a half of 200 ms later one of them has it.
    assert!(matches!(holds[..], [107..312]), "{holds:?}");
    assert_eq!(keys(&run, 4), 4);
}

#[test]
fn many_that_begin_at_once_do_not_take_the_lock_from_each_other_for_ever() {
    let mut lab = five();
    let workers: Vec<ProcessId> = (0..8).map(|_| acquire(&mut lab, 0)).collect();
    for (place, worker) in workers.iter().enumerate() {
        // Each is nearest to another server.
        for server in 0..5_u16 {
            let far = (usize::from(server) + place) % 5;
            lab.fault(0, None, delay(&[*worker], &[ProcessId(server)], ms(far as u64 * 2)));
        }
    }
    let run = lab.run(5_000);
    let holds: Vec<u64> = workers.iter().flat_map(|worker| since(&run, *worker)).collect();
    assert_eq!(holds.len(), 1, "{holds:?}");
}

/// What a try that lost has set is deleted on all servers, those as well that refused it.
#[test]
fn a_try_that_lost_deletes_on_all_servers() {
    let mut lab = five();
    let a = acquire(&mut lab, 0);
    lab.fault(0, Some(5_000), cut(&[a], &[n(4), n(5)]));
    let b = acquire(&mut lab, 500);
    let run = lab.run(4_000);
    assert_eq!(since(&run, a), [2]);
    // B has n4 and n5, and three that say no.
    let of_b = deletes(&run, b);
    assert_eq!(of_b[..5], [(502, 0), (502, 1), (502, 2), (502, 3), (502, 4)]);
    assert_eq!(since(&run, b), []);
    assert_eq!(run.let_go(a), []);
}

/// A SET that comes late, and the DEL behind it.
#[test]
fn a_late_set_is_cleaned_up_when_the_delete_comes_behind_it() {
    for (until, left) in [(None, 0), (Some(100), 1)] {
        let mut lab = lab_of(3, Durability::Never);
        let once = Policy { wait: Wait::Poll(s(100)), ..REDLOCK };
        let a = lab.worker(once, vec![(ms(0), Do::Acquire)]);
        // Two servers are gone; to the third everything takes 2 s, or the SET alone does.
        lab.fault(0, None, vanish(n(1)));
        lab.fault(0, None, vanish(n(2)));
        lab.fault(0, until, delay(&[a], &[n(3)], s(2)));
        let mut run = lab.begin();
        run.until(2_002);
        assert_eq!(deletes(&run, a), [(500, 0), (500, 1), (500, 2)], "no answer in time");
        assert_eq!(keys(&run, 3), 1, "it has come");
        run.until(4_000);
        assert_eq!(keys(&run, 3), left, "a delete that overtook it deleted nothing");
        run.until(12_100);
        assert_eq!(keys(&run, 3), 0, "the orphan lasts for its lease");
        assert_eq!(since(&run, a), []);
    }
}

/// An answer that comes so late that the lease is over with it is no lock.
#[test]
fn answers_that_took_longer_than_the_validity_are_no_lock() {
    for (extra, holds) in [(9_890, true), (9_900, false)] {
        let mut lab = lab_of(3, Durability::Never);
        let slow = Policy { timeout: s(30), renew_every: s(60), retry: s(60), ..REDLOCK };
        let a = lab.worker(slow, vec![(ms(0), Do::Acquire)]);
        lab.fault(0, Some(100), delay(&[n(1), n(2), n(3)], &[a], ms(extra)));
        let run = lab.run(30_000);
        // The validity ends at 10 s less the drift: 9.898.
        assert_eq!(since(&run, a), if holds { vec![extra + 2] } else { vec![] });
        assert_eq!(deletes(&run, a).len(), if holds { 0 } else { 3 });
    }
}

#[test]
fn a_release_deletes_everywhere_and_waits_for_all_answers() {
    let mut lab = lab_of(3, Durability::Never);
    let a = lab.worker(REDLOCK, vec![(ms(0), Do::Acquire), (s(1), Do::Release)]);
    let b = acquire(&mut lab, 100);
    let run = lab.run(3_000);
    assert_eq!(run.let_go(a), [(1_000, Gone::Released)]);
    assert_eq!(deletes(&run, a), [(1_000, 0), (1_000, 1), (1_000, 2)]);
    assert_eq!(run.words(a).last().map(|(at, _)| *at), Some(1_002));
    assert!(matches!(since(&run, b)[..], [1_001..1_304]), "{:?}", since(&run, b));
}

/// Two that say no are no majority, and neither are two that do not answer: it is tried again, while the lease lasts.
#[test]
fn a_renewal_that_finds_no_majority_is_tried_again() {
    let mut lab = lab_of(3, Durability::Never);
    let a = acquire(&mut lab, 0);
    lab.fault(2_900, Some(5_000), cut(&[a], &[n(1), n(2)]));
    let run = lab.run(30_000);
    assert_eq!(run.let_go(a), []);
    let asked: Vec<u64> =
        run.asked(a).into_iter().filter(|(_, server, _)| *server == 2).map(|(at, ..)| at).collect();
    // 3.0, and each time a timeout of 0.5 and a rest of 0.2 later, until n1 and n2 answer again.
    assert_eq!(asked[1..5], [3_000, 3_700, 4_400, 5_100]);
    // For good: it stops at its stop time, which counts from 0.
    let mut lab = lab_of(3, Durability::Never);
    let a = acquire(&mut lab, 0);
    lab.fault(2_900, None, cut(&[a], &[n(1), n(2)]));
    assert_eq!(lab.run(30_000).let_go(a), [(10_000 - DRIFT, Gone::StopTime)]);
}

#[test]
fn a_majority_that_says_no_ends_the_belief_at_once() {
    let mut lab = five();
    let a = acquire(&mut lab, 0);
    // Three servers lose what they had; nobody else wants the lock.
    for server in 1..=3 {
        lab.fault(1_000, Some(1_500), crash(n(server)));
    }
    let run = lab.run(10_000);
    assert_eq!(run.let_go(a), [(3_002, Gone::ToldGone)]);
}

/// A and B, and C who tries from 100 ms on: n1 to n3 have A's key, and n4 and n5 could not be reached.
fn a_on_three_of_five(durability: Durability) -> (Lab, ProcessId, ProcessId) {
    let mut lab = lab_of(5, durability);
    let a = acquire(&mut lab, 0);
    lab.fault(0, Some(50), cut(&[a], &[n(4), n(5)]));
    let b = acquire(&mut lab, 100);
    (lab, a, b)
}

/// Redis without persistence: one server that comes back empty is enough for a second majority.
#[test]
fn a_restarted_server_without_persistence_lets_a_second_holder_in() {
    for (durability, two) in [(Durability::Never, true), (Durability::BeforeAnswer, false)] {
        let (mut lab, a, b) = a_on_three_of_five(durability);
        lab.fault(500, Some(600), crash(n(3)));
        let run = lab.run(2_900);
        assert_eq!((since(&run, a), run.let_go(a)), (vec![2], vec![]));
        assert_eq!(since(&run, b).len(), usize::from(two), "{durability:?}");
    }
}

/// The cure: a server that crashed stays down for longer than a lease.
#[test]
fn a_delayed_restart_lets_nobody_in_before_the_lease_is_over() {
    let (mut lab, a, b) = a_on_three_of_five(Durability::Never);
    lab.fault(400, None, isolate(&[a]));
    lab.fault(500, Some(11_000), crash(n(3)));
    let run = lab.run(20_000);
    assert_eq!(run.let_go(a), [(10_000 - DRIFT, Gone::StopTime)]);
    // n1's and n2's keys are gone behind 10.001.
    assert!(matches!(since(&run, b)[..], [10_002..10_400]), "{:?}", since(&run, b));
}

#[test]
fn a_stepped_wall_clock_on_enough_servers_lets_a_second_holder_in() {
    for (stepped, two) in [(vec![n(3)], true), (vec![], false)] {
        let (mut lab, a, b) = a_on_three_of_five(Durability::Never);
        for server in &stepped {
            lab.fault(500, None, wall_step(*server, 10_000));
        }
        let run = lab.run(2_900);
        assert_eq!((since(&run, a), run.let_go(a)), (vec![2], vec![]));
        assert_eq!(since(&run, b).len(), usize::from(two), "{stepped:?}");
    }
    // With A's key on all five, three clocks must step, and two are not enough.
    for (count, two) in [(2, false), (3, true)] {
        let mut lab = five();
        let a = acquire(&mut lab, 0);
        let b = acquire(&mut lab, 100);
        for server in 1..=count {
            lab.fault(500, None, wall_step(n(server), 10_000));
        }
        let run = lab.run(2_900);
        assert_eq!(run.let_go(a), []);
        assert_eq!(since(&run, b).len(), usize::from(two), "{count}");
    }
}

/// Without a token nothing tells a late write of A's from one of B's.
#[test]
fn a_pause_longer_than_the_lease_overlaps_and_there_is_no_token() {
    let mut lab = five();
    let (a, b) = (acquire(&mut lab, 0), acquire(&mut lab, 100));
    lab.fault(4_000, Some(19_000), pause(a));
    let run = lab.run(20_000);
    assert_eq!(run.let_go(a), [(19_000, Gone::StopTime)]);
    assert!(matches!(since(&run, b)[..], [13_002..13_400]), "{:?}", since(&run, b));
    assert_eq!(run.grants(b)[0].2, None);
    let expired = run.freed().into_iter().filter(|(_, _, how)| *how == Freed::Expired).count();
    assert_eq!(expired, 5);
}

/// Each server judges by its own wall clock.
#[test]
fn each_server_sets_a_deadline_of_its_own() {
    let mut lab = lab_of(3, Durability::Never);
    acquire(&mut lab, 1_000);
    lab.fault(500, None, wall_step(n(2), 5_000));
    let run = lab.run(2_000);
    let mut deadlines: Vec<(u16, i64)> = run
        .notes()
        .filter_map(|(_, by, note)| match note {
            Note::Granted(granted) => match granted.deadline {
                Some(Reading::Wall(wall)) => Some((by.0, wall.as_micros())),
                _ => None,
            },
            _ => None,
        })
        .collect();
    deadlines.sort();
    assert_eq!(deadlines, [(0, 11_001_000), (1, 16_001_000), (2, 11_001_000)]);
}

/// Answers that are lost are nobody's no: the keys are there, and are deleted.
#[test]
fn lost_answers_are_cleaned_up() {
    let mut lab = lab_of(3, Durability::Never);
    let a = lab.worker(Policy { wait: Wait::Poll(s(60)), ..REDLOCK }, vec![(ms(0), Do::Acquire)]);
    lab.fault(0, Some(600), cut_one_way(&[n(1), n(2)], &[a]));
    let mut run = lab.begin();
    run.until(400);
    assert_eq!((keys(&run, 3), since(&run, a)), (3, vec![]));
    run.until(1_000);
    assert_eq!(keys(&run, 3), 0);
}
