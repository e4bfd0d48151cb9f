//! The process around a guard: it takes requests, keeps the shelf, answers.

mod speech;
mod transactions;

use std::collections::VecDeque;
use std::rc::Rc;

use kernel::{Input, Mono, Now, Outbox, ProcessId, Span, Wall};

pub use self::speech::{Decided, Note, Speech, Timer};
pub use self::transactions::Transaction;
use self::transactions::Transactions;
use crate::kafka::ProducerState;
use crate::{
    Admission, Answer, Change, Conflict, Course, Kafka, Key, Kind, Memory, Msg, Op, Refusal, Remember, Row,
    RowState, Seen, Shelf,
};

/// Who asks for what.
#[derive(Clone, Copy, Debug)]
struct Asked {
    from: ProcessId,
    id: u32,
    op: Op,
}

/// A request that was checked.
#[derive(Clone, Copy, Debug)]
struct Checked {
    asked: Asked,
    admission: Admission,
    /// The row as it was checked.
    row: Row,
}

/// A store: a guard, its shelf, and what takes its time.
#[derive(Clone, Debug)]
pub struct Store {
    kind: Kind,
    gap: Span,
    shelf: Shelf,
    /// Checked, and over at their times: in order.
    going: VecDeque<(Checked, Mono)>,
    /// Waiting for a lock.
    waiting: VecDeque<Asked>,
    transactions: Transactions,
    /// Whether an operator has turned its fence off.
    is_fence_off: bool,
    /// Whether it ran before.
    comes_again: bool,
}

impl Store {
    /// A store whose row nobody has touched. With a `gap` it checks first and writes so much later, in two steps, and
    /// does not check again: a mistake.
    pub fn new(kind: Kind, gap: Span) -> Self {
        let row = Row { fence: kind.guard().first_fence(), ..Row::default() };
        Self {
            kind,
            gap,
            shelf: Shelf::new(row),
            going: VecDeque::new(),
            waiting: VecDeque::new(),
            transactions: Transactions::default(),
            is_fence_off: false,
            comes_again: false,
        }
    }

    /// As it comes up with what its disk kept.
    pub fn start(&self, disk: &Option<Shelf>) -> Self {
        let fresh = Self::new(self.kind, self.gap);
        Self { shelf: disk.clone().unwrap_or(fresh.shelf), comes_again: disk.is_some(), ..fresh }
    }

    /// The row as it is.
    pub fn row(&self) -> &Row {
        &self.shelf.row
    }

    /// Which kind it is.
    pub fn kind(&self) -> &Kind {
        &self.kind
    }

    /// The transaction that has the row lock, where one is held on a connection.
    pub fn transaction(&self) -> Option<Transaction> {
        self.transactions.look()
    }

    /// What its kind remembers beside the row, in words: names and values.
    pub fn shows(&self) -> Vec<(String, String)> {
        self.kind.guard().shows(&self.shelf)
    }

    /// Takes one input. The monotonic clock times what takes its time; by the wall clock things on the shelf lapse. No
    /// decision looks at either.
    pub fn on(&mut self, input: Input<'_, Speech>, now: Now, out: &mut impl Outbox<Speech>) {
        self.shelf.lapse(now.wall);
        match input {
            Input::Boot => {
                if let Some(remember) = self.kind.guard().comes_up(&self.shelf).filter(|_| self.comes_again) {
                    self.keep(Some(remember), now.wall, out);
                }
                out.note(Note::Opened(self.shelf.row));
            }
            Input::Message { from, msg: &Msg::Request { id, op } } => {
                self.asked(Asked { from, id, op }, now, out);
            }
            Input::Message { msg: &Msg::Fence(is_on), .. } => self.is_fence_off = !is_on,
            Input::Timer(Timer::Due) => self.due(now, out),
            Input::Timer(Timer::Idle) => self.idle(now, out),
            Input::Closed { peer, number } => self.hung_up((peer, number), now, out),
            // Nobody answers a store, and whoever could not be answered has gone.
            Input::Message { msg: Msg::Reply { .. } | Msg::Journal(_), .. } | Input::Refused { .. } => {}
        }
    }

    /// Answers a request that is not let as far as the guard. The request: whose, its number there, and what for.
    pub fn turn_away(
        &mut self,
        (from, id, op): (ProcessId, u32, Op),
        admission: Admission,
        now: Now,
        out: &mut impl Outbox<Speech>,
    ) {
        let checked = Checked { asked: Asked { from, id, op }, admission, row: self.shelf.row };
        self.settle(&checked, now.wall, out);
    }

    fn course(&self) -> Course {
        self.kind.guard().course().unwrap_or(Course::Gap(self.gap))
    }

    /// For how long a transaction may wait for its next statement.
    fn idle_timeout(&self) -> Option<Span> {
        if let Course::Session { idle } = self.course() { idle } else { None }
    }

