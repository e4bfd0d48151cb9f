//! The keys, revisions and leases that every member computes alike from the log: what was measured on the real server.

use std::rc::Rc;

use crate::common::script::{Simulated, check};
use crate::common::{Setup, ms, s};
use kernel::{ProcessId, Span};
use locks::LeaseId;
use locks::etcd::{
    Action, Change, Compare, Effect, Fault, Field, KvOp, Relation, Request, State, Txn, TxnReply,
};

#[test]
fn a_fresh_store_is_at_1_and_leases_take_no_revision() {
    check(
        &mut Simulated::new(),
        "get lock      -> nothing; revision 1
         grant a 10s   -> 10s
         grant b 10s   -> 10s
         get lock      -> nothing; revision 1
         create lock a -> created 2
         get lock      -> created 2, changed 2, version 1; revision 2",
    );
}

#[test]
fn a_failed_comparison_and_a_deletion_of_nothing_take_no_revision_and_an_identical_put_does() {
    check(
        &mut Simulated::new(),
        "grant a 10s   -> 10s
         create lock a -> created 2
         create lock a -> there since 2
         delete other  -> revision 2
         put plain     -> revision 3
         put plain     -> revision 4
         get plain     -> created 3, changed 4, version 2; revision 4",
    );
}

#[test]
fn a_key_that_was_deleted_begins_anew() {
    check(
        &mut Simulated::new(),
        "put plain    -> revision 2
         put plain    -> revision 3
         delete plain -> revision 4
         get plain    -> nothing; revision 4
         put plain    -> revision 5
         get plain    -> created 5, changed 5, version 1; revision 5",
    );
}

#[test]
fn a_revoke_takes_one_revision_for_all_keys_and_none_without_keys() {
    check(
        &mut Simulated::new(),
        "grant a 10s  -> 10s
         grant b 10s  -> 10s
         create one a -> created 2
         create two a -> created 3
         revoke a     -> revoked
         get one      -> nothing; revision 4
         get two      -> nothing; revision 4
         revoke b     -> revoked
         revoke b     -> no such lease
         get one      -> nothing; revision 4",
    );
}

#[test]
fn a_key_is_bound_to_the_lease_of_its_last_put() {
    check(
        &mut Simulated::new(),
        "grant a 10s     -> 10s
         grant b 10s     -> 10s
         put moved a     -> revision 2
         put moved b     -> revision 3
         put unbound a   -> revision 4
         put unbound     -> revision 5
         put kept a      -> revision 6
         put kept a      -> revision 7
         revoke a        -> revoked
         get moved       -> created 2, changed 3, version 2; revision 8
         get unbound     -> created 4, changed 5, version 2; revision 8
         get kept        -> nothing; revision 8
         revoke b        -> revoked
         get moved       -> nothing; revision 9
         put late a      -> no such lease
         create late b   -> no such lease
         get late        -> nothing; revision 9",
    );
}

#[test]
fn a_lease_that_is_too_short_is_granted_longer() {
    let setup = Setup::leases(|times| times.min_ttl = s(2));
    check(&mut Simulated::with(setup), "grant a 1s -> 2s \n grant b 0s -> 2s \n grant c 2.5s -> 2.5s");
}

#[test]
fn what_other_clients_write_makes_tokens_jump() {
    let setup = Setup { revision: 6, ..Setup::default() };
    check(
        &mut Simulated::with(setup),
        "grant a 10s -> 10s
         create job a -> created 7
         put other -> revision 8
         revoke a -> revoked
         grant b 10s -> 10s
         put other -> revision 10
         create job b -> created 11",
    );
}

#[test]
fn every_member_answers_alike() {
    for member in 0..3 {
        check(
            &mut Simulated { setup: Setup::default(), member },
            "grant a 10s   -> 10s
             create lock a -> created 2
             wait 3s
             keepalive a   -> 10s
             wait 9s
             get lock      -> created 2, changed 2, version 1; revision 2
             wait 1s
             get lock      -> nothing; revision 3
             keepalive a   -> no such lease",
        );
    }
}

// --- transactions of several operations, on the state itself ---

const CLIENT: ProcessId = ProcessId(7);

fn always(then: Vec<KvOp>) -> Txn {
    let compare = Compare { key: "none".into(), field: Field::Version, relation: Relation::Equal, with: 0 };
    Txn { compare, then, otherwise: Vec::new() }
}

fn put(key: &str) -> KvOp {
    KvOp::Put { key: key.into(), value: 1, lease: None }
}

fn apply(state: &mut State, txn: Txn) -> (Result<TxnReply, Fault>, Vec<Change>) {
    let action = Action::Client(Rc::new(Request::Txn(txn)));
    match state.apply(&action, CLIENT, 1, Span::ZERO) {
        Effect::Txn(result, changes) => (result, changes),
        other => panic!("a transaction's effect is not {other:?}"),
    }
}

fn grant(state: &mut State, id: u64, ttl: Span) -> Effect {
    state.apply(&Action::Client(Rc::new(Request::Grant(ttl))), CLIENT, id, Span::ZERO)
}

