//! Holding: stop times on every clock, the renew loop, and letting go.

use kernel::{ProcessId, Span};
use locks::etcd::Request;
use locks::{
    Anchor, Freed, GiveUp, Gone, GrantId, Granted, HolderClock, Note, Policy, Reading, Token, Wait, Word,
};

use crate::common::{
    Do, Lab, POLICY, Run, Setup, create, cut_one_way, delay, grant, isolate, ms, pause, put, rate, refuse, s,
    stop_mono, stop_wall, wall_step,
};

const N1: ProcessId = ProcessId(0);
const N2: ProcessId = ProcessId(1);
const N3: ProcessId = ProcessId(2);
const ALL: [ProcessId; 3] = [N1, N2, N3];

/// A worker that takes the lock at once, and what else it does.
fn holder(lab: &mut Lab, policy: Policy, mut more: Vec<(Span, Do)>) -> ProcessId {
    more.insert(0, (Span::ZERO, Do::Acquire));
    lab.worker(policy, more)
}

/// What a holder counts from and when it stops, in the order in which it announced them.
fn stops(run: &Run) -> Vec<(u64, Reading)> {
    run.notes()
        .filter_map(|(.., note)| match note {
            Note::Holds(holds) => Some((holds.sent.as_micros() / 1_000, holds.stop?)),
            Note::Extended { sent, stop, .. } => Some((sent.as_micros() / 1_000, *stop)),
            _ => None,
        })
        .collect()
}

fn keep_alives(run: &Run, by: ProcessId) -> Vec<(u64, u16)> {
    run.requests(by, |request| matches!(request, Request::KeepAlive(_)))
}

fn failures(run: &Run) -> Vec<(u64, u16, &'static str)> {
    run.notes()
        .filter_map(|(at, _, note)| match note {
            Note::RenewalFailed { server, why, .. } => Some((at.as_micros() / 1_000, server.0, *why)),
            _ => None,
        })
        .collect()
}

#[test]
fn a_stop_time_is_what_was_sent_or_received_and_the_lease_less_the_margin() {
    // The grant is sent at 0 and answered at 4 ms, the renewal is sent at 3 s and answered 2 ms later.
    let cases = [
        (Anchor::Sent, 2_000, [(0, 8_000), (3_000, 11_000)]),
        (Anchor::Sent, 0, [(0, 10_000), (3_000, 13_000)]),
        (Anchor::Received, 2_000, [(4, 8_004), (3_002, 11_002)]),
        (Anchor::Received, 500, [(4, 9_504), (3_002, 12_502)]),
    ];
    for (anchor, margin, expected) in cases {
        for clock in [HolderClock::Monotonic, HolderClock::Wall] {
            let policy = Policy { anchor, margin: ms(margin), clock, ..POLICY };
            let mut lab = Setup::default().lab();
            let a = holder(&mut lab, policy, vec![]);
            lab.fault(4_000, None, isolate(&[a]));
            let mut run = lab.begin();
            run.until(3_500);
            let expected = expected.map(|(sent, stop)| {
                let stop = match clock {
                    HolderClock::Monotonic => stop_mono(stop),
                    HolderClock::Wall => stop_wall(stop as i64),
                };
                (sent, stop.unwrap())
            });
            assert_eq!(stops(&run), expected, "{policy:?}");
            assert_eq!(run.worker(a).client.stop(), Some(expected[1].1));
            let stop = match expected[1].1 {
                Reading::Mono(mono) => mono.as_micros() / 1_000,
                Reading::Wall(wall) => wall.as_micros() as u64 / 1_000,
            };
            run.until(stop - 1);
            assert!(run.worker(a).client.may_act(run.world.readings(a)));
            run.until(stop);
            assert!(!run.worker(a).client.may_act(run.world.readings(a)));
            run.until(20_000);
            assert_eq!(run.let_go(a), [(stop, Gone::StopTime)], "{policy:?}");
            assert_eq!(run.words(a).last(), Some(&(stop, Word::Lost(Gone::StopTime))));
            assert!(!run.any_client_timer(a));
        }
    }
}

