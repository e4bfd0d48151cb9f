//! Every kind of lock service behind one face: what a play is cast with, and what the workers of a play embed.
//!
//! A new kind is a module beside `etcd` and a variant in each of the enums here; the compiler tells of every place that
//! has to know it. Nobody else matches on kinds but who shows a server's own state.

mod client;
mod server;
mod single;

use std::rc::Rc;

use kernel::{Dialect, Keep, Now, Span, Wall};

pub use client::ClientKind;
pub use server::{Server, ServerConfig};
pub use single::AnyService;

use crate::{Key, ServerNote, claim, etcd, record, service};

/// What servers and clients send each other.
#[derive(Clone, Debug)]
pub enum Msg {
    /// With an etcd.
    Etcd(etcd::Msg),
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
    /// A service that keeps records.
    Record(Rc<record::Request>),
}

/// What a server of another kind than etcd answers.
#[derive(Clone, Debug, PartialEq)]
pub enum Reply {
    /// A service that takes claims.
    Claim(Rc<claim::Reply>),
    /// A service that keeps records.
    Record(Rc<record::Reply>),
}

impl Request {
    /// The message that asks it. `id` is the asker's own number.
    pub fn msg(&self, id: u64) -> Msg {
        match self {
            Self::Etcd(request) => Msg::Etcd(etcd::Msg::Request { id, request: request.clone() }),
            Self::Claim(_) | Self::Record(_) => Msg::Request { id, request: self.clone() },
        }
    }

    /// The same, as it is sent when its sender's wall clock reads this.
    pub(crate) fn sent_at(self, now: Wall) -> Self {
        match self {
            Self::Claim(request) => Self::Claim(request.sent_at(now)),
            Self::Etcd(_) | Self::Record(_) => self,
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
}

/// A change of a server's disk.
#[derive(Clone, Debug)]
pub enum Write {
    /// Of an etcd member's.
    Etcd(etcd::ServerWrite),
    /// Of a server's that keeps a service by itself.
    Single(service::Kept),
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
}

impl Keep<Write> for Disk {
    fn keep(&mut self, write: &Write) {
        match (&mut *self, write) {
            (Self::Etcd(disk), Write::Etcd(write)) => disk.keep(write),
            (_, Write::Single(kept)) => *self = Self::Single(kept.clone()),
            (Self::Empty | Self::Single(_), Write::Etcd(write)) => {
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

    /// About a lock of a service that keeps records.
    pub fn record(lock: &Key) -> Self {
        Self(Asks::Record(lock.clone()))
    }

    /// The message that asks it, now. `id` is the asker's own number.
    pub fn msg(&self, id: u64, now: Now) -> Msg {
        match &self.0 {
            Asks::Etcd(request) => Request::Etcd(request.clone()).msg(id),
            Asks::Claim(lock) => {
                let look = claim::Request::Look { lock: lock.clone(), at: now.wall };
                Request::Claim(Rc::new(look)).msg(id)
            }
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
}

impl Msg {
    /// The number that a client gave to the request that this message is, or is about, when it is a client's to hear
    /// or to be refused.
    pub fn of_request(&self) -> Option<u64> {
        match self {
            Self::Etcd(msg) => msg.of_request(),
            Self::Request { id, .. } | Self::Reply { id, .. } | Self::Happened { id } => Some(*id),
        }
    }

    /// The number of the request that this message is, when a client sends it.
    pub fn asks(&self) -> Option<u64> {
        match self {
            Self::Etcd(etcd::Msg::Request { id, .. }) | Self::Request { id, .. } => Some(*id),
            Self::Etcd(_) | Self::Reply { .. } | Self::Happened { .. } => None,
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
            Self::Etcd(_) | Self::Request { .. } => Heard::Nothing,
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
            Self::Etcd(_) | Self::Request { .. } | Self::Reply { .. } | Self::Happened { .. } => None,
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
            Self::Etcd(_) | Self::Request { .. } | Self::Reply { .. } | Self::Happened { .. } => None,
        }
    }
}

impl Reply {
    /// The answer to a [`Question`], if this is one.
    fn answers(&self) -> Option<Answer> {
        match self {
            Self::Claim(reply) => match **reply {
                claim::Reply::Looked(held) => Some(if held { Answer::Held } else { Answer::Free }),
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
}

impl From<claim::Reply> for Reply {
    fn from(reply: claim::Reply) -> Self {
        Self::Claim(Rc::new(reply))
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
