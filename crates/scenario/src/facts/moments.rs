//! What else is worth telling: what sweepers found, and what happened in an instant.

use std::rc::Rc;

use kernel::{ProcessId, RecordId, SimTime};

/// What a sweeper found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SweepKind {
    /// A claim whose lock nobody holds, for the first time.
    OrphanSeen,
    /// The same again: it asks the store to re-queue it.
    OrphanConfirmed,
    /// A claim whose holder is alive.
    Skipped,
}

/// One look of a sweeper.
#[derive(Clone, Debug, PartialEq)]
pub struct Sweep {
    /// When.
    pub at: SimTime,
    /// Which sweeper.
    pub sweeper: ProcessId,
    /// Which store.
    pub store: ProcessId,
    /// The owner's token on the row, if it was claimed with one.
    pub owner: Option<u64>,
    /// What it found.
    pub kind: SweepKind,
    /// The record of it.
    pub record: RecordId,
}

/// Something else worth telling.
#[derive(Clone, Debug, PartialEq)]
pub struct Moment {
    /// When.
    pub at: SimTime,
    /// Who.
    pub process: ProcessId,
    /// What.
    pub what: MomentKind,
    /// The record of it.
    pub record: RecordId,
}

/// What a moment is about.
#[derive(Clone, Debug, PartialEq)]
pub enum MomentKind {
    /// A worker compared its clock with its stop time, and went on or did not.
    Checked {
        /// Whether it went on.
        passed: bool,
        /// Its stop reading, in microseconds; `None` when it holds nothing any more.
        stop: Option<i64>,
    },
    /// A renewal failed; what the client library does next is in the text.
    RenewalFailed {
        /// Which server was asked.
        server: ProcessId,
        /// What happened.
        why: String,
    },
    /// A worker stopped its program before its end.
    Stopped {
        /// Why, in words.
        why: String,
    },
    /// A worker began its program again.
    Restarts {
        /// Why, in words.
        why: String,
    },
    /// A worker came to the end of its program.
    Finished,
    /// A waiting candidate woke because the key ahead of it went.
    Woken {
        /// Of which lock.
        lock: Rc<str>,
    },
    /// A read was answered.
    Read {
        /// Whose state was read.
        from: ProcessId,
        /// Whether an older value than one already acknowledged was answered.
        stale: bool,
    },
    /// A store answered a write with the result of an earlier one, and did nothing.
    Replayed {
        /// Which store.
        store: ProcessId,
        /// The item, from 0.
        item: u32,
        /// Whether somebody else had a newer grant by then.
        stale: bool,
    },
    /// A store told a worker to try again.
    PutOff {
        /// Which store.
        store: ProcessId,
        /// Why.
        why: String,
    },
    /// A transaction of its has a store's row lock.
    RowLocked {
        /// Which store.
        store: ProcessId,
    },
    /// It waits for a store's row lock.
    RowAwaited {
        /// Which store.
        store: ProcessId,
        /// Whose transaction has it.
        owner: ProcessId,
    },
    /// Its transaction was rolled back.
    RolledBack {
        /// Which store.
        store: ProcessId,
        /// How many items, or parts of one, it had written: none of them was ever so.
        items: u32,
        /// Why.
        why: String,
    },
    /// It finished an entry of a journal that an earlier writer had left unfinished.
    RecoveredEntry {
        /// Which store.
        store: ProcessId,
        /// Who had left it.
        writer: ProcessId,
        /// The item, from 0, if it was one.
        item: Option<u32>,
    },
    /// A node of a journal took an entry under an epoch that a majority lets in no more.
    TookBehind {
        /// Whose entry.
        writer: ProcessId,
        /// Under which epoch.
        epoch: u32,
        /// What a majority has promised.
        newest: u32,
    },
    /// A sweeper did not re-queue what it could.
    HeldBack {
        /// Why.
        why: String,
    },
    /// A process started from an older backup.
    Restored,
    /// A process that had crashed started again.
    StartedAgain,
    /// A paused or suspended process runs again.
    Woke,
}