#[test]
fn steps_of_the_wall_clock_move_a_stop_time_on_it_and_no_other() {
    // Cut off at 4 s with the stop reading 11.0; the clock is stepped at 5 s.
    let run_with = |clock, step: i64, more: Vec<(Span, Do)>| {
        let mut lab = Setup::default().lab();
        let a = holder(&mut lab, Policy { clock, ..POLICY }, more);
        lab.fault(4_000, None, isolate(&[a]));
        lab.fault(5_000, None, wall_step(a, step));
        (lab.run(40_000), a)
    };
    for step in [-3_000, 3_000] {
        let (run, a) = run_with(HolderClock::Monotonic, step, vec![]);
        assert_eq!(run.let_go(a), [(11_000, Gone::StopTime)]);
    }
    // Back: the clock comes to 11.0 three seconds late, when the authority has freed the lock.
    let (run, a) = run_with(HolderClock::Wall, -3_000, vec![]);
    assert_eq!(run.let_go(a), [(14_000, Gone::StopTime)]);
    assert_eq!(run.freed(), [(13_003, 2, Freed::Expired)]);
    // Forward: nobody looks before the timer, which is monotonic, but whoever checks is told.
    let (run, a) = run_with(HolderClock::Wall, 3_000, vec![]);
    assert_eq!(run.let_go(a), [(11_000, Gone::StopTime)]);
    let (run, a) = run_with(HolderClock::Wall, 3_000, vec![(ms(7_999), Do::Check)]);
    assert_eq!(run.let_go(a), [(11_000, Gone::StopTime)]);
    let (run, a) = run_with(HolderClock::Wall, 3_000, vec![(ms(8_000), Do::Check)]);
    assert_eq!(run.let_go(a), [(8_000, Gone::StopTime)]);
}

#[test]
fn a_slow_clock_needs_a_margin() {
    // Nine tenths of true time. The lease is freed at 10.0 s; its holder's 8 s last 8.9, its 9.5 s 10.6.
    for (margin, stops) in [(2_000, 8_888), (500, 10_555)] {
        let mut lab = Setup::default().lab();
        let a = holder(&mut lab, Policy { margin: ms(margin), renew_every: s(60), ..POLICY }, vec![]);
        lab.fault(0, None, rate(a, 900_000));
        let run = lab.run(30_000);
        assert_eq!(run.let_go(a)[0], (stops, Gone::StopTime));
        assert_eq!(run.freed()[0], (10_005, 2, Freed::Expired));
    }
}

#[test]
fn renewals_keep_their_pace_from_when_they_were_sent() {
    // Answers take 800 ms: renewals are sent every 3 s all the same.
    let mut lab = Setup::default().lab();
    let a = holder(&mut lab, Policy { timeout: s(2), ..POLICY }, vec![]);
    lab.fault(100, None, delay(&[N1], &[a], ms(800)));
    let run = lab.run(13_000);
    assert_eq!(keep_alives(&run, a), [(3_000, 0), (6_000, 0), (9_000, 0), (12_000, 0)]);
    // Answers take longer than that: the next is sent when one comes.
    let mut lab = Setup::default().lab();
    let a = holder(&mut lab, Policy { timeout: s(9), ..POLICY }, vec![]);
    lab.fault(100, None, delay(&[N1], &[a], ms(3_498)));
    let run = lab.run(12_000);
    assert_eq!(keep_alives(&run, a), [(3_000, 0), (6_500, 0), (10_000, 0)]);
}

#[test]
fn a_refusal_leads_to_the_next_member_at_once_and_three_to_a_rest() {
    let mut lab = Setup::default().lab();
    let a = holder(&mut lab, POLICY, vec![]);
    lab.fault(2_900, Some(3_100), refuse(&[a], &ALL));
    let run = lab.run(7_000);
    // Each refusal takes the way there and back.
    assert_eq!(keep_alives(&run, a), [(3_000, 0), (3_002, 1), (3_004, 2), (3_206, 0), (6_206, 0)]);
    let refused = "connection refused";
    assert_eq!(failures(&run), [(3_002, 0, refused), (3_004, 1, refused), (3_006, 2, refused)]);
    assert_eq!(run.let_go(a), []);
}

#[test]
fn no_answer_leads_to_the_next_member_after_the_timeout_and_three_to_a_rest() {
    let mut lab = Setup::default().lab();
    let a = holder(&mut lab, POLICY, vec![]);
    lab.fault(2_900, Some(4_600), isolate(&[a]));
    let run = lab.run(9_000);
    assert_eq!(keep_alives(&run, a), [(3_000, 0), (3_500, 1), (4_000, 2), (4_700, 0), (7_700, 0)]);
    let late = "no answer in time";
    assert_eq!(failures(&run), [(3_500, 0, late), (4_000, 1, late), (4_500, 2, late)]);
    assert_eq!(run.let_go(a), []);
    // The member that answered is asked first from then on.
    let mut lab = Setup::default().lab();
    let a = holder(&mut lab, POLICY, vec![]);
    lab.fault(2_900, None, cut_one_way(&[N1], &[a]));
    let run = lab.run(10_000);
    assert_eq!(keep_alives(&run, a), [(3_000, 0), (3_500, 1), (6_500, 1), (9_500, 1)]);
}

