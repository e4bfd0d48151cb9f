//! A Kubernetes Lease, and the leader election of client-go (`tools/leaderelection/leaderelection.go`).

use kernel::{ProcessId, Rate};
use locks::service::Durability;
use locks::{AnyService, ClientKind, Freed, GiveUp, Gone, Policy, Request, Wait, kubernetes, record};

use crate::common::ops::check;
use crate::common::{Do, Lab, POLICY, Run, crash, cut_one_way, isolate, ms, pause, rate, s, wall_step};

const N1: ProcessId = ProcessId(0);

/// client-go's defaults: LeaseDuration 15 s, RenewDeadline 10 s, RetryPeriod 2 s. A leader stops RetryPeriod and
/// RenewDeadline after its last renewal.
const CLIENT_GO: Policy = Policy {
    ttl: s(15),
    margin: s(3),
    renew_every: s(2),
    retry: s(2),
    timeout: s(1),
    wait: Wait::Poll(s(2)),
    ..POLICY
};

fn script(transitions: u64, text: &str) {
    check(&AnyService::Records(kubernetes::server(transitions)), Durability::BeforeAnswer, text);
}

#[test]
fn a_write_names_the_version_that_it_replaces() {
    script(
        0,
        "get job               -> nothing
         take job a 15s v7     -> conflict
         take job a 15s none   -> v1, token 0
         take job b 15s none   -> conflict
         keep job a 15s v1     -> v2, token 0
         keep job a 15s v1     -> conflict
         take job b 15s v1     -> conflict
         get job               -> v2, a for 15s, 0 transitions",
    );
}

/// The API server has no say in time.
#[test]
fn a_record_never_runs_out() {
    script(
        0,
        "take job a 15s none   -> v1, token 0
         wait 500s
         get job               -> v1, a for 15s, 0 transitions
         keep job a 15s v1     -> v2, token 0",
    );
}

#[test]
fn transitions_count_changes_of_hands_and_nothing_else() {
    script(
        4,
        "take job a 15s none   -> v1, token 4
         keep job a 15s v1     -> v2, token 4
         keep job a 15s v2     -> v3, token 4
         take job b 15s v3     -> v4, token 5
         keep job b 15s v4     -> v5, token 5
         take job a 15s v5     -> v6, token 6",
    );
}

/// ReleaseOnCancel writes a record in nobody's name; the next leader is a transition, even if it is the same.
#[test]
fn a_release_keeps_the_record_and_its_transitions() {
    script(
        0,
        "take job a 15s none   -> v1, token 0
         free job 1s v1        -> v2, token 0
         get job               -> v2, nobody for 1s, 0 transitions
         take job a 15s v2     -> v3, token 1
         free job 1s v1        -> conflict
         free job 1s v3        -> v4, token 1
         take job b 15s v4     -> v5, token 2",
    );
}

#[test]
fn deleting_the_object_starts_its_transitions_anew() {
    script(
        0,
        "take job a 15s none   -> v1, token 0
         take job b 15s v1     -> v2, token 1
         delete job v1         -> conflict
         delete job v2         -> deleted
         get job               -> nothing
         delete job v2         -> conflict
         keep job b 15s v2     -> conflict
         take job c 15s none   -> v3, token 0",
    );
}

#[test]
fn a_restart_loses_nothing() {
    script(
        0,
        "take job a 15s none   -> v1, token 0
         take job b 15s v1     -> v2, token 1
         wait 1s
         down 1s
         get job               -> v2, b for 15s, 1 transitions
         keep job b 15s v2     -> v3, token 1",
    );
}

fn lab() -> Lab {
    let service = AnyService::Records(kubernetes::server(0));
    Lab::of(1, &service, Durability::BeforeAnswer, ClientKind::Record(kubernetes::client()), ms(1))
}

fn acquire(lab: &mut Lab, from: u64) -> ProcessId {
    lab.worker(CLIENT_GO, vec![(ms(from), Do::Acquire)])
}

/// When a process read the record.
fn looks(run: &Run, by: ProcessId) -> Vec<u64> {
    let is_get = |request: &Request| matches!(request, Request::Record(request) if matches!(**request, record::Request::Get { .. }));
    run.asked(by).into_iter().filter(|(_, _, request)| is_get(request)).map(|(at, ..)| at).collect()
}

/// The first instant at which a worker held.
fn since(run: &Run, worker: ProcessId) -> Option<u64> {
    run.holds(worker).first().map(|(at, _)| *at)
}

