//! The client half: a session, its renew loop, and the recipes for taking a lock.
//!
//! `calls` sends requests and tries again; `acquire` is the recipes; `hold` keeps the lease, and knows when to stop.

mod acquire;
mod calls;
mod hold;

use std::collections::VecDeque;
use std::rc::Rc;

use kernel::{Dialect, Input, Mono, Now, Outbox, ProcessId, Span};

use self::acquire::Stage;
use self::calls::{Call, Parked, Purpose};
use self::hold::Held;
use super::{Msg, Request, Txn};
use crate::{Gone, GrantId, Key, LeaseId, Note, Policy, Reading, Token, Wait, Word};

/// What a client speaks.
#[derive(Clone, Debug)]
pub struct ClientSpeech;

impl Dialect for ClientSpeech {
    type Msg = Msg;
    type Timer = ClientTimer;
    type Write = ();
    type Disk = ();
    type Note = Note;
    type Role = ();
}

/// A client's timers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ClientTimer {
    /// Renew the lease.
    Renew,
    /// The stop time may have come.
    Stop,
    /// An answer is overdue.
    Overdue,
    /// Requests that every member has failed are sent again.
    Again,
    /// The next try to take the lock, or time to renew the watch that it waits for.
    Try,
}

/// A client's configuration.
#[derive(Clone, Debug)]
pub struct ClientConfig {
    /// The process that it is part of.
    pub me: ProcessId,
    /// The members, in the order in which they are tried.
    pub members: Rc<[ProcessId]>,
    /// The lock that it is for.
    pub lock: Key,
    /// What it does.
    pub policy: Policy,
}

/// A client for one lock.
#[derive(Clone, Debug)]
pub struct Client {
    config: Rc<ClientConfig>,
    stage: Stage,
    lease: Option<LeaseId>,
    /// How long the lease is, as the service said.
    ttl: Span,
    /// When the request was sent from which the lease counts: the grant's, then that of the last renewal.
    counts_from: Now,
    held: Option<Held>,
    /// The revision at which its own key was created: its place in line.
    place: u64,
    /// When the present try began.
    tried: Mono,
    calls: Vec<Call>,
    /// Requests to be sent again when `Again` is due.
    parked: Vec<Parked>,
    /// The member in use.
    member: usize,
    next_id: u64,
    words: VecDeque<Word>,
}

impl Client {
    /// A client that wants nothing yet. Its requests are numbered from `first_id`, which no earlier life of the process
    /// may have come to.
    pub fn new(config: Rc<ClientConfig>, first_id: u64) -> Self {
        Self {
            stage: Stage::Idle,
            lease: None,
            ttl: config.policy.ttl,
            counts_from: Now::default(),
            held: None,
            place: 0,
            tried: Mono::default(),
            calls: Vec::new(),
            parked: Vec::new(),
            member: 0,
            next_id: first_id,
            words: VecDeque::new(),
            config,
        }
    }

