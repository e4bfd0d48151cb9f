//! Requests on their way: which member is asked, how long an answer is waited for, and what is tried again.

use std::rc::Rc;

use kernel::{Now, Outbox, ProcessId};

use super::acquire::Stage;
use super::{Client, ClientSpeech, ClientTimer};
use crate::etcd::{Fault, Msg, Reply, Request};
use crate::{GiveUp, Gone, Note, Word};

/// What a request is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Purpose {
    /// See whether the lock is free.
    Look,
    /// A lease for this try.
    Grant,
    /// The key, if nobody has it.
    Claim,
    /// A key of its own, in line.
    Enqueue,
    /// Who is just ahead in line.
    LookAhead,
    /// Be told when the key goes that it waits for.
    Watch,
    /// See that its own key is still there, after waiting.
    Verify,
    /// More time.
    KeepAlive,
    /// End the lease of a try that failed; nobody waits for it.
    CleanUp,
    /// End the lease, at the worker's wish.
    Release,
    /// Write a plain key.
    Put,
}

/// How often every member is asked to end the lease of a lock that is given back.
const RELEASE_ROUNDS: usize = 2;

/// One request that waits for its answer.
#[derive(Clone, Debug)]
pub(super) struct Call {
    pub(super) id: u64,
    pub(super) purpose: Purpose,
    pub(super) request: Rc<Request>,
    pub(super) sent: Now,
    pub(super) member: ProcessId,
    /// How often it failed so far.
    pub(super) failures: usize,
}

/// A request that is to be sent again.
#[derive(Clone, Debug)]
pub(super) struct Parked {
    pub(super) purpose: Purpose,
    request: Rc<Request>,
    failures: usize,
}

/// How a request failed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Failure {
    /// Nobody listens there: it was not carried out.
    Refused,
    /// The member said that it cannot: it was not carried out.
    Said(Fault),
    /// No answer in time: whether it was carried out is not known.
    NoAnswer,
}

impl Failure {
    fn text(self) -> &'static str {
        match self {
            Self::Refused => "connection refused",
            Self::Said(fault) => fault.text(),
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
        self.send(purpose, Rc::new(request), 0, now, out);
    }

    fn send(
        &mut self,
        purpose: Purpose,
        request: Rc<Request>,
        failures: usize,
        now: Now,
        out: &mut impl Outbox<ClientSpeech>,
    ) {
        let id = self.next_id;
        self.next_id += 1;
        let member = self.config.members[self.member];
        out.send(member, Msg::Request { id, request: request.clone() });
        self.calls.push(Call { id, purpose, request, sent: now, member, failures });
        self.arm_overdue(out);
    }

    pub(super) fn arm_overdue(&self, out: &mut impl Outbox<ClientSpeech>) {
        let first =
            self.calls.iter().filter(|call| !self.waits_for_long(call)).map(|call| call.sent.mono).min();
        match first {
            Some(sent) => out.arm(ClientTimer::Overdue, sent + self.config.policy.timeout),
            None => out.disarm(ClientTimer::Overdue),
        }
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

    pub(super) fn replied(&mut self, id: u64, reply: &Reply, now: Now, out: &mut impl Outbox<ClientSpeech>) {
        if matches!(reply, Reply::Watching) {
            self.watch_is_on(id, now, out);
            return self.arm_overdue(out);
        }
        let Some(call) = self.take_call(id) else { return }; // It answers what nobody waits for any more.
        match reply {
            Reply::Failed(Fault::LeaseNotFound) if call.purpose != Purpose::Put => {
                self.lease_is_gone(now, out)
            }
            Reply::Failed(fault) => self.failed(call, Failure::Said(*fault), now, out),
            Reply::KeptAlive(left) => self.kept_alive(&call, *left, now, out),
            Reply::Revoked(_) => self.revoked(call.purpose),
            Reply::Granted { lease, ttl } => self.granted(&call, *lease, *ttl, now, out),
            Reply::Txn(reply) => self.txn_done(call.purpose, reply, now, out),
            Reply::Got(found) => self.found(call.purpose, found, now, out),
            Reply::Watching => {}
        }
        self.arm_overdue(out);
    }

    fn revoked(&mut self, purpose: Purpose) {
        if purpose == Purpose::Release {
            self.stage = Stage::Idle;
            self.words.push_back(Word::Released);
        }
    }

    /// The lock is wanted again before the service has answered to its release: that goes on by itself.
    pub(super) fn nobody_waits_for_release(&mut self) {
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
        let timeout = self.config.policy.timeout;
        let late: Vec<u64> = self
            .calls
            .iter()
            .filter(|call| !self.waits_for_long(call) && call.sent.mono + timeout <= now.mono)
            .map(|call| call.id)
            .collect();
        for id in late {
            if let Some(call) = self.take_call(id) {
                self.failed(call, Failure::NoAnswer, now, out);
            }
        }
        self.arm_overdue(out);
    }

    fn failed(&mut self, call: Call, failure: Failure, now: Now, out: &mut impl Outbox<ClientSpeech>) {
        if self.config.members[self.member] == call.member {
            self.member = (self.member + 1) % self.config.members.len();
        }
        match call.purpose {
            Purpose::CleanUp => return, // Its lease ends by itself.
            Purpose::KeepAlive if self.held.is_some() => {
                let lock = self.config.lock.clone();
                out.note(Note::RenewalFailed { lock, server: call.member, why: failure.text() });
                if self.config.policy.give_up == GiveUp::FirstError {
                    return self.lose(Gone::RenewalFailed, out);
                }
            }
            Purpose::Claim | Purpose::Enqueue if failure == Failure::NoAnswer => {
                // The key may be there: ending its lease takes it away again, and a new try begins with a new one.
                return self.abandon_try(now, out);
            }
            Purpose::Release if call.failures + 1 >= self.config.members.len() * RELEASE_ROUNDS => {
                return self.revoked(Purpose::Release); // The lease ends by itself.
            }
            Purpose::Look
            | Purpose::Grant
            | Purpose::Claim
            | Purpose::Enqueue
            | Purpose::LookAhead
            | Purpose::Watch
            | Purpose::Verify
            | Purpose::KeepAlive
            | Purpose::Release
            | Purpose::Put => {}
        }
        let failures = call.failures + 1;
        if failures.is_multiple_of(self.config.members.len()) {
            self.parked.push(Parked { purpose: call.purpose, request: call.request, failures });
            out.arm(ClientTimer::Again, now.mono + self.config.policy.retry);
        } else {
            self.send(call.purpose, call.request, failures, now, out);
        }
    }

    pub(super) fn again(&mut self, now: Now, out: &mut impl Outbox<ClientSpeech>) {
        for Parked { purpose, request, failures } in std::mem::take(&mut self.parked) {
            self.send(purpose, request, failures, now, out);
        }
    }
}
