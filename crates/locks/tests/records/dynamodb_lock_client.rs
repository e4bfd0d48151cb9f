//! Amazon's DynamoDB Lock Client (`AmazonDynamoDBLockClient.java`, `LockItem.java`).

use kernel::{ProcessId, Rate};
use locks::service::Durability;
use locks::{AnyService, ClientKind, Freed, Gone, Policy, Request, Wait, dynamodb_lock_client, record};

use crate::common::ops::check;
use crate::common::{
    Cycle, Do, Lab, POLICY, Run, crash, cut_one_way, delay, isolate, mono, ms, pause, rate, s,
};

const N1: ProcessId = ProcessId(0);

/// The client's defaults: leaseDuration 20 s, a heartbeat every 5 s, a refresh period of 1 s.
const CLIENT: Policy =
    Policy { ttl: s(20), margin: kernel::Span::ZERO, renew_every: s(5), wait: Wait::Poll(s(1)), ..POLICY };

fn script(text: &str) {
    check(&AnyService::Records(dynamodb_lock_client::server()), Durability::BeforeAnswer, text);
}

/// A version is a name and no number: it comes with no token.
#[test]
fn writes_are_conditional_and_come_without_a_token() {
    script(
        "get job               -> nothing
         take job a 20s none   -> v1
         take job b 20s none   -> conflict
         keep job a 20s v1     -> v2
         keep job a 20s v1     -> conflict
         take job b 20s v2     -> v3
         delete job v2         -> conflict
         keep job a 20s v2     -> conflict
         delete job v3         -> deleted
         get job               -> nothing
         take job a 20s none   -> v4",
    );
}

#[test]
fn an_item_never_runs_out_and_a_restart_loses_nothing() {
    script(
        "take job a 20s none   -> v1
         wait 300s
         down 10s
         get job               -> v1, a for 20s, 0 transitions
         keep job a 20s v1     -> v2",
    );
}

fn lab() -> Lab {
    let service = AnyService::Records(dynamodb_lock_client::server());
    Lab::of(1, &service, Durability::BeforeAnswer, ClientKind::Record(dynamodb_lock_client::client()), ms(1))
}

fn acquire(lab: &mut Lab, from: u64) -> ProcessId {
    lab.worker(CLIENT, vec![(ms(from), Do::Acquire)])
}

fn since(run: &Run, worker: ProcessId) -> Vec<u64> {
    run.grants(worker).into_iter().map(|(at, ..)| at).collect()
}

fn is_get(request: &Request) -> bool {
    matches!(request, Request::Record(request) if matches!(**request, record::Request::Get { .. }))
}

#[test]
fn a_holder_sends_heartbeats_and_a_waiter_looks_a_refresh_period_after_each_answer() {
    let mut lab = lab();
    let (a, b) = (acquire(&mut lab, 0), acquire(&mut lab, 500));
    let run = lab.run(100_000);
    assert_eq!((since(&run, a), since(&run, b), run.let_go(a)), (vec![4], vec![], vec![]));
    let beats: Vec<u64> = run.asked(a).into_iter().skip(2).map(|(at, ..)| at).collect();
    assert_eq!(beats[..3], [5_002, 10_002, 15_002]);
    let looks: Vec<u64> =
        run.asked(b).into_iter().filter(|(_, _, request)| is_get(request)).map(|(at, ..)| at).collect();
    assert_eq!(looks[..4], [500, 1_502, 2_504, 3_506]);
    assert_eq!(run.grants(a)[0].2, None);
}

/// `isExpired()`: more than a lease since the version was first read.
#[test]
fn a_waiter_takes_over_when_it_has_seen_one_version_for_more_than_a_lease() {
    let mut lab = lab();
    let (a, b) = (acquire(&mut lab, 0), acquire(&mut lab, 7_000));
    lab.fault(6_000, None, crash(a));
    let run = lab.run(60_000);
    // First read with the answer at 7.002. The 20th look after that is answered 20 · 1.002 s later.
    assert_eq!(since(&run, b), [7_002 + 20 * 1_002 + 2]);
    assert_eq!(run.freed().first().map(|(_, _, how)| *how), Some(Freed::Replaced));
}

#[test]
fn exactly_a_lease_is_not_enough() {
    // Answers that are as fast as anything: looks are exactly a second apart.
    let service = AnyService::Records(dynamodb_lock_client::server());
    let kind = ClientKind::Record(dynamodb_lock_client::client());
    let mut lab = Lab::of(1, &service, Durability::BeforeAnswer, kind, kernel::Span::ZERO);
    let (a, b) = (acquire(&mut lab, 0), acquire(&mut lab, 7_000));
    lab.fault(6_000, None, crash(a));
    assert_eq!(since(&lab.run(60_000), b), [28_000]);
}

#[test]
fn a_new_version_starts_the_wait_anew() {
    let mut lab = lab();
    let (a, b) = (acquire(&mut lab, 0), acquire(&mut lab, 500));
    lab.fault(11_000, None, isolate(&[a]));
    let run = lab.run(60_000);
    // The heartbeat of 10.002 is the last; its version is read with the look that is answered at 10.522.
    assert_eq!(since(&run, b), [10_522 + 20 * 1_002 + 2]);
    assert_eq!(run.let_go(a), [(30_002, Gone::StopTime)], "20 s from that heartbeat's sending");
}

