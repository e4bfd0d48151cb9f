//! Truth: what stores decided of writes, and what became of their rows.

use kernel::{ProcessId, RecordId, SimTime};
use stores::RowState;

/// What a store was asked to do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WriteKind {
    /// Raise the fence and claim the row.
    Raise,
    /// Write one item of the work.
    Item {
        /// Which, from 0.
        item: u32,
        /// How many effects it has (invoices charged).
        effects: u32,
    },
    /// Mark the work as done.
    Finish,
    /// A sweeper's conditional re-queue.
    Requeue,
}

/// A part of an item.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Part {
    /// How many of the item's effects were written before it.
    pub first: u32,
    /// Whether the item is done with it.
    pub is_last: bool,
}

/// A write as a store decided it.
#[derive(Clone, Debug, PartialEq)]
pub struct Write {
    /// When the store decided.
    pub at: SimTime,
    /// When the worker sent it.
    pub sent: SimTime,
    /// Which store.
    pub store: ProcessId,
    /// Who asked.
    pub worker: ProcessId,
    /// What for.
    pub kind: WriteKind,
    /// Where it stands in its item, when that is written in parts.
    pub part: Option<Part>,
    /// The token that it carried, if any.
    pub token: Option<u64>,
    /// What it carried that the store compares, in words: "token 7", "version 3"; empty for nothing.
    pub carried: String,
    /// The grant under which the worker acted, whether it sent a token or not.
    pub under: Option<u64>,
    /// Whether the store accepted it.
    pub accepted: bool,
    /// Whether a newer grant of that lock had been issued by then.
    pub stale: bool,
    /// Whether moreover the newer holder had touched this store.
    pub corrupting: bool,
    /// Effects that it applied which had been applied before.
    pub duplicates: u64,
    /// The fence that it met, when the store has one.
    pub fence: Option<u64>,
    /// Why the store decided so, in words.
    pub reason: String,
    /// The record of the decision.
    pub record: RecordId,
}

/// A store's row after a change.
#[derive(Clone, Debug, PartialEq)]
pub struct RowStep {
    /// When.
    pub at: SimTime,
    /// Which store.
    pub store: ProcessId,
    /// Its fence, when it has one.
    pub fence: Option<u64>,
    /// Its state.
    pub state: RowState,
    /// The token that the claim is under.
    pub owner: Option<u64>,
    /// How many items are done.
    pub done: u32,
}
