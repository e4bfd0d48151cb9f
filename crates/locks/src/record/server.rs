//! The server half: records, and conditional writes.

use kernel::{Map, Mono, Now, Start};

use super::{Kept, Put, Reply, Request};
use crate::service::{Asker, Outcome, Service};
use crate::{Freed, GrantId, Granted, Key, LeaseId, Note, Reading, Token};

/// What can be read from a record as a token.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Counts {
    /// Nothing that has an order.
    Nothing,
    /// How often the lock has changed hands.
    Transitions,
}

/// Records by the names of their locks.
#[derive(Clone, Debug)]
pub struct Records {
    records: Map<Key, Kept>,
    counts: Counts,
    /// Where a new record's transitions begin.
    first_transitions: u64,
    /// The version of the last write of any record.
    version: u64,
}

impl Records {
    /// No records yet. `first_transitions` is what a new one's transitions begin with.
    pub fn new(counts: Counts, first_transitions: u64) -> Self {
        Self { records: Map::new(), counts, first_transitions, version: 0 }
    }

    /// The records.
    pub fn iter(&self) -> impl Iterator<Item = (&Key, &Kept)> {
        self.records.iter()
    }

    fn token(&self, kept: &Kept) -> Option<Token> {
        match self.counts {
            Counts::Nothing => None,
            Counts::Transitions => Some(Token(kept.transitions)),
        }
    }

    fn put(&mut self, asker: Asker, put: &Put, now: Now, out: &mut Outcome) -> Reply {
        let Put { lock, version, record, anew } = put;
        let old = self.records.get(lock).copied();
        if old.map(|old| old.version) != *version {
            return Reply::Conflict;
        }
        self.version += 1;
        let (version, record) = (self.version, *record);
        let kept = match (old, record.holder) {
            (Some(old), None) => Kept { record, version, ..old },
            (Some(old), holder) if holder == old.record.holder && !anew => Kept { record, version, ..old },
            (old, _) => {
                let transitions = old.map_or(self.first_transitions, |old| old.transitions + 1);
                // Not the version: that comes again when the service is restored from an older backup.
                let grant = GrantId(u64::from(asker.client.0) << 48 | asker.id);
                Kept { record, version, grant, transitions }
            }
        };
        self.records.insert(lock.clone(), kept);
        out.changed = true;
        self.note(lock, old, &kept, now, out);
        Reply::Written { version, grant: kept.grant, token: self.token(&kept) }
    }

    /// The record of it, for the audience. The service has no clock: the deadline is when somebody who has seen this
    /// write come could take over at the earliest.
    fn note(&self, lock: &Key, old: Option<Kept>, kept: &Kept, now: Now, out: &mut Outcome) {
        let deadline = Reading::Mono(now.mono + kept.record.duration);
        let lease = LeaseId(kept.grant.0);
        let same = old.filter(|old| old.grant == kept.grant);
        match (same, kept.record.holder) {
            (Some(_), Some(_)) => out.note(Note::Renewed { lease, deadline }),
            (Some(old), None) => out.note(freed(lock, &old, Freed::Released)),
            (None, Some(holder)) => {
                if let Some(old) = old.filter(|old| old.record.holder.is_some()) {
                    out.note(freed(lock, &old, Freed::Replaced));
                }
                out.note(Note::Granted(Box::new(Granted {
                    lock: lock.clone(),
                    holder,
                    grant: kept.grant,
                    lease,
                    token: self.token(kept),
                    deadline: Some(deadline),
                })));
            }
            (None, None) => {}
        }
    }

    fn delete(&mut self, lock: &Key, version: u64, out: &mut Outcome) -> Reply {
        match self.records.get(lock).copied().filter(|kept| kept.version == version) {
            None => Reply::Conflict,
            Some(kept) => {
                self.records.remove(lock);
                out.changed = true;
                if kept.record.holder.is_some() {
                    out.note(freed(lock, &kept, Freed::Released));
                }
                Reply::Deleted
            }
        }
    }
}

fn freed(lock: &Key, kept: &Kept, how: Freed) -> Note {
    Note::Freed { lock: lock.clone(), grant: kept.grant, how, revision: None }
}

impl Service for Records {
    fn starts(&mut self, start: Start, _now: Now, out: &mut Outcome) {
        if start != Start::First {
            let knows = self.records.values().map(|kept| LeaseId(kept.grant.0)).collect();
            out.note(Note::CameUp { knows });
        }
    }

    fn asked(&mut self, asker: Asker, request: &crate::Request, now: Now, out: &mut Outcome) {
        let crate::Request::Record(request) = request else { return };
        let reply = match &**request {
            Request::Get { lock } => Reply::Got(self.records.get(lock).copied()),
            Request::Put(put) => self.put(asker, put, now, out),
            Request::Delete { lock, version } => self.delete(lock, *version, out),
        };
        out.reply(asker, reply);
    }

    fn wakes_at(&self, _now: Now) -> Option<Mono> {
        None
    }

    fn woken(&mut self, _now: Now, _out: &mut Outcome) {}
}
