//! The client half of every lock service: its renew loop, its tries, and what it tells the worker that embeds it.
//!
//! `calls` sends requests and tries again; `hold` keeps the lease, and knows when to stop; `recipe` is what each kind
//! brings of its own.

mod calls;
mod hold;
mod recipe;
mod round;

use std::collections::VecDeque;
use std::rc::Rc;

use kernel::{Dialect, Input, Mono, Now, Outbox, ProcessId, Span};

use self::calls::{Call, Parked};
use self::hold::Held;
use crate::kinds::{ClientKind, Heard};
use crate::{Gone, GrantId, Key, Msg, Note, Policy, Reading, Request, Token, Wait, Word};

pub(crate) use self::recipe::{Context, Part, Purpose, Recipe, Step};
pub use self::round::majority;
pub(crate) use self::round::{Decided, Round, Vote};

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
    /// Requests that every server has failed are sent again.
    Again,
    /// The next try to take the lock, or time to renew the watch that it waits for.
    Try,
}

/// A client's configuration.
#[derive(Clone, Debug)]
pub struct ClientConfig {
    /// The process that it is part of.
    pub me: ProcessId,
    /// The servers, in the order in which they are tried.
    pub servers: Rc<[ProcessId]>,
    /// The lock that it is for.
    pub lock: Key,
    /// What it does.
    pub policy: Policy,
    /// For what kind of service.
    pub kind: ClientKind,
}

impl ClientConfig {
    /// A client that wants nothing yet. Its requests are numbered from `first_id`, which no earlier life of the process
    /// may have come to.
    pub fn client(self: &Rc<Self>, first_id: u64) -> Client {
        Client {
            kind: self.kind.clone(),
            stage: Stage::Idle,
            ttl: self.policy.ttl,
            counts_from: None,
            held: None,
            tried: Mono::default(),
            calls: Vec::new(),
            parked: Vec::new(),
            server: 0,
            next_id: first_id,
            words: VecDeque::new(),
            config: self.clone(),
        }
    }
}

/// How far a client is.
#[derive(Clone, Debug, PartialEq)]
enum Stage {
    Idle,
    /// It asks.
    Trying(Part),
    /// It waits to be told; the number of the watch, when that is on.
    Waiting {
        request: Request,
        watch: Option<u64>,
    },
    /// It waits for its next try.
    Resting,
    Holding,
    Releasing,
}

impl Stage {
    fn wants(&self) -> bool {
        match self {
            Self::Trying(_) | Self::Waiting { .. } | Self::Resting => true,
            Self::Idle | Self::Holding | Self::Releasing => false,
        }
    }
    fn text(&self) -> &'static str {
        match self {
            Self::Idle => "wants no lock",
            Self::Trying(part) => part.text(),
            Self::Waiting { .. } => "waits for a key to go",
            Self::Resting => "waits for its next try",
            Self::Holding => "holds the lock",
            Self::Releasing => "gives the lock back",
        }
    }
}

/// A client for one lock.
#[derive(Clone, Debug)]
pub struct Client {
    config: Rc<ClientConfig>,
    kind: ClientKind,
    stage: Stage,
    /// How long the lease is, as the service said.
    ttl: Span,
    /// When the request was sent from which the lease counts: the first, then that of the last renewal. `None`: there is
    /// no lease.
    counts_from: Option<Now>,
    held: Option<Held>,
    /// When the present try began.
    tried: Mono,
    calls: Vec<Call>,
    /// Requests to be sent again when `Again` is due.
    parked: Vec<Parked>,
    /// The server in use.
    server: usize,
    next_id: u64,
    words: VecDeque<Word>,
}

