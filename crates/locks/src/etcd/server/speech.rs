//! What a member says, arms, keeps and announces.

use std::fmt;
use std::rc::Rc;

use kernel::{Dialect, Keep};

use crate::ServerNote;
use crate::etcd::{Command, Msg, State};

/// etcd's replicated state machine, as its log sees it.
#[derive(Clone, Debug)]
pub struct App;

impl raft::App for App {
    type Command = Rc<Command>;
    type Snapshot = Rc<State>;
}

/// What a member speaks.
#[derive(Clone, Debug)]
pub struct ServerSpeech;

impl Dialect for ServerSpeech {
    type Msg = Msg;
    type Timer = ServerTimer;
    type Write = ServerWrite;
    type Disk = ServerDisk;
    type Note = ServerNote;
    type Role = ();
}

/// A member's timers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ServerTimer {
    /// The log's.
    Raft(raft::Timer),
    /// The leader looks at its leases.
    Lessor,
}

/// A change of a member's disk.
#[derive(Clone)]
pub enum ServerWrite {
    /// Of the log or its snapshot.
    Log(raft::Write<App>),
    /// It was restored: the revision is to be bumped when the entry of this index is applied.
    Bump(u64),
}

/// As traces tell it, which are compared by their text: one of the log is called a write and no more.
impl fmt::Debug for ServerWrite {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Log(write) => f.debug_tuple("ServerWrite").field(write).finish(),
            Self::Bump(index) => f.debug_tuple("Bump").field(index).finish(),
        }
    }
}

/// A member's disk: the log and its snapshot. The state machine is computed from them.
#[derive(Clone, Debug, Default)]
pub struct ServerDisk {
    pub(super) log: raft::Disk<App>,
    /// The last entry of the backup that it was restored from, until a snapshot has the bump in it.
    pub(super) bump_at: Option<u64>,
}

impl Keep<ServerWrite> for ServerDisk {
    fn keep(&mut self, write: &ServerWrite) {
        match write {
            ServerWrite::Log(write) => {
                self.log.keep(write);
                if let raft::Write::Compact { snapshot, .. } | raft::Write::Install { snapshot } = write {
                    self.bump_at = self.bump_at.filter(|index| *index > snapshot.last.index);
                }
            }
            ServerWrite::Bump(index) => self.bump_at = Some(*index),
        }
    }
}

impl From<raft::Message<App>> for Msg {
    fn from(message: raft::Message<App>) -> Self {
        Self::Peer(message)
    }
}
impl From<raft::Timer> for ServerTimer {
    fn from(timer: raft::Timer) -> Self {
        Self::Raft(timer)
    }
}
impl From<raft::Write<App>> for ServerWrite {
    fn from(write: raft::Write<App>) -> Self {
        Self::Log(write)
    }
}
