//! The authority's record, for the audience: which lock was granted to whom, and when it was freed. etcd itself knows
//! keys and leases alone; whose lock it is follows from the recipe.

use kernel::{Mono, Outbox, ProcessId};

use super::{Server, ServerSpeech};
use crate::etcd::KeyValue;
use crate::{Freed, GrantId, Granted, Key, LeaseId, Note, Reading, Token};

impl Server {
    /// The leader tells what the log's entries do; every member applies them, and one voice is enough. A new leader
    /// that finds out only now what is committed may tell again what the old one told.
    fn announces(&self) -> bool {
        self.raft.is_leader()
    }

    pub(super) fn record_put(
        &self,
        key: &Key,
        value: &KeyValue,
        client: ProcessId,
        now: Mono,
        out: &mut impl Outbox<ServerSpeech>,
    ) {
        if !self.announces() {
            return;
        }
        match value.lease {
            None => out.note(Note::Wrote { client, revision: value.mod_revision }),
            Some(lease) => {
                let first = self.owner(lock_of(key, lease)).is_some_and(|(first, _)| first == key);
                if value.version == 1 && first {
                    self.note_grant(key, value, now, out);
                }
            }
        }
    }

    /// If the key was the one that held its lock, the lock is freed, and the next in line has it.
    pub(super) fn record_deletion(
        &self,
        key: &Key,
        value: &KeyValue,
        how: Freed,
        now: Mono,
        out: &mut impl Outbox<ServerSpeech>,
    ) {
        let (Some(lease), true) = (value.lease, self.announces()) else { return };
        let lock = lock_of(key, lease);
        let next = self.owner(lock);
        if next.is_some_and(|(_, next)| next.create_revision < value.create_revision) {
            return; // It was waiting in line, not at its head.
        }
        let (grant, revision) = (GrantId(value.create_revision), Some(self.state.revision));
        out.note(Note::Freed { lock: lock.into(), grant, how, revision });
        if let Some((key, next)) = next {
            self.note_grant(key, next, now, out);
        }
    }

    fn note_grant(&self, key: &Key, value: &KeyValue, now: Mono, out: &mut impl Outbox<ServerSpeech>) {
        let Some(lease) = value.lease else { return };
        // A leader that has not taken over yet times the lease a moment later.
        let full = || self.state.leases.get(&lease).map(|record| now + record.ttl);
        let Some(deadline) = self.lessor.deadline(lease).or_else(full) else { return };
        out.note(Note::Granted(Box::new(Granted {
            lock: lock_of(key, lease).into(),
            holder: ProcessId(value.value as u16),
            grant: GrantId(value.create_revision),
            lease,
            token: Some(Token(value.create_revision)),
            deadline: Some(Reading::Mono(deadline)),
        })));
    }

    /// The oldest key of the lock's own name or in the line below it holds.
    fn owner(&self, lock: &str) -> Option<(&Key, &KeyValue)> {
        self.state
            .keys
            .iter()
            .filter(|(key, value)| value.lease.is_some_and(|lease| lock_of(key, lease) == lock))
            .min_by_key(|(_, value)| value.create_revision)
    }
}

/// The lock that a key is about: `billing` is about itself, and so is `billing/2a` while it is bound to the lease 2a,
/// which is the name of a place in line.
fn lock_of(key: &str, lease: LeaseId) -> &str {
    match key.rsplit_once('/') {
        Some((lock, place)) if u64::from_str_radix(place, 16) == Ok(lease.0) => lock,
        Some(_) | None => key,
    }
}