#[test]
fn all_keys_of_a_transaction_have_one_revision() {
    let mut state = State::at_revision(1);
    apply(&mut state, always(vec![put("c")])).0.unwrap();
    let (reply, changes) = apply(&mut state, always(vec![put("a"), put("b"), KvOp::Delete("c".into())]));
    assert_eq!((reply.unwrap().revision, changes.len()), (3, 3));
    for key in ["a", "b"] {
        let value = &state.keys[key];
        assert_eq!((value.create_revision, value.mod_revision, value.version), (3, 3, 1));
    }
    assert_eq!(state.deleted_since(&"c".into(), 3), Some(3));
    assert_eq!(state.deleted_since(&"c".into(), 4), None);
    let reads = vec![KvOp::Get("a".into()), KvOp::GetFirstCreated("".into()), KvOp::Get("c".into())];
    let (reply, changes) = apply(&mut state, always(reads));
    let reply = reply.unwrap();
    assert_eq!((reply.revision, changes.len()), (3, 0), "a read takes no revision");
    let names: Vec<Option<&str>> =
        reply.found.iter().map(|found| found.as_ref().map(|(key, _)| &**key)).collect();
    assert_eq!(names, [Some("a"), Some("a"), None]);
}

#[test]
fn a_transaction_with_one_lease_that_is_absent_does_nothing_at_all() {
    let mut state = State::at_revision(1);
    let bound = KvOp::Put { key: "b".into(), value: 1, lease: Some(LeaseId(9)) };
    let (reply, changes) = apply(&mut state, always(vec![put("a"), bound.clone()]));
    assert_eq!((reply, changes), (Err(Fault::LeaseNotFound), vec![]));
    assert_eq!(state, State::at_revision(1));
    // Only the list that is carried out is looked at.
    let txn = Txn { otherwise: vec![bound], ..always(vec![put("a")]) };
    assert!(apply(&mut state, txn).0.is_ok());
}

#[test]
fn a_key_that_is_not_there_compares_as_zero_and_its_value_not_at_all() {
    use Field::{CreateRevision, ModRevision, Value, Version};
    use Relation::{Equal, Greater, Less, NotEqual};
    let mut state = State::at_revision(1);
    let holds = |state: &mut State, field, relation, with| {
        let compare = Compare { key: "a".into(), field, relation, with };
        apply(state, Txn { compare, then: vec![], otherwise: vec![] }).0.unwrap().succeeded
    };
    for field in [CreateRevision, ModRevision, Version] {
        assert!(holds(&mut state, field, Equal, 0) && holds(&mut state, field, Less, 1), "{field:?}");
        assert!(!holds(&mut state, field, Greater, 0) && !holds(&mut state, field, NotEqual, 0), "{field:?}");
    }
    for relation in [Equal, NotEqual, Greater, Less] {
        assert!(
            !holds(&mut state, Value, relation, 0) && !holds(&mut state, Value, relation, 5),
            "{relation:?}"
        );
    }
    apply(&mut state, always(vec![KvOp::Put { key: "a".into(), value: 4, lease: None }])).0.unwrap();
    apply(&mut state, always(vec![KvOp::Put { key: "a".into(), value: 5, lease: None }])).0.unwrap();
    for (field, is) in [(CreateRevision, 2), (ModRevision, 3), (Version, 2), (Value, 5)] {
        assert!(
            holds(&mut state, field, Equal, is) && holds(&mut state, field, NotEqual, is + 1),
            "{field:?}"
        );
        assert!(
            holds(&mut state, field, Greater, is - 1) && holds(&mut state, field, Less, is + 1),
            "{field:?}"
        );
        assert!(!holds(&mut state, field, Greater, is) && !holds(&mut state, field, Less, is), "{field:?}");
    }
}

#[test]
fn a_transaction_that_puts_a_key_twice_is_known() {
    let delete = || KvOp::Delete("a".into());
    let read = || KvOp::Get("a".into());
    assert!(always(vec![put("a"), put("a")]).changes_a_key_twice());
    assert!(always(vec![delete(), put("a")]).changes_a_key_twice());
    assert!(Txn { otherwise: vec![put("a"), put("b"), delete()], ..always(vec![]) }.changes_a_key_twice());
    assert!(!always(vec![delete(), delete(), put("b"), read()]).changes_a_key_twice());
    assert!(!Txn { otherwise: vec![put("a")], ..always(vec![put("a"), read()]) }.changes_a_key_twice());
}

#[test]
fn leases_are_numbered_by_client_and_request_and_one_number_is_granted_once() {
    let mut state = State::at_revision(1);
    let lease = LeaseId(7 << 48 | 3);
    assert_eq!(grant(&mut state, 3, s(5)), Effect::Granted(lease, Some(s(5))));
    let bound = KvOp::Put { key: "a".into(), value: 1, lease: Some(lease) };
    apply(&mut state, always(vec![bound])).0.unwrap();
    // The same request once more, as a link that delivers twice makes it: the lease keeps its keys.
    assert_eq!(grant(&mut state, 3, ms(1)), Effect::Granted(lease, None));
    assert_eq!(state.leases[&lease].keys, ["a".into()]);
    assert_eq!(state.leases[&lease].ttl, s(5));
}

#[test]
fn the_key_just_ahead_in_a_line_is_found_by_its_age() {
    let mut state = State::at_revision(1);
    for key in ["lock/c", "lock/a", "lock/b", "lockless", "lock0"] {
        apply(&mut state, always(vec![put(key)])).0.unwrap();
    }
    let ahead = |of: u64| state.last_created_before(&"lock/".into(), of - 1).key.map(|(key, _)| key);
    assert_eq!(ahead(state.keys["lock/b"].create_revision).as_deref(), Some("lock/a"));
    assert_eq!(ahead(state.keys["lock/a"].create_revision).as_deref(), Some("lock/c"));
    assert_eq!(ahead(state.keys["lock/c"].create_revision), None);
    let first = state.first_created(&"lock/".into()).map(|(key, _)| key);
    assert_eq!(first.as_deref(), Some("lock/c"));
}
