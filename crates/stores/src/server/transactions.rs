//! A transaction that is held on a connection: `BEGIN`, `SELECT … FOR UPDATE`, statements, `COMMIT`.
//!
//! The row lock is the transaction's, and the transaction is the connection's: whoever comes meanwhile waits in line,
//! nobody sees what it has written before it is committed, and when its connection is closed it is rolled back.

use std::collections::VecDeque;

use kernel::{Keepalive, Now, Outbox, ProcessId, Span};

use super::{Asked, Checked, Note, Speech, Store, Timer};
use crate::{Admission, Answer, Op, Refusal, RollBack, Row};

/// How the server finds out that a client's host is gone: PostgreSQL leaves that to the system, which asks after two hours.
const KEEPALIVE: Keepalive = Keepalive { idle: Span::from_secs(7_200), every: Span::from_secs(75), count: 9 };

/// A client's connection: whose, and its number there, which each request of a claim carries as what it has seen.
type Session = (ProcessId, u64);

/// The transaction that has the row lock, and who waits for that.
#[derive(Clone, Debug, Default)]
pub(super) struct Transactions {
    open: Option<Open>,
    line: VecDeque<(Session, Asked)>,
}

#[derive(Clone, Debug)]
struct Open {
    session: Session,
    /// The row as this transaction sees it.
    row: Row,
    /// What it has done, each with the row before and after.
    statements: Vec<(Checked, Row)>,
}

/// A transaction that is going on, for whoever looks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Transaction {
    /// Whose it is.
    pub owner: ProcessId,
    /// How many statements of it are not committed.
    pub statements: usize,
    /// How many wait for the row lock.
    pub waiting: usize,
}

impl Transactions {
    pub(super) fn look(&self) -> Option<Transaction> {
        let open = self.open.as_ref()?;
        Some(Transaction {
            owner: open.session.0,
            statements: open.statements.len(),
            waiting: self.line.len(),
        })
    }

    /// The row as this process sees it, if it is another than is committed.
    pub(super) fn row_for(&self, process: ProcessId) -> Option<Row> {
        self.open.as_ref().filter(|open| open.session.0 == process).map(|open| open.row)
    }

    /// Something that comes twice on one connection was sent twice and not asked for twice.
    fn repeats(&self, op: Op) -> bool {
        let part = |op: Op| op.item().map(|item| (item.number, item.first));
        let same = |done: Op| match op {
            Op::Raise(_) => matches!(done, Op::Raise(_)),
            Op::Write(..) | Op::Part(..) => part(done) == part(op),
            Op::Finish(_) | Op::Read | Op::Scan | Op::Requeue(_) => false,
        };
        self.open.iter().flat_map(|open| &open.statements).any(|(checked, _)| same(checked.asked.op))
    }
}

impl Store {
    /// Takes a statement. `idle`: for how long a transaction may wait for its next one; `None`: for ever.
    pub(super) fn statement(
        &mut self,
        asked: Asked,
        idle: Option<Span>,
        now: Now,
        out: &mut impl Outbox<Speech>,
    ) {
        let session = (asked.from, u64::from(asked.op.stamp().map_or(0, |stamp| stamp.seen().0)));
        let open = self.transactions.open.as_ref().map(|open| open.session);
        match (asked.op, open) {
            (Op::Requeue(_), _) => self.settle(&self.check(asked), now.wall, out),
            (_, Some(open)) if open == session => self.carry_on(asked, idle, now, out),
            (Op::Raise(_), Some((owner, _))) => self.stand_in_line(session, asked, owner, out),
            (Op::Raise(_), None) => {
                out.connect(session.0, session.1, KEEPALIVE);
                self.lock_row(session, asked, idle, now, out);
            }
            (Op::Write(..) | Op::Part(..) | Op::Finish(_) | Op::Read | Op::Scan, _) => {
                let admission = Admission::Refuse(Refusal::NoTransaction);
                self.settle(&Checked { asked, admission, row: self.shelf.row }, now.wall, out);
            }
        }
    }

    fn stand_in_line(
        &mut self,
        session: Session,
        asked: Asked,
        owner: ProcessId,
        out: &mut impl Outbox<Speech>,
    ) {
        if let Some((_, waiting)) = self.transactions.line.iter_mut().find(|(of, _)| *of == session) {
            waiting.id = asked.id; // It asks again, and keeps its place.
            return;
        }
        out.connect(session.0, session.1, KEEPALIVE);
        out.note(Note::Waits { from: asked.from, owner });
        self.transactions.line.push_back((session, asked));
    }

    fn lock_row(
        &mut self,
        session: Session,
        asked: Asked,
        idle: Option<Span>,
        now: Now,
        out: &mut impl Outbox<Speech>,
    ) {
        out.note(Note::Locked { from: asked.from });
        let row = self.shelf.row;
        self.transactions.open = Some(Open { session, row, statements: Vec::new() });
        self.carry_on(asked, idle, now, out);
    }

    fn carry_on(&mut self, asked: Asked, idle: Option<Span>, now: Now, out: &mut impl Outbox<Speech>) {
        let repeats = self.transactions.repeats(asked.op);
        let Some(open) = &mut self.transactions.open else { return };
        let before = open.row;
        if !repeats {
            open.row.apply(asked.op);
            let checked = Checked { asked, admission: Admission::ACCEPT, row: before };
            open.statements.push((checked, open.row));
        }
        if matches!(asked.op, Op::Finish(_)) {
            self.commit(now, out);
        } else if let Some(idle) = idle {
            out.arm(Timer::Idle, now.mono + idle);
        }
        self.reply(asked, None, Answer::Accepted(before), out);
        self.serve_line(idle, now, out);
    }

    /// All that it wrote is so at once, and for everybody.
    fn commit(&mut self, now: Now, out: &mut impl Outbox<Speech>) {
        let Some(open) = self.transactions.open.take() else { return };
        out.disarm(Timer::Idle);
        self.shelf.row = open.row;
        self.keep(None, now.wall, out);
        for (checked, row) in &open.statements {
            self.decided(checked, *row, None, out);
        }
    }

    /// The lock is the next one's, if it is free.
    fn serve_line(&mut self, idle: Option<Span>, now: Now, out: &mut impl Outbox<Speech>) {
        if self.transactions.open.is_none()
            && let Some((session, next)) = self.transactions.line.pop_front()
        {
            self.lock_row(session, next, idle, now, out);
        }
    }

    /// A connection is closed: its transaction is rolled back.
    pub(super) fn hung_up(&mut self, session: Session, now: Now, out: &mut impl Outbox<Speech>) {
        self.transactions.line.retain(|(waiting, _)| *waiting != session);
        self.roll_back(Some(session), RollBack::ConnectionClosed, now, out);
    }

    /// The transaction has waited too long for its next statement: its session is ended.
    pub(super) fn idle(&mut self, now: Now, out: &mut impl Outbox<Speech>) {
        if let Some(open) = &self.transactions.open {
            out.disconnect(open.session.0, open.session.1);
        }
        self.roll_back(None, RollBack::IdleInTransaction, now, out);
    }

    fn roll_back(&mut self, whose: Option<Session>, why: RollBack, now: Now, out: &mut impl Outbox<Speech>) {
        let is_over = |open: &mut Open| whose.is_none_or(|session| open.session == session);
        let Some(open) = self.transactions.open.take_if(is_over) else { return };
        out.disarm(Timer::Idle);
        let items = open.statements.iter().filter(|(checked, _)| checked.asked.op.item().is_some()).count();
        out.note(Note::RolledBack { from: open.session.0, items: items as u32, why });
        self.serve_line(self.idle_timeout(), now, out);
    }
}
