//! Felix: a cache key with a time to live is the lease, written by conditional puts that answer with the key's version.
//!
//! A put on condition that the key is absent claims; one on condition of a version renews; a delete on condition of a
//! version releases. Condition and write are one step where the key's owner assigns the version, which is the log offset of
//! the put. That version is the fencing token, and every renewal is a put: the token moves on with each. An entry whose time
//! is over counts as absent. The owner judges that by its wall clock against the absolute expiry in the entry, and once a
//! second writes a delete for what has run out: that record is what those who watch the key are told of.
//!
//! - `quorum`: a put is answered when a majority holds its record.
//! - `leader`: the owner answers at once, and its replicas catch up. It serves only for as long as its own lease stands.
//! - `memory`: one process without a log. It forgets all, and its versions start from its wall clock.
//!
//! A conditional write is never sent again after a lost answer: it would be refused by the write that it repeats. The client
//! reads the key, and decides by what is there.
//!
//! What is made up here, because the source does not say: who owns a shard is decided by the Raft that keeps its log, which
//! stands for the control plane too; a new owner knows all that was in the log, and begins with a record of its own, so the
//! offset moves on by one. Left out: more than one shard, the answers `quorum_timeout` and `leadership_lost` (here an
//! answer that does not come: both mean that nobody knows), puts that a watch delivers, compaction.
//!
//! Source: Felix documentation, "Leases, Locks and Idempotency".

mod broker;
mod cache;
mod memory;
mod recipe;

pub use broker::{Broker, Consistency};
pub use cache::{Cache, Entry, Record, Write};
pub use memory::Memory;
pub use recipe::Recipe;

use kernel::Span;

use crate::Key;

/// When a conditional write is done.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Condition {
    /// There is no entry, or its time is over.
    Absent,
    /// The entry has this version.
    Version(u64),
}

/// What a client asks, and what the owner writes into the log.
#[derive(Clone, Debug, PartialEq)]
pub enum Request {
    /// `cache_put_if`.
    PutIf {
        /// Which key.
        lock: Key,
        /// A number that no other claim has: it says whose the entry is.
        value: u64,
        /// For how long.
        ttl: Span,
        /// On what condition.
        on: Condition,
    },
    /// `cache_delete_if`, on condition of a version.
    DeleteIf {
        /// Which key.
        lock: Key,
        /// Which version.
        version: u64,
    },
    /// `cache_get_versioned`.
    Get {
        /// Which key.
        lock: Key,
    },
    /// `watch_cache`: told of the key's delete.
    Watch {
        /// Which key.
        lock: Key,
    },
    /// The owner's: a record of the log.
    Record(Record),
}

/// An answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reply {
    /// Whether a put was applied, and the key's version now.
    Put {
        /// Whether it was.
        applied: bool,
        /// The version of the put, or the one that it was refused by.
        version: Option<u64>,
    },
    /// Whether a delete was applied.
    Deleted(bool),
    /// The entry that is there: whose, and its version.
    Got(Option<(u64, u64)>),
}

impl Reply {
    /// Whether anybody has the lock, if that is what was asked.
    pub(crate) fn is_held(self) -> Option<bool> {
        match self {
            Self::Got(found) => Some(found.is_some()),
            Self::Put { .. } | Self::Deleted(_) => None,
        }
    }
}
