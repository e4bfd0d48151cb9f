//! What one member sends another, as it is carried.

use std::borrow::Cow;
use std::fmt;
use std::rc::Rc;

use super::Peer;

/// What one member sends another. Most are heartbeats and their answers: those are carried as they are, without an
/// allocation; all else is shared.
#[derive(Clone)]
pub enum Letter {
    /// A heartbeat of the log's leader. Its round fits unless it is one of billions.
    Heartbeat {
        /// The leader's term.
        term: u64,
        /// What is committed.
        commit: u64,
        /// The round.
        round: u32,
    },
    /// The answer to one.
    HeartbeatAnswer {
        /// The follower's term.
        term: u64,
        /// The round.
        round: u64,
    },
    /// All else.
    Other(Rc<Peer>),
}

impl Letter {
    /// What it says.
    pub fn peer(&self) -> Cow<'_, Peer> {
        match *self {
            Self::Heartbeat { term, commit, round } => {
                let round = u64::from(round);
                Cow::Owned(Peer::Raft(raft::Message::Heartbeat { term, commit, round }))
            }
            Self::HeartbeatAnswer { term, round } => {
                Cow::Owned(Peer::Raft(raft::Message::HeartbeatAnswer { term, round }))
            }
            Self::Other(ref peer) => Cow::Borrowed(peer),
        }
    }
}

impl From<Peer> for Letter {
    fn from(peer: Peer) -> Self {
        if let Peer::Raft(raft::Message::Heartbeat { term, commit, round }) = peer
            && let Ok(round) = round.try_into()
        {
            return Self::Heartbeat { term, commit, round };
        }
        if let Peer::Raft(raft::Message::HeartbeatAnswer { term, round }) = peer {
            return Self::HeartbeatAnswer { term, round };
        }
        Self::Other(Rc::new(peer))
    }
}

/// As what it says: how it is carried is nobody's business.
impl fmt::Debug for Letter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.peer().fmt(f)
    }
}
