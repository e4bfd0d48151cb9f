//! Carrying out a program.

use kernel::{Mono, Now, Outbox, ProcessId};
use locks::Word;
use stores::Op as Ask;

use super::{Halt, Op, Then, WorkNote, Worker, WorkerTimer};
use crate::story::{Story, Timer};

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
    /// A store's answer to what it asks, or, when it doubts whether that was done, to a look at the row.
    Store { store: ProcessId, id: u32, ask: Ask, sent: Mono, doubts: bool, tries: u32 },
    /// The time to ask again, for the nth time, because the store was not ready.
    Again { store: ProcessId, ask: Ask, tries: u32 },
    /// The next look whether a row is free.
    Look,
    /// A plain key to be written.
    Put,
    /// A lock that is in jeopardy to be safe, or lost.
    Safety,
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
            Self::Store { doubts: true, .. } => "looks whether its write was done".into(),
            Self::Store { ask, .. } | Self::Again { ask, .. } => match ask {
                Ask::Raise(_) => "raises the fence".into(),
                Ask::Write(_, item) | Ask::Part(_, item) => format!("writes item {}", item.number + 1),
                Ask::Finish(_) => "marks the work as done".into(),
                Ask::Read | Ask::Scan | Ask::Requeue(_) => "reads the row".into(),
            },
            Self::Look => "waits until the row is free".into(),
            Self::Put => "writes a key".into(),
            Self::Safety => "waits to hear whether its lock is safe".into(),
            Self::Stopped => "has stopped".into(),
            Self::Done => "is done".into(),
        }
    }
}

impl Worker {
    /// Goes on with the program until something has to be waited for.
    pub(super) fn run(&mut self, now: Now, out: &mut impl Outbox<Story>) {
        let program = self.config.program.clone();
        loop {
            let Some(op) = program.get(self.at) else {
                self.waiting = Waiting::Done;
                out.note(WorkNote::Finished);
                return self.hang_up(out);
            };
            if self.is_held_up(op, now, out) {
                self.waiting = Waiting::Safety;
                return;
            }
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
                Op::Raise(store) => return self.ask(*store, Ask::Raise(self.stamp(*store, now)), now, out),
                Op::Finish(store) => return self.ask(*store, Ask::Finish(self.stamp(*store, now)), now, out),
                Op::Read(store) | Op::Take(store, _) => return self.ask(*store, Ask::Read, now, out),
                Op::Write(store, effects) => return self.write(*store, *effects, now, out),
                Op::Put(place, key) => {
                    self.waiting = Waiting::Put;
                    let value = u64::from(self.next_id);
                    self.clients[*place].put(*place as u8, key.clone(), value, now, out);
                    return;
                }
            }
            self.at += 1;
        }
    }

    /// Whether a lock that it needs for this is in jeopardy. Only a check looks at the clock; everything else waits when
    /// the client has found out.
    fn is_held_up(&mut self, op: &Op, now: Now, out: &mut impl Outbox<Story>) -> bool {
        let is_in_jeopardy = |place: usize| self.clients[place].is_in_jeopardy();
        match *op {
            Op::Check => {
                let mut must_wait = false;
                for (place, client) in self.clients.iter_mut().enumerate() {
                    must_wait |= client.must_wait(place as u8, now, out);
                }
                must_wait
            }
            Op::Acquire(place) | Op::Release(place) => is_in_jeopardy(place),
            Op::Raise(store) | Op::Finish(store) | Op::Write(store, _) => self.holds_back(store),
            Op::Read(_)
            | Op::Take(..)
            | Op::Prepare(_)
            | Op::Until(_)
            | Op::Put(..)
            | Op::Enter { .. }
            | Op::Again { .. }
            | Op::WhileItems { .. }
            | Op::Jump(_) => false,
        }
    }

    /// What it waited for in jeopardy has come.
    pub(super) fn safe(&mut self, now: Now, out: &mut impl Outbox<Story>) {
        if self.waiting == Waiting::Safety {
            self.run(now, out);
        }
    }

    pub(super) fn done_with_step(&mut self, now: Now, out: &mut impl Outbox<Story>) {
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
            Waiting::Again { store, ask, tries } => self.ask_again(store, ask, tries, now, out),
            Waiting::Lock(_)
            | Waiting::Release(_)
            | Waiting::Store { .. }
            | Waiting::Put
            | Waiting::Safety
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
                    client.stop_acting(place as u8, out);
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
        client.acquire(place as u8, now, out);
        match client.next_word() {
            Some(Word::Acquired { grant, token }) => {
                self.granted(place, grant, token);
                true
            }
            Some(Word::Renumbered(_) | Word::Released | Word::Safe | Word::Lost(_) | Word::PutDone)
            | None => false,
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
        client.release(place as u8, now, out);
        match client.next_word() {
            Some(Word::Released) => {
                self.grants[place] = None;
                true
            }
            Some(
                Word::Acquired { .. } | Word::Renumbered(_) | Word::Safe | Word::Lost(_) | Word::PutDone,
            )
            | None => false,
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
                self.hang_up(out);
                self.close_sessions(now, out);
            }
            Then::Restart => {
                out.note(WorkNote::Restarts { why });
                out.disarm(Timer::Work(WorkerTimer::Step));
                out.disarm(Timer::Work(WorkerTimer::Overdue));
                self.hang_up(out);
                self.grants.iter_mut().for_each(|grant| *grant = None);
                self.at = 0;
                self.item = 0;
                self.part = 0;
                self.run(now, out);
            }
            // A client that lost its lock tells; the program is not where that matters to it.
            Then::Ignore => match why {
                Halt::LostLock(_) => self.safe(now, out),
                Halt::Refused(_) | Halt::StopTime => {
                    self.part = 0;
                    self.done_with_step(now, out);
                }
            },
        }
    }

    /// A program that ends closes its sessions: what it still holds is given back.
    fn close_sessions(&mut self, now: Now, out: &mut impl Outbox<Story>) {
        for (place, client) in self.clients.iter_mut().enumerate() {
            if client.holds().is_some() || client.wants() {
                client.release(place as u8, now, out);
            }
        }
    }
}
