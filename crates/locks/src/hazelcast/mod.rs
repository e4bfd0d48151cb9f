//! Hazelcast's CP subsystem: `FencedLock`, with sessions that live in the log.
//!
//! Who holds, who waits, which sessions there are and each one's version are replicated: creation, heartbeats, closing and
//! expiry all go through the log. *When* a session expires is not: every member that applies a heartbeat sets
//! `max(old, its own wall clock + TTL)`, so members differ there. The leader compares its own with its own wall clock every
//! second and proposes the end of what is over, with the version that it saw; a heartbeat that is committed before has
//! changed the version, and that end does nothing. So members agree on everything that is answered, whatever their
//! clocks say. A new leader adds a heartbeat interval to all expirations.
//!
//! The fence is the index in the log of the request that owns the lock. One that waited has its *own* request's: lower
//! than the index of the unlock that let it in, and above the last owner's. A request that is sent once more has the same
//! uid, and changes nothing. A session that has the lock and asks again keeps its fence and counts up.
//!
//! Left out: threads (a session is one owner), `tryLock` with a time, the limit of reentrancy, a member's loss of its
//! memory (CP persistence is off by default: here it is on), AP locks and merging. Only the new leader adds the
//! interval, where the real one does so on every member. A client closes its session when it gives the lock back, where
//! the real one keeps it for the next.
//!
//! Sources: `cp/internal/datastructures/lock/Lock.java`, `cp/internal/session/{CPSessionInfo,RaftSessionRegistry,
//! RaftSessionService}.java`, `cp/internal/session/AbstractProxySessionManager.java`, `config/cp/CPSubsystemConfig.java`.

mod recipe;
mod replica;

pub use recipe::Recipe;
pub use replica::{FencedLock, Hazelcast, Owner, Session};

use kernel::Span;

use crate::{Key, Token};

/// What a client asks, or the leader.
#[derive(Clone, Debug, PartialEq)]
pub enum Request {
    /// A session. Through the log.
    CreateSession,
    /// The client is there. Through the log.
    Heartbeat {
        /// Which session.
        session: u64,
    },
    /// The end of a session, its locks and its waits. Through the log.
    CloseSession {
        /// Which.
        session: u64,
    },
    /// From the leader: these were over, in these versions. Through the log.
    Expire {
        /// Sessions and their versions.
        sessions: Vec<(u64, u64)>,
    },
    /// The lock, or a place in line. Through the log.
    Lock {
        /// Which lock.
        lock: Key,
        /// Whose.
        session: u64,
        /// The same when it is asked once more.
        uid: u64,
    },
    /// The lock is given back. Through the log.
    Unlock {
        /// Which lock.
        lock: Key,
        /// Whose.
        session: u64,
        /// The same when it is asked once more.
        uid: u64,
    },
    /// Tell when this session waits no more.
    Await {
        /// Which lock.
        lock: Key,
        /// Whose.
        session: u64,
    },
    /// Whether somebody has it.
    IsLocked {
        /// Which lock.
        lock: Key,
    },
}

/// An answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reply {
    /// The session is there.
    Session {
        /// Its number.
        session: u64,
        /// Its time to live.
        ttl: Span,
    },
    /// The session lives on, for this long.
    Alive(Span),
    /// There is no such session: it was closed, or has expired.
    NoSession,
    /// The session is gone.
    Closed,
    /// The lock is the session's.
    Locked {
        /// The fence.
        fence: Token,
    },
    /// The request is in line.
    Waits,
    /// Whether the lock was given back: it was the session's.
    Unlocked(bool),
    /// Whether somebody has it.
    IsLocked(bool),
}

impl Reply {
    /// Whether somebody has the lock, if this says so.
    pub(crate) fn is_held(self) -> Option<bool> {
        match self {
            Self::IsLocked(held) => Some(held),
            Self::Session { .. }
            | Self::Alive(_)
            | Self::NoSession
            | Self::Closed
            | Self::Locked { .. }
            | Self::Waits
            | Self::Unlocked(_) => None,
        }
    }
}