#[test]
fn a_leader_renews_every_retry_period_and_a_candidate_waits_for_good() {
    let mut lab = lab();
    let (a, b) = (acquire(&mut lab, 0), acquire(&mut lab, 500));
    let run = lab.run(100_000);
    assert_eq!(run.holds(a), [(4, 0)], "a look, and a write");
    assert_eq!((run.holds(b), run.let_go(a)), (vec![], vec![]));
    let renewals: Vec<u64> = run.asked(a).into_iter().skip(2).map(|(at, ..)| at).collect();
    assert_eq!(renewals[..4], [2_002, 4_002, 6_002, 8_002]);
}

/// `JitterUntil(…, RetryPeriod, JitterFactor, …)`: from RetryPeriod to less than 2.2 times that, after each try.
#[test]
fn candidates_look_after_one_to_2_2_retry_periods() {
    let mut lab = lab();
    acquire(&mut lab, 0);
    let candidates: Vec<ProcessId> = (1..20).map(|number| acquire(&mut lab, number * 10)).collect();
    let run = lab.run(400_000);
    let mut gaps: Vec<u64> = Vec::new();
    for candidate in candidates {
        // From the answer to one look to the next.
        gaps.extend(looks(&run, candidate).windows(2).map(|pair| pair[1] - pair[0] - 2));
    }
    let (least, most) = (*gaps.iter().min().unwrap(), *gaps.iter().max().unwrap());
    assert!(gaps.len() > 2_000, "{}", gaps.len());
    assert!((2_000..2_050).contains(&least) && (4_350..4_400).contains(&most), "{least} to {most}");
    let mean = gaps.iter().sum::<u64>() / gaps.len() as u64;
    assert!((3_150..3_250).contains(&mean), "{mean}");
}

#[test]
fn a_dead_leader_is_replaced_when_its_record_has_stood_still_for_one_lease() {
    let mut lab = lab();
    let (a, b) = (acquire(&mut lab, 0), acquire(&mut lab, 500));
    lab.fault(9_000, None, crash(a));
    let run = lab.run(60_000);
    // Its last renewal was at 8.003. B saw that change with its first look after it.
    let looks = looks(&run, b);
    let saw = looks.iter().find(|at| **at > 8_003).unwrap() + 2;
    let takes = looks.iter().find(|at| **at >= saw + 15_000).unwrap();
    assert_eq!(run.holds(b), [(takes + 4, 1)]);
    assert!((23_000..30_000).contains(takes), "{takes}");
}

/// A fresh candidate knows nothing of how long a record has stood still: it waits for a whole lease.
#[test]
fn a_fresh_candidate_waits_a_whole_lease_for_a_leader_that_is_long_dead() {
    let mut lab = lab();
    let a = acquire(&mut lab, 0);
    lab.fault(1_000, None, crash(a));
    let b = acquire(&mut lab, 100_000);
    let run = lab.run(200_000);
    let since = since(&run, b).unwrap();
    assert!((115_002..119_500).contains(&since), "{since}");
    assert_eq!(run.freed().first().map(|(_, _, how)| *how), Some(Freed::Replaced));
}

/// Whether a record is old is judged as of when the try began, before the record was read.
#[test]
fn a_candidate_takes_over_exactly_when_the_duration_was_over_as_its_try_began() {
    for lease in [14, 15, 16] {
        // A candidate without rests reads the record over and over.
        let mut lab = lab();
        let policy = Policy { ttl: s(lease), wait: Wait::Poll(kernel::Span::ZERO), ..CLIENT_GO };
        let a = lab.worker(policy, vec![(ms(0), Do::Acquire)]);
        lab.fault(100, None, crash(a));
        let b = lab.worker(policy, vec![(s(1), Do::Acquire)]);
        let run = lab.run(20_000);
        // Its first answer came at 1.002, and with it a new try began.
        assert_eq!(since(&run, b), Some(1_002 + lease * 1_000 + 4));
    }
}

#[test]
fn an_offset_of_clocks_does_not_matter() {
    let take_over = |off: i64, step: i64| {
        let mut lab = lab();
        let a = lab.worker_off_by(off, CLIENT_GO, vec![(ms(0), Do::Acquire)]);
        let b = lab.worker_off_by(-off, CLIENT_GO, vec![(ms(500), Do::Acquire)]);
        lab.fault(3_000, None, wall_step(N1, step));
        lab.fault(5_000, None, wall_step(b, -step));
        lab.fault(9_000, None, crash(a));
        since(&lab.run(60_000), b)
    };
    let expected = take_over(0, 0);
    assert!(expected.is_some());
    assert_eq!(take_over(3_600_000, 0), expected);
    assert_eq!(take_over(-3_600_000, 0), expected);
    assert_eq!(take_over(0, 86_400_000), expected);
}

