//! A row in PostgreSQL. The facts are those of `INSERT … ON CONFLICT DO UPDATE … WHERE expires < clock_timestamp()`.

use kernel::ProcessId;
use locks::postgres_row::{PostgresRow, Release};
use locks::service::Durability;
use locks::{AnyService, ClientKind, Policy, Token, Wait, claim};

use crate::common::ops::check;
use crate::common::{Do, Lab, POLICY, crash, ms, s, wall_step};

const N1: ProcessId = ProcessId(0);

fn row(first: u64, release: Release) -> AnyService {
    AnyService::PostgresRow(PostgresRow::new(Token(first), release))
}

fn script(release: Release, text: &str) {
    check(&row(0, release), Durability::BeforeAnswer, text);
}

#[test]
fn a_row_is_inserted_with_token_1_and_counts_up_from_what_is_there() {
    script(
        Release::KeepsRow,
        "look job a        -> free
         claim job a 10s   -> token 1
         claim job b 10s   -> taken
         look job b        -> held",
    );
    check(&row(41, Release::KeepsRow), Durability::BeforeAnswer, "claim job a 10s -> token 42");
}

/// `expires < clock_timestamp()` is strict, and PostgreSQL counts microseconds.
#[test]
fn a_row_is_free_when_its_expiry_is_behind() {
    script(
        Release::KeepsRow,
        "claim job a 10s   -> token 1
         wait 10s
         claim job b 10s   -> taken
         wait 1us
         claim job b 10s   -> token 2",
    );
}

/// `clock_timestamp()`, not `now()`: a renewal at the very expiry still finds the row, and a moment later it does not.
#[test]
fn a_renewal_is_in_time_until_the_expiry_is_behind() {
    script(
        Release::KeepsRow,
        "claim job a 10s   -> token 1
         wait 10s
         renew job a 10s   -> renewed
         wait 10.000001s
         renew job a 10s   -> not its own
         claim job b 10s   -> token 2
         renew job a 10s   -> not its own
         release job a     -> not its own
         look job a        -> held",
    );
}

#[test]
fn a_release_that_keeps_the_row_keeps_its_token() {
    script(
        Release::KeepsRow,
        "claim job a 10s   -> token 1
         release job b     -> not its own
         release job a     -> released
         look job b        -> free
         claim job b 10s   -> token 2
         release job b     -> released
         claim job a 10s   -> token 3",
    );
}

#[test]
fn a_release_that_deletes_the_row_begins_again_at_token_1() {
    script(
        Release::DeletesRow,
        "claim job a 10s   -> token 1
         wait 10.000001s
         claim job b 10s   -> token 2
         release job a     -> not its own
         claim job a 10s   -> taken
         release job b     -> released
         claim job a 10s   -> token 1",
    );
    // Also a row that had counted far.
    check(
        &row(41, Release::DeletesRow),
        Durability::BeforeAnswer,
        "claim job a 10s   -> token 42
         release job a     -> released
         claim job a 10s   -> token 1",
    );
}

#[test]
fn a_restart_loses_nothing_and_its_time_counts() {
    script(
        Release::KeepsRow,
        "claim job a 10s   -> token 1
         wait 4s
         down 6s
         claim job b 10s   -> taken
         renew job a 10s   -> renewed
         down 11s
         renew job a 10s   -> not its own
         claim job b 10s   -> token 2",
    );
}

const POLL: Policy = Policy { wait: Wait::Poll(s(1)), ..POLICY };

/// Only the server's wall clock decides: a client's may be off by anything.
#[test]
fn clients_clocks_do_not_matter_and_the_servers_does() {
    for (step, since) in [(0, None), (7_000, None), (9_000, Some(5_102))] {
        let service = row(0, Release::KeepsRow);
        let kind = ClientKind::Claim(claim::Recipe::default());
        let mut lab = Lab::of(1, &service, Durability::BeforeAnswer, kind, ms(1));
        let a = lab.worker(POLL, vec![(ms(0), Do::Acquire)]);
        let b = lab.worker_off_by(3_600_000, POLL, vec![(ms(100), Do::Acquire)]);
        lab.fault(5_000, None, wall_step(N1, step));
        lab.fault(5_300, Some(5_600), crash(N1));
        let run = lab.run(5_950);
        assert_eq!(run.holds(a), [(2, 1)]);
        assert_eq!(run.holds(b).first().map(|(at, _)| *at), since, "{step}");
    }
}
