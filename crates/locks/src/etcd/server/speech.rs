//! What a member says, arms, keeps and announces.

use std::rc::Rc;

use kernel::{Dialect, Keep, Topic};

use crate::Note;
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
#[derive(Clone, Debug)]
pub struct ServerWrite(raft::Write<App>);

/// A member's disk: the log and its snapshot. The state machine is computed from them.
#[derive(Clone, Debug, Default)]
pub struct ServerDisk(pub(super) raft::Disk<App>);

impl Keep<ServerWrite> for ServerDisk {
    fn keep(&mut self, write: &ServerWrite) {
        self.0.keep(&write.0);
    }
}

/// What a member announces.
#[derive(Clone, Debug, PartialEq)]
pub enum ServerNote {
    /// About the log's leadership.
    Raft(raft::Note),
    /// About locks.
    Lock(Note),
}

impl ServerNote {
    /// The word by which a fault can wait for it.
    pub fn topic(&self) -> Option<Topic> {
        match self {
            Self::Raft(note) => note.topic(),
            Self::Lock(note) => note.topic(),
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
        Self(write)
    }
}
impl From<raft::Note> for ServerNote {
    fn from(note: raft::Note) -> Self {
        Self::Raft(note)
    }
}
impl From<Note> for ServerNote {
    fn from(note: Note) -> Self {
        Self::Lock(note)
    }
}
