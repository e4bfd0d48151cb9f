//! The replicated state: keys with their revisions, and leases with the keys bound to them. What every server computes
//! alike from the log; no clock in sight.

use std::rc::Rc;

use kernel::{Map, ProcessId, Span};

use super::{Compare, Fault, Field, Found, KvOp, Relation, Request, Txn, TxnReply};
use crate::{Key, LeaseId};

/// A key as it is.
#[derive(Clone, Debug, PartialEq)]
pub struct KeyValue {
    /// What it holds.
    pub value: u64,
    /// The revision of the first put since it was last deleted: a lock's fencing token.
    pub create_revision: u64,
    /// The revision of the last put.
    pub mod_revision: u64,
    /// Puts since it was created.
    pub version: u64,
    /// The lease that it is bound to.
    pub lease: Option<LeaseId>,
}

/// A lease as the log has it: how long, and not until when.
#[derive(Clone, Debug, PartialEq)]
pub struct LeaseRecord {
    /// Its full length.
    pub ttl: Span,
    /// What was left at the last checkpoint, when there was one since the last renewal.
    pub remaining: Option<Span>,
    /// The keys bound to it.
    pub keys: Vec<Key>,
}

/// One change of the state.
#[derive(Clone, Debug, PartialEq)]
pub enum Action {
    /// A client's request that goes through the log.
    Client(Rc<Request>),
    /// The leader found that this lease has run out.
    Expire(LeaseId),
    /// The leader says what is left of a lease; nothing: its full length.
    Checkpoint(LeaseId, Option<Span>),
}

/// What an action did, for whoever announces and answers.
#[derive(Clone, Debug, PartialEq)]
pub enum Effect {
    /// A lease was granted, this long; nothing when its number was taken.
    Granted(LeaseId, Option<Span>),
    /// A lease ended, with these keys; nothing when it was not there.
    Ended(LeaseId, Option<Vec<(Key, KeyValue)>>),
    /// A transaction was carried out.
    Txn(Result<TxnReply, Fault>, Vec<Change>),
    /// What is left of a lease was noted: so much, or its full length.
    Checkpointed(LeaseId, Option<Span>),
}

/// One key that a transaction changed.
#[derive(Clone, Debug, PartialEq)]
pub enum Change {
    /// It was written.
    Put(Key, KeyValue),
    /// It was deleted.
    Deleted(Key, KeyValue),
}

/// The replicated state. It is copied for snapshots and when worlds are.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct State {
    /// The number of the last change of a key. A fresh store is at 1.
    pub revision: u64,
    /// The keys.
    pub keys: Map<Key, KeyValue>,
    /// The leases.
    pub leases: Map<LeaseId, LeaseRecord>,
    /// When keys were last deleted, whether they are there again or not: what a watch from an older revision still has
    /// to hear. Nothing is compacted away.
    pub deleted: Map<Key, u64>,
}

impl State {
    /// A store at this revision, without keys.
    pub fn at_revision(revision: u64) -> Self {
        Self { revision, ..Self::default() }
    }

    /// Carries out one action. The lease number of a grant follows from who asked.
    pub fn apply(&mut self, action: &Action, client: ProcessId, id: u64, min_ttl: Span) -> Effect {
        match action {
            Action::Client(request) => match &**request {
                Request::Grant(ttl) => {
                    let lease = lease_id(client, id);
                    if self.leases.contains_key(&lease) {
                        return Effect::Granted(lease, None); // A request can be committed twice.
                    }
                    let ttl = (*ttl).max(min_ttl);
                    self.leases.insert(lease, LeaseRecord { ttl, remaining: None, keys: Vec::new() });
                    Effect::Granted(lease, Some(ttl))
                }
                Request::Revoke(lease) => self.end(*lease),
                Request::Txn(txn) => self.txn(txn),
                Request::KeepAlive(_)
                | Request::Get { .. }
                | Request::LastCreatedBefore { .. }
                | Request::WatchDelete { .. } => unreachable!("this never goes through the log"),
            },
            Action::Expire(lease) => self.end(*lease),
            Action::Checkpoint(lease, remaining) => {
                if let Some(record) = self.leases.get_mut(lease) {
                    record.remaining = *remaining;
                }
                Effect::Checkpointed(*lease, *remaining)
            }
        }
    }

    /// One revision for all keys of a lease, and none for a lease without keys (as measured on the real server).
    fn end(&mut self, lease: LeaseId) -> Effect {
        let Some(record) = self.leases.remove(&lease) else { return Effect::Ended(lease, None) };
        if !record.keys.is_empty() {
            self.revision += 1;
        }
        let mut gone = Vec::new();
        for key in record.keys {
            if let Some(value) = self.keys.remove(&key) {
                self.deleted.insert(key.clone(), self.revision);
                gone.push((key, value));
            }
        }
        Effect::Ended(lease, Some(gone))
    }

