//! What servers and clients send each other, of every kind.

use std::rc::Rc;

use kernel::Wall;

use crate::{
    chubby, claim, consul, etcd, felix, handover, hazelcast, postgres_advisory, record, redis_replicated,
    replicated, zookeeper,
};

/// What servers and clients send each other.
#[derive(Clone, Debug)]
pub enum Msg {
    /// With an etcd.
    Etcd(etcd::Msg),
    /// Between servers of another kind.
    Peer(Rc<Peer>),
    /// Between members of a replicated log of another kind.
    Member(replicated::Letter),
    /// From a server: the request with this number will be told.
    WatchIsOn {
        /// The asker's number.
        id: u64,
    },
    /// To a server of another kind: please do.
    Request {
        /// The asker's number.
        id: u64,
        /// What.
        request: Request,
    },
    /// From it: how that went.
    Reply {
        /// The asker's number.
        id: u64,
        /// How it went.
        reply: Reply,
    },
    /// From it: what the request with this number asked to be told of has happened.
    Happened {
        /// The asker's number.
        id: u64,
    },
}

/// What a client asks a server.
#[derive(Clone, Debug, PartialEq)]
pub enum Request {
    /// An etcd.
    Etcd(Rc<etcd::Request>),
    /// A service that takes claims.
    Claim(Rc<claim::Request>),
    /// A PostgreSQL's advisory locks.
    Advisory(Rc<postgres_advisory::Request>),
    /// A service that keeps records.
    Record(Rc<record::Request>),
    /// A copy of a single writer's flag.
    Handover(Rc<handover::Request>),
    /// A Consul.
    Consul(Rc<consul::Request>),
    /// A ZooKeeper.
    ZooKeeper(Rc<zookeeper::Request>),
    /// A Felix.
    Felix(Rc<felix::Request>),
    /// A Hazelcast.
    Hazelcast(Rc<hazelcast::Request>),
    /// A Chubby.
    Chubby(Rc<chubby::Request>),
}

/// What servers of one service tell each other.
#[derive(Clone, Debug)]
pub enum Peer {
    /// Of a Redis with others that copy it.
    Redis(redis_replicated::Peer),
}

/// What a server of another kind than etcd answers.
#[derive(Clone, Debug, PartialEq)]
pub enum Reply {
    /// A service that takes claims.
    Claim(Rc<claim::Reply>),
    /// A PostgreSQL's advisory locks.
    Advisory(Rc<postgres_advisory::Reply>),
    /// A service that keeps records.
    Record(Rc<record::Reply>),
    /// A copy of a single writer's flag.
    Handover(Rc<handover::Reply>),
    /// A Consul.
    Consul(Rc<consul::Reply>),
    /// A ZooKeeper.
    ZooKeeper(Rc<zookeeper::Reply>),
    /// A Felix.
    Felix(Rc<felix::Reply>),
    /// A Hazelcast.
    Hazelcast(Rc<hazelcast::Reply>),
    /// A Chubby.
    Chubby(Rc<chubby::Reply>),
    /// Nobody leads, as far as the server knows: nothing was done.
    NoLeader,
}

impl Request {
    /// The message that asks it. `id` is the asker's own number.
    pub fn msg(&self, id: u64) -> Msg {
        match self {
            Self::Etcd(request) => Msg::Etcd(etcd::Msg::Request { id, request: request.clone() }),
            Self::Claim(_)
            | Self::Record(_)
            | Self::Handover(_)
            | Self::Consul(_)
            | Self::ZooKeeper(_)
            | Self::Advisory(_)
            | Self::Hazelcast(_)
            | Self::Chubby(_)
            | Self::Felix(_) => Msg::Request { id, request: self.clone() },
        }
    }

    /// The same, as it is sent when its sender's wall clock reads this.
    pub(crate) fn sent_at(self, now: Wall) -> Self {
        match self {
            Self::Claim(request) => Self::Claim(request.sent_at(now)),
            Self::Etcd(_)
            | Self::Record(_)
            | Self::Handover(_)
            | Self::Consul(_)
            | Self::ZooKeeper(_)
            | Self::Advisory(_)
            | Self::Hazelcast(_)
            | Self::Chubby(_)
            | Self::Felix(_) => self,
        }
    }
}

/// What a client hears, of the request with this number of its own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Heard {
    /// It is answered.
    Reply(u64),
    /// It will be told.
    WatchIsOn(u64),
    /// What it asked to be told of has happened.
    Happened(u64),
    /// This is not for a client.
    Nothing,
}

