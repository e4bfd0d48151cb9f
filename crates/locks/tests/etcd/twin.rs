//! The keys under random histories, against a dumb twin that keeps everything that ever was.

use std::rc::Rc;

use kernel::{ProcessId, Rng, Span, Stream};
use locks::etcd::{Action, Compare, Field, KvOp, Relation, Request, State, Txn};
use locks::{Key, LeaseId};

use crate::common::s;

const CLIENT: ProcessId = ProcessId(7);

/// A put or a deletion.
struct Event {
    revision: u64,
    key: Key,
    /// What was put: value and lease. Nothing: it was deleted.
    put: Option<(u64, Option<LeaseId>)>,
}

#[derive(Default)]
struct Twin(Vec<Event>);

impl Twin {
    /// All puts of a key since it was last deleted.
    fn life_of(&self, key: &Key) -> Vec<&Event> {
        let all: Vec<&Event> = self.0.iter().filter(|event| event.key == *key).collect();
        let born = all.iter().rposition(|event| event.put.is_none()).map_or(0, |deleted| deleted + 1);
        all[born..].to_vec()
    }

    fn bound_to(&self, lease: LeaseId, keys: &[Key]) -> Vec<Key> {
        let bound = |key: &&Key| {
            let last = self.life_of(key).last().and_then(|event| event.put);
            last.is_some_and(|(_, of)| of == Some(lease))
        };
        keys.iter().filter(bound).cloned().collect()
    }
}

#[test]
fn random_histories_give_what_a_twin_computes_that_keeps_everything() {
    for seed in 0..200 {
        let mut rng = Rng::new(Stream::new(seed, 1, 1));
        let (mut state, mut twin) = (State::at_revision(1), Twin::default());
        let (mut revision, mut leases) = (1, Vec::<LeaseId>::new());
        let keys = ["a", "b", "c"].map(Key::from);
        for step in 0..60 {
            let key = keys[rng.below(3) as usize].clone();
            let some_lease = |rng: &mut Rng, leases: &[LeaseId]| {
                (!leases.is_empty()).then(|| leases[rng.below(leases.len() as u64) as usize])
            };
            let mut apply = |action: Action| state.apply(&action, CLIENT, step, Span::ZERO);
            let mut change = |op: KvOp| {
                let compare =
                    Compare { key: "none".into(), field: Field::Version, relation: Relation::Equal, with: 0 };
                let txn = Txn { compare, then: vec![op], otherwise: Vec::new() };
                apply(Action::Client(Rc::new(Request::Txn(txn))))
            };
            match (rng.below(6), some_lease(&mut rng, &leases)) {
                (0, _) => {
                    apply(Action::Client(Rc::new(Request::Grant(s(1)))));
                    leases.push(LeaseId(u64::from(CLIENT.0) << 48 | step));
                }
                (1, Some(lease)) => {
                    let ends = Action::Client(Rc::new(Request::Revoke(lease)));
                    apply(if rng.below(2) == 0 { Action::Expire(lease) } else { ends });
                    leases.retain(|known| *known != lease);
                    let gone = twin.bound_to(lease, &keys);
                    revision += u64::from(!gone.is_empty());
                    twin.0.extend(gone.into_iter().map(|key| Event { revision, key, put: None }));
                }
                (2, _) => {
                    change(KvOp::Delete(key.clone()));
                    if !twin.life_of(&key).is_empty() {
                        revision += 1;
                        twin.0.push(Event { revision, key, put: None });
                    }
                }
                (kind, lease) => {
                    let lease = lease.filter(|_| kind % 2 == 0);
                    change(KvOp::Put { key: key.clone(), value: step, lease });
                    revision += 1;
                    twin.0.push(Event { revision, key, put: Some((step, lease)) });
                }
            }
            assert_eq!(state.revision, revision, "seed {seed}, step {step}");
            for key in &keys {
                let is = state
                    .keys
                    .get(key)
                    .map(|kv| (kv.create_revision, kv.mod_revision, kv.version, kv.value, kv.lease));
                let life = twin.life_of(key);
                let expected = life.last().map(|last| {
                    let (value, lease) = last.put.expect("a life consists of puts");
                    (life[0].revision, last.revision, life.len() as u64, value, lease)
                });
                assert_eq!(is, expected, "seed {seed}, step {step}, key {key}");
            }
            for lease in &leases {
                assert_eq!(
                    state.leases[lease].keys,
                    twin.bound_to(*lease, &keys),
                    "seed {seed}, step {step}"
                );
            }
        }
    }
}
