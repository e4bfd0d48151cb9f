//! A journal on a majority of nodes, with epochs: HDFS's Quorum Journal Manager, entry by entry.
//!
//! A writer asks a majority which epoch they have promised, has them promise the next one, and brings a majority to one
//! journal before it writes: what an earlier writer left on any of them may have been accepted, and is finished. A node
//! refuses whoever comes with a lower epoch than it has promised. An entry is accepted when a majority has it, and a writer
//! that a majority refuses knows that it is fenced. A node that was away meanwhile takes what the old writer sends; alone it
//! is no majority.
//!
//! Epochs are the journal's own: whoever raises last is in, whatever a lock service says.
//!
//! Left out: segments (a node that has missed something is brought up when the next writer comes, not when a segment ends),
//! formatting, the reader's limit to what is known to be accepted.
//!
//! Sources: HDFS-3077's design document; `Journal.java` (`newEpoch`, `checkRequest`, `journal`, `acceptRecovery`) and
//! `QuorumJournalManager.java` (`createNewUniqueEpoch`, `recoverUnclosedSegment`) in Apache Hadoop.

mod client;
mod node;

use std::rc::Rc;

use kernel::ProcessId;

pub use client::{Client, Letter};
pub use node::{Kept, Node, Speech};

use crate::{Admission, Guard, Op, Refusal, Row, Seen, Shelf, Token};

/// The writer's side of a journal: what its entries carry. Nodes decide.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Journal {
    /// How many nodes there are.
    pub nodes: usize,
}

/// How many of so many nodes are a majority.
pub const fn majority(nodes: usize) -> usize {
    nodes / 2 + 1
}

/// An entry: by whom, as which of its requests, and what.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Entry {
    /// Its writer.
    pub writer: ProcessId,
    /// The writer's number for the request.
    pub ask: u32,
    /// What it asked.
    pub op: Op,
}

/// Where a node's journal ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Tail {
    /// The last entry's number; 0 for none.
    pub txid: u32,
    /// The epoch of who wrote it here, or brought it here in a recovery.
    pub epoch: u32,
    /// The epoch that it was first written under.
    pub written: u32,
    /// The last entry.
    pub last: Option<Entry>,
    /// What all entries come to.
    pub row: Row,
}

/// What a writer asks of a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Request {
    /// What it has promised, and where its journal ends.
    State,
    /// To promise this epoch: to refuse whoever comes with a lower one.
    NewEpoch(u32),
    /// To take this in place of the end of its journal.
    Recover {
        /// The writer's epoch.
        epoch: u32,
        /// The end.
        tail: Tail,
    },
    /// To take an entry.
    Append {
        /// The writer's epoch.
        epoch: u32,
        /// The entry's number.
        txid: u32,
        /// What it says.
        op: Op,
    },
}

/// What a node answers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reply {
    /// What it has promised, and where its journal ends.
    State {
        /// The epoch.
        promised: u32,
        /// The end.
        tail: Tail,
    },
    /// It has promised the epoch; this is the end of its journal.
    Promised(Tail),
    /// It has it.
    Done,
    /// It does not take it.
    Refused(Refusal),
}

/// A request, or the answer to one. `call` is the writer's number for one round of all nodes.
#[derive(Clone, PartialEq, Debug)]
pub enum Msg {
    /// Please do.
    Request {
        /// The round.
        call: u32,
        /// The writer's number for what it is about.
        ask: u32,
        /// What.
        request: Request,
    },
    /// Done, or not.
    Reply {
        /// The round.
        call: u32,
        /// How it went.
        reply: Reply,
    },
}

impl From<Msg> for crate::Msg {
    fn from(msg: Msg) -> Self {
        Self::Journal(Rc::new(msg))
    }
}

/// What a node announces.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Note {
    /// It has promised an epoch.
    Promised(u32),
    /// It has taken an entry.
    Took {
        /// The writer's epoch.
        epoch: u32,
        /// The entry's number.
        txid: u32,
        /// The entry.
        entry: Entry,
        /// What its journal comes to now.
        row: Row,
    },
    /// It has taken what a recovery found as the end of its journal.
    Recovered {
        /// Who recovers.
        by: ProcessId,
        /// As which of its requests.
        ask: u32,
        /// Under which epoch.
        epoch: u32,
        /// The end.
        tail: Tail,
    },
    /// It has refused an entry.
    Refused {
        /// The entry.
        entry: Entry,
        /// Why.
        why: Refusal,
    },
}

impl From<Note> for crate::Note {
    fn from(note: Note) -> Self {
        Self::Journal(Box::new(note))
    }
}

impl Guard for Journal {
    /// Nobody asks: its nodes decide.
    fn admit(&self, _shelf: &Shelf, _op: Op) -> Admission {
        Admission::ACCEPT
    }
    fn carries(&self, op: Op) -> Option<String> {
        match op.stamp()?.seen() {
            Seen::NOTHING => None,
            Seen(epoch) => Some(format!("epoch {epoch}")),
        }
    }
    fn grounds(&self, _op: Op, _fence: Option<Token>) -> String {
        format!("{} of {} nodes have it", majority(self.nodes), self.nodes)
    }
}
