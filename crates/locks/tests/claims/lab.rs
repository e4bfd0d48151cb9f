//! A lock in one process, with one clock.

use kernel::ProcessId;
use locks::service::Durability;
use locks::{AnyService, ClientKind, Policy, Token, Wait, claim, lab::Lab as Service};

use crate::common::ops::check;
use crate::common::{Do, Lab, POLICY, isolate, ms, s, wall_step};

const N1: ProcessId = ProcessId(0);

fn service(last: u64) -> AnyService {
    AnyService::Lab(Service::new(Token(last)))
}

/// Right at its expiry a lock is free.
#[test]
fn a_lock_is_free_at_its_very_expiry() {
    check(
        &service(0),
        Durability::Never,
        "look job a        -> free
         claim job a 10s   -> token 1
         wait 9.999999s
         claim job b 10s   -> taken
         look job b        -> held
         wait 1us
         look job b        -> free
         renew job a 10s   -> not its own
         claim job b 10s   -> token 2",
    );
}

#[test]
fn tokens_are_counted_over_all_locks() {
    check(
        &service(6),
        Durability::Never,
        "claim job a 10s   -> token 7
         claim file b 10s  -> token 8
         release job a     -> released
         release job a     -> not its own
         claim job c 10s   -> token 9",
    );
}

#[test]
fn only_its_holder_renews_and_releases() {
    check(
        &service(0),
        Durability::Never,
        "claim job a 10s   -> token 1
         wait 6s
         renew job b 10s   -> not its own
         renew job a 10s   -> renewed
         wait 9s
         release job b     -> not its own
         claim job b 10s   -> taken
         wait 1s
         claim job b 10s   -> token 2",
    );
}

#[test]
fn the_process_forgets_everything_when_it_ends() {
    check(
        &service(0),
        Durability::Never,
        "claim job a 60s   -> token 1
         release job a     -> released
         claim job a 60s   -> token 2
         wait 1s
         down 1s
         look job a        -> free
         renew job a 60s   -> not its own
         claim job b 10s   -> token 1",
    );
}

/// It counts on its monotonic clock: nobody moves that.
#[test]
fn a_stepped_wall_clock_changes_nothing() {
    for step in [-8_000, 0, 8_000] {
        let kind = ClientKind::Claim(claim::Recipe::default());
        let mut lab = Lab::of(1, &service(0), Durability::Never, kind, ms(1));
        let policy = Policy { wait: Wait::Poll(s(1)), ..POLICY };
        let a = lab.worker(policy, vec![(ms(0), Do::Acquire)]);
        let b = lab.worker(policy, vec![(ms(500), Do::Acquire)]);
        lab.fault(4_000, None, isolate(&[a]));
        lab.fault(5_000, None, wall_step(N1, step));
        // Renewed at 3.001.
        assert_eq!(lab.run(20_000).holds(b), [(13_502, 2)], "{step}");
    }
}