#[test]
fn a_holder_that_cannot_renew_gives_up_by_its_rule() {
    // Renewed at 3 s; cut off from 4 s to 20 s; refused or not answered at 6 s.
    let cases = [
        (GiveUp::StopTime, true, (11_000, Gone::StopTime)),
        (GiveUp::Deadline, true, (13_000, Gone::StopTime)),
        (GiveUp::FirstError, true, (6_500, Gone::RenewalFailed)),
        (GiveUp::FirstError, false, (6_002, Gone::RenewalFailed)),
        (GiveUp::StopTime, false, (11_000, Gone::StopTime)),
    ];
    for (give_up, silent, expected) in cases {
        let mut lab = Setup::default().lab();
        let a = holder(&mut lab, Policy { give_up, ..POLICY }, vec![]);
        lab.fault(4_000, Some(20_000), if silent { isolate(&[a]) } else { refuse(&[a], &ALL) });
        let run = lab.run(30_000);
        assert_eq!(run.let_go(a), [expected], "{give_up:?}");
        assert_eq!(run.words(a).last(), Some(&(expected.0, Word::Lost(expected.1))));
        assert!(!run.any_client_timer(a), "{give_up:?}");
    }
    // One that never gives up believes until somebody tells it: long after the lock is free.
    let mut lab = Setup::default().lab();
    let a = holder(&mut lab, Policy { give_up: GiveUp::Never, ..POLICY }, vec![]);
    lab.fault(4_000, Some(20_000), isolate(&[a]));
    let run = lab.run(30_000);
    assert_eq!(run.freed(), [(13_003, 2, Freed::Expired)]);
    let let_go = run.let_go(a);
    assert!(matches!(let_go[..], [(20_000..22_000, Gone::ToldGone)]), "{let_go:?}");
    assert!(!run.any_client_timer(a));
}

#[test]
fn a_first_error_with_the_deadline_behind_it_is_no_reason_to_go_on() {
    // It is paused over a renewal, so that none has failed when the deadline comes.
    let mut lab = Setup::default().lab();
    let a = holder(&mut lab, Policy { give_up: GiveUp::FirstError, renew_every: s(60), ..POLICY }, vec![]);
    let run = lab.run(30_000);
    assert_eq!(run.let_go(a), [(10_000, Gone::StopTime)]);
}

#[test]
fn giving_back_deletes_the_own_key_at_once_and_no_other() {
    for wait in [Wait::Queue, Wait::Watch, Wait::Poll(s(1))] {
        let policy = Policy { wait, ..POLICY };
        let mut lab = Setup::default().lab();
        let a = holder(&mut lab, policy, vec![(ms(50), Do::Put("plain".into())), (s(5), Do::Release)]);
        let other =
            lab.any_worker("other", policy, vec![(ms(100), Do::Acquire)], None, kernel::Rate::NOMINAL);
        let mut run = lab.begin();
        run.until(4_999);
        let held = run.holds(a)[0].1;
        assert_eq!(run.server(0).state().keys.len(), 3);
        run.until(6_000);
        assert_eq!(run.let_go(a), [(5_000, Gone::Released)], "the belief ends before the key");
        assert_eq!(run.freed(), [(5_003, held, Freed::Released)]);
        assert_eq!(run.words(a).last(), Some(&(5_004, Word::Released)));
        let state = run.server(0).state();
        assert!(state.keys.contains_key("plain") && state.keys.len() == 2, "{:?}", state.keys);
        assert_eq!(run.let_go(other), []);
        assert!(!run.any_client_timer(a));
    }
}

#[test]
fn a_holder_that_comes_too_late_deletes_nobody_elses_key() {
    for wait in [Wait::Queue, Wait::Watch, Wait::Poll(s(1))] {
        let mut lab = Setup::default().lab();
        // It believes for ever, and gives back when it wakes.
        let careless = Policy { give_up: GiveUp::Never, wait, ..POLICY };
        let a = holder(&mut lab, careless, vec![(s(5), Do::Release)]);
        let b = lab.worker(Policy { wait, ..POLICY }, vec![(s(1), Do::Acquire)]);
        lab.fault(4_000, Some(20_000), pause(a));
        let run = lab.run(25_000);
        assert_eq!(run.let_go(a), [(20_000, Gone::Released)]);
        assert_eq!((run.holds(b).len(), run.let_go(b)), (1, vec![]), "{wait:?}");
        assert!(matches!(run.freed()[..], [(13_000..13_010, _, Freed::Expired)]), "{:?}", run.freed());
    }
}

#[test]
fn a_stop_time_that_comes_in_a_pause_ends_the_belief_when_the_process_runs_again() {
    for give_up in [GiveUp::StopTime, GiveUp::Deadline, GiveUp::FirstError] {
        let mut lab = Setup::default().lab();
        let a = holder(&mut lab, Policy { give_up, ..POLICY }, vec![]);
        lab.fault(4_000, Some(19_000), pause(a));
        let run = lab.run(30_000);
        assert_eq!(run.let_go(a), [(19_000, Gone::StopTime)], "{give_up:?}");
        assert_eq!(run.words(a).last(), Some(&(19_000, Word::Lost(Gone::StopTime))));
        assert_eq!(run.freed(), [(13_003, 2, Freed::Expired)], "six seconds before");
        assert!(!run.any_client_timer(a));
    }
}