    fn asked(&mut self, asked: Asked, now: Now, out: &mut impl Outbox<Speech>) {
        match asked.op {
            Op::Read => {
                let row = self.transactions.row_for(asked.from).unwrap_or(self.shelf.row);
                self.answer_read(asked, Answer::Row(row), out);
            }
            Op::Scan => self.answer_read(asked, Answer::Index(self.shelf.row.claim()), out),
            Op::Raise(_) | Op::Write(..) | Op::Part(..) | Op::Finish(_) | Op::Requeue(_) => {
                self.begin(asked, now, out);
            }
        }
    }

    fn answer_read(&self, asked: Asked, answer: Answer, out: &mut impl Outbox<Speech>) {
        let Asked { from: to, id, op } = asked;
        out.note(Note::Answered { to, id, version: self.shelf.row.version });
        self.reply(asked, self.kind.guard().seen(&self.shelf, op), answer, out);
    }

    fn reply(&self, asked: Asked, seen: Option<Seen>, answer: Answer, out: &mut impl Outbox<Speech>) {
        out.send(asked.from, Msg::Reply { id: asked.id, seen, answer: Rc::new(answer) });
    }

    /// Where a request's course begins.
    fn begin(&mut self, asked: Asked, now: Now, out: &mut impl Outbox<Speech>) {
        match self.course() {
            // Re-queueing is the sweeper's own conditional write, not what the gap is about.
            Course::Gap(gap) if gap > Span::ZERO && !matches!(asked.op, Op::Requeue(_)) => {
                self.go(self.check(asked), now.mono + gap, out);
            }
            Course::Gap(_) => self.settle(&self.check(asked), now.wall, out),
            Course::Session { idle } => self.statement(asked, idle, now, out),
            Course::RowLock(_) if !self.going.is_empty() => self.waiting.push_back(asked),
            Course::Exclusive(_) if !self.going.is_empty() => self.put_off(asked, Conflict::Transaction, out),
            Course::Transaction(_) if matches!(asked.op, Op::Raise(_)) && !self.going.is_empty() => {
                self.abort(now.wall, out);
                self.put_off(asked, Conflict::ConcurrentTransactions, out);
            }
            Course::Transaction(_) if self.asks_again(asked) => {}
            Course::Upload(_) if matches!(asked.op, Op::Requeue(_)) => {
                self.settle(&self.check(asked), now.wall, out);
            }
            Course::RowLock(span) | Course::Exclusive(span) | Course::Upload(span) => {
                self.take_time(asked, span, now, out);
            }
            Course::Call(span) | Course::Transaction(span) => {
                let takes = if asked.op.item().is_some() { span } else { Span::ZERO };
                self.take_time(asked, takes, now, out);
            }
        }
    }

    /// Whether this repeats what is going on: then that is answered under its number, when it is over.
    fn asks_again(&mut self, again: Asked) -> bool {
        let same = |asked: &Asked| (asked.from, asked.op) == (again.from, again.op);
        let going = self.going.iter_mut().map(|(checked, _)| &mut checked.asked).find(|asked| same(asked));
        going.map(|asked| asked.id = again.id).is_some()
    }

    /// What is let in takes its time; anything else is answered at once.
    fn take_time(&mut self, asked: Asked, span: Span, now: Now, out: &mut impl Outbox<Speech>) {
        let checked = self.check(asked);
        let Admission::Accept { remember, .. } = checked.admission else {
            return self.settle(&checked, now.wall, out);
        };
        if span == Span::ZERO {
            return self.settle(&checked, now.wall, out);
        }
        match self.course() {
            Course::Call(_) => self.apply(&checked, now.wall, out),
            // A partition has seen a producer's epoch when something is produced there, committed or not.
            Course::Transaction(_) => {
                if let Some(remember) = remember {
                    self.keep(Some(remember), now.wall, out);
                }
            }
            Course::Gap(_)
            | Course::RowLock(_)
            | Course::Session { .. }
            | Course::Exclusive(_)
            | Course::Upload(_) => {}
        }
        self.go(checked, now.mono + span, out);
    }

    fn go(&mut self, checked: Checked, due: Mono, out: &mut impl Outbox<Speech>) {
        if self.going.is_empty() {
            out.arm(Timer::Due, due);
        }
        self.going.push_back((checked, due));
    }

    fn due(&mut self, now: Now, out: &mut impl Outbox<Speech>) {
        while let Some((checked, _)) = self.going.front().copied().filter(|(_, due)| *due <= now.mono) {
            self.going.pop_front();
            self.end(&checked, now, out);
            while self.going.is_empty()
                && let Some(next) = self.waiting.pop_front()
            {
                self.begin(next, now, out);
            }
        }
        if let Some((_, due)) = self.going.front() {
            out.arm(Timer::Due, *due);
        }
    }

