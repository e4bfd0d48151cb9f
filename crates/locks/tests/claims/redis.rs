//! A Redis by itself. The facts are those of `t_string.c`, `expire.c` and `rdb.c`.

use kernel::{ProcessId, Span};
use locks::service::Durability;
use locks::{AnyService, ClientKind, Freed, Gone, Policy, Token, Wait, claim, redis};

use crate::common::ops::check;
use crate::common::{Do, Lab, POLICY, crash, delay, isolate, ms, s, wall_step};

const N1: ProcessId = ProcessId(0);

fn plain() -> AnyService {
    AnyService::Redis(redis::Redis::new(false, Token(0)))
}
fn counting(counted: u64) -> AnyService {
    AnyService::Redis(redis::Redis::new(true, Token(counted)))
}

#[test]
fn a_key_is_set_once_and_comes_without_a_token() {
    check(
        &plain(),
        Durability::Never,
        "look job a       -> free
         claim job a 10s  -> granted
         claim job b 10s  -> taken
         claim job a 10s  -> taken
         look job b       -> held
         claim file b 10s -> granted",
    );
}

/// `now > when`: in the very millisecond of its deadline a key is still there.
#[test]
fn a_key_is_gone_when_its_deadline_is_behind() {
    check(
        &plain(),
        Durability::Never,
        "claim job a 10s   -> granted
         wait 10s
         claim job b 10s   -> taken
         wait 999us
         claim job b 10s   -> taken
         wait 1us
         claim job b 10s   -> granted",
    );
}

/// The deadline is in whole milliseconds of the server's clock, from the beginning of the millisecond.
#[test]
fn a_deadline_counts_from_the_beginning_of_a_millisecond() {
    check(
        &plain(),
        Durability::Never,
        "wait 700us
         claim job a 10ms  -> granted
         wait 10ms
         look job b        -> held
         wait 300us
         look job b        -> free",
    );
}

#[test]
fn only_who_set_a_key_renews_or_deletes_it() {
    check(
        &plain(),
        Durability::Never,
        "claim job a 10s   -> granted
         wait 4s
         renew job b 60s   -> not its own
         release job b     -> not its own
         renew job a 10s   -> renewed
         wait 10s
         look job b        -> held
         wait 1ms
         claim job b 10s   -> granted
         renew job a 10s   -> not its own
         release job a     -> not its own
         look job a        -> held
         release job b     -> released
         release job b     -> not its own
         look job a        -> free",
    );
}

#[test]
fn a_renewal_of_what_is_gone_brings_nothing_back() {
    check(
        &plain(),
        Durability::Never,
        "claim job a 1s    -> granted
         wait 1.001s
         renew job a 10s   -> not its own
         look job a        -> free",
    );
}

#[test]
fn a_counter_counts_grants_of_its_lock_alone() {
    check(
        &counting(6),
        Durability::Never,
        "claim job a 10s   -> token 7
         claim job b 10s   -> taken
         release job a     -> released
         claim file a 10s  -> token 7
         claim job b 10s   -> token 8
         wait 11s
         claim job a 10s   -> token 9",
    );
}

#[test]
fn a_server_without_persistence_comes_back_empty_and_counts_anew() {
    check(
        &counting(0),
        Durability::Never,
        "claim job a 10s   -> token 1
         release job a     -> released
         claim job a 10s   -> token 2
         wait 1s
         down 1s
         look job b        -> free
         claim job b 10s   -> token 1
         renew job a 10s   -> not its own",
    );
}

#[test]
fn everysec_loses_up_to_a_second() {
    let everysec = Durability::Every(s(1));
    // The first write is on disk a second later, with all that came until then.
    check(
        &counting(0),
        everysec,
        "claim job a 10s   -> token 1
         wait 999ms
         down 1s
         claim job b 10s   -> token 1",
    );
    check(
        &counting(0),
        everysec,
        "claim job a 10s   -> token 1
         wait 900ms
         claim file a 10s  -> token 1
         wait 101ms
         down 1s
         claim job b 10s   -> taken
         claim file b 10s  -> taken
         release job a     -> released
         claim job b 10s   -> token 2",
    );
    // What came after that is lost again.
    check(
        &counting(0),
        everysec,
        "claim job a 10s   -> token 1
         wait 1.5s
         release job a     -> released
         claim job b 10s   -> token 2
         wait 500ms
         down 1s
         renew job b 10s   -> not its own
         renew job a 10s   -> renewed",
    );
}

/// Deadlines are dates: the time for which the server was down counts.
#[test]
fn with_everything_on_disk_downtime_counts_against_a_lease() {
    check(
        &counting(0),
        Durability::BeforeAnswer,
        "claim job a 10s   -> token 1
         wait 2s
         down 8s
         claim job b 10s   -> taken
         wait 1ms
         claim job b 10s   -> token 2",
    );
    check(
        &counting(0),
        Durability::BeforeAnswer,
        "claim job a 10s   -> token 1
         wait 2s
         down 20s
         look job b        -> free
         renew job a 10s   -> not its own
         claim job b 10s   -> token 2",
    );
}

const POLL: Policy = Policy { wait: Wait::Poll(ms(200)), ..POLICY };

fn lab(service: &AnyService, durability: Durability) -> Lab {
    Lab::of(1, service, durability, ClientKind::Claim(claim::Recipe::default()), ms(1))
}

/// Who holds, by the record and in belief, when A has the key from 0 on and B tries every 200 ms from 100 ms on.
fn two(service: &AnyService, durability: Durability) -> (Lab, ProcessId, ProcessId) {
    let mut lab = lab(service, durability);
    let a = lab.worker(POLL, vec![(ms(0), Do::Acquire)]);
    let b = lab.worker(POLL, vec![(ms(100), Do::Acquire)]);
    (lab, a, b)
}

