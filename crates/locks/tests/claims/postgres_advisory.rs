//! PostgreSQL's advisory locks. The facts are those of `pg_try_advisory_lock` and its likes, alone and behind a PgBouncer
//! in transaction mode.

use kernel::{FaultKind, Keepalive, Manner, ProcessId, Target};
use locks::postgres_advisory::{Config, Pool, Postgres, Recipe, Scope};
use locks::service::Durability;
use locks::{AnyService, ClientKind, Freed, Note, Policy, Wait};

use crate::common::ops::check;
use crate::common::{Do, Lab, POLICY, Run, isolate, ms, pause, s};

fn postgres(scope: Scope, pool: Option<Pool>) -> AnyService {
    let keepalive = Keepalive { idle: s(10), every: s(2), count: 3 };
    AnyService::PostgresAdvisory(Postgres::new(Config { scope, keepalive }, pool))
}

#[test]
fn a_lock_is_its_session_s_until_it_unlocks() {
    for scope in [Scope::Session, Scope::Transaction] {
        check(
            &postgres(scope, None),
            Durability::Never,
            "locked job           -> free
             try job a            -> granted
             try job b            -> taken
             try file b           -> granted
             ping job a           -> stands
             ping job b           -> gone
             wait 500s
             try job b            -> taken
             unlock job b         -> not its own
             locked job           -> held
             unlock job a         -> unlocked
             unlock job a         -> not its own
             try job b            -> granted",
        );
    }
}

#[test]
fn a_restart_frees_everything() {
    check(
        &postgres(Scope::Session, None),
        Durability::Never,
        "try job a            -> granted
         wait 1s
         down 1s
         ping job a           -> gone
         unlock job a         -> not its own
         try job b            -> granted",
    );
}

/// The connection that was used last is lent first: everybody comes on the same one, and locks are counted.
#[test]
fn behind_a_pool_two_have_the_lock_and_two_must_unlock() {
    check(
        &postgres(Scope::Session, Some(Pool::new(2, s(360), false))),
        Durability::Never,
        "try job a            -> granted
         try job b            -> granted
         unlock job a         -> unlocked
         ping job a           -> stands
         locked job           -> held
         unlock job b         -> unlocked
         locked job           -> free",
    );
}

/// By turns: the unlock comes on another connection, and the lock is freed when its own is recycled.
#[test]
fn behind_a_pool_an_unlock_on_another_connection_unlocks_nothing() {
    check(
        &postgres(Scope::Session, Some(Pool::new(2, s(360), true))),
        Durability::Never,
        "try job a            -> granted
         unlock job a         -> not its own
         locked job           -> held
         wait 359s
         locked job           -> held
         wait 2s
         locked job           -> free",
    );
}

#[test]
fn behind_a_pool_a_transaction_keeps_its_connection() {
    for round_robin in [false, true] {
        check(
            &postgres(Scope::Transaction, Some(Pool::new(2, s(360), round_robin))),
            Durability::Never,
            "try job a            -> granted
             try job b            -> taken
             try job b            -> taken
             unlock job b         -> not its own
             wait 500s
             unlock job a         -> unlocked
             try job b            -> granted",
        );
    }
}

const QUEUE: Policy = Policy { wait: Wait::Queue, renew_every: s(5), ..POLICY };

fn two(pool: Option<Pool>) -> (Lab, ProcessId, ProcessId) {
    let kind = ClientKind::Advisory(Recipe::default());
    let mut lab = Lab::of(1, &postgres(Scope::Session, pool), Durability::Never, kind, ms(1));
    let a = lab.worker(QUEUE, vec![(ms(0), Do::Acquire)]);
    let b = lab.worker(QUEUE, vec![(ms(500), Do::Acquire)]);
    (lab, a, b)
}

fn dies(process: ProcessId, manner: Manner) -> FaultKind<crate::common::Role> {
    FaultKind::Crash { target: Target::Process(process), manner }
}

/// When a worker began to hold, in milliseconds: there is no token.
fn held_from(run: &Run, worker: ProcessId) -> Option<u64> {
    let mut holds = run.notes().filter(|(_, by, note)| *by == worker && matches!(note, Note::Holds(_)));
    holds.next().map(|(at, ..)| at.as_micros() / 1_000)
}

fn since(lab: Lab, b: ProcessId) -> Option<u64> {
    held_from(&lab.run(60_000), b)
}

/// a's look at 5.002 is answered, and its host has taken the answer by 5.005: 10 s of silence, and three questions 2 s
/// apart.
#[test]
fn it_is_freed_when_the_server_learns_that_its_holder_is_gone() {
    let (mut lab, a, b) = two(None);
    lab.fault(7_000, None, dies(a, Manner::Refused));
    let run = lab.run(60_000);
    assert_eq!(held_from(&run, b), Some(7_002), "its host closes the connection");
    assert_eq!(run.freed().first().map(|(at, _, how)| (*at, *how)), Some((7_001, Freed::Disconnected)));

    let (mut lab, a, b) = two(None);
    lab.fault(7_000, None, dies(a, Manner::Silent));
    assert_eq!(since(lab, b), Some(21_006), "its host is gone");

    let (mut lab, a, b) = two(None);
    lab.fault(7_000, None, isolate(&[a]));
    assert_eq!(since(lab, b), Some(21_006), "it is cut off");

    let (mut lab, a, b) = two(None);
    lab.fault(7_000, Some(50_000), pause(a));
    assert_eq!(since(lab, b), None, "its host answers for it");
}

/// A pool's connections outlive its clients.
#[test]
fn behind_a_pool_a_death_frees_nothing() {
    let (mut lab, a, b) = two(Some(Pool::new(3, s(40), true)));
    lab.fault(7_000, None, dies(a, Manner::Refused));
    assert_eq!(since(lab, b), Some(40_001), "when the connection is recycled");
}

/// Who stands in line has a statement that waits: it fails with its connection, and is sent again on another. A server that
/// was gone with its host has closed nothing: what is said next on the connection finds out.
#[test]
fn who_stands_in_line_hears_of_a_restart_at_once() {
    for (manner, held) in [(Manner::Refused, 6_203), (Manner::Silent, 10_708)] {
        let (mut lab, _, b) = two(None);
        lab.fault(6_000, Some(6_150), dies(ProcessId(0), manner));
        assert_eq!(held_from(&lab.run(30_000), b), Some(held), "{manner:?}");
    }
}

/// Memory only: who holds finds out at its next look, and may act until then.
#[test]
fn a_restart_lets_the_next_in_while_the_holder_still_believes() {
    let (mut lab, a, b) = two(None);
    lab.fault(6_000, Some(6_100), dies(ProcessId(0), Manner::Refused));
    let run = lab.run(30_000);
    assert!(held_from(&run, b).is_some_and(|at| at < 20_000), "{:?}", held_from(&run, b));
    assert!(run.let_go(a).first().is_some_and(|(at, _)| *at > 10_000), "{:?}", run.let_go(a));
}
