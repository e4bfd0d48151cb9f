//! What somebody asks about a lock who does not want it, and what the answers mean.

use std::rc::Rc;

use kernel::{Now, Span};

use super::{Msg, Reply, Request};
use crate::{
    Key, Token, chubby, claim, consul, etcd, felix, handover, hazelcast, postgres_advisory, record, zookeeper,
};

/// Whether a lock has a holder, as somebody asks who does not want it: a sweeper.
#[derive(Clone, Debug)]
pub struct Question(Asks);

/// The answer to a [`Question`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Answer {
    /// Somebody holds the lock, or waits for it.
    Held,
    /// Nobody does.
    Free,
    /// A record names a holder, and nobody can say whether that one's time is over who has not watched it stand still.
    Stands {
        /// Which version of the record.
        version: u64,
        /// For how long after its last change a watcher lets it stand.
        duration: Span,
    },
    /// The server cannot tell.
    Unknown,
}

impl Answer {
    fn held(held: bool) -> Self {
        if held { Self::Held } else { Self::Free }
    }
}

impl Question {
    /// About a lock of an etcd whose holders stand in line, or do not: for its key, or for the youngest of those in line.
    pub fn etcd(lock: &Key, in_line: bool) -> Self {
        Self(Asks::Etcd(Rc::new(if in_line {
            etcd::Request::LastCreatedBefore { prefix: format!("{lock}/").into(), revision: u64::MAX }
        } else {
            etcd::Request::Get { key: lock.clone(), serializable: false }
        })))
    }

    /// About a lock of a service that takes claims.
    pub fn claim(lock: &Key) -> Self {
        Self(Asks::Claim(lock.clone()))
    }

    /// About an advisory lock of a PostgreSQL.
    pub fn advisory(lock: &Key) -> Self {
        Self(Asks::Advisory(lock.clone()))
    }

    /// About a single writer's flag.
    pub fn handover(lock: &Key) -> Self {
        Self(Asks::Handover(lock.clone()))
    }

    /// About a lock of a Consul.
    pub fn consul(lock: &Key) -> Self {
        Self(Asks::Consul(lock.clone()))
    }

    /// About a lock of a Hazelcast.
    pub fn hazelcast(lock: &Key) -> Self {
        Self(Asks::Hazelcast(lock.clone()))
    }

    /// About a lock of a Chubby.
    pub fn chubby(lock: &Key) -> Self {
        Self(Asks::Chubby(lock.clone(), None))
    }

    /// About a lock of a ZooKeeper.
    pub fn zookeeper(lock: &Key) -> Self {
        Self(Asks::ZooKeeper(lock.clone()))
    }

    /// About a lock of a Felix.
    pub fn felix(lock: &Key) -> Self {
        Self(Asks::Felix(lock.clone()))
    }

    /// About a lock of a service that keeps records.
    pub fn record(lock: &Key) -> Self {
        Self(Asks::Record(lock.clone()))
    }

    /// The same about one grant: whether that is still there. Among those in line each has a key of its own.
    #[must_use]
    pub fn of_grant(&self, token: Token) -> Self {
        match &self.0 {
            Asks::Etcd(request) => match &**request {
                etcd::Request::LastCreatedBefore { prefix, .. } => {
                    let (prefix, revision) = (prefix.clone(), token.0);
                    Self(Asks::Etcd(Rc::new(etcd::Request::LastCreatedBefore { prefix, revision })))
                }
                etcd::Request::Grant(_)
                | etcd::Request::KeepAlive(_)
                | etcd::Request::Revoke(_)
                | etcd::Request::Txn(_)
                | etcd::Request::Get { .. }
                | etcd::Request::WatchDelete { .. } => self.clone(),
            },
            Asks::Chubby(lock, _) => Self(Asks::Chubby(lock.clone(), Some(token))),
            Asks::Claim(_)
            | Asks::Record(_)
            | Asks::Advisory(_)
            | Asks::Handover(_)
            | Asks::Consul(_)
            | Asks::ZooKeeper(_)
            | Asks::Hazelcast(_)
            | Asks::Felix(_) => self.clone(),
        }
    }

    /// The message that asks it, now. `id` is the asker's own number.
    pub fn msg(&self, id: u64, now: Now) -> Msg {
        match &self.0 {
            Asks::Etcd(request) => Request::Etcd(request.clone()).msg(id),
            Asks::Claim(lock) => {
                let look = claim::Request::Look { lock: lock.clone(), at: now.wall };
                Request::Claim(Rc::new(look)).msg(id)
            }
            Asks::Advisory(lock) => {
                Request::Advisory(Rc::new(postgres_advisory::Request::Look { lock: lock.clone() })).msg(id)
            }
            Asks::Handover(lock) => {
                Request::Handover(Rc::new(handover::Request::Look { lock: lock.clone() })).msg(id)
            }
            Asks::Hazelcast(lock) => {
                Request::Hazelcast(Rc::new(hazelcast::Request::IsLocked { lock: lock.clone() })).msg(id)
            }
            Asks::Chubby(lock, token) => {
                let (lock, generation) = (lock.clone(), token.map(|token| token.0));
                let check = chubby::Request::CheckSequencer { lock, generation };
                Request::Chubby(Rc::new(check)).msg(id)
            }
            Asks::Consul(lock) => {
                Request::Consul(Rc::new(consul::Request::Get { key: lock.clone() })).msg(id)
            }
            Asks::ZooKeeper(lock) => {
                let children = zookeeper::Request::Children { lock: lock.clone(), session: None };
                Request::ZooKeeper(Rc::new(children)).msg(id)
            }
            Asks::Felix(lock) => Request::Felix(Rc::new(felix::Request::Get { lock: lock.clone() })).msg(id),
            Asks::Record(lock) => {
                Request::Record(Rc::new(record::Request::Get { lock: lock.clone() })).msg(id)
            }
        }
    }
}

