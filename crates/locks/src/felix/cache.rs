//! The keys, and the records that change them.

use kernel::{Map, Now, ProcessId, Wall};

use super::{Condition, Reply, Request};
use crate::service::Outcome;
use crate::{Freed, GrantId, Granted, Key, LeaseId, Note, Reading, Restart, Token};

/// A key's entry.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Entry {
    /// The number of the claim that it is.
    pub value: u64,
    /// Whose.
    pub holder: ProcessId,
    /// The offset of the put that wrote it.
    pub version: u64,
    /// Until when, on its owner's wall clock.
    pub expiry: Wall,
}

impl Entry {
    fn is_live(&self, now: Wall) -> bool {
        now < self.expiry
    }
}

/// A record of the log.
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    /// Its offset.
    pub offset: u64,
    /// What it says.
    pub write: Write,
}

/// What a record says.
#[derive(Clone, Debug, PartialEq)]
pub enum Write {
    /// A new owner begins.
    Generation,
    /// A key is written.
    Put(Key, Entry),
    /// A key is deleted: released, or run out.
    Delete(Key, Freed),
}

/// The keys as they are after some record.
#[derive(Clone, Debug, Default)]
pub struct Cache {
    keys: Map<Key, Entry>,
    /// The offset of the last record.
    tail: u64,
}

impl Cache {
    /// An empty one, behind the record of this offset.
    pub fn after(tail: u64) -> Self {
        Self { keys: Map::new(), tail }
    }

    /// The entries, over or not.
    pub fn iter(&self) -> impl Iterator<Item = (&Key, &Entry)> {
        self.keys.iter()
    }
    /// The offset of the last record.
    pub fn tail(&self) -> u64 {
        self.tail
    }
    /// Whether there is no entry at all.
    pub(super) fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    /// The next record.
    pub(super) fn next(&self, write: Write) -> Record {
        Record { offset: self.tail + 1, write }
    }

    /// The entry of a key, unless its time is over.
    pub(super) fn live(&self, lock: &Key, now: Wall) -> Option<&Entry> {
        self.keys.get(lock).filter(|entry| entry.is_live(now))
    }

    /// A delete for each entry whose time is over.
    pub(super) fn lapsed(&self, now: Wall) -> Vec<Write> {
        let lapsed = self.keys.iter().filter(|(_, entry)| !entry.is_live(now));
        lapsed.map(|(lock, _)| Write::Delete(lock.clone(), Freed::Expired)).collect()
    }

    /// What a request asks to be written, if its condition is met; the answer otherwise, and for what only reads.
    pub(super) fn judge(&self, client: ProcessId, request: &Request, now: Now) -> Result<Write, Reply> {
        match *request {
            Request::PutIf { ref lock, value, ttl, on } => {
                let version = self.live(lock, now.wall).map(|entry| entry.version);
                let met = match on {
                    Condition::Absent => version.is_none(),
                    Condition::Version(wanted) => version == Some(wanted),
                };
                if !met {
                    return Err(Reply::Put { applied: false, version });
                }
                let (holder, expiry) = (client, now.wall + ttl);
                Ok(Write::Put(lock.clone(), Entry { value, holder, version: self.tail + 1, expiry }))
            }
            Request::DeleteIf { ref lock, version } => {
                let met = self.live(lock, now.wall).is_some_and(|entry| entry.version == version);
                if met {
                    Ok(Write::Delete(lock.clone(), Freed::Released))
                } else {
                    Err(Reply::Deleted(false))
                }
            }
            Request::Get { ref lock } | Request::Watch { ref lock } => {
                Err(Reply::Got(self.live(lock, now.wall).map(|entry| (entry.value, entry.version))))
            }
            Request::Record(_) => unreachable!("no client asks this"),
        }
    }

    /// Does what a record says. Whether it is told: of two copies that one owner keeps, one tells.
    pub(super) fn apply(&mut self, record: &Record, tells: bool, out: &mut Outcome) -> Reply {
        self.tail = record.offset;
        out.changed = true;
        let mut note = |note| {
            if tells {
                out.note(note);
            }
        };
        match &record.write {
            Write::Generation => Reply::Got(None), // Nobody asked.
            Write::Put(lock, entry) => {
                let old = self.keys.insert(lock.clone(), *entry);
                let (deadline, lease) = (Reading::Wall(entry.expiry), LeaseId(entry.value));
                if old.is_some_and(|old| old.value == entry.value) {
                    note(Note::Renewed { lease, deadline });
                } else {
                    if let Some(old) = old {
                        note(freed(lock, &old, Freed::Expired, record.offset));
                    }
                    note(Note::Granted(Box::new(Granted {
                        lock: lock.clone(),
                        holder: entry.holder,
                        grant: GrantId(entry.value),
                        lease,
                        token: Some(Token(entry.version)),
                        deadline: Some(deadline),
                    })));
                }
                Reply::Put { applied: true, version: Some(entry.version) }
            }
            Write::Delete(lock, how) => {
                if let Some(old) = self.keys.remove(lock) {
                    note(freed(lock, &old, *how, record.offset));
                    out.moved.push(lock.clone());
                }
                Reply::Deleted(true)
            }
        }
    }

    /// What is known of leases, and until when.
    pub(super) fn leases(&self) -> Vec<(LeaseId, Reading, Restart)> {
        let lease = |entry: &Entry| (LeaseId(entry.value), Reading::Wall(entry.expiry), Restart::Dated);
        self.keys.values().map(lease).collect()
    }
}

fn freed(lock: &Key, entry: &Entry, how: Freed, offset: u64) -> Note {
    Note::Freed { lock: lock.clone(), grant: GrantId(entry.value), how, revision: Some(offset) }
}
