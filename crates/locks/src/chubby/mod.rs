//! Chubby: sessions that a held-back answer keeps alive, locks that are files, and generations of locks as tokens.
//!
//! One replica of the cell is the master; that it still is it knows by a lease of its own. Who has a session and which
//! locks is in the log; when a session's lease ends is in the master's memory. A client always has a KeepAlive at the
//! master, which answers it shortly before the lease ends and extends it with the answer. The client counts on less: from
//! when it *sent* the KeepAlive, for as long as the master says that it held it back and as the lease then runs, less
//! what clocks may differ. When that is over it is in *jeopardy*: it does not know whether its session lives, does nothing
//! under its locks, and has a grace period to hear of a master. Then it is safe again, or its session has expired.
//!
//! A new master does not know how much of any lease is left: it extends them all to the most that the old one can have
//! promised. Its epoch is a new one; a call that carries another is refused. Until every session has been heard of in the
//! new epoch, or is over, the master does nothing but answer KeepAlives.
//!
//! A lock's generation counts how often it went from free to held: name and generation are the sequencer, and the
//! generation is the token. When the session of a holder *expires*, nobody gets its locks for the lock-delay that the
//! holder asked for (at most a minute). A lock that is released has no delay.
//!
//! What is chosen here, because the paper does not say: the master says how long it held a KeepAlive back; a KeepAlive
//! says which extension its client heard of last, and is answered at once if that is not the present one; that a lock is
//! delayed is in the log, how much of the delay is over is not, and a new master begins it anew. The refusal that names
//! the new epoch is the fail-over event, and the first KeepAlive that carries it the acknowledgement.
//!
//! Left out: the shared mode, files' contents and names, caches and their invalidation, events that ride on answers to
//! KeepAlives (here they come by themselves), ephemeral files, proxies, and longer leases under load. A request to another
//! replica is passed on, where the real one names the master.
//!
//! Source: M. Burrows, "The Chubby lock service for loosely-coupled distributed systems", OSDI 2006, sections 2.4, 2.8
//! and 2.9.

mod master;
mod recipe;
mod replica;

pub use master::{Lease, Standing};
pub use recipe::Recipe;
pub use replica::{Chubby, Config, Holder, Lock};

use kernel::{Mono, Span};

use crate::{GrantId, Key, Token};

/// What a client asks, or the master.
#[derive(Clone, Debug, PartialEq)]
pub enum Request {
    /// A session. Through the log.
    OpenSession,
    /// The client is there. Held back by the master until shortly before the lease ends; never through the log.
    KeepAlive {
        /// Which session.
        session: u64,
        /// In which master's epoch.
        epoch: u64,
        /// The number of the last extension in this epoch that the client has heard of.
        heard: u64,
    },
    /// From the master to itself: the KeepAlive is to be answered, if it still is the master. Never through the log.
    Extend {
        /// Which session.
        session: u64,
        /// When the KeepAlive came, on the master's clock.
        received: Mono,
    },
    /// The end of a session, by its client. Through the log.
    CloseSession {
        /// Which.
        session: u64,
        /// In which master's epoch.
        epoch: u64,
    },
    /// From the master: the session's lease is over. Through the log.
    Expire {
        /// Which.
        session: u64,
    },
    /// The lock, in the exclusive mode, if nobody has it. Through the log.
    Acquire {
        /// Which lock.
        lock: Key,
        /// Whose.
        session: u64,
        /// In which master's epoch.
        epoch: u64,
        /// For how long nobody is to get it when the session expires.
        lock_delay: Span,
    },
    /// The lock is given back. Through the log.
    Release {
        /// Which lock.
        lock: Key,
        /// Whose.
        session: u64,
        /// In which master's epoch.
        epoch: u64,
    },
    /// From the master: the lock-delay is over. Through the log.
    EndDelay {
        /// On which lock.
        lock: Key,
        /// After which generation of it.
        generation: u64,
    },
    /// Whether a sequencer is valid: whether the lock is held in this generation, or in any.
    CheckSequencer {
        /// Which lock.
        lock: Key,
        /// Which generation.
        generation: Option<u64>,
    },
    /// From the master to itself: a sequencer is to be checked, if it still is the master. Never through the log.
    Validate {
        /// Which lock.
        lock: Key,
        /// Which generation.
        generation: Option<u64>,
    },
    /// Tell when the lock can be had.
    Watch {
        /// Which lock.
        lock: Key,
    },
}

impl Request {
    /// The same, as it is asked of the master of this epoch.
    fn in_epoch(&self, now: u64) -> Self {
        let mut same = self.clone();
        match &mut same {
            Self::KeepAlive { epoch, .. }
            | Self::CloseSession { epoch, .. }
            | Self::Acquire { epoch, .. }
            | Self::Release { epoch, .. } => *epoch = now,
            Self::OpenSession
            | Self::Extend { .. }
            | Self::Expire { .. }
            | Self::EndDelay { .. }
            | Self::CheckSequencer { .. }
            | Self::Validate { .. }
            | Self::Watch { .. } => {}
        }
        same
    }

    /// The epoch that it carries, if it carries one.
    fn epoch(&self) -> Option<u64> {
        match self {
            Self::KeepAlive { epoch, .. }
            | Self::CloseSession { epoch, .. }
            | Self::Acquire { epoch, .. }
            | Self::Release { epoch, .. } => Some(*epoch),
            Self::OpenSession
            | Self::Extend { .. }
            | Self::Expire { .. }
            | Self::EndDelay { .. }
            | Self::CheckSequencer { .. }
            | Self::Validate { .. }
            | Self::Watch { .. } => None,
        }
    }
}

/// An answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reply {
    /// The session is there.
    Opened {
        /// Its number.
        session: u64,
        /// The master's epoch.
        epoch: u64,
        /// How long its first lease is.
        lease: Span,
    },
    /// The session's lease as it stands.
    Lease {
        /// The number of its last extension in this epoch.
        number: u64,
        /// For how long the KeepAlive was held back.
        held: Span,
        /// How long the lease still runs.
        left: Span,
    },
    /// The call's epoch is not this one, the master's: nothing was done.
    Epoch(u64),
    /// The master is new and has not heard of all sessions yet: nothing was done.
    Recovers,
    /// There is no such session: it was closed, or has expired.
    NoSession,
    /// The session is gone.
    Closed,
    /// The lock is the session's.
    Acquired {
        /// By this grant.
        grant: GrantId,
        /// In this generation.
        generation: Token,
    },
    /// The lock is another session's, or nobody gets it yet.
    NotAcquired,
    /// Whether the lock was the session's, and is free.
    Released(bool),
    /// Whether the sequencer is valid.
    Sequencer(bool),
}

impl Reply {
    /// Whether the lock is held as was asked, if this says so.
    pub(crate) fn is_held(self) -> Option<bool> {
        match self {
            Self::Sequencer(valid) => Some(valid),
            Self::Opened { .. }
            | Self::Lease { .. }
            | Self::Epoch(_)
            | Self::Recovers
            | Self::NoSession
            | Self::Closed
            | Self::Acquired { .. }
            | Self::NotAcquired
            | Self::Released(_) => None,
        }
    }
}
