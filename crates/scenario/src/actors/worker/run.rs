//! Carrying out a program.

use kernel::{Mono, Now, Outbox, ProcessId};
use locks::{Gone, Word};
use stores::{Answer, Item, Op as Ask, RowState};

use super::{Halt, Op, Then, WorkNote, Worker, WorkerTimer};
use crate::story::{ForClient, Story, Timer};

/// What a worker waits for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Waiting {
    /// Its start.
    ToBegin,
    /// A step's time to pass.
    Time,
    /// A lock.
    Lock(usize),
    /// A lock to be given back.
    Release(usize),
    /// A store's answer.
    Store { store: ProcessId, id: u32, ask: Ask, sent: Mono },
    /// The next look whether a row is free.
    Look,
    /// A plain key to be written.
    Put,
    /// Nothing: it has stopped.
    Stopped,
    /// Nothing: it is done.
    Done,
}

impl Waiting {
    pub(super) fn text(&self, op: Option<&Op>) -> String {
        match self {
            Self::ToBegin => "has not begun".into(),
            Self::Time => match op {
                Some(Op::Prepare(span)) => format!("works for {span}"),
                Some(_) | None => "waits".into(),
            },
            Self::Lock(_) => "waits for the lock".into(),
            Self::Release(_) => "gives the lock back".into(),
            Self::Store { ask, .. } => match ask {
                Ask::Raise(_) => "raises the fence".into(),
                Ask::Write(_, item) => format!("writes item {}", item.number + 1),
                Ask::Finish(_) => "marks the work as done".into(),
                Ask::Read | Ask::Scan | Ask::Requeue(_) => "reads the row".into(),
            },
            Self::Look => "waits until the row is free".into(),
            Self::Put => "writes a key".into(),
            Self::Stopped => "has stopped".into(),
            Self::Done => "is done".into(),
        }
    }
}

/// Why a client's loss stops a worker.
pub(super) fn lost(why: Gone) -> Halt {
    Halt::LostLock(why)
}

impl Worker {
    /// Goes on with the program until something has to be waited for.
    fn run(&mut self, now: Now, out: &mut impl Outbox<Story>) {
        let program = self.config.program.clone();
        loop {
            let Some(op) = program.get(self.at) else {
                self.waiting = Waiting::Done;
                out.note(WorkNote::Finished);
                return;
            };
            match op {
                Op::Enter { counter } => self.rounds[*counter] = 0,
                Op::Again { counter, times, to } => {
                    self.rounds[*counter] += 1;
                    if self.rounds[*counter] < *times {
                        self.at = *to;
                        continue;
                    }
                }
                Op::WhileItems { items, exit } if self.item >= *items => {
                    self.at = *exit;
                    continue;
                }
                Op::WhileItems { .. } => {}
                Op::Jump(to) => {
                    self.at = *to;
                    continue;
                }
                Op::Check => {
                    if !self.check(now, out) {
                        return self.taken_from(self.config.when_lost, Halt::StopTime, now, out);
                    }
                }
                Op::Acquire(place) => {
                    if !self.acquire(*place, now, out) {
                        return;
                    }
                }
                Op::Release(place) => {
                    if !self.release(*place, now, out) {
                        return;
                    }
                }
                Op::Prepare(span) => return self.wait_until(now.mono + *span, out),
                Op::Until(span) => {
                    let due = Mono::default() + *span;
                    if now.mono < due {
                        return self.wait_until(due, out);
                    }
                }
                Op::Raise(store) => return self.ask(*store, Ask::Raise(self.attached(*store)), now, out),
                Op::Finish(store) => return self.ask(*store, Ask::Finish(self.attached(*store)), now, out),
                Op::Read(store) | Op::Take(store, _) => return self.ask(*store, Ask::Read, now, out),
                Op::Write(store, effects) => {
                    let item = Item { number: self.item, effects: *effects };
                    return self.ask(*store, Ask::Write(self.attached(*store), item), now, out);
                }
                Op::Put(place, key) => {
                    self.waiting = Waiting::Put;
                    let value = u64::from(self.next_id);
                    let out = &mut ForClient { place: *place as u8, out };
                    self.clients[*place].put(key.clone(), value, now, out);
                    return;
                }
            }
            self.at += 1;
        }
    }

    fn done_with_step(&mut self, now: Now, out: &mut impl Outbox<Story>) {
        self.at += 1;
        self.run(now, out);
    }

    fn wait_until(&mut self, due: Mono, out: &mut impl Outbox<Story>) {
        self.waiting = Waiting::Time;
        out.arm(Timer::Work(WorkerTimer::Step), due);
    }

    pub(super) fn step_due(&mut self, now: Now, out: &mut impl Outbox<Story>) {
        match self.waiting {
            Waiting::ToBegin | Waiting::Look => self.run(now, out),
            Waiting::Time => self.done_with_step(now, out),
            Waiting::Lock(_)
            | Waiting::Release(_)
            | Waiting::Store { .. }
            | Waiting::Put
            | Waiting::Stopped
            | Waiting::Done => {}
        }
    }

    /// Compares the clock with the stop time of every lock that was taken: a pause right behind it makes it worthless.
    fn check(&mut self, now: Now, out: &mut impl Outbox<Story>) -> bool {
        let mut passed = true;
        let mut stop = None;
        for (client, grant) in self.clients.iter().zip(&self.grants) {
            if grant.is_some() {
                passed &= client.may_act(now);
                stop = stop.or(client.stop());
            }
        }
        out.note(WorkNote::Checked { passed, stop });
        if !passed {
            for (place, client) in self.clients.iter_mut().enumerate() {
                if client.holds().is_some() && !client.may_act(now) {
                    client.stop_acting(&mut ForClient { place: place as u8, out });
                }
            }
        }
        passed
    }

