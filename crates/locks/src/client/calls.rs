//! Requests on their way: which server is asked, how long an answer is waited for, and what is tried again.

use kernel::{Keepalive, Mono, Now, Outbox, ProcessId, Span};

use super::{Client, ClientSpeech, ClientTimer, Purpose, Stage, Step};
use crate::{GiveUp, Gone, Msg, Note, Reply, Request, Word};

/// How a client finds out that the server of its connection is gone (`libpq` leaves these to its system: Linux's defaults).
const KEEPALIVE: Keepalive = Keepalive { idle: Span::from_secs(7_200), every: Span::from_secs(75), count: 9 };

/// How often every server is asked to take back a lock that is given back.
const RELEASE_ROUNDS: usize = 2;

/// One request that waits for its answer.
#[derive(Clone, Debug)]
pub(super) struct Call {
    pub(super) id: u64,
    pub(super) purpose: Purpose,
    pub(super) request: Request,
    pub(super) sent: Now,
    pub(super) server: ProcessId,
    /// How often it failed so far.
    pub(super) failures: usize,
}

/// A request that is to be sent again.
#[derive(Clone, Debug)]
pub(super) struct Parked {
    pub(super) purpose: Purpose,
    request: Request,
    failures: usize,
}

/// How a request failed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Failure {
    /// Nobody listens there: it was not carried out.
    Refused,
    /// The server said that it cannot: it was not carried out.
    Said(&'static str),
    /// No answer in time: whether it was carried out is not known.
    NoAnswer,
}

impl Failure {
    fn text(self) -> &'static str {
        match self {
            Self::Refused => "connection refused",
            Self::Said(why) => why,
            Self::NoAnswer => "no answer in time",
        }
    }
}

impl Client {
    pub(super) fn call(
        &mut self,
        purpose: Purpose,
        request: Request,
        now: Now,
        out: &mut impl Outbox<ClientSpeech>,
    ) {
        if self.kind.recipe().asks_all() {
            for &server in self.config.servers.clone().iter() {
                self.send_to(server, purpose, request.clone(), 0, now, out);
            }
            self.arm_overdue(out);
        } else {
            self.send(purpose, request, 0, now, out);
        }
    }

    fn send(
        &mut self,
        purpose: Purpose,
        request: Request,
        failures: usize,
        now: Now,
        out: &mut impl Outbox<ClientSpeech>,
    ) {
        let server = self.config.servers[self.server];
        self.send_to(server, purpose, request, failures, now, out);
        self.arm_overdue(out);
    }

    fn send_to(
        &mut self,
        server: ProcessId,
        purpose: Purpose,
        request: Request,
        failures: usize,
        now: Now,
        out: &mut impl Outbox<ClientSpeech>,
    ) {
        let id = self.next_id;
        self.next_id += 1;
        let request = request.sent_at(now.wall);
        out.send(server, request.msg(id));
        self.calls.push(Call { id, purpose, request, sent: now, server, failures });
    }

    pub(super) fn arm_overdue(&mut self, out: &mut impl Outbox<ClientSpeech>) {
        let held_until = self.answers_held_until();
        let waits = self.calls.iter().filter(|call| !self.waits_for_long(call));
        match waits.map(|call| self.overdue_at(call, held_until)).min() {
            Some(due) => out.arm(ClientTimer::Overdue, due),
            None => out.disarm(ClientTimer::Overdue),
        }
    }

    /// When an answer is overdue.
    fn overdue_at(&self, call: &Call, held_until: Option<Mono>) -> Mono {
        let due = call.sent.mono + self.config.policy.timeout;
        held_until.filter(|_| call.purpose == Purpose::KeepAlive).map_or(due, |until| due.max(until))
    }

    /// A watch that is on stays among the calls, so that its number is known when the key goes.
    fn waits_for_long(&self, call: &Call) -> bool {
        matches!(&self.stage, Stage::Waiting { watch: Some(id), .. } if *id == call.id)
    }

    pub(super) fn has_call(&self, purpose: Purpose) -> bool {
        self.calls.iter().any(|call| call.purpose == purpose)
            || self.parked.iter().any(|parked| parked.purpose == purpose)
    }

    fn take_call(&mut self, id: u64) -> Option<Call> {
        let place = self.calls.iter().position(|call| call.id == id)?;
        Some(self.calls.remove(place))
    }

