//! How a worker talks to stores: with each kind's client library, which puts on a write what that kind compares, splits
//! what does not fit, and asks again.

use kernel::{Now, Outbox, ProcessId, Span};
use stores::{Answer, Guard, IdGenerator, Item, Op as Ask, Row, RowState, Seen, Stamp, Token};

use super::run::Waiting;
use super::{Halt, Op, Then, Unanswered, WorkNote, Worker, WorkerTimer};
use crate::story::{Story, Timer};

/// How long a client library rests before it asks again, the first time; then twice as long each time.
const REST_MIN: Span = Span::from_millis(50);
/// And at most.
const REST_MAX: Span = Span::from_secs(1);

impl Worker {
    /// The client's side of a store's kind.
    fn client(&self, store: ProcessId) -> Option<&dyn Guard> {
        self.config.stores.iter().find(|(of, _)| *of == store).map(|(_, kind)| kind.guard())
    }

    fn attached(&self, store: ProcessId) -> Option<Token> {
        self.grant_for(store).filter(|_| self.config.attach_token).and_then(|grant| grant.token)
    }

    /// What a write carries.
    pub(super) fn stamp(&self, store: ProcessId, now: Now) -> Stamp {
        let client = self.client(store);
        let seen = if client.is_some_and(Guard::is_stamped_by_clock) {
            IdGenerator::timestamp(now.wall)
        } else if client.is_some_and(Guard::is_bound_to_connection) {
            Seen(self.connection)
        } else {
            self.seen.iter().find(|(of, _)| *of == store).map_or(Seen::NOTHING, |(_, seen)| *seen)
        };
        Stamp::new(self.attached(store), seen)
    }

    /// Whether the lock that protects a store is in jeopardy: nothing is sent there until it is safe, or lost.
    pub(super) fn holds_back(&self, store: ProcessId) -> bool {
        let by = self.config.protected_by.iter().find(|(protected, _)| *protected == store);
        by.is_some_and(|(_, place)| self.clients[*place].is_in_jeopardy())
    }

    /// Closes its connections where claims are bound to those: a transaction that is open there is rolled back.
    pub(super) fn hang_up(&mut self, out: &mut impl Outbox<Story>) {
        for (store, kind) in &self.config.stores {
            if kind.guard().is_bound_to_connection() {
                out.disconnect(*store, u64::from(self.connection));
            }
        }
        self.connection = self.connection.wrapping_add(1);
    }

    fn has_seen(&mut self, store: ProcessId, seen: Option<Seen>) {
        let Some(seen) = seen else { return };
        match self.seen.iter_mut().find(|(of, _)| *of == store) {
            Some((_, last)) => *last = seen,
            None => self.seen.push((store, seen)),
        }
    }

    /// Writes the next item, or as much of what is left of it as fits into one request.
    pub(super) fn write(&mut self, store: ProcessId, effects: u32, now: Now, out: &mut impl Outbox<Story>) {
        let stamp = self.stamp(store, now);
        let left = effects.saturating_sub(self.part);
        let fits = self.client(store).and_then(Guard::batch).unwrap_or(u32::MAX);
        let item = Item { number: self.item, effects: left.min(fits), first: self.part };
        let ask = if left > fits { Ask::Part(stamp, item) } else { Ask::Write(stamp, item) };
        self.ask(store, ask, now, out);
    }

    pub(super) fn ask(&mut self, store: ProcessId, ask: Ask, now: Now, out: &mut impl Outbox<Story>) {
        self.send(store, ask, false, 0, now, out);
    }

    fn send(
        &mut self,
        store: ProcessId,
        ask: Ask,
        doubts: bool,
        tries: u32,
        now: Now,
        out: &mut impl Outbox<Story>,
    ) {
        self.next_id = self.next_id.wrapping_add(1);
        let id = self.next_id;
        self.waiting = Waiting::Store { store, id, ask, sent: now.mono, doubts, tries };
        let op = if doubts { Ask::Read } else { ask };
        out.note(WorkNote::Asks { store, id, op, under: self.grant_for(store).map(|grant| grant.id) });
        match self.journals.iter_mut().find(|(of, _)| *of == store) {
            Some((_, journal)) => {
                let mut letters = Vec::new();
                if let Some(answer) = journal.ask(id, op, &mut letters) {
                    return self.store_answered(id, None, &answer, now, out);
                }
                post(letters, out);
            }
            None => out.send(store, stores::Msg::Request { id, op }),
        }
        out.arm(Timer::Work(WorkerTimer::Overdue), now.mono + self.config.store_timeout);
    }

    /// A node of a journal has answered: with enough others, that is the journal's answer.
    pub(super) fn node_answered(
        &mut self,
        node: ProcessId,
        msg: &stores::journal::Msg,
        now: Now,
        out: &mut impl Outbox<Story>,
    ) {
        let Some((_, journal)) = self.journals.iter_mut().find(|(_, journal)| journal.knows(node)) else {
            return;
        };
        let mut letters = Vec::new();
        let answer = journal.heard(node, msg, &mut letters);
        post(letters, out);
        if let Some((id, answer)) = answer {
            self.store_answered(id, None, &answer, now, out);
        }
    }