/// The rates of clocks do: a candidate whose clock runs twice as fast waits for half a lease, while its leader, cut off,
/// still has time to act.
#[test]
fn a_clock_that_runs_fast_takes_over_too_early() {
    let overlap = |millionths: u32| {
        let mut lab = lab();
        let (a, b) = (acquire(&mut lab, 0), acquire(&mut lab, 500));
        lab.fault(0, None, rate(b, millionths));
        lab.fault(9_000, None, isolate(&[a]));
        let run = lab.run(60_000);
        (run.let_go(a), since(&run, b).unwrap())
    };
    let (let_go, since) = overlap(1_000_000);
    assert_eq!(let_go, [(20_002, Gone::StopTime)], "12 s after the renewal that it sent at 8.002");
    assert!(since > 23_000, "{since}");
    let (let_go, since) = overlap(2_000_000);
    assert_eq!(let_go, [(20_002, Gone::StopTime)]);
    assert!(since < 19_000, "{since}");
}

/// RenewDeadline: every RetryPeriod another try, for 10 s after the 2 s of rest; then it stops, 3 s before its lease ends.
#[test]
fn a_leader_that_cannot_renew_tries_every_retry_period_and_stops_12_s_after_its_last_renewal() {
    let mut lab = lab();
    let a = acquire(&mut lab, 0);
    lab.fault(3_000, None, crate::common::refuse(&[a], &[N1]));
    let run = lab.run(60_000);
    let tries: Vec<u64> = run.asked(a).into_iter().map(|(at, ..)| at).skip(2).collect();
    assert_eq!(tries, [2_002, 4_002, 6_004, 8_006, 10_008, 12_010]);
    assert_eq!(run.let_go(a), [(14_002, Gone::StopTime)]);
    assert!(!run.any_client_timer(a));
}

/// A leader that has read somebody else's name goes on trying, and leading, until its deadline: what client-go does.
#[test]
fn a_leader_that_was_replaced_goes_on_until_its_renew_deadline() {
    for (give_up, expected) in
        [(GiveUp::StopTime, (12_002, Gone::StopTime)), (GiveUp::FirstError, (2_006, Gone::RenewalFailed))]
    {
        let mut lab = lab();
        let a = lab.worker(Policy { give_up, ..CLIENT_GO }, vec![(ms(0), Do::Acquire)]);
        // B's clock runs ten times as fast: it is there before A's first renewal, at 2.002.
        let b = lab.worker(CLIENT_GO, vec![(ms(500), Do::Acquire)]);
        lab.fault(0, Some(3_000), rate(b, 10_000_000));
        let run = lab.run(30_000);
        let since = since(&run, b).unwrap();
        assert!(since < 2_002, "{since}");
        assert_eq!(run.let_go(a), [expected], "{give_up:?}");
        assert_eq!(run.holds(a).len(), 1);
    }
}

/// `le.IsLeader()`: a record in its own name is its own at once, and no transition.
#[test]
fn a_holder_that_comes_back_under_its_own_name_holds_at_once() {
    let mut lab = lab();
    let cycle = crate::common::Cycle { hold: s(200), rest: s(1), until: crate::common::mono(150_000) };
    let a = lab.any_worker("job", CLIENT_GO, vec![], Some(cycle), Rate::NOMINAL);
    let b = acquire(&mut lab, 500);
    lab.fault(5_000, Some(6_000), crash(a));
    let run = lab.run(60_000);
    assert_eq!(run.holds(a), [(4, 0), (6_004, 0)]);
    assert_eq!(run.holds(b), []);
    let grants: Vec<_> = run.grants(a).into_iter().map(|(_, grant, _)| grant).collect();
    assert_eq!(grants[0], grants[1], "it is the same grant, with the same token");
}

/// Its own write, whose answer was lost: it looks, finds its own name, and goes on.
#[test]
fn a_renewal_whose_answer_was_lost_is_no_loss() {
    let mut lab = lab();
    let (a, b) = (acquire(&mut lab, 0), acquire(&mut lab, 500));
    lab.fault(4_000, Some(4_500), cut_one_way(&[N1], &[a]));
    let run = lab.run(60_000);
    assert_eq!((run.let_go(a), run.holds(b)), (vec![], vec![]));
    // Sent at 4.002, given up at 5.002, again at 7.002: another version than it knows. A look, and a write.
    let renewals: Vec<u64> = run.asked(a).into_iter().map(|(at, ..)| at).filter(|at| *at > 3_000).collect();
    assert_eq!(renewals[..5], [4_002, 7_002, 7_004, 7_006, 9_006]);
}

