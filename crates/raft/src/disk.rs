//! What has to survive a crash, as the sum of its writes.

use std::rc::Rc;

use kernel::{Keep, ProcessId};

use crate::{App, Entry, Log, Snapshot};

/// One change of what is on disk.
#[derive(Clone, Debug)]
pub enum Write<A: App> {
    /// The term and the vote in it.
    HardState {
        /// The latest term that this server has seen.
        term: u64,
        /// Whom it voted for in that term.
        vote: Option<ProcessId>,
    },
    /// Consecutive entries: what was at the first of them and behind it goes.
    Append {
        /// The entries.
        entries: Rc<[Entry<A>]>,
    },
    /// This server's own snapshot, and the log without its beginning.
    Compact {
        /// The snapshot.
        snapshot: Rc<Snapshot<A>>,
        /// The last entry that goes.
        through: u64,
    },
    /// The leader's snapshot in place of the whole log.
    Install {
        /// The snapshot.
        snapshot: Rc<Snapshot<A>>,
    },
}

/// All that is on disk (Raft paper, figure 2, "persistent state on all servers"; section 7). The commit index is not:
/// a server learns it anew.
#[derive(Clone, Debug)]
pub struct Disk<A: App> {
    /// The latest term that this server has seen.
    pub term: u64,
    /// Whom it voted for in that term.
    pub vote: Option<ProcessId>,
    /// The newest snapshot.
    pub snapshot: Option<Rc<Snapshot<A>>>,
    /// The log.
    pub log: Log<A>,
}

impl<A: App> Default for Disk<A> {
    fn default() -> Self {
        Self { term: 0, vote: None, snapshot: None, log: Log::default() }
    }
}

impl<A: App> Keep<Write<A>> for Disk<A> {
    fn keep(&mut self, write: &Write<A>) {
        match write {
            Write::HardState { term, vote } => {
                self.term = *term;
                self.vote = *vote;
            }
            Write::Append { entries } => self.log.graft(entries),
            Write::Compact { snapshot, through } => {
                self.log.compact(*through);
                self.snapshot = Some(snapshot.clone());
            }
            Write::Install { snapshot } => {
                self.log = Log::after(snapshot.last);
                self.snapshot = Some(snapshot.clone());
            }
        }
    }
}
