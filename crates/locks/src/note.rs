//! What lock services and their clients announce: the authority's record and the holder's belief.

use kernel::{Mono, Now, ProcessId, Span, Topic, Wall};

use crate::{GrantId, Key, LeaseId, Token};

/// A reading of one of a host's clocks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reading {
    /// Of the monotonic clock.
    Mono(Mono),
    /// Of the wall clock.
    Wall(Wall),
}

impl Reading {
    /// Whether it is later than another of the same clock.
    pub(crate) fn is_after(self, other: Self) -> bool {
        match (self, other) {
            (Self::Mono(this), Self::Mono(other)) => this > other,
            (Self::Wall(this), Self::Wall(other)) => this > other,
            (Self::Mono(_), Self::Wall(_)) | (Self::Wall(_), Self::Mono(_)) => {
                unreachable!("readings of two clocks have no order")
            }
        }
    }

    /// What its clock reads so much later, if nobody steps it.
    pub(crate) fn later(self, by: Span) -> Self {
        match self {
            Self::Mono(mono) => Self::Mono(mono + by),
            Self::Wall(wall) => Self::Wall(wall + by),
        }
    }

    /// Whether its clock has come to it.
    pub fn has_come(self, now: Now) -> bool {
        match self {
            Self::Mono(mono) => now.mono >= mono,
            Self::Wall(wall) => now.wall >= wall,
        }
    }

    /// When to look whether its clock has come to it, if nobody steps that until then.
    pub(crate) fn comes_at(self, now: Now) -> Mono {
        match self {
            Self::Mono(mono) => mono,
            Self::Wall(wall) => now.mono + wall.since(now.wall),
        }
    }
}

/// How the authority freed a lock.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Freed {
    /// Its lease ran out.
    Expired,
    /// It was given back.
    Released,
    /// Another grant took its place: somebody judged that its time was over.
    Replaced,
    /// The connection that it was bound to was closed.
    Disconnected,
}

/// Why a deadline was set without the holder asking.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Restart {
    /// A new leader does not know how much was left: it starts the lease at full length.
    Full,
    /// It knows, from a checkpoint.
    Remaining,
    /// It knows, and adds a heartbeat interval: what was sent while nobody led may be lost.
    Longer,
    /// The deadline is a date, which it goes by as the old one did.
    Dated,
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
    /// It is in jeopardy: its lease is over by its own count, and the service may have extended it. It does nothing until
    /// it hears so, and then holds by the same grant again; or it does not, and lets go once more, for good.
    Jeopardy,
    /// It was in jeopardy, and its grace period is over: its session counts as expired.
    GraceOver,
}

/// What a service's server or a client announces. Readings are of the announcing process's own host.
///
/// The record is in the order of the service's log, and tells everything at least once: a new leader that finds out only
/// now what is committed may tell again what an old one told, and an old one may tell late. Tokens say what is new.
#[derive(Clone, Debug, PartialEq)]
pub enum Note {
    // --- the authority's record ---
    /// A grant was issued: from now on it is the lock's newest.
    Granted(Box<Granted>),
    /// A lease was renewed.
    Renewed {
        /// Which.
        lease: LeaseId,
        /// Until when, on the authority's clock.
        deadline: Reading,
    },
    /// A new leader took over the leases that it knows, each with a deadline of its own making. It knows no others.
    TookOver {
        /// The term that it leads.
        term: u64,
        /// Which leases, until when, and from what that was set.
        leases: Vec<(LeaseId, Reading, Restart)>,
    },
    /// A server that keeps a service by itself came up again: it knows the grants under these leases, and no others.
    CameUp {
        /// Which.
        knows: Vec<LeaseId>,
    },
    /// A grant ended.
    Freed {
        /// Of which lock.
        lock: Key,
        /// Which.
        grant: GrantId,
        /// How.
        how: Freed,
        /// The number that the service gave to its end, where it numbers its changes.
        revision: Option<u64>,
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
    Holds(Box<Holds>),
    /// It has renewed.
    Extended {
        /// Which lock.
        lock: Key,
        /// By which grant.
        grant: GrantId,
        /// When it sent the request from which it counts.
        sent: Mono,
        /// Its own stop time now.
        stop: Reading,
    },
    /// It begins to renew later than it planned, and counts the time that it has for that from now.
    PutOff {
        /// Which lock.
        lock: Key,
        /// By which grant.
        grant: GrantId,
        /// When it sent the request of its last renewal.
        sent: Mono,
        /// Its own stop time now.
        stop: Reading,
        /// How much later, on its own monotonic clock.
        late: Span,
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
        /// By which grant it held it.
        grant: GrantId,
        /// Why.
        why: Gone,
    },
    /// It waited for a key to go, and was told that it went.
    Woken {
        /// Which lock it waits for.
        lock: Key,
    },
}

/// A grant as the authority recorded it.
#[derive(Clone, Debug, PartialEq)]
pub struct Granted {
    /// Which lock.
    pub lock: Key,
    /// To whom.
    pub holder: ProcessId,
    /// Which grant of it.
    pub grant: GrantId,
    /// Under which lease: its renewals move the deadline.
    pub lease: LeaseId,
    /// With which token, where the service hands out any.
    pub token: Option<Token>,
    /// Until when, on the authority's clock; `None`: for as long as a connection lasts.
    pub deadline: Option<Reading>,
}

/// A grant as its holder was told of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Holds {
    /// Which lock.
    pub lock: Key,
    /// Which grant of it.
    pub grant: GrantId,
    /// With which token, where the service hands out any.
    pub token: Option<Token>,
    /// When it sent the request from which it counts.
    pub sent: Mono,
    /// Its own stop time; `None`: it has none.
    pub stop: Option<Reading>,
}

impl Note {
    /// The word by which a fault can wait for this note.
    pub fn topic(&self) -> Option<Topic> {
        let word = match self {
            Self::Granted(_) => "grants",
            Self::TookOver { .. } => "takes over",
            Self::Freed { how: Freed::Expired | Freed::Replaced | Freed::Disconnected, .. } => "expires",
            Self::Freed { how: Freed::Released, .. } => "frees",
            Self::Wants { .. } => "wants",
            Self::Holds(_) => "acquires",
            Self::Extended { .. } => "renews",
            Self::RenewalFailed { .. } => "fails to renew",
            Self::LetGo { why: Gone::Released, .. } => "releases",
            Self::LetGo { .. } => "loses",
            Self::Woken { .. } => "wakes",
            Self::Renewed { .. }
            | Self::CameUp { .. }
            | Self::Wrote { .. }
            | Self::ReadServed { .. }
            | Self::PutOff { .. }
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