#[test]
fn a_holder_renews_and_a_waiter_tries_in_vain() {
    let (lab, a, b) = two(&counting(0), Durability::Never);
    let run = lab.run(60_000);
    assert_eq!(run.holds(a), [(2, 1)]);
    assert_eq!((run.holds(b), run.let_go(a)), (vec![], vec![]));
}

#[test]
fn a_holder_that_is_cut_off_stops_before_the_next_one_begins() {
    let (mut lab, a, b) = two(&counting(0), Durability::Never);
    lab.fault(4_000, None, isolate(&[a]));
    let run = lab.run(20_000);
    // Renewed at 3.0: the key's deadline is 13.001, and it is there in that millisecond. B tries at 13.1.
    assert_eq!(run.let_go(a), [(11_000, Gone::StopTime)]);
    assert_eq!(run.freed().first().map(|(at, _, how)| (*at, *how)), Some((13_002, Freed::Expired)));
    assert_eq!(run.holds(b), [(13_102, 2)]);
}

/// The server judges by its wall clock: whoever sets that ends leases.
#[test]
fn a_stepped_server_clock_lets_a_second_holder_in() {
    // Renewed at 3.001: the deadline reads 13.001. B tries at 5.101, 5.301, 5.501; with 7.7 s the second of these reads
    // 13.001, which is not behind the deadline yet.
    for (step, since) in [(8_000, 5_102), (7_700, 5_502)] {
        let (mut lab, a, b) = two(&plain(), Durability::Never);
        lab.fault(5_000, None, wall_step(N1, step));
        let run = lab.run(5_900);
        let holds: Vec<u64> = run.grants(b).into_iter().map(|(at, ..)| at).collect();
        assert_eq!(holds, [since], "{step}");
        assert_eq!(run.let_go(a), [], "and A knows of nothing");
    }
    // Back: the lease lasts as much longer.
    let (mut lab, a, b) = two(&plain(), Durability::Never);
    lab.fault(4_000, None, isolate(&[a]));
    lab.fault(5_000, None, wall_step(N1, -3_000));
    assert_eq!(lab.run(20_000).grants(b).first().map(|(at, ..)| *at), Some(16_102));
}

#[test]
fn a_crash_without_persistence_grants_twice_and_one_with_it_does_not() {
    for (durability, second) in
        [(Durability::Never, true), (Durability::Every(s(1)), true), (Durability::BeforeAnswer, false)]
    {
        let (mut lab, a, b) = two(&counting(0), durability);
        lab.fault(500, Some(700), crash(N1));
        let run = lab.run(2_900);
        assert_eq!(run.holds(a), [(2, 1)]);
        assert_eq!(run.let_go(a), [], "A has not asked since");
        // The counter is forgotten with the key: the second holder has the same token.
        let expected = if second { vec![1] } else { vec![] };
        let tokens: Vec<u64> = run.holds(b).into_iter().map(|(_, token)| token).collect();
        assert_eq!(tokens, expected, "{durability:?}");
    }
}

/// A SET that comes after its sender gave up, and after the DEL that was to take it back, leaves a key that nobody owns.
#[test]
fn a_late_set_leaves_an_orphan_for_its_whole_lease() {
    for (until, orphan) in [(Some(100), true), (None, false)] {
        let mut lab = lab(&plain(), Durability::Never);
        let once = Policy { timeout: ms(500), retry: s(60), ..POLL };
        let a = lab.worker(once, vec![(ms(0), Do::Acquire)]);
        // What A sends takes 2 s: the SET alone, or the DEL behind it as well.
        lab.fault(0, until, delay(&[a], &[N1], s(2)));
        let b = lab.worker(POLL, vec![(ms(2_900), Do::Acquire)]);
        let run = lab.run(30_000);
        assert_eq!(run.grants(a), [], "it gave up at 0.5");
        let since: Vec<u64> = run.grants(b).into_iter().map(|(at, ..)| at).collect();
        // The key came at 2.001, so it is there until 12.001; or it was deleted at 2.501.
        assert_eq!(since, if orphan { [12_102] } else { [2_902] });
    }
}

#[test]
fn a_lost_answer_to_a_claim_is_cleaned_up_and_tried_anew() {
    let mut lab = lab(&counting(0), Durability::Never);
    let a = lab.worker(POLL, vec![(ms(0), Do::Acquire)]);
    lab.fault(0, Some(100), crate::common::cut_one_way(&[N1], &[a]));
    let run = lab.run(3_000);
    // No answer by 0.5: what may have been set is deleted, and the next try is after a rest of 0.2.
    assert_eq!(run.holds(a), [(702, 2)]);
    assert_eq!(run.freed().first().map(|(at, _, how)| (*at, *how)), Some((501, Freed::Released)));
}

/// The span of Redis' own clock reading: milliseconds.
#[test]
fn a_deadline_is_announced_in_whole_milliseconds() {
    let mut lab = Lab::of(
        1,
        &plain(),
        Durability::Never,
        ClientKind::Claim(claim::Recipe::default()),
        Span::from_micros(1_700),
    );
    lab.worker(POLL, vec![(ms(0), Do::Acquire)]);
    let run = lab.run(100);
    let deadline = run.notes().find_map(|(.., note)| match note {
        locks::Note::Granted(granted) => granted.deadline,
        _ => None,
    });
    // It came at 1.7 ms; the lease is 10 s.
    assert_eq!(deadline, crate::common::stop_wall(10_001));
}
