//! What a member says, arms, keeps and announces.

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
