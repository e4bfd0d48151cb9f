//! What services share that keep one record a lock and judge nothing: a record is read, and written on condition that it
//! is still the one that was read. Whether a holder's time is over each client decides for itself, by how long it has
//! watched the record stand still on its own monotonic clock.

mod recipe;
mod server;

pub use recipe::{Patience, Recipe, Rules};
pub use server::{Counts, Records};

use kernel::{ProcessId, Span};

use crate::{GrantId, Key, Token};

/// A lock's record.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Record {
    /// Who holds the lock; nobody when it was given back.
    pub holder: Option<ProcessId>,
    /// For how long after its last change a watcher lets it stand.
    pub duration: Span,
}

/// A record as the service keeps it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Kept {
    /// The record.
    pub record: Record,
    /// Which write of this lock's record it is; no two have the same, as long as the service is not restored from a backup.
    pub version: u64,
    /// Which grant of the lock it stands for: since its holder took that.
    pub grant: GrantId,
    /// How often the lock has changed hands.
    pub transitions: u64,
}

/// What a client asks.
#[derive(Clone, Debug, PartialEq)]
pub enum Request {
    /// The record.
    Get {
        /// Of which lock.
        lock: Key,
    },
    /// Write the record.
    Put(Put),
    /// Delete the record, if it still has this version.
    Delete {
        /// Of which lock.
        lock: Key,
        /// Which version is deleted.
        version: u64,
    },
}

/// A conditional write of a record.
#[derive(Clone, Debug, PartialEq)]
pub struct Put {
    /// Of which lock.
    pub lock: Key,
    /// If it still has this version; `None`: if there is none.
    pub version: Option<u64>,
    /// What is written.
    pub record: Record,
    /// Whether its writer takes the lock by this, even if the record named it before; it goes on holding otherwise.
    pub anew: bool,
}

/// An answer.
#[derive(Clone, Debug, PartialEq)]
pub enum Reply {
    /// The record, if there is one.
    Got(Option<Kept>),
    /// It was written.
    Written {
        /// The version that it has now.
        version: u64,
        /// The grant that it stands for.
        grant: GrantId,
        /// The token that can be read from it, where one can.
        token: Option<Token>,
    },
    /// It was deleted.
    Deleted,
    /// It is another than the one that was read.
    Conflict,
}
