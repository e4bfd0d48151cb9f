//! ZooKeeper: sessions, ephemeral sequential nodes, and a watch on the one just ahead.
//!
//! A session's timeout is negotiated: 2 to 20 ticks. Any server answers pings and reads, which show that a client is there; a
//! follower tells the leader every half tick whom it has heard of, and the leader alone lets sessions expire, in buckets of a tick. The end of a session is
//! one transaction, which deletes its nodes. A new leader starts every session at full length. A client that is cut off
//! does not learn that its session has expired before it has reached a server again.
//!
//! What can stand for a fencing token: the zxid at which a node was created (epoch and counter), or its sequence number,
//! which is its parent's and begins anew with that.
//!
//! Left out: names before the sequence number and the GUID by which a client finds a node whose creation it did not hear
//! of (here it gives up the session and begins anew), moving sessions, and observers.
//!
//! Sources: `server/{SessionTrackerImpl,ExpiryQueue,PrepRequestProcessor,DataTree}.java`,
//! `server/quorum/{Leader,Learner,LearnerSessionTracker}.java`, Curator's `LockInternals`.

mod recipe;
mod replica;

pub use recipe::Recipe;
pub use replica::{Node, Number, Session, ZooKeeper};

use kernel::Span;

use crate::{Key, Token};

/// What a client asks.
#[derive(Clone, Debug, PartialEq)]
pub enum Request {
    /// A session. Through the log.
    Connect {
        /// The timeout that the client would like.
        timeout: Span,
    },
    /// The client is there.
    Ping {
        /// Which session.
        session: u64,
    },
    /// The client is there again, over a new connection: the leader says whether it still has its session.
    Reconnect {
        /// Which session.
        session: u64,
    },
    /// From a follower: these were heard of.
    Touch {
        /// Which sessions.
        sessions: Vec<u64>,
    },
    /// An ephemeral sequential node below the lock's. Through the log.
    Create {
        /// Which lock.
        lock: Key,
        /// Whose.
        session: u64,
    },
    /// A node is deleted. Through the log.
    Delete {
        /// Which lock.
        lock: Key,
        /// Which node.
        sequence: u64,
    },
    /// The end of a session and of its nodes. Through the log.
    Close {
        /// Which.
        session: u64,
        /// Whether its time ran out.
        expired: bool,
    },
    /// `getChildren`, from the server's own state.
    Children {
        /// Of which lock.
        lock: Key,
        /// On whose connection: whatever comes on it shows that the client is there.
        session: Option<u64>,
    },
    /// `exists` with a watch, from the server's own state.
    Watch {
        /// Of which lock.
        lock: Key,
        /// Which node.
        sequence: u64,
        /// On whose connection.
        session: Option<u64>,
    },
}

impl Request {
    /// Whose connection it came on, where the server that is asked answers by itself, or the leader does.
    fn session(&self) -> Option<u64> {
        match self {
            Self::Ping { session } | Self::Reconnect { session } => Some(*session),
            Self::Children { session, .. } | Self::Watch { session, .. } => *session,
            Self::Connect { .. }
            | Self::Touch { .. }
            | Self::Create { .. }
            | Self::Delete { .. }
            | Self::Close { .. } => None,
        }
    }
}

/// An answer.
#[derive(Clone, Debug, PartialEq)]
pub enum Reply {
    /// The session is there.
    Connected {
        /// Its number.
        session: u64,
        /// The timeout that it got.
        timeout: Span,
    },
    /// The server has heard.
    Pong,
    /// There is no such session: it has expired.
    Expired,
    /// The node is there.
    Created {
        /// Its number below the lock's node.
        sequence: u64,
        /// The transaction that created it.
        czxid: u64,
    },
    /// The node is gone.
    Deleted,
    /// The session is gone.
    Closed,
    /// The nodes below the lock's, by their numbers, and the transactions that created them.
    Children(Vec<(u64, u64)>),
}

impl Reply {
    /// Whether one of the nodes below the lock's is numbered so: by its czxid or its sequence, whichever is the token.
    /// The two are never of the same size: an epoch is in the upper half of a czxid.
    pub(crate) fn has_node_of(&self, token: Token) -> bool {
        match self {
            Self::Children(nodes) => {
                nodes.iter().any(|(sequence, czxid)| *sequence == token.0 || *czxid == token.0)
            }
            Self::Connected { .. }
            | Self::Pong
            | Self::Expired
            | Self::Created { .. }
            | Self::Deleted
            | Self::Closed => false,
        }
    }

    /// Whether somebody has the lock, if this says so.
    pub(crate) fn is_held(&self) -> Option<bool> {
        match self {
            Self::Children(nodes) => Some(!nodes.is_empty()),
            Self::Connected { .. }
            | Self::Pong
            | Self::Expired
            | Self::Created { .. }
            | Self::Deleted
            | Self::Closed => None,
        }
    }
}