    /// Where the course of a request that takes its time ends.
    fn end(&mut self, checked: &Checked, now: Now, out: &mut impl Outbox<Speech>) {
        match self.course() {
            Course::Upload(_) if self.shelf.row.version != checked.row.version => {
                self.put_off(checked.asked, Conflict::Upload, out);
            }
            Course::Call(_) => {
                let result = checked.asked.op.item().and_then(|item| self.kind.guard().result(item));
                if result.is_some() {
                    self.keep(result, now.wall, out);
                }
                self.reply(checked.asked, None, Answer::Accepted(checked.row), out);
            }
            Course::Gap(_)
            | Course::RowLock(_)
            | Course::Session { .. }
            | Course::Exclusive(_)
            | Course::Upload(_)
            | Course::Transaction(_) => self.settle(checked, now.wall, out),
        }
    }

    fn check(&self, asked: Asked) -> Checked {
        let mut row = self.shelf.row;
        let admission = match asked.op {
            Op::Raise(_) | Op::Write(..) | Op::Part(..) | Op::Finish(_) if self.is_fence_off => {
                row.fence = None; // It is not looked at.
                Admission::ACCEPT
            }
            Op::Raise(_) | Op::Write(..) | Op::Part(..) | Op::Finish(_) => {
                self.kind.guard().admit(&self.shelf, asked.op)
            }
            Op::Requeue(seen) if row.state == RowState::Running && row.claim() == Some(seen) => {
                Admission::Accept { fence: row.fence, remember: None }
            }
            Op::Requeue(_) => Admission::Refuse(Refusal::ClaimChanged),
            Op::Read | Op::Scan => Admission::ACCEPT,
        };
        Checked { asked, admission, row }
    }

    /// Does what was decided, and says so.
    fn settle(&mut self, checked: &Checked, wall: Wall, out: &mut impl Outbox<Speech>) {
        let before = self.shelf.row;
        let asked = checked.asked;
        match checked.admission {
            Admission::Accept { .. } => {
                self.apply(checked, wall, out);
                let seen = self.kind.guard().seen(&self.shelf, asked.op);
                self.reply(asked, seen, Answer::Accepted(before), out);
            }
            Admission::Replay => {
                let Asked { from: to, id, op } = asked;
                if let Some(item) = op.item() {
                    out.note(Note::Replayed { to, id, item });
                }
                self.reply(asked, None, Answer::Replayed(before), out);
            }
            Admission::Again(why) => self.put_off(asked, why, out),
            Admission::Refuse(refusal) => self.refuse(checked, refusal, out),
        }
    }

    fn apply(&mut self, checked: &Checked, wall: Wall, out: &mut impl Outbox<Speech>) {
        let Admission::Accept { fence, remember } = checked.admission else { return };
        // Never lower, even where a raise came between a check and its late write.
        self.shelf.row.fence = self.shelf.row.fence.max(fence);
        self.shelf.row.apply(checked.asked.op);
        self.keep(remember, wall, out);
        self.decided(checked, self.shelf.row, None, out);
    }

    fn refuse(&mut self, checked: &Checked, refusal: Refusal, out: &mut impl Outbox<Speech>) {
        self.decided(checked, self.shelf.row, Some(refusal), out);
        self.reply(checked.asked, None, Answer::Refused(refusal), out);
    }

    /// Says what was decided; `row` is the row afterwards.
    fn decided(&self, checked: &Checked, row: Row, refusal: Option<Refusal>, out: &mut impl Outbox<Speech>) {
        let Asked { from, id, op } = checked.asked;
        let fence = checked.row.fence;
        out.note(Note::Decided(Box::new(Decided { from, id, op, fence, refusal, row })));
    }

    fn put_off(&self, asked: Asked, why: Conflict, out: &mut impl Outbox<Speech>) {
        out.note(Note::PutOff { to: asked.from, id: asked.id, why });
        self.reply(asked, None, Answer::Again(why), out);
    }

    /// Writes the row to the disk, and what is remembered with it.
    fn keep(&mut self, remember: Option<Remember>, wall: Wall, out: &mut impl Outbox<Speech>) {
        let memory = remember.map(|Remember { key, value, lifetime }| {
            let lapses = lifetime.map(|lifetime| wall.moved(lifetime.as_micros() as i64));
            Memory { key, value, lapses }
        });
        if let Some(memory) = memory {
            self.shelf.remember(memory);
        }
        out.persist(Change { row: self.shelf.row, memory });
    }

    /// Another producer takes the id over while its transactions are going on: they are aborted under an epoch of their
    /// own, which the partitions that they wrote to learn from the abort's marker.
    fn abort(&mut self, wall: Wall, out: &mut impl Outbox<Speech>) {
        let epoch = Kafka::next_epoch(&self.shelf);
        self.keep(Some(Remember::for_good(Key::Epoch, epoch)), wall, out);
        while let Some((checked, _)) = self.going.pop_front() {
            if let Some(partition) =
                checked.asked.op.item().and_then(|item| self.kind.guard().partition(item))
            {
                let marker = Remember::for_good(Key::EpochAt(partition), ProducerState::marked(epoch).kept());
                self.keep(Some(marker), wall, out);
            }
            self.refuse(&checked, Refusal::Aborted, out);
        }
    }
}
