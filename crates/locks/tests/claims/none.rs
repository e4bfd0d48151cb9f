//! No lock service: everybody goes on at once.

use locks::service::Durability;
use locks::{AnyService, ClientKind, Gone, Policy, Token, Word, no_lock, redis};

use crate::common::{Do, Lab, POLICY, ms, s};

#[test]
fn everybody_holds_at_once_by_a_grant_of_its_own_and_nobody_is_asked() {
    // Servers that are there hear of nothing.
    let service = AnyService::Redis(redis::Redis::new(false, Token(0)));
    let kind = ClientKind::NoLock(no_lock::Recipe);
    let mut lab = Lab::of(1, &service, Durability::Never, kind, ms(1));
    let plan = vec![(ms(100), Do::Acquire), (s(50), Do::Check), (s(60), Do::Release), (s(61), Do::Acquire)];
    let (a, b) = (lab.worker(POLICY, plan.clone()), lab.worker(POLICY, plan));
    let run = lab.run(70_000);
    let (of_a, of_b) = (run.grants(a), run.grants(b));
    assert_eq!(
        of_a.iter().map(|(at, _, token)| (*at, *token)).collect::<Vec<_>>(),
        [(100, None), (61_000, None)]
    );
    assert_eq!(of_b.iter().map(|(at, ..)| *at).collect::<Vec<_>>(), [100, 61_000]);
    let mut grants: Vec<_> = of_a.iter().chain(&of_b).map(|(_, grant, _)| *grant).collect();
    grants.sort();
    grants.dedup();
    assert_eq!(grants.len(), 4, "no two grants are the same");
    // Nothing runs out.
    assert_eq!(run.let_go(a), [(60_000, Gone::Released)]);
    assert_eq!(run.words(a).iter().filter(|(_, word)| *word == Word::Released).count(), 1);
    assert_eq!((run.asked(a), run.asked(b)), (vec![], vec![]));
    assert!(!run.any_client_timer(a));
}

#[test]
fn there_is_no_stop_time() {
    let service = AnyService::Redis(redis::Redis::new(false, Token(0)));
    let kind = ClientKind::NoLock(no_lock::Recipe);
    let mut lab = Lab::of(1, &service, Durability::Never, kind, ms(1));
    let policy = Policy { give_up: locks::GiveUp::Deadline, ..POLICY };
    let a = lab.worker(policy, vec![(ms(0), Do::Acquire)]);
    let run = lab.run(500_000);
    assert_eq!(run.worker(a).client.stop(), None);
    assert!(run.worker(a).client.may_act(run.world.readings(a)));
    assert_eq!(run.let_go(a), []);
}
