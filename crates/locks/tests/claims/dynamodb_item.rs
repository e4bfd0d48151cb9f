//! An item in DynamoDB with an expiry that every claimer compares with its own wall clock.

use kernel::{ProcessId, Span};
use locks::dynamodb_item::DynamodbItem;
use locks::service::Durability;
use locks::{AnyService, ClientKind, Freed, Policy, Token, Wait, claim};

use crate::common::ops::check;
use crate::common::{Do, Lab, POLICY, ms, pause, s, wall_step};

fn items(first: u64, clock_margin: Span, deleted_after: Option<Span>) -> AnyService {
    AnyService::DynamodbItem(DynamodbItem::new(Token(first), clock_margin, deleted_after))
}

fn script(clock_margin: Span, text: &str) {
    check(&items(0, clock_margin, None), Durability::BeforeAnswer, text);
}

#[test]
fn a_claim_is_strictly_later_than_the_expiry() {
    script(
        Span::ZERO,
        "look job a        -> free
         claim job a 10s   -> token 1
         wait 10s
         claim job b 10s   -> taken
         look job b        -> held
         wait 1us
         look job b        -> free
         claim job b 10s   -> token 2",
    );
}

/// Who is 3 s fast sees A's ten seconds end after seven, and who is slow three seconds late.
#[test]
fn the_claimers_clock_judges() {
    script(
        Span::ZERO,
        "claim job a 10s     -> token 1
         wait 7s
         claim job d+3s 10s  -> taken
         wait 1us
         claim job c 10s     -> taken
         look job c          -> held
         look job d+3s       -> free
         claim job d+3s 10s  -> token 2
         # D wrote what its own clock reads: 20.000001.
         wait 13s
         claim job c 10s     -> taken
         wait 1us
         claim job e-3s 10s  -> taken
         claim job c 10s     -> token 3",
    );
}

#[test]
fn a_margin_above_the_offset_waits_out_the_fastest_clock() {
    script(
        s(3),
        "claim job a 10s     -> token 1
         wait 10s
         claim job d+3s 10s  -> taken
         wait 1us
         claim job d+3s 10s  -> token 2",
    );
    // With one below it D is early still.
    script(
        s(2),
        "claim job a 10s     -> token 1
         wait 9s
         claim job d+3s 10s  -> taken
         wait 1us
         claim job d+3s 10s  -> token 2",
    );
}

/// A renewal names holder and epoch, and no clock: an item that nobody took is its holder's, however late.
#[test]
fn an_expired_item_that_nobody_took_can_be_renewed() {
    script(
        Span::ZERO,
        "claim job a 10s   -> token 1
         wait 60s
         renew job b 10s   -> not its own
         renew job a 10s   -> renewed
         claim job b 10s   -> taken
         wait 11s
         claim job b 10s   -> token 2
         renew job a 10s   -> not its own
         release job a     -> not its own
         look job a        -> held",
    );
}

/// A renewal writes what the holder's clock reads.
#[test]
fn a_renewal_by_a_slow_clock_is_short() {
    script(
        Span::ZERO,
        "claim job a-4s 10s  -> token 1
         wait 1s
         renew job a-4s 10s  -> renewed
         wait 6s
         claim job b 10s     -> taken
         wait 1us
         claim job b 10s     -> token 2",
    );
}

#[test]
fn a_release_keeps_the_epoch_and_a_ttl_deletion_resets_it() {
    check(
        &items(0, Span::ZERO, Some(s(60))),
        Durability::BeforeAnswer,
        "claim job a 10s   -> token 1
         wait 10.5s
         claim job d 10s   -> token 2
         release job d     -> released
         look job a        -> free
         claim job a 10s   -> token 3
         wait 69.999999s
         look job a        -> free
         renew job a 10s   -> renewed
         wait 70s
         renew job a 10s   -> not its own
         claim job a 10s   -> token 1",
    );
    // Without a TTL the item stays for good.
    script(
        Span::ZERO,
        "claim job a 10s   -> token 1
         wait 500s
         claim job a 10s   -> token 2",
    );
}