#[test]
fn an_answer_that_waited_through_a_pause_extends_nothing_that_is_over() {
    // The renewal is sent at 3 s, and its answer comes when the process is paused already.
    for (anchor, expected) in [(Anchor::Sent, Some((19_000, Gone::StopTime))), (Anchor::Received, None)] {
        let mut lab = Setup::default().lab();
        let a = holder(&mut lab, Policy { anchor, timeout: s(30), ..POLICY }, vec![]);
        lab.fault(3_001, Some(19_000), pause(a));
        let mut run = lab.begin();
        run.until(19_000);
        // Counted from when it was received, the lease seems fresh: it is gone since 13 s. Why the anchor matters.
        assert_eq!(run.let_go(a).first().copied(), expected, "{anchor:?}");
        assert_eq!(run.freed(), [(13_003, 2, Freed::Expired)]);
    }
}

/// The lease that the first worker is granted.
fn lease_of_the_first() -> locks::LeaseId {
    let mut lab = Setup::default().lab();
    holder(&mut lab, POLICY, vec![]);
    let run = lab.run(100);
    let granted = run.notes().find_map(|(.., note)| match note {
        Note::Granted(granted) => Some(granted.lease),
        _ => None,
    });
    granted.unwrap()
}

#[test]
fn a_holder_whose_lease_somebody_ended_is_told_with_its_next_renewal() {
    let mut lab = Setup::default().lab();
    let a = holder(&mut lab, POLICY, vec![]);
    lab.asker(vec![(1_000, 0, Request::Revoke(lease_of_the_first()))]);
    let run = lab.run(10_000);
    assert_eq!(run.freed(), [(1_003, 2, Freed::Released)]);
    assert_eq!(run.let_go(a), [(3_002, Gone::ToldGone)]);
    assert_eq!(run.words(a).last(), Some(&(3_002, Word::Lost(Gone::ToldGone))));
    assert!(!run.any_client_timer(a));
}

#[test]
fn a_store_that_refuses_the_token_ends_the_belief() {
    let mut lab = Setup::default().lab();
    let a = holder(&mut lab, POLICY, vec![(s(1), Do::Refused), (s(2), Do::Refused)]);
    let run = lab.run(20_000);
    assert_eq!(run.let_go(a), [(1_000, Gone::WriteRefused)]);
    assert_eq!(
        run.words(a),
        [(8, Word::Acquired { grant: GrantId(2), token: Some(Token(2)) })],
        "the worker knows it itself"
    );
    assert_eq!(run.freed(), [(10_005, 2, Freed::Expired)], "the lease ends by itself");
    assert!(!run.any_client_timer(a));
}

#[test]
fn a_check_in_time_changes_nothing_and_a_late_one_lets_go() {
    let mut lab = Setup::default().lab();
    let never = Policy { give_up: GiveUp::Never, renew_every: s(60), ..POLICY };
    let a = holder(&mut lab, never, vec![(ms(7_999), Do::Check), (ms(9_000), Do::Check)]);
    let run = lab.run(20_000);
    assert_eq!(run.let_go(a), [(9_000, Gone::StopTime)]);
}

#[test]
fn a_lease_that_the_service_made_longer_is_counted_as_it_is() {
    let mut lab = Setup::leases(|times| times.min_ttl = s(12)).lab();
    let a = holder(&mut lab, POLICY, vec![]);
    lab.fault(1_000, None, isolate(&[a]));
    let run = lab.run(20_000);
    assert_eq!(run.let_go(a), [(10_000, Gone::StopTime)], "12 s less 2 s");
}

#[test]
fn every_belief_has_its_grant_on_record() {
    let mut lab = Setup::default().lab();
    let a = holder(&mut lab, POLICY, vec![]);
    let me = lab.next();
    let lease = crate::common::Asker::lease(me, 1);
    lab.asker(vec![(500, 1, grant(s(5))), (600, 1, create("else", me, lease)), (700, 1, put("plain", 1))]);
    let run = lab.run(1_000);
    let granted: Vec<_> = run
        .notes()
        .filter_map(|(at, by, note)| match note {
            Note::Granted(granted) => {
                let Granted { lock, holder, token, deadline, .. } = &**granted;
                Some((at.as_micros() / 1_000, by, lock.to_string(), *holder, *token, *deadline))
            }
            _ => None,
        })
        .collect();
    assert_eq!(granted[0], (7, N1, "job".into(), a, Some(Token(2)), stop_mono(10_003)));
    assert_eq!(granted[1].2, "else");
    assert_eq!(run.holds(a), [(8, 2)]);
}
