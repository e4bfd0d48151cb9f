//! What lock services and their clients announce: the authority's record and the holder's belief.

use kernel::{Mono, ProcessId, Topic, Wall};

use crate::{Key, LeaseId, Token};

/// A reading of one of a host's clocks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reading {
    /// Of the monotonic clock.
    Mono(Mono),
    /// Of the wall clock.
    Wall(Wall),
}

/// How the authority freed a lock.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Freed {
    /// Its lease ran out.
    Expired,
    /// It was given back.
    Released,
}

/// Why a deadline was set without the holder asking.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Restart {
    /// A new leader does not know how much was left: it starts the lease at full length.
    Full,
    /// It knows, from a checkpoint.
    Remaining,
}

/// Why a holder no longer holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Gone {
    /// Its own stop time came.
    StopTime,
    /// The service said that the lease is gone.
    ToldGone,
    /// A renewal failed, and its rule is to give up at once.
    RenewalFailed,
    /// It gave the lock back.
    Released,
    /// The application let go: a store refused its token.
    WriteRefused,
}

/// What a service's server or a client announces. Readings are of the announcing process's own host.
///
/// The record is in the order of the service's log, and tells everything at least once: a new leader that finds out only
/// now what is committed may tell again what an old one told, and an old one may tell late. Tokens say what is new.
#[derive(Clone, Debug, PartialEq)]
pub enum Note {
    // --- the authority's record ---
    /// A grant was issued: from now on this token is the lock's newest.
    Granted {
        /// Which lock.
        lock: Key,
        /// To whom.
        holder: ProcessId,
        /// Under which lease.
        lease: LeaseId,
        /// With which token.
        token: Token,
        /// Until when, on the authority's clock.
        deadline: Mono,
    },
    /// A lease was renewed.
    Renewed {
        /// Which.
        lease: LeaseId,
        /// Until when.
        deadline: Mono,
    },
    /// A new leader took over the leases that it knows, each with a deadline of its own making. It knows no others.
    TookOver {
        /// The term that it leads.
        term: u64,
        /// Which leases, until when, and from what that was set.
        leases: Vec<(LeaseId, Mono, Restart)>,
    },
    /// A lock's key was deleted.
    Freed {
        /// Which lock.
        lock: Key,
        /// The lease that it was bound to.
        lease: LeaseId,
        /// The token of the grant that ended.
        token: Token,
        /// How.
        how: Freed,
        /// The number that the service gave to the deletion.
        revision: u64,
    },
    /// A client's plain key was written: what makes a service's numbers jump.
    Wrote {
        /// By whom.
        client: ProcessId,
        /// The number that the service gave to it.
        revision: u64,
    },
    /// A read was answered with the state as of this revision.
    ReadServed {
        /// To whom.
        to: ProcessId,
        /// The asker's number for the request.
        id: u64,
        /// As of which revision.
        revision: u64,
    },

    // --- the holder's belief ---
    /// It wants the lock, and does not have it.
    Wants {
        /// Which lock.
        lock: Key,
    },
    /// It does not want it any more (and does not have it).
    StopsWanting {
        /// Which lock.
        lock: Key,
    },
    /// It believes that it holds the lock.
    Holds {
        /// Which lock.
        lock: Key,
        /// With which token.
        token: Token,
        /// When it sent the request from which it counts.
        sent: Mono,
        /// Its own stop time.
        stop: Reading,
    },
    /// It has renewed.
    Extended {
        /// Which lock.
        lock: Key,
        /// With which token.
        token: Token,
        /// When it sent the request from which it counts.
        sent: Mono,
        /// Its own stop time now.
        stop: Reading,
    },
    /// A renewal failed; it goes on trying, or not, by its rule.
    RenewalFailed {
        /// Which lock.
        lock: Key,
        /// Who was asked.
        server: ProcessId,
        /// What happened.
        why: &'static str,
    },
    /// It no longer believes that it holds the lock.
    LetGo {
        /// Which lock.
        lock: Key,
        /// With which token.
        token: Token,
        /// Why.
        why: Gone,
    },
    /// It waited for a key to go, and was told that it went.
    Woken {
        /// Which lock it waits for.
        lock: Key,
    },
}

impl Note {
    /// The word by which a fault can wait for this note.
    pub fn topic(&self) -> Option<Topic> {
        let word = match self {
            Self::Granted { .. } => "grants",
            Self::TookOver { .. } => "takes over",
            Self::Freed { how: Freed::Expired, .. } => "expires",
            Self::Freed { how: Freed::Released, .. } => "frees",
            Self::Wants { .. } => "wants",
            Self::Holds { .. } => "acquires",
            Self::Extended { .. } => "renews",
            Self::RenewalFailed { .. } => "fails to renew",
            Self::LetGo { why: Gone::Released, .. } => "releases",
            Self::LetGo { .. } => "loses",
            Self::Woken { .. } => "wakes",
            Self::Renewed { .. }
            | Self::Wrote { .. }
            | Self::ReadServed { .. }
            | Self::StopsWanting { .. } => return None,
        };
        Some(Topic(word))
    }
}

/// What a server of a replicated log announces.
#[derive(Clone, Debug, PartialEq)]
pub enum ServerNote {
    /// About the log's leadership.
    Raft(raft::Note),
    /// About locks.
    Lock(Note),
}

impl ServerNote {
    /// The word by which a fault can wait for it.
    pub fn topic(&self) -> Option<Topic> {
        match self {
            Self::Raft(note) => note.topic(),
            Self::Lock(note) => note.topic(),
        }
    }
}

impl From<raft::Note> for ServerNote {
    fn from(note: raft::Note) -> Self {
        Self::Raft(note)
    }
}
impl From<Note> for ServerNote {
    fn from(note: Note) -> Self {
        Self::Lock(note)
    }
}