impl Msg {
    /// What an operator tells a replica of Redis: to be the primary.
    pub fn promote() -> Self {
        Self::Peer(Rc::new(Peer::Redis(redis_replicated::Peer::Promote)))
    }

    /// The number that a client gave to the request that this message is, or is about, when it is a client's to hear
    /// or to be refused.
    pub fn of_request(&self) -> Option<u64> {
        match self {
            Self::Etcd(msg) => msg.of_request(),
            Self::Request { id, .. } | Self::Reply { id, .. } | Self::Happened { id } => Some(*id),
            Self::WatchIsOn { id } => Some(*id),
            Self::Peer(_) | Self::Member(_) => None,
        }
    }

    /// The number of the request that this message is, when a client sends it.
    pub fn asks(&self) -> Option<u64> {
        match self {
            Self::Etcd(etcd::Msg::Request { id, .. }) | Self::Request { id, .. } => Some(*id),
            Self::Etcd(_)
            | Self::Peer(_)
            | Self::Member(_)
            | Self::WatchIsOn { .. }
            | Self::Reply { .. }
            | Self::Happened { .. } => None,
        }
    }

    /// What a client hears in it.
    pub(crate) fn heard(&self) -> Heard {
        match self {
            Self::Etcd(etcd::Msg::Reply { id, reply }) if **reply == etcd::Reply::Watching => {
                Heard::WatchIsOn(*id)
            }
            Self::Etcd(etcd::Msg::Reply { id, .. }) => Heard::Reply(*id),
            Self::Etcd(etcd::Msg::Deleted { id, .. }) | Self::Happened { id } => Heard::Happened(*id),
            Self::Reply { id, .. } => Heard::Reply(*id),
            Self::WatchIsOn { id } => Heard::WatchIsOn(*id),
            Self::Etcd(_) | Self::Peer(_) | Self::Member(_) | Self::Request { .. } => Heard::Nothing,
        }
    }

    /// The number of the service's state that this answer acknowledges: what it may never go back behind.
    pub fn acknowledges(&self) -> Option<u64> {
        match self {
            Self::Etcd(etcd::Msg::Reply { reply, .. }) => match &**reply {
                etcd::Reply::Txn(done) => Some(done.revision),
                etcd::Reply::Granted { .. }
                | etcd::Reply::KeptAlive(_)
                | etcd::Reply::Revoked(_)
                | etcd::Reply::Got(_)
                | etcd::Reply::Watching
                | etcd::Reply::Failed(_) => None,
            },
            Self::Etcd(_)
            | Self::Peer(_)
            | Self::Member(_)
            | Self::WatchIsOn { .. }
            | Self::Request { .. }
            | Self::Reply { .. }
            | Self::Happened { .. } => None,
        }
    }
}

impl From<etcd::Msg> for Msg {
    fn from(msg: etcd::Msg) -> Self {
        Self::Etcd(msg)
    }
}
impl From<claim::Reply> for Reply {
    fn from(reply: claim::Reply) -> Self {
        Self::Claim(Rc::new(reply))
    }
}
impl From<postgres_advisory::Reply> for Reply {
    fn from(reply: postgres_advisory::Reply) -> Self {
        Self::Advisory(Rc::new(reply))
    }
}
impl From<handover::Reply> for Reply {
    fn from(reply: handover::Reply) -> Self {
        Self::Handover(Rc::new(reply))
    }
}
impl From<consul::Reply> for Reply {
    fn from(reply: consul::Reply) -> Self {
        Self::Consul(Rc::new(reply))
    }
}
impl From<zookeeper::Reply> for Reply {
    fn from(reply: zookeeper::Reply) -> Self {
        Self::ZooKeeper(Rc::new(reply))
    }
}
impl From<hazelcast::Reply> for Reply {
    fn from(reply: hazelcast::Reply) -> Self {
        Self::Hazelcast(Rc::new(reply))
    }
}
impl From<chubby::Reply> for Reply {
    fn from(reply: chubby::Reply) -> Self {
        Self::Chubby(Rc::new(reply))
    }
}
impl From<record::Reply> for Reply {
    fn from(reply: record::Reply) -> Self {
        Self::Record(Rc::new(reply))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each message is moved and kept; a kind whose bodies are larger shares them.
    #[test]
    fn messages_of_all_kinds_are_small() {
        assert_eq!(size_of::<Msg>(), 32);
    }
}
