//! Every kind of lock service behind one face: what a play is cast with, and what the workers of a play embed.
//!
//! A new kind is a module beside `etcd` and a variant in each of the enums here; the compiler tells of every place that
//! has to know it. Nobody else matches on kinds but who shows a server's own state.

mod client;
mod server;

use std::rc::Rc;

use kernel::{Dialect, Keep};

pub use client::{Client, ClientConfig};
pub use server::{Server, ServerConfig};

use crate::{Key, Note, ServerNote, etcd};

/// What servers and clients send each other.
#[derive(Clone, Debug)]
pub enum Msg {
    /// With an etcd.
    Etcd(etcd::Msg),
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

/// What a client speaks, of whatever kind.
#[derive(Clone, Debug)]
pub struct ClientSpeech;

impl Dialect for ClientSpeech {
    type Msg = Msg;
    type Timer = ClientTimer;
    type Write = ();
    type Disk = ();
    type Note = Note;
    type Role = ();
}

/// A server's timers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ServerTimer {
    /// Of an etcd member.
    Etcd(etcd::ServerTimer),
}

/// A client's timers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ClientTimer {
    /// Of an etcd's client.
    Etcd(etcd::ClientTimer),
}

/// A change of a server's disk.
#[derive(Clone, Debug)]
pub enum Write {
    /// Of an etcd member's.
    Etcd(etcd::ServerWrite),
}

/// A server's disk.
#[derive(Clone, Debug, Default)]
pub enum Disk {
    /// Nothing yet.
    #[default]
    Empty,
    /// An etcd member's.
    Etcd(etcd::ServerDisk),
}

impl Keep<Write> for Disk {
    fn keep(&mut self, write: &Write) {
        match (&mut *self, write) {
            (Self::Etcd(disk), Write::Etcd(write)) => disk.keep(write),
            (Self::Empty, Write::Etcd(write)) => {
                let mut disk = etcd::ServerDisk::default();
                disk.keep(write);
                *self = Self::Etcd(disk);
            }
        }
    }
}

/// Whether a lock has a holder, as somebody asks who does not want it: a sweeper.
#[derive(Clone, Debug)]
pub enum Question {
    /// An etcd is asked for the lock's key, or for the youngest of those that stand in line.
    Etcd(Rc<etcd::Request>),
}

/// The answer to a [`Question`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Answer {
    /// Somebody holds the lock, or waits for it.
    Held,
    /// Nobody does.
    Free,
    /// The server cannot tell.
    Unknown,
}

impl Question {
    /// About a lock of an etcd whose holders stand in line, or do not.
    pub fn etcd(lock: &Key, in_line: bool) -> Self {
        Self::Etcd(Rc::new(if in_line {
            etcd::Request::LastCreatedBefore { prefix: format!("{lock}/").into(), revision: u64::MAX }
        } else {
            etcd::Request::Get { key: lock.clone(), serializable: false }
        }))
    }

    /// The message that asks it. `id` is the asker's own number.
    pub fn msg(&self, id: u64) -> Msg {
        match self {
            Self::Etcd(request) => Msg::Etcd(etcd::Msg::Request { id, request: request.clone() }),
        }
    }
}

impl Msg {
    /// The number that a client gave to the request that this message is, or is about, when it is a client's to hear
    /// or to be refused.
    pub fn of_request(&self) -> Option<u64> {
        match self {
            Self::Etcd(msg) => msg.of_request(),
        }
    }

    /// The number of the request that this message is, when a client sends it.
    pub fn asks(&self) -> Option<u64> {
        match self {
            Self::Etcd(etcd::Msg::Request { id, .. }) => Some(*id),
            Self::Etcd(_) => None,
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
            Self::Etcd(_) => None,
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
            Self::Etcd(_) => None,
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
    etcd::ClientTimer => ClientTimer::Etcd,
    etcd::ServerWrite => Write::Etcd,
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