    fn txn(&mut self, txn: &Txn) -> Effect {
        let succeeded = self.holds(&txn.compare);
        let ops = if succeeded { &txn.then } else { &txn.otherwise };
        let unknown = ops
            .iter()
            .any(|op| matches!(op, KvOp::Put { lease: Some(lease), .. } if !self.leases.contains_key(lease)));
        if unknown {
            return Effect::Txn(Err(Fault::LeaseNotFound), Vec::new());
        }
        // All changes of one transaction have one revision; a transaction that changes nothing takes none.
        let next = self.revision + 1;
        let mut changes = Vec::new();
        let mut found = Vec::new();
        for op in ops {
            match op {
                KvOp::Put { key, value, lease } => {
                    let value = self.put(key, *value, *lease, next);
                    changes.push(Change::Put(key.clone(), value));
                }
                KvOp::Delete(key) => {
                    if let Some(value) = self.delete(key, next) {
                        changes.push(Change::Deleted(key.clone(), value));
                    }
                }
                KvOp::Get(key) => found.push(self.keys.get(key).map(|value| (key.clone(), value.clone()))),
                KvOp::GetFirstCreated(prefix) => found.push(self.first_created(prefix)),
            }
        }
        if !changes.is_empty() {
            self.revision = next;
        }
        Effect::Txn(Ok(TxnReply { succeeded, revision: self.revision, found }), changes)
    }

    fn put(&mut self, key: &Key, value: u64, lease: Option<LeaseId>, revision: u64) -> KeyValue {
        let old = self.keys.get(key);
        let new = KeyValue {
            value,
            create_revision: old.map_or(revision, |old| old.create_revision),
            mod_revision: revision,
            version: old.map_or(1, |old| old.version + 1),
            lease,
        };
        // A put with another lease, or with none, takes the key off the old one.
        if let Some(bound) = old.and_then(|old| old.lease)
            && Some(bound) != lease
            && let Some(record) = self.leases.get_mut(&bound)
        {
            record.keys.retain(|bound_key| bound_key != key);
        }
        if let Some(record) = lease.and_then(|lease| self.leases.get_mut(&lease))
            && let Err(place) = record.keys.binary_search(key)
        {
            record.keys.insert(place, key.clone());
        }
        self.keys.insert(key.clone(), new.clone());
        new
    }

    fn delete(&mut self, key: &Key, revision: u64) -> Option<KeyValue> {
        let value = self.keys.remove(key)?;
        if let Some(record) = value.lease.and_then(|lease| self.leases.get_mut(&lease)) {
            record.keys.retain(|bound| bound != key);
        }
        self.deleted.insert(key.clone(), revision);
        Some(value)
    }

    fn holds(&self, compare: &Compare) -> bool {
        let key = self.keys.get(&compare.key);
        if key.is_none() && compare.field == Field::Value {
            return false;
        }
        let field = key.map_or(0, |key| match compare.field {
            Field::CreateRevision => key.create_revision,
            Field::ModRevision => key.mod_revision,
            Field::Version => key.version,
            Field::Value => key.value,
        });
        match compare.relation {
            Relation::Equal => field == compare.with,
            Relation::NotEqual => field != compare.with,
            Relation::Greater => field > compare.with,
            Relation::Less => field < compare.with,
        }
    }

    /// The keys that begin with `prefix`.
    fn with_prefix<'a>(&'a self, prefix: &'a Key) -> impl Iterator<Item = (&'a Key, &'a KeyValue)> {
        let first = self.keys.find_index(prefix).unwrap_or_else(|place| place);
        self.keys.iter().skip(first).take_while(move |(key, _)| key.starts_with(&**prefix))
    }

    /// The oldest key of a prefix.
    pub fn first_created(&self, prefix: &Key) -> Option<(Key, KeyValue)> {
        let (key, value) = self.with_prefix(prefix).min_by_key(|(_, value)| value.create_revision)?;
        Some((key.clone(), value.clone()))
    }

    /// When a key was deleted, if that was at `from` or later: what a watch from there hears at once.
    pub fn deleted_since(&self, key: &Key, from: u64) -> Option<u64> {
        self.deleted.get(key).copied().filter(|revision| *revision >= from)
    }

    /// A read of one key.
    pub fn get(&self, key: &Key) -> Found {
        Found { revision: self.revision, key: self.keys.get(key).map(|value| (key.clone(), value.clone())) }
    }

    /// The youngest key of a prefix created at `revision` or before.
    pub fn last_created_before(&self, prefix: &Key, revision: u64) -> Found {
        let key = self
            .with_prefix(prefix)
            .filter(|(_, value)| value.create_revision <= revision)
            .max_by_key(|(_, value)| value.create_revision)
            .map(|(key, value)| (key.clone(), value.clone()));
        Found { revision: self.revision, key }
    }
}

/// The number of the lease that this request of this client is granted.
fn lease_id(client: ProcessId, id: u64) -> LeaseId {
    assert!(id < 1 << 48, "a client's requests are numbered below 2^48");
    LeaseId(u64::from(client.0) << 48 | id)
}