#[test]
fn a_restart_loses_nothing() {
    check(
        &items(4, Span::ZERO, None),
        Durability::BeforeAnswer,
        "claim job a 10s   -> token 5
         wait 4s
         down 3s
         claim job b 10s   -> taken
         renew job a 10s   -> renewed
         down 11s
         claim job b 10s   -> token 6",
    );
}

/// D polls at 0.5, 1.5, ... with a wall clock that is 3 s fast; A is renewed at 3.0 and paused at 4.0.
fn a_and_d(clock_margin: Span) -> (crate::common::Run, ProcessId, ProcessId) {
    let kind = ClientKind::Claim(claim::Recipe::default());
    let service = items(0, clock_margin, None);
    let mut lab = Lab::of(1, &service, Durability::BeforeAnswer, kind, Span::from_micros(20));
    let policy = Policy { wait: Wait::Poll(s(1)), ..POLICY };
    let a = lab.worker(policy, vec![(ms(0), Do::Acquire)]);
    let d = lab.worker_off_by(3_000, policy, vec![(ms(500), Do::Acquire)]);
    lab.fault(4_000, Some(19_000), pause(a));
    (lab.run(19_500), a, d)
}

#[test]
fn with_a_clock_3_s_fast_d_claims_half_a_second_before_a_has_to_stop() {
    let (run, a, d) = a_and_d(Span::ZERO);
    assert_eq!(run.holds(d), [(10_500, 2)]);
    assert_eq!(run.worker(a).words.len(), 2, "A acquired, and lost it when it woke");
    let freed: Vec<_> = run.freed().into_iter().map(|(at, _, how)| (at, how)).collect();
    assert_eq!(freed, [(10_500, Freed::Replaced)]);
}

#[test]
fn with_a_margin_above_the_offset_d_claims_when_the_lease_is_over() {
    assert_eq!(a_and_d(ms(3_200)).0.holds(a_and_d(ms(3_200)).2), [(13_500, 2)]);
}

/// The service has no clock that anybody compares with.
#[test]
fn the_services_own_clock_does_not_matter() {
    for step in [-60_000, 60_000] {
        let kind = ClientKind::Claim(claim::Recipe::default());
        let mut lab = Lab::of(1, &items(0, Span::ZERO, None), Durability::BeforeAnswer, kind, ms(1));
        let policy = Policy { wait: Wait::Poll(s(1)), ..POLICY };
        let a = lab.worker(policy, vec![(ms(0), Do::Acquire)]);
        let b = lab.worker(policy, vec![(ms(500), Do::Acquire)]);
        lab.fault(2_000, None, wall_step(ProcessId(0), step));
        lab.fault(4_000, None, pause(a));
        assert_eq!(lab.run(19_000).holds(b), [(13_502, 2)], "{step}");
    }
}

/// The lease counts from the request that was answered: what that says of the holder's clock is as of then.
#[test]
fn a_renewal_that_is_sent_again_says_what_the_clock_reads_then() {
    let kind = ClientKind::Claim(claim::Recipe::default());
    let mut lab = Lab::of(1, &items(0, Span::ZERO, None), Durability::BeforeAnswer, kind, ms(1));
    let policy = Policy { wait: Wait::Poll(s(1)), ..POLICY };
    let a = lab.worker(policy, vec![(ms(0), Do::Acquire)]);
    lab.fault(2_900, Some(6_000), crate::common::isolate(&[a]));
    let mut run = lab.begin();
    run.until(6_500);
    // Sent at 3.0 and every 0.7 s after that; the first that comes through is of 6.5.
    run.until(7_000);
    assert_eq!(run.worker(a).client.stop(), crate::common::stop_mono(14_500), "less the margin");
    let AnyService::DynamodbItem(items) = run.service(0) else { panic!("it is an item") };
    let expiry = items.held().get(&"job".into()).map(|claim| claim.deadline);
    assert_eq!(expiry, crate::common::stop_wall(16_500));
}