    pub(super) fn replied(&mut self, id: u64, msg: &Msg, now: Now, out: &mut impl Outbox<ClientSpeech>) {
        let Some(call) = self.take_call(id) else { return }; // It answers what nobody waits for any more.
        let purpose = call.purpose;
        let step = if matches!(msg, Msg::Reply { reply: Reply::NoLeader, .. }) {
            Step::Failed("no leader")
        } else {
            self.recipe(now, |recipe, cx| recipe.answered(purpose, msg, cx))
        };
        if purpose == Purpose::KeepAlive && self.stage == Stage::Releasing {
            return self.give_back(now, out); // What it left is known now.
        }
        self.take(step, Some(call), now, out);
        self.arm_overdue(out);
    }

    pub(super) fn watch_is_on(&mut self, id: u64, now: Now, out: &mut impl Outbox<ClientSpeech>) {
        if let (true, Stage::Waiting { watch, .. }) = (self.is_watch(id), &mut self.stage) {
            let old = watch.replace(id).filter(|old| *old != id);
            self.calls.retain(|call| Some(call.id) != old);
            let server = self.calls.iter().find(|call| call.id == id).map(|call| call.server);
            if let (Some(server), Some(number)) = (server, self.kind.recipe().connection()) {
                out.connect(server, number, KEEPALIVE);
            }
            // The server that has it may die, and nothing would ever come: the watch is renewed now and then.
            out.arm(ClientTimer::Try, now.mono + self.config.policy.renew_every);
        }
        self.arm_overdue(out);
    }

    fn is_watch(&self, id: u64) -> bool {
        self.calls.iter().any(|call| call.id == id && call.purpose == Purpose::Watch)
    }

    /// A statement that waits on a connection fails when that is closed. Who waits for nothing on it finds out with its next
    /// statement.
    pub(super) fn connection_closed(&mut self, number: u64, now: Now, out: &mut impl Outbox<ClientSpeech>) {
        let waits = matches!(self.stage, Stage::Waiting { .. });
        if waits && self.kind.recipe().connection() == Some(number) {
            self.hang_up(out);
            self.drop_calls(out);
            self.rest_until(now.mono + self.config.policy.retry, now, out);
        }
    }

    /// What it waited for has happened.
    pub(super) fn told(&mut self, id: u64, now: Now, out: &mut impl Outbox<ClientSpeech>) {
        if !self.is_watch(id) || !matches!(self.stage, Stage::Waiting { .. }) {
            return;
        }
        self.calls.retain(|call| call.purpose != Purpose::Watch);
        self.parked.retain(|parked| parked.purpose != Purpose::Watch);
        self.arm_overdue(out);
        out.disarm(ClientTimer::Try);
        out.note(Note::Woken { lock: self.config.lock.clone() });
        let step = self.recipe(now, |recipe, cx| recipe.told(cx));
        self.take(step, None, now, out);
    }

    /// The lock was given back; whether somebody still waits to hear so.
    pub(super) fn released(&mut self, purpose: Option<Purpose>) {
        if purpose == Some(Purpose::Release) {
            self.stage = Stage::Idle;
            self.words.push_back(Word::Released);
        }
    }

    /// The lock is wanted again before the service has answered to its release: that goes on by itself.
    pub(super) fn nobody_waits_for_release(&mut self, now: Now, out: &mut impl Outbox<ClientSpeech>) {
        if self.stage == Stage::Releasing && self.has_call(Purpose::KeepAlive) {
            self.calls.retain(|call| call.purpose != Purpose::KeepAlive);
            self.give_back(now, out);
        }
        for call in self.calls.iter_mut().filter(|call| call.purpose == Purpose::Release) {
            call.purpose = Purpose::CleanUp;
        }
        self.parked.retain(|parked| parked.purpose != Purpose::Release);
    }

    pub(super) fn connection_refused(&mut self, id: u64, now: Now, out: &mut impl Outbox<ClientSpeech>) {
        if let Some(call) = self.take_call(id) {
            self.failed(call, Failure::Refused, now, out);
            self.arm_overdue(out);
        }
    }

    pub(super) fn overdue(&mut self, now: Now, out: &mut impl Outbox<ClientSpeech>) {
        let held_until = self.answers_held_until();
        let late: Vec<u64> = self
            .calls
            .iter()
            .filter(|call| !self.waits_for_long(call) && self.overdue_at(call, held_until) <= now.mono)
            .map(|call| call.id)
            .collect();
        for id in late {
            if let Some(call) = self.take_call(id) {
                self.failed(call, Failure::NoAnswer, now, out);
            }
        }
        self.arm_overdue(out);
    }