#[test]
fn clocks_that_are_off_do_not_matter_and_clocks_that_run_fast_do() {
    for (off, millionths, early) in [(3_600_000, 1_000_000, false), (0, 2_000_000, true)] {
        let mut lab = lab();
        let a = acquire(&mut lab, 0);
        let b = lab.worker_off_by(off, CLIENT, vec![(ms(500), Do::Acquire)]);
        lab.fault(0, None, rate(b, millionths));
        lab.fault(11_000, None, isolate(&[a]));
        let run = lab.run(60_000);
        assert_eq!(run.let_go(a), [(30_002, Gone::StopTime)]);
        assert_eq!(since(&run, b)[0] < 30_002, early, "{:?}", since(&run, b));
    }
}

/// A heartbeat whose answer was lost is sent again, finds its own new version, and takes it for somebody else's.
#[test]
fn a_heartbeat_whose_answer_was_lost_looks_like_a_loss() {
    let mut lab = lab();
    let (a, b) = (acquire(&mut lab, 0), acquire(&mut lab, 500));
    lab.fault(5_000, Some(5_400), cut_one_way(&[N1], &[a]));
    let run = lab.run(60_000);
    // Sent at 5.002, again after a timeout of 0.5 and a rest of 0.2.
    assert_eq!(run.let_go(a), [(5_704, Gone::ToldGone)]);
    // And nobody else has it until the version has stood still for a lease.
    let since = since(&run, b);
    assert!(matches!(since[..], [25_000..27_000]), "{since:?}");
}

#[test]
fn a_heartbeat_after_a_takeover_is_a_loss_at_once() {
    let mut lab = lab();
    let (a, b) = (acquire(&mut lab, 0), acquire(&mut lab, 500));
    lab.fault(0, None, rate(b, 8_000_000));
    let run = lab.run(30_000);
    // B's 20 s are 2.5 s: it is there before A's first heartbeat.
    assert!(matches!(since(&run, b)[..], [2_500..4_000]), "{:?}", since(&run, b));
    assert_eq!(run.let_go(a), [(5_004, Gone::ToldGone)]);
}

/// A client that starts again has another owner's name: it waits as anybody does, and its grant is another one.
#[test]
fn a_holder_that_comes_back_waits_for_its_own_lease() {
    let mut lab = lab();
    let cycle = Cycle { hold: s(200), rest: s(1), until: mono(150_000) };
    let a = lab.any_worker("job", CLIENT, vec![], Some(cycle), Rate::NOMINAL);
    lab.fault(6_000, Some(7_000), crash(a));
    let run = lab.run(60_000);
    assert_eq!(since(&run, a), [4, 7_002 + 20 * 1_002 + 2]);
    let grants: Vec<_> = run.grants(a).into_iter().map(|(_, grant, _)| grant).collect();
    assert_ne!(grants[0], grants[1]);
    assert_eq!(run.freed().first().map(|(_, _, how)| *how), Some(Freed::Replaced));
}

/// `releaseLock` waits for the heartbeat that is on its way (both are synchronized on the item), and names what that left.
#[test]
fn a_release_waits_for_the_heartbeat_that_is_on_its_way() {
    let mut lab = lab();
    // Its heartbeat is sent at 5.002 and answered at 5.004.
    let a = lab.worker(CLIENT, vec![(ms(0), Do::Acquire), (ms(5_003), Do::Release)]);
    let b = acquire(&mut lab, 500);
    let run = lab.run(60_000);
    assert_eq!(run.let_go(a), [(5_003, Gone::Released)]);
    assert_eq!(run.freed().first().map(|(at, _, how)| (*at, *how)), Some((5_005, Freed::Released)));
    assert_eq!(since(&run, b), [5_514]);
    // An answer that is lost is waited for in vain: what it left is not known, and the lock is a dead one's.
    let mut lab = self::lab();
    lab.worker(CLIENT, vec![(ms(0), Do::Acquire), (ms(5_003), Do::Release)]);
    let b = acquire(&mut lab, 500);
    lab.fault(5_000, Some(5_400), cut_one_way(&[N1], &[ProcessId(1)]));
    let run = lab.run(60_000);
    assert!(matches!(since(&run, b)[..], [25_000..27_000]), "{:?}", since(&run, b));
}

#[test]
fn a_release_deletes_the_item_and_the_next_look_finds_it_free() {
    let mut lab = lab();
    lab.worker(CLIENT, vec![(ms(0), Do::Acquire), (s(6), Do::Release)]);
    let b = acquire(&mut lab, 500);
    let run = lab.run(20_000);
    assert_eq!(run.freed().first().map(|(at, _, how)| (*at, *how)), Some((6_001, Freed::Released)));
    assert_eq!(since(&run, b), [6_512 + 4]);
}

/// A release that comes late deletes nobody else's item.
#[test]
fn a_late_release_is_refused() {
    let mut lab = lab();
    let careless = Policy { give_up: locks::GiveUp::Never, ..CLIENT };
    let a = lab.worker(careless, vec![(ms(0), Do::Acquire), (s(10), Do::Release)]);
    let b = acquire(&mut lab, 500);
    lab.fault(4_000, Some(40_000), pause(a));
    let run = lab.run(60_000);
    assert_eq!(run.let_go(a), [(40_000, Gone::Released)]);
    assert_eq!((since(&run, b).len(), run.let_go(b)), (1, vec![]));
}

/// The lease counts from before the write: an answer that takes 3 s shortens what is left.
#[test]
fn a_holder_counts_from_before_its_write() {
    let mut lab = lab();
    let slow = Policy { timeout: s(9), renew_every: s(60), ..CLIENT };
    let a = lab.worker(slow, vec![(ms(0), Do::Acquire)]);
    lab.fault(0, None, delay(&[N1], &[a], s(3)));
    let run = lab.run(60_000);
    assert_eq!(since(&run, a), [6_004]);
    assert_eq!(run.let_go(a), [(23_002, Gone::StopTime)]);
}