    /// No answer: nobody knows whether the request was carried out.
    pub(super) fn overdue(&mut self, now: Now, out: &mut impl Outbox<Story>) {
        if let Waiting::Store { store, ask, sent, doubts, tries, .. } = self.waiting
            && sent + self.config.store_timeout <= now.mono
        {
            if self.holds_back(store) {
                return out.arm(Timer::Work(WorkerTimer::Overdue), now.mono + self.config.store_timeout);
            }
            let looks = match self.config.when_unanswered {
                Unanswered::Resend => false,
                Unanswered::Look => doubts || ask.stamp().is_some(),
            };
            let ask = if looks { ask } else { self.fresh(store, ask, now) };
            self.send(store, ask, looks, tries, now, out);
        }
    }

    /// The same request with what it carries now: a clock has gone on.
    fn fresh(&self, store: ProcessId, ask: Ask, now: Now) -> Ask {
        ask.stamped(self.stamp(store, now))
    }

    /// The store was not ready, and the client library has rested.
    pub(super) fn ask_again(
        &mut self,
        store: ProcessId,
        ask: Ask,
        tries: u32,
        now: Now,
        out: &mut impl Outbox<Story>,
    ) {
        if self.holds_back(store) {
            return out.arm(Timer::Work(WorkerTimer::Step), now.mono + REST_MAX);
        }
        let ask = self.fresh(store, ask, now);
        self.send(store, ask, false, tries, now, out);
    }

    pub(super) fn store_answered(
        &mut self,
        id: u32,
        seen: Option<Seen>,
        answer: &Answer,
        now: Now,
        out: &mut impl Outbox<Story>,
    ) {
        let Waiting::Store { store, id: asked, ask, sent, doubts, tries } = self.waiting else { return };
        if asked != id {
            return;
        }
        out.disarm(Timer::Work(WorkerTimer::Overdue));
        match answer {
            Answer::Refused(refusal) => {
                let then = self.config.when_refused;
                if then != Then::Ignore
                    && let Some((_, place)) = self.config.protected_by.iter().find(|(by, _)| *by == store)
                {
                    let place = *place;
                    self.clients[place].refused(place as u8, out);
                }
                self.taken_from(then, Halt::Refused(*refusal), now, out);
            }
            Answer::Again(_) => {
                let rest = REST_MIN.times(1 << tries.min(8)).min(REST_MAX);
                self.waiting = Waiting::Again { store, ask, tries: tries + 1 };
                out.arm(Timer::Work(WorkerTimer::Step), now.mono + rest);
            }
            Answer::Accepted(before) => {
                self.has_seen(store, seen);
                self.done(ask, before.done, now, out);
            }
            Answer::Replayed(row) => self.done(ask, row.done, now, out),
            Answer::Row(row) if doubts => {
                if self.shows(row, store, ask) {
                    self.has_seen(store, seen);
                    self.done(ask, row.done, now, out);
                } else {
                    // With what it had seen before it asked: nothing but its own write may have come between.
                    let ask = self.fresh(store, ask, now);
                    self.send(store, ask, false, tries, now, out);
                }
            }
            Answer::Row(row) => {
                self.has_seen(store, seen);
                self.item = row.done;
                self.part = 0;
                match self.config.program.get(self.at) {
                    Some(Op::Take(_, every)) if row.state != RowState::Queued => {
                        self.waiting = Waiting::Look;
                        out.arm(Timer::Work(WorkerTimer::Step), (sent + *every).max(now.mono));
                    }
                    Some(_) | None => self.done_with_step(now, out),
                }
            }
            Answer::Index(_) => self.done_with_step(now, out),
        }
    }

    /// What it asked for was done. `items` are as many as were done before that.
    fn done(&mut self, ask: Ask, items: u32, now: Now, out: &mut impl Outbox<Story>) {
        match ask {
            Ask::Raise(_) => {
                self.item = items;
                self.part = 0;
            }
            Ask::Part(_, item) => {
                self.part = item.first + item.effects;
                // The same step goes on.
                return self.run(now, out);
            }
            Ask::Write(_, item) => {
                self.item = item.number + 1;
                self.part = 0;
            }
            Ask::Finish(_) | Ask::Read | Ask::Scan | Ask::Requeue(_) => {}
        }
        self.done_with_step(now, out);
    }

    /// Whether a row shows that it was this worker's request that was carried out.
    fn shows(&self, row: &Row, store: ProcessId, ask: Ask) -> bool {
        let is_own = row.owner == self.attached(store);
        match ask {
            Ask::Raise(_) => is_own && row.state == RowState::Running,
            Ask::Write(_, item) => is_own && row.done == item.number + 1,
            Ask::Finish(_) => is_own && row.state == RowState::Done,
            Ask::Part(..) | Ask::Read | Ask::Scan | Ask::Requeue(_) => false,
        }
    }
}

fn post(letters: Vec<stores::journal::Letter>, out: &mut impl Outbox<Story>) {
    for (node, msg) in letters {
        out.send(node, msg);
    }
}