impl Client {
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
    /// The token that came with it, where the service hands out any.
    pub fn token(&self) -> Option<Token> {
        self.held.as_ref().and_then(|held| held.token)
    }
    /// Its own stop time, while it holds; `None` as well where nothing runs out.
    pub fn stop(&self) -> Option<Reading> {
        self.held.as_ref().and_then(|held| held.stop)
    }
    /// Whether its stop time is still ahead. The check that a pause can make worthless.
    pub fn may_act(&self, now: Now) -> bool {
        self.held.as_ref().is_some_and(|held| held.stop.is_none_or(|stop| !stop.has_come(now)))
    }
    /// Whether it waits for the lock.
    pub fn wants(&self) -> bool {
        self.stage.wants()
    }
    /// Whether it has found what it holds in jeopardy: whoever acts on it has to wait.
    pub fn is_in_jeopardy(&self) -> bool {
        self.held.is_some_and(|held| held.in_jeopardy)
    }
    /// What it is doing, in a few words.
    pub fn doing(&self) -> &'static str {
        if self.is_in_jeopardy() { "is in jeopardy" } else { self.stage.text() }
    }

    /// Begins to take the lock. Nothing happens when it already does, or holds it. One that is being given back is
    /// wanted again: the worker is not told any more that it was given back.
    pub fn acquire(&mut self, now: Now, out: &mut impl Outbox<ClientSpeech>) {
        if self.held.is_some() || self.stage.wants() {
            return;
        }
        self.nobody_waits_for_release(now, out);
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
        let renewal = self.calls.iter().position(|call| call.purpose == Purpose::KeepAlive);
        let renewal = renewal.map(|place| self.calls.remove(place));
        self.drop_calls(out);
        match renewal.filter(|_| self.kind.recipe().writes_in_turn()) {
            Some(renewal) => {
                self.stage = Stage::Releasing;
                self.calls.push(renewal);
                self.arm_overdue(out);
            }
            None => self.give_back(now, out),
        }
    }

    /// Nothing that it has asked stands in the way any more: the lock goes back.
    fn give_back(&mut self, now: Now, out: &mut impl Outbox<ClientSpeech>) {
        match self.recipe(now, |recipe, cx| recipe.give_back(cx)) {
            Some(request) => {
                self.stage = Stage::Releasing;
                self.call(Purpose::Release, request, now, out);
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

    /// Writes a plain key that no lease is bound to. Where the service keeps none, that is done at once.
    pub fn put(&mut self, key: Key, value: u64, now: Now, out: &mut impl Outbox<ClientSpeech>) {
        match self.recipe(now, |recipe, _| recipe.put(key, value)) {
            Some(request) => self.call(Purpose::Put, request, now, out),
            None => self.words.push_back(Word::PutDone),
        }
    }

    /// Takes one input.
    pub fn on(&mut self, input: Input<'_, ClientSpeech>, now: Now, out: &mut impl Outbox<ClientSpeech>) {
        match input {
            Input::Message { msg, .. } => match msg.heard() {
                Heard::Reply(id) => self.replied(id, msg, now, out),
                Heard::WatchIsOn(id) => self.watch_is_on(id, now, out),
                Heard::Happened(id) => self.told(id, now, out),
                Heard::Nothing => {}
            },
            Input::Refused { msg, .. } => {
                if let Some(id) = msg.asks() {
                    self.connection_refused(id, now, out);
                }
            }
            Input::Timer(ClientTimer::Renew) => self.renew_due(now, out),
            Input::Timer(ClientTimer::Stop) => self.stop_due(now, out),
            Input::Timer(ClientTimer::Overdue) => self.overdue(now, out),
            Input::Timer(ClientTimer::Again) => self.again(now, out),
            Input::Timer(ClientTimer::Try) => self.try_due(now, out),
            Input::Closed { number, .. } => self.connection_closed(number, now, out),
            Input::Boot => {}
        }
    }

    /// Asks the recipe.
    fn recipe<T>(&mut self, now: Now, ask: impl FnOnce(&mut dyn Recipe, Context<'_>) -> T) -> T {
        let ClientConfig { me, lock, policy, .. } = &*self.config;
        let cx = Context { me: *me, lock, policy, unique: self.next_id, now };
        ask(self.kind.recipe(), cx)
    }

    /// Does what the recipe wants; `call` is the request that was answered, if that is why.
    fn take(&mut self, step: Step, call: Option<Call>, now: Now, out: &mut impl Outbox<ClientSpeech>) {
        match step {
            Step::Nothing => {}
            Step::Ask(part, request) => self.ask(part, request, now, out),
            Step::Opened(ttl, part, request) => {
                self.lease_begins(ttl, call.as_ref(), now, out);
                self.ask(part, request, now, out);
            }
            Step::Watch(request) => {
                self.stage = Stage::Waiting { request: request.clone(), watch: None };
                self.call(Purpose::Watch, request, now, out);
            }
            Step::Hold { grant, token, lease } => {
                if call.is_none() {
                    self.next_id += 1; // The grant has the number of a request that nobody needed to be asked.
                }
                if let Some(ttl) = lease {
                    self.lease_begins(ttl, call.as_ref(), now, out);
                }
                self.hold(grant, token, now, out);
            }
            Step::Rest => self.rest_until(self.tried + self.poll_interval(), now, out),
            Step::RestFor(span) => self.rest_until(now.mono + span, now, out),
            Step::Yield => {
                self.end_try(now, out);
                self.rest_until(self.tried + self.poll_interval(), now, out);
            }
            Step::YieldFor(span) => {
                self.end_try(now, out);
                self.rest_until(now.mono + span, now, out);
            }
            Step::Again => self.begin_try(now, out),
            Step::Renew(request) => self.call(Purpose::KeepAlive, request, now, out),
            Step::Renewed(ttl) => self.renewed(ttl, call.as_ref(), now, out),
            Step::RenewedAs(ttl, token) => {
                self.renumbered(token);
                self.renewed(ttl, call.as_ref(), now, out);
            }
            Step::Stands => out.arm(ClientTimer::Renew, now.mono + self.config.policy.renew_every),
            Step::NotRenewed => self.not_renewed(now, out),
            Step::Gone => self.gone(now, out),
            Step::Released => self.released(call.map(|call| call.purpose)),
            Step::ReleasedAnd(request) => {
                self.released(call.map(|call| call.purpose));
                self.call(Purpose::CleanUp, request, now, out);
            }
            Step::Written => self.words.push_back(Word::PutDone),
            Step::Failed(why) => {
                if let Some(call) = call {
                    self.failed(call, calls::Failure::Said(why), now, out);
                }
            }
        }
    }

    fn begin_try(&mut self, now: Now, out: &mut impl Outbox<ClientSpeech>) {
        self.tried = now.mono;
        let step = self.recipe(now, |recipe, cx| recipe.begin(cx));
        self.take(step, None, now, out);
    }

    fn ask(&mut self, part: Part, request: Request, now: Now, out: &mut impl Outbox<ClientSpeech>) {
        self.stage = Stage::Trying(part);
        self.call(Purpose::Try(part), request, now, out);
    }

    /// Waits for the next try.
    fn rest_until(&mut self, due: Mono, now: Now, out: &mut impl Outbox<ClientSpeech>) {
        self.stage = Stage::Resting;
        out.arm(ClientTimer::Try, due.max(now.mono));
    }

    /// Ends a try that came to nothing. What it may have left is taken back; nobody waits for the answer.
    fn end_try(&mut self, now: Now, out: &mut impl Outbox<ClientSpeech>) {
        self.drop_calls(out);
        if let Some(request) = self.recipe(now, |recipe, cx| recipe.give_back(cx)) {
            self.call(Purpose::CleanUp, request, now, out);
        }
    }

    /// Ends a try of which nobody knows what it came to, and begins another after a rest.
    fn abandon_try(&mut self, now: Now, out: &mut impl Outbox<ClientSpeech>) {
        self.end_try(now, out);
        self.rest_until(now.mono + self.config.policy.retry, now, out);
    }

    /// The next try is due, or the watch is to be renewed.
    fn try_due(&mut self, now: Now, out: &mut impl Outbox<ClientSpeech>) {
        match &self.stage {
            Stage::Resting => self.begin_try(now, out),
            Stage::Waiting { request, .. } => {
                let request = request.clone();
                self.call(Purpose::Watch, request, now, out);
            }
            Stage::Idle | Stage::Trying(_) | Stage::Holding | Stage::Releasing => {}
        }
    }

    /// The service does not know the lease: a holder has lost the lock, a candidate its place in line.
    fn gone(&mut self, now: Now, out: &mut impl Outbox<ClientSpeech>) {
        if self.held.is_some() {
            self.lose(Gone::ToldGone, out);
        } else if self.stage.wants() {
            self.kind.recipe().forget();
            self.drop_calls(out);
            self.begin_try(now, out);
        }
    }

    /// Forgets lease, calls and plans: the client is as new.
    fn forget(&mut self, out: &mut impl Outbox<ClientSpeech>) {
        self.hang_up(out);
        self.kind.recipe().forget();
        self.stage = Stage::Idle;
        self.drop_calls(out);
    }

    /// Closes its connection, if what it holds is bound to one: nothing else would ever free that.
    fn hang_up(&mut self, out: &mut impl Outbox<ClientSpeech>) {
        if let Some(number) = self.kind.recipe().connection() {
            for &server in self.config.servers.iter() {
                out.disconnect(server, number);
            }
            self.kind.recipe().forget();
        }
    }

    /// Forgets all calls and plans of the acquisition; a plain key is written all the same.
    fn drop_calls(&mut self, out: &mut impl Outbox<ClientSpeech>) {
        self.calls.retain(|call| call.purpose == Purpose::Put);
        self.parked.retain(|parked| parked.purpose == Purpose::Put);
        out.disarm(ClientTimer::Renew);
        out.disarm(ClientTimer::Stop);
        out.disarm(ClientTimer::Try);
        if self.parked.is_empty() {
            out.disarm(ClientTimer::Again);
        }
        self.arm_overdue(out);
    }

    fn poll_interval(&self) -> Span {
        match self.config.policy.wait {
            Wait::Poll(every) => every,
            Wait::Watch | Wait::Queue => self.config.policy.retry,
        }
    }
}
