//! What a server of any kind speaks, arms and keeps.

use kernel::{Dialect, Keep};

use super::Msg;
use crate::{ServerNote, etcd, replicated, service};

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

macro_rules! lifts {
    ($($from:ty => $to:ident :: $variant:ident),* $(,)?) => {$(
        impl From<$from> for $to {
            fn from(inner: $from) -> Self { Self::$variant(inner) }
        }
    )*};
}

lifts! {
    etcd::ServerTimer => ServerTimer::Etcd,
    etcd::ServerWrite => Write::Etcd,
    service::ServerTimer => ServerTimer::Single,
    service::Kept => Write::Single,
    replicated::MemberTimer => ServerTimer::Member,
    replicated::MemberWrite => Write::Member,
}