    /// What it has to say to its worker, oldest first.
    pub fn next_word(&mut self) -> Option<Word> {
        self.words.pop_front()
    }
    /// The lock that it is for.
    pub fn lock(&self) -> &Key {
        &self.config.lock
    }
    /// The grant by which it believes to hold the lock.
    pub fn holds(&self) -> Option<GrantId> {
        self.held.as_ref().map(|held| held.grant)
    }
    /// The token that came with it.
    pub fn token(&self) -> Option<Token> {
        self.held.as_ref().map(|held| held.token)
    }
    /// Its own stop time, while it holds.
    pub fn stop(&self) -> Option<Reading> {
        self.held.as_ref().map(|held| held.stop)
    }
    /// Whether its stop time is still ahead. The check that a pause can make worthless.
    pub fn may_act(&self, now: Now) -> bool {
        self.held.as_ref().is_some_and(|held| !hold::reached(held.stop, now))
    }
    /// Whether it waits for the lock.
    pub fn wants(&self) -> bool {
        self.stage.wants()
    }
    /// What it is doing, in a few words.
    pub fn doing(&self) -> &'static str {
        self.stage.text()
    }

    /// Begins to take the lock. Nothing happens when it already does, or holds it. One that is being given back is
    /// wanted again: the worker is not told any more that it was given back.
    pub fn acquire(&mut self, now: Now, out: &mut impl Outbox<ClientSpeech>) {
        if self.held.is_some() || self.stage.wants() {
            return;
        }
        self.nobody_waits_for_release();
        out.note(Note::Wants { lock: self.config.lock.clone() });
        self.begin_try(now, out);
    }

    /// Gives the lock back. The belief ends here; the word comes when the service has answered, or cannot.
    pub fn release(&mut self, now: Now, out: &mut impl Outbox<ClientSpeech>) {
        if self.stage == Stage::Releasing {
            return;
        }
        if self.held.is_some() {
            self.stop_holding(Gone::Released, out);
        } else if self.stage.wants() {
            out.note(Note::StopsWanting { lock: self.config.lock.clone() });
        }
        self.drop_calls(out);
        match self.lease.take() {
            Some(lease) => {
                self.stage = Stage::Releasing;
                self.call(Purpose::Release, Request::Revoke(lease), now, out);
            }
            None => {
                self.stage = Stage::Idle;
                self.words.push_back(Word::Released);
            }
        }
    }

    /// Lets go because a store refused the token: the lock is lost, whatever the client believed.
    pub fn refused(&mut self, out: &mut impl Outbox<ClientSpeech>) {
        if self.held.is_some() {
            self.stop_holding(Gone::WriteRefused, out);
            self.forget(out);
        }
    }

    /// Lets go because its own stop time has come, as a check before an act found.
    pub fn stop_acting(&mut self, out: &mut impl Outbox<ClientSpeech>) {
        if self.held.is_some() {
            self.stop_holding(Gone::StopTime, out);
            self.forget(out);
        }
    }

    /// Writes a plain key that no lease is bound to.
    pub fn put(&mut self, key: Key, value: u64, now: Now, out: &mut impl Outbox<ClientSpeech>) {
        let txn = Txn::put_always(key, value);
        self.call(Purpose::Put, Request::Txn(txn), now, out);
    }

    /// Takes one input.
    pub fn on(&mut self, input: Input<'_, ClientSpeech>, now: Now, out: &mut impl Outbox<ClientSpeech>) {
        match input {
            Input::Message { msg: Msg::Reply { id, reply }, .. } => self.replied(*id, reply, now, out),
            Input::Message { msg: Msg::Deleted { id, .. }, .. } => self.watched_key_deleted(*id, now, out),
            Input::Refused { msg: Msg::Request { id, .. }, .. } => self.connection_refused(*id, now, out),
            Input::Timer(ClientTimer::Renew) => self.renew_due(now, out),
            Input::Timer(ClientTimer::Stop) => self.stop_due(now, out),
            Input::Timer(ClientTimer::Overdue) => self.overdue(now, out),
            Input::Timer(ClientTimer::Again) => self.again(now, out),
            Input::Timer(ClientTimer::Try) => self.try_due(now, out),
            Input::Boot
            | Input::Refused { .. }
            | Input::Message {
                msg: Msg::Peer(_) | Msg::Request { .. } | Msg::Forward { .. } | Msg::ForwardReply { .. },
                ..
            } => {}
        }
    }

    /// Forgets lease, calls and plans: the client is as new.
    fn forget(&mut self, out: &mut impl Outbox<ClientSpeech>) {
        self.lease = None;
        self.stage = Stage::Idle;
        self.drop_calls(out);
    }

    /// Forgets all calls and plans of the acquisition; a plain key is written all the same.
    fn drop_calls(&mut self, out: &mut impl Outbox<ClientSpeech>) {
        self.calls.retain(|call| matches!(call.purpose, Purpose::Put));
        self.parked.retain(|parked| matches!(parked.purpose, Purpose::Put));
        out.disarm(ClientTimer::Renew);
        out.disarm(ClientTimer::Stop);
        out.disarm(ClientTimer::Try);
        if self.parked.is_empty() {
            out.disarm(ClientTimer::Again);
        }
        self.arm_overdue(out);
    }

    fn waits_by(&self) -> Wait {
        self.config.policy.wait
    }

    fn poll_interval(&self) -> Span {
        match self.config.policy.wait {
            Wait::Poll(every) => every,
            Wait::Watch | Wait::Queue => self.config.policy.retry,
        }
    }
}