    pub(super) fn failed(
        &mut self,
        call: Call,
        failure: Failure,
        now: Now,
        out: &mut impl Outbox<ClientSpeech>,
    ) {
        if self.kind.recipe().asks_all() {
            return self.one_of_all_failed(call, failure, now, out);
        }
        let servers = self.config.servers.len();
        let goes_round = call.purpose == Purpose::CleanUp && call.failures > 0;
        if self.config.servers[self.server] == call.server && !goes_round {
            self.server = (self.server + 1) % servers;
        }
        match call.purpose {
            // Who was asked next may not be the one that has it: each server is asked once.
            Purpose::CleanUp if call.failures + 1 < servers => return self.clean_up_at_next(call, now, out),
            Purpose::CleanUp => {
                // It runs out by itself, or ends with its connection.
                if self.stage == Stage::Idle {
                    self.hang_up(out);
                }
                return;
            }
            Purpose::KeepAlive if self.stage == Stage::Releasing => return self.give_back(now, out),
            Purpose::KeepAlive if self.held.is_some() => {
                let lock = self.config.lock.clone();
                out.note(Note::RenewalFailed { lock, server: call.server, why: failure.text() });
                if self.config.policy.give_up == GiveUp::FirstError {
                    return self.lose(Gone::RenewalFailed, out);
                }
                if failure == Failure::Refused && self.kind.recipe().connection().is_some() {
                    return self.lose(Gone::ToldGone, out); // A connection that is reset is none.
                }
            }
            Purpose::Try(part) if part.may_take() && failure == Failure::NoAnswer => {
                // The lock may be its own: that is taken back, and a new try begins anew.
                return self.abandon_try(now, out);
            }
            Purpose::Release if call.failures + 1 >= servers * RELEASE_ROUNDS => {
                self.hang_up(out);
                return self.released(Some(Purpose::Release)); // It runs out by itself, or ends with its connection.
            }
            Purpose::Try(_) | Purpose::Watch | Purpose::KeepAlive | Purpose::Release | Purpose::Put => {}
        }
        let failures = call.failures + 1;
        if failures.is_multiple_of(servers) {
            self.parked.push(Parked { purpose: call.purpose, request: call.request, failures });
            out.arm(ClientTimer::Again, now.mono + self.config.policy.retry);
        } else {
            self.send_again(call.purpose, call.request, failures, now, out);
        }
    }

    /// Asks the server behind the one that failed; the next try begins where it would have.
    fn clean_up_at_next(&mut self, call: Call, now: Now, out: &mut impl Outbox<ClientSpeech>) {
        let servers = self.config.servers.clone();
        let place = servers.iter().position(|server| *server == call.server);
        let next = place.map_or(0, |place| (place + 1) % servers.len());
        let Some(&server) = servers.get(next) else { return };
        let request = self.recipe(now, |recipe, cx| recipe.again(call.purpose, call.request, cx));
        self.send_to(server, call.purpose, request, call.failures + 1, now, out);
        self.arm_overdue(out);
    }

    /// Of all servers that were asked, one did not answer: the recipe counts.
    fn one_of_all_failed(
        &mut self,
        call: Call,
        failure: Failure,
        now: Now,
        out: &mut impl Outbox<ClientSpeech>,
    ) {
        let purpose = call.purpose;
        if purpose == Purpose::KeepAlive && self.held.is_some() {
            let lock = self.config.lock.clone();
            out.note(Note::RenewalFailed { lock, server: call.server, why: failure.text() });
        }
        let step = self.recipe(now, |recipe, cx| recipe.unanswered(purpose, cx));
        self.take(step, Some(call), now, out);
    }

    pub(super) fn again(&mut self, now: Now, out: &mut impl Outbox<ClientSpeech>) {
        for Parked { purpose, request, failures } in std::mem::take(&mut self.parked) {
            self.send_again(purpose, request, failures, now, out);
        }
    }

    fn send_again(
        &mut self,
        purpose: Purpose,
        request: Request,
        failures: usize,
        now: Now,
        out: &mut impl Outbox<ClientSpeech>,
    ) {
        let request = self.recipe(now, |recipe, cx| recipe.again(purpose, request, cx));
        self.send(purpose, request, failures, now, out);
    }
}