    /// Whether it has the lock at once: because it holds it already, or because nobody has to be asked.
    fn acquire(&mut self, place: usize, now: Now, out: &mut impl Outbox<Story>) -> bool {
        let client = &mut self.clients[place];
        if client.holds().is_some() {
            return true;
        }
        self.waiting = Waiting::Lock(place);
        client.acquire(now, &mut ForClient { place: place as u8, out });
        match client.next_word() {
            Some(Word::Acquired { grant, token }) => {
                self.granted(place, grant, token);
                true
            }
            Some(Word::Released | Word::Lost(_) | Word::PutDone) | None => false,
        }
    }

    pub(super) fn acquired(&mut self, place: usize, now: Now, out: &mut impl Outbox<Story>) {
        if self.waiting == Waiting::Lock(place) {
            self.done_with_step(now, out);
        }
    }

    /// Whether it has given the lock back at once: because there was nothing to give.
    fn release(&mut self, place: usize, now: Now, out: &mut impl Outbox<Story>) -> bool {
        self.waiting = Waiting::Release(place);
        let client = &mut self.clients[place];
        client.release(now, &mut ForClient { place: place as u8, out });
        match client.next_word() {
            Some(Word::Released) => {
                self.grants[place] = None;
                true
            }
            Some(Word::Acquired { .. } | Word::Lost(_) | Word::PutDone) | None => false,
        }
    }

    pub(super) fn released(&mut self, place: usize, now: Now, out: &mut impl Outbox<Story>) {
        if self.waiting == Waiting::Release(place) {
            self.done_with_step(now, out);
        }
    }

    pub(super) fn put_done(&mut self, now: Now, out: &mut impl Outbox<Story>) {
        if self.waiting == Waiting::Put {
            self.done_with_step(now, out);
        }
    }

    fn attached(&self, store: ProcessId) -> Option<stores::Token> {
        self.grant_for(store).filter(|_| self.config.attach_token).and_then(|grant| grant.token)
    }

    fn ask(&mut self, store: ProcessId, ask: Ask, now: Now, out: &mut impl Outbox<Story>) {
        self.next_id = self.next_id.wrapping_add(1);
        let id = self.next_id;
        self.waiting = Waiting::Store { store, id, ask, sent: now.mono };
        out.note(WorkNote::Asks { store, id, op: ask, under: self.grant_for(store).map(|grant| grant.id) });
        out.send(store, stores::Msg::Request { id, op: ask });
        out.arm(Timer::Work(WorkerTimer::Overdue), now.mono + self.config.store_timeout);
    }

    /// No answer: the request is sent again, without knowing whether the first one was carried out.
    pub(super) fn overdue(&mut self, now: Now, out: &mut impl Outbox<Story>) {
        if let Waiting::Store { store, ask, sent, .. } = self.waiting
            && sent + self.config.store_timeout <= now.mono
        {
            self.ask(store, ask, now, out);
        }
    }

    pub(super) fn store_answered(
        &mut self,
        id: u32,
        answer: &Answer,
        now: Now,
        out: &mut impl Outbox<Story>,
    ) {
        let Waiting::Store { store, id: asked, ask, sent } = self.waiting else { return };
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
                    self.clients[place].refused(&mut ForClient { place: place as u8, out });
                }
                self.taken_from(then, Halt::Refused(*refusal), now, out);
            }
            Answer::Accepted(before) => {
                match ask {
                    Ask::Raise(_) => self.item = before.done,
                    Ask::Write(_, item) => self.item = item.number + 1,
                    Ask::Finish(_) | Ask::Read | Ask::Scan | Ask::Requeue(_) => {}
                }
                self.done_with_step(now, out);
            }
            Answer::Row(row) => {
                self.item = row.done;
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

    /// Its lock or its write was taken from it.
    pub(super) fn taken_from(&mut self, then: Then, why: Halt, now: Now, out: &mut impl Outbox<Story>) {
        if matches!(self.waiting, Waiting::Stopped | Waiting::Done | Waiting::ToBegin) {
            return;
        }
        match then {
            Then::Stop => {
                out.note(WorkNote::Stopped { why });
                out.disarm(Timer::Work(WorkerTimer::Step));
                out.disarm(Timer::Work(WorkerTimer::Overdue));
                self.waiting = Waiting::Stopped;
                self.close_sessions(now, out);
            }
            Then::Restart => {
                out.note(WorkNote::Restarts { why });
                out.disarm(Timer::Work(WorkerTimer::Step));
                out.disarm(Timer::Work(WorkerTimer::Overdue));
                self.grants.iter_mut().for_each(|grant| *grant = None);
                self.at = 0;
                self.item = 0;
                self.run(now, out);
            }
            // A client that lost its lock tells; the program is not where that matters to it.
            Then::Ignore => match why {
                Halt::LostLock(_) => {}
                Halt::Refused(_) | Halt::StopTime => self.done_with_step(now, out),
            },
        }
    }

    /// A program that ends closes its sessions: what it still holds is given back.
    fn close_sessions(&mut self, now: Now, out: &mut impl Outbox<Story>) {
        for (place, client) in self.clients.iter_mut().enumerate() {
            if client.holds().is_some() || client.wants() {
                client.release(now, &mut ForClient { place: place as u8, out });
            }
        }
    }
}
