//! The process around a guard: it takes requests, keeps the row, answers.

use std::collections::VecDeque;
use std::rc::Rc;

use kernel::{Dialect, Input, Mono, Outbox, ProcessId, Span};

use crate::{Admission, Answer, FencedRow, Guard, Item, Msg, Op, Refusal, Row, RowState, Token, Unfenced};

/// What a store speaks.
#[derive(Clone, Debug)]
pub struct Speech;

impl Dialect for Speech {
    type Msg = Msg;
    type Timer = Timer;
    type Write = Row;
    type Disk = Option<Row>;
    type Note = Note;
    type Role = ();
}

/// A store's timers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Timer {
    /// The gap between a check and its write is over.
    Gap,
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

/// The kinds of store.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Checks nothing.
    Unfenced(Unfenced),
    /// A row with a fence.
    FencedRow(FencedRow),
}

impl Kind {
    fn guard(&self) -> &dyn Guard {
        match self {
            Self::Unfenced(guard) => guard,
            Self::FencedRow(guard) => guard,
        }
    }
}

/// A write that was checked and not yet made.
#[derive(Clone, Copy, Debug)]
struct Checked {
    from: ProcessId,
    id: u32,
    op: Op,
    admission: Admission,
    fence: Option<Token>,
    due: Mono,
}

/// A store: a guard, a row, and how long it takes from check to write.
#[derive(Clone, Debug)]
pub struct Store {
    kind: Kind,
    gap: Span,
    row: Row,
    checked: VecDeque<Checked>,
}

impl Store {
    /// A store whose row nobody has touched. With a `gap` it checks first and writes so much later, in two steps, and
    /// does not check again: a mistake.
    pub fn new(kind: Kind, gap: Span) -> Self {
        let row = Row { fence: kind.guard().first_fence(), ..Row::default() };
        Self { kind, gap, row, checked: VecDeque::new() }
    }

    /// As it comes up with what its disk kept.
    pub fn start(&self, disk: &Option<Row>) -> Self {
        let fresh = Self::new(self.kind, self.gap);
        Self { row: disk.unwrap_or(fresh.row), ..fresh }
    }

    /// The row as it is.
    pub fn row(&self) -> &Row {
        &self.row
    }

    /// Which kind it is.
    pub fn kind(&self) -> &Kind {
        &self.kind
    }

    /// Takes one input. `now` times the gap of a two-step write alone: no decision looks at it.
    pub fn on(&mut self, input: Input<'_, Speech>, now: Mono, out: &mut impl Outbox<Speech>) {
        match input {
            Input::Boot => out.note(Note::Opened(self.row)),
            Input::Message { from, msg: &Msg::Request { id, op } } => self.asked(from, id, op, now, out),
            Input::Timer(Timer::Gap) => self.gap_over(now, out),
            // Nobody answers a store, and whoever could not be answered has gone.
            Input::Message { msg: Msg::Reply { .. }, .. } | Input::Refused { .. } => {}
        }
    }

    fn asked(&mut self, from: ProcessId, id: u32, op: Op, now: Mono, out: &mut impl Outbox<Speech>) {
        match op {
            Op::Read => self.answer_read(from, id, Answer::Row(self.row), out),
            Op::Scan => self.answer_read(from, id, Answer::Index(self.row.claim()), out),
            Op::Raise(_) | Op::Write(..) | Op::Finish(_) | Op::Requeue(_) => {
                let checked = Checked {
                    from,
                    id,
                    op,
                    admission: self.check(op),
                    fence: self.row.fence,
                    due: now + self.gap,
                };
                // Re-queueing is the sweeper's own conditional write, not what the gap is about.
                if self.gap == Span::ZERO || matches!(op, Op::Requeue(_)) {
                    self.write(&checked, out);
                } else {
                    if self.checked.is_empty() {
                        out.arm(Timer::Gap, checked.due);
                    }
                    self.checked.push_back(checked);
                }
            }
        }
    }

    fn answer_read(&self, from: ProcessId, id: u32, answer: Answer, out: &mut impl Outbox<Speech>) {
        out.note(Note::Answered { to: from, id, version: self.row.version });
        out.send(from, Msg::Reply { id, answer: Rc::new(answer) });
    }

    fn gap_over(&mut self, now: Mono, out: &mut impl Outbox<Speech>) {
        while let Some(checked) = self.checked.front().copied().filter(|checked| checked.due <= now) {
            self.checked.pop_front();
            self.write(&checked, out);
        }
        if let Some(next) = self.checked.front() {
            out.arm(Timer::Gap, next.due);
        }
    }

    fn check(&self, op: Op) -> Admission {
        match op {
            Op::Raise(token) | Op::Write(token, _) | Op::Finish(token) => {
                self.kind.guard().admit(self.row.fence, token)
            }
            Op::Requeue(seen) if self.row.state == RowState::Running && self.row.claim() == Some(seen) => {
                Admission::Accept { fence: self.row.fence }
            }
            Op::Requeue(_) => Admission::Refuse(Refusal::ClaimChanged),
            Op::Read | Op::Scan => Admission::Accept { fence: self.row.fence },
        }
    }

    fn write(&mut self, checked: &Checked, out: &mut impl Outbox<Speech>) {
        let before = self.row;
        let (refusal, answer) = match checked.admission {
            Admission::Accept { fence } => {
                // Never lower, even where a raise came between a check and its late write.
                self.row.fence = self.row.fence.max(fence);
                self.apply(checked.op);
                out.persist(self.row);
                (None, Answer::Accepted(before))
            }
            Admission::Refuse(refusal) => (Some(refusal), Answer::Refused(refusal)),
        };
        let Checked { from, id, op, fence, .. } = *checked;
        out.note(Note::Decided(Box::new(Decided { from, id, op, fence, refusal, row: self.row })));
        out.send(from, Msg::Reply { id, answer: Rc::new(answer) });
    }

    fn apply(&mut self, op: Op) {
        let row = &mut self.row;
        row.version += 1;
        match op {
            Op::Raise(token) => {
                // A finished job is not run again: raising the fence on it only reads what was done.
                if row.state != RowState::Done {
                    row.state = RowState::Running;
                    row.indexed = true;
                    row.owner = token;
                }
            }
            Op::Write(_, Item { number, .. }) => row.done = row.done.max(number + 1),
            Op::Finish(token) => {
                row.state = RowState::Done;
                row.indexed = false;
                row.owner = token;
            }
            Op::Requeue(_) => {
                row.state = RowState::Queued;
                row.indexed = false;
            }
            Op::Read | Op::Scan => {}
        }
    }
}