#[derive(Clone, Debug)]
enum Asks {
    Etcd(Rc<etcd::Request>),
    Claim(Key),
    Record(Key),
    Advisory(Key),
    Handover(Key),
    Consul(Key),
    ZooKeeper(Key),
    Felix(Key),
    Hazelcast(Key),
    /// With a token: about the sequencer.
    Chubby(Key, Option<Token>),
}

impl Msg {
    /// The answer to a [`Question`] with this number, if this is one.
    pub fn answers(&self, question: u64) -> Option<Answer> {
        match self {
            Self::Etcd(etcd::Msg::Reply { id, reply }) if *id == question => match &**reply {
                etcd::Reply::Got(found) if found.key.is_some() => Some(Answer::Held),
                etcd::Reply::Got(_) => Some(Answer::Free),
                etcd::Reply::Failed(_) => Some(Answer::Unknown),
                etcd::Reply::Granted { .. }
                | etcd::Reply::KeptAlive(_)
                | etcd::Reply::Revoked(_)
                | etcd::Reply::Txn(_)
                | etcd::Reply::Watching => None,
            },
            Self::Reply { id, reply } if *id == question => reply.answers(),
            Self::Etcd(_)
            | Self::Peer(_)
            | Self::Member(_)
            | Self::WatchIsOn { .. }
            | Self::Request { .. }
            | Self::Reply { .. }
            | Self::Happened { .. } => None,
        }
    }

    /// What the answer to a [`Question`] of this number says of the grant with this token, where its service can tell
    /// grants apart.
    pub fn shows_grant(&self, question: u64, token: Token) -> Option<Answer> {
        let held = match self {
            Self::Etcd(etcd::Msg::Reply { reply, .. }) => match &**reply {
                etcd::Reply::Got(found) => {
                    found.key.as_ref().is_some_and(|(_, value)| value.create_revision == token.0)
                }
                etcd::Reply::Granted { .. }
                | etcd::Reply::KeptAlive(_)
                | etcd::Reply::Revoked(_)
                | etcd::Reply::Txn(_)
                | etcd::Reply::Watching
                | etcd::Reply::Failed(_) => false,
            },
            Self::Reply { reply: Reply::Consul(reply), .. } => **reply == consul::Reply::Got(Some(token)),
            Self::Reply { reply: Reply::ZooKeeper(reply), .. } => reply.has_node_of(token),
            Self::Reply { reply: Reply::Chubby(reply), .. } => **reply == chubby::Reply::Sequencer(true),
            Self::Etcd(_)
            | Self::Peer(_)
            | Self::Member(_)
            | Self::WatchIsOn { .. }
            | Self::Request { .. }
            | Self::Reply { .. }
            | Self::Happened { .. } => false,
        };
        match self.answers(question)? {
            Answer::Unknown => Some(Answer::Unknown),
            Answer::Held | Answer::Free | Answer::Stands { .. } => Some(Answer::held(held)),
        }
    }
}

impl Reply {
    /// The answer to a [`Question`], if this is one.
    fn answers(&self) -> Option<Answer> {
        match self {
            Self::Claim(reply) => match **reply {
                claim::Reply::Looked(held) => Some(Answer::held(held)),
                claim::Reply::Failed(_) => Some(Answer::Unknown),
                claim::Reply::Granted { .. }
                | claim::Reply::TooFewHave
                | claim::Reply::Taken
                | claim::Reply::Renewed(_)
                | claim::Reply::Released(_) => None,
            },
            Self::Record(reply) => match &**reply {
                record::Reply::Got(Some(kept)) if kept.record.holder.is_some() => {
                    Some(Answer::Stands { version: kept.version, duration: kept.record.duration })
                }
                record::Reply::Got(_) => Some(Answer::Free),
                record::Reply::Written { .. } | record::Reply::Deleted | record::Reply::Conflict => None,
            },
            Self::Advisory(reply) => match **reply {
                postgres_advisory::Reply::Looked(held) => Some(Answer::held(held)),
                postgres_advisory::Reply::Granted(_)
                | postgres_advisory::Reply::Taken
                | postgres_advisory::Reply::Unlocked(_)
                | postgres_advisory::Reply::Stands(_) => None,
            },
            Self::Handover(reply) => match **reply {
                handover::Reply::Says { taken, .. } => Some(Answer::held(taken)),
                handover::Reply::Done(_) => None,
            },
            Self::Consul(reply) => reply.is_held().map(Answer::held),
            Self::ZooKeeper(reply) => reply.is_held().map(Answer::held),
            Self::Felix(reply) => reply.is_held().map(Answer::held),
            Self::Hazelcast(reply) => reply.is_held().map(Answer::held),
            Self::Chubby(reply) => reply.is_held().map(Answer::held),
            Self::NoLeader => Some(Answer::Unknown),
        }
    }
}
