//! Every kind of lock service behind one face: what a play is cast with, and what the workers of a play embed.
//!
//! A new kind is a module beside `etcd` and a variant in each of the enums here; the compiler tells of every place that
//! has to know it. Nobody else matches on kinds but who shows a server's own state.

mod client;
mod replica;
mod server;
mod single;

use std::rc::Rc;

use kernel::{Dialect, Keep, Now, Span, Wall};

pub use client::ClientKind;
pub use replica::AnyReplica;
pub use server::{Server, ServerConfig};
pub use single::AnyService;

use crate::{
    Key, ServerNote, Token, chubby, claim, consul, etcd, felix, handover, hazelcast, postgres_advisory,
    record, redis_replicated, replicated, service, zookeeper,
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

/// What a server speaks, of whatever kind.
#[derive(Clone, Debug)]
pub struct ServerSpeech;

impl Dialect for ServerSpeech {
    type Msg = Msg;
    type Timer = ServerTimer;
    type Write = Write;
    type Disk = Disk;
    type Note = ServerNote;
    type Role = ();
}

/// A server's timers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ServerTimer {
    /// Of an etcd member.
    Etcd(etcd::ServerTimer),
    /// Of a server that keeps a service by itself.
    Single(service::ServerTimer),
    /// Of a member of a replicated log.
    Member(replicated::MemberTimer),
}

/// A change of a server's disk.
#[derive(Clone, Debug)]
pub enum Write {
    /// Of an etcd member's.
    Etcd(etcd::ServerWrite),
    /// Of a server's that keeps a service by itself.
    Single(service::Kept),
    /// Of a member's of a replicated log.
    Member(replicated::MemberWrite),
}

/// A server's disk.
#[derive(Clone, Debug, Default)]
pub enum Disk {
    /// Nothing yet.
    #[default]
    Empty,
    /// An etcd member's.
    Etcd(etcd::ServerDisk),
    /// A server's that keeps a service by itself.
    Single(service::Kept),
    /// A member's of a replicated log.
    Member(replicated::MemberDisk),
}

impl Keep<Write> for Disk {
    fn keep(&mut self, write: &Write) {
        match (&mut *self, write) {
            (Self::Etcd(disk), Write::Etcd(write)) => disk.keep(write),
            (_, Write::Single(kept)) => *self = Self::Single(kept.clone()),
            (Self::Member(disk), Write::Member(write)) => disk.keep(write),
            (Self::Empty | Self::Single(_) | Self::Etcd(_), Write::Member(write)) => {
                let mut disk = replicated::MemberDisk::default();
                disk.keep(write);
                *self = Self::Member(disk);
            }
            (Self::Empty | Self::Single(_) | Self::Member(_), Write::Etcd(write)) => {
                let mut disk = etcd::ServerDisk::default();
                disk.keep(write);
                *self = Self::Etcd(disk);
            }
        }
    }
}

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
                Request::ZooKeeper(Rc::new(zookeeper::Request::Children { lock: lock.clone() })).msg(id)
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

impl Reply {
    /// The answer to a [`Question`], if this is one.
    fn answers(&self) -> Option<Answer> {
        match self {
            Self::Claim(reply) => match **reply {
                claim::Reply::Looked(held) => Some(Answer::held(held)),
                claim::Reply::Failed(_) => Some(Answer::Unknown),
                claim::Reply::Granted { .. }
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

macro_rules! lifts {
    ($($from:ty => $to:ident :: $variant:ident),* $(,)?) => {$(
        impl From<$from> for $to {
            fn from(inner: $from) -> Self { Self::$variant(inner) }
        }
    )*};
}

lifts! {
    etcd::Msg => Msg::Etcd,
    etcd::ServerTimer => ServerTimer::Etcd,
    etcd::ServerWrite => Write::Etcd,
    service::ServerTimer => ServerTimer::Single,
    service::Kept => Write::Single,
    replicated::MemberTimer => ServerTimer::Member,
    replicated::MemberWrite => Write::Member,
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
