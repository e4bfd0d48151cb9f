//! What a store says, arms and announces.

use kernel::{Dialect, ProcessId};

use crate::{Change, Conflict, Item, Msg, Op, Refusal, RollBack, Row, Shelf, Token, journal};

/// What a store speaks.
#[derive(Clone, Debug)]
pub struct Speech;

impl Dialect for Speech {
    type Msg = Msg;
    type Timer = Timer;
    type Write = Change;
    type Disk = Option<Shelf>;
    type Note = Note;
    type Role = ();
}

/// A store's timers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Timer {
    /// A request that takes its time has taken it.
    Due,
    /// A transaction has waited too long for its next statement.
    Idle,
}

/// What a store announces.
#[derive(Clone, Debug, PartialEq)]
pub enum Note {
    /// It decided about a write.
    Decided(Box<Decided>),
    /// It answered a read with this version of the row.
    Answered {
        /// To whom.
        to: ProcessId,
        /// The asker's number.
        id: u32,
        /// The row's version.
        version: u32,
    },
    /// It answered a write with the result of an earlier one, and did nothing.
    Replayed {
        /// To whom.
        to: ProcessId,
        /// The asker's number.
        id: u32,
        /// What was asked for.
        item: Item,
    },
    /// It told somebody to try again.
    PutOff {
        /// Whom.
        to: ProcessId,
        /// The asker's number.
        id: u32,
        /// Why.
        why: Conflict,
    },
    /// A transaction has the row lock.
    Locked {
        /// Whose.
        from: ProcessId,
    },
    /// Somebody waits for the row lock.
    Waits {
        /// Who.
        from: ProcessId,
        /// Whose transaction has it.
        owner: ProcessId,
    },
    /// A transaction is rolled back: nothing that it wrote was ever so.
    RolledBack {
        /// Whose.
        from: ProcessId,
        /// How many items, or parts of one, it had written.
        items: u32,
        /// Why.
        why: RollBack,
    },
    /// A node of a journal, about that.
    Journal(Box<journal::Note>),
    /// It started, with this row.
    Opened(Row),
}

/// A decision about a write.
#[derive(Clone, Debug, PartialEq)]
pub struct Decided {
    /// Who asked.
    pub from: ProcessId,
    /// The asker's number.
    pub id: u32,
    /// What it was asked.
    pub op: Op,
    /// Where the fence stood when it was checked.
    pub fence: Option<Token>,
    /// Why it was refused, if it was.
    pub refusal: Option<Refusal>,
    /// The row afterwards.
    pub row: Row,
}