#[test]
fn a_release_lets_the_next_one_in_at_once() {
    let mut lab = lab();
    let a = lab.worker(CLIENT_GO, vec![(ms(0), Do::Acquire), (s(10), Do::Release)]);
    let b = acquire(&mut lab, 500);
    let run = lab.run(60_000);
    assert_eq!(run.let_go(a), [(10_000, Gone::Released)]);
    let (looks, since) = (looks(&run, b), since(&run, b).unwrap());
    assert_eq!(since, looks.iter().find(|at| **at > 10_000).unwrap() + 4);
    assert_eq!(run.holds(b)[0].1, 1);
}

#[test]
fn of_two_that_take_over_at_once_one_is_refused() {
    let mut lab = lab();
    let a = acquire(&mut lab, 0);
    let even = Policy { wait: Wait::Poll(kernel::Span::ZERO), ..CLIENT_GO };
    let (b, c) = (lab.worker(even, vec![(s(1), Do::Acquire)]), lab.worker(even, vec![(s(1), Do::Acquire)]));
    lab.fault(1_500, None, crash(a));
    let run = lab.run(40_000);
    let holds = [run.holds(b), run.holds(c)];
    assert_eq!(holds.iter().map(Vec::len).sum::<usize>(), 1, "{holds:?}");
    let conflicts = run.trace.records().iter().filter(|record| {
        let kernel::What::Sent { msg: locks::Msg::Reply { reply, .. }, .. } = &record.what else {
            return false;
        };
        matches!(reply, locks::Reply::Record(reply) if **reply == record::Reply::Conflict)
    });
    assert_eq!(conflicts.count(), 1);
}

/// A leader that was paused between two renewals begins to try when it wakes, and RenewDeadline (`PollUntilContextTimeout` in
/// `renew`) counts from then: its record was taken over meanwhile, every try says so, and it leads for 10 s more.
#[test]
fn a_leader_that_was_paused_leads_for_another_renew_deadline() {
    let mut lab = lab();
    let (a, b) = (acquire(&mut lab, 0), acquire(&mut lab, 500));
    lab.fault(5_000, Some(40_000), pause(a));
    let run = lab.run(60_000);
    let tries: Vec<u64> = run.asked(a).into_iter().map(|(at, ..)| at).filter(|at| *at > 5_000).collect();
    // A write that is refused, and looks, which all name B.
    assert_eq!(tries, [40_000, 40_002, 42_004, 44_006, 46_008, 48_010]);
    assert_eq!(run.let_go(a), [(50_000, Gone::StopTime)]);
    let since = since(&run, b).unwrap();
    assert!((19_000..24_000).contains(&since), "{since}");
}

/// One that was paused while it tried has used up its time for that.
#[test]
fn a_leader_that_was_paused_while_it_tried_stops_as_it_wakes() {
    let mut lab = lab();
    let (a, _) = (acquire(&mut lab, 0), acquire(&mut lab, 500));
    // Its renewal of 4.002 is on its way.
    lab.fault(4_003, Some(40_000), pause(a));
    lab.fault(4_001, Some(41_000), isolate(&[a]));
    assert_eq!(lab.run(60_000).let_go(a), [(40_000, Gone::StopTime)]);
}

/// However long it was paused: where nobody has taken over it renews, and has led all the time.
#[test]
fn a_leader_that_nobody_replaced_goes_on_after_a_pause() {
    let mut lab = lab();
    let a = acquire(&mut lab, 0);
    lab.fault(5_000, Some(40_000), pause(a));
    let run = lab.run(60_000);
    assert_eq!((run.holds(a).len(), run.let_go(a)), (1, vec![]));
}

/// Whoever counts the lease itself counts from its last renewal.
#[test]
fn a_deadline_is_not_put_off_by_a_pause() {
    let mut lab = lab();
    let a = lab.worker(Policy { give_up: GiveUp::Deadline, ..CLIENT_GO }, vec![(ms(0), Do::Acquire)]);
    lab.fault(5_000, Some(40_000), pause(a));
    assert_eq!(lab.run(60_000).let_go(a), [(40_000, Gone::StopTime)]);
}
