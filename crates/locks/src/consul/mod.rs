//! Consul: sessions, and keys that a session can lock.
//!
//! A session's time to live is a promise to its holder: the leader's timer is twice as long, and a renewal never goes
//! through the log. When a session is destroyed its locks are released, or their keys deleted, and nobody gets them for
//! the lock-delay (15 s): a grace for whatever a holder that has lost its lock is still doing. A lock that is released
//! has no such delay. The sequencer is the key with its LockIndex and session; the LockIndex starts anew when the key is
//! deleted.
//!
//! Left out: health checks (a session here depends on its time to live alone), and default-consistency reads from a
//! leader that does not know yet that it leads no more.
//!
//! Sources: `agent/consul/{session_ttl,session_endpoint,kvs_endpoint}.go`, `agent/consul/state/{session,kvs,delay}.go`,
//! `api/lock.go`.

mod recipe;
mod replica;

pub use recipe::Recipe;
pub use replica::{Consul, Entry, Index, Session};

use kernel::Span;

use crate::{GrantId, Key, Token};

/// What becomes of a session's locks when it ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Behavior {
    /// They are released.
    Release,
    /// Their keys are deleted, and their LockIndex with them.
    Delete,
}

/// What a client asks.
#[derive(Clone, Debug, PartialEq)]
pub enum Request {
    /// A session. Through the log.
    CreateSession {
        /// Its time to live.
        ttl: Span,
        /// What becomes of its locks.
        behavior: Behavior,
        /// For how long nobody gets them when it ends.
        lock_delay: Span,
    },
    /// More time. Never through the log.
    Renew {
        /// Which session.
        session: u64,
    },
    /// The end of a session. Through the log.
    DestroySession {
        /// Which.
        session: u64,
        /// Whether its time ran out.
        expired: bool,
    },
    /// `PUT /kv/key?acquire=session`.
    Acquire {
        /// Which key.
        key: Key,
        /// Which session.
        session: u64,
    },
    /// `PUT /kv/key?release=session`.
    Release {
        /// Which key.
        key: Key,
        /// Which session.
        session: u64,
    },
    /// Whether a session has the key.
    Get {
        /// Which key.
        key: Key,
    },
    /// A blocking query: answered when the key changes.
    Watch {
        /// Which key.
        key: Key,
    },
}

/// An answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reply {
    /// The session is there.
    Session {
        /// Its number.
        session: u64,
        /// Its time to live.
        ttl: Span,
    },
    /// It was renewed for this long.
    Renewed(Span),
    /// There is no such session.
    NoSession,
    /// It is gone.
    Destroyed,
    /// The key is the session's.
    Acquired {
        /// By this grant.
        grant: GrantId,
        /// With this number.
        token: Token,
    },
    /// The key is another session's, or nobody gets it yet.
    NotAcquired,
    /// Whether the key was the session's, and is released.
    Released(bool),
    /// The sequencer's number, if a session has the key.
    Got(Option<Token>),
}

impl Reply {
    /// Whether somebody has the lock, if this says so.
    pub(crate) fn is_held(self) -> Option<bool> {
        match self {
            Self::Got(holder) => Some(holder.is_some()),
            Self::Session { .. }
            | Self::Renewed(_)
            | Self::NoSession
            | Self::Destroyed
            | Self::Acquired { .. }
            | Self::NotAcquired
            | Self::Released(_) => None,
        }
    }
}
