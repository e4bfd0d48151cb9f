//! Who can be in a test's world: members, workers that take a lock by a plan, and askers that send plain requests.

use std::collections::VecDeque;
use std::rc::Rc;

use kernel::{
    Dialect, Input, Keepalive, Lift, Machine, Mono, Now, Outbox, ProcessId, Rng, Span, Start, Topic,
};
use locks::etcd::{self, Reply, Request};
use locks::{
    Client, ClientConfig, ClientSpeech, ClientTimer, Disk, Key, LeaseId, Msg, Server, ServerConfig,
    ServerNote, ServerSpeech, ServerTimer, Word, Write,
};

/// What everybody speaks. Only members keep anything.
#[derive(Clone, Debug)]
pub(crate) struct Talk;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Timer {
    Server(ServerTimer),
    Client(ClientTimer),
    /// The next item of a plan.
    Plan,
}

#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Note {
    Raft(raft::Note),
    Lock(locks::Note),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Role {
    Leader,
    Follower,
    Holder,
}

impl Dialect for Talk {
    type Msg = Msg;
    type Timer = Timer;
    type Write = Write;
    type Disk = Disk;
    type Note = Note;
    type Role = Role;

    fn topic(note: &Note) -> Option<Topic> {
        match note {
            Note::Raft(note) => note.topic(),
            Note::Lock(note) => note.topic(),
        }
    }
}

impl From<ServerTimer> for Timer {
    fn from(timer: ServerTimer) -> Self {
        Self::Server(timer)
    }
}
impl From<ServerNote> for Note {
    fn from(note: ServerNote) -> Self {
        match note {
            ServerNote::Raft(note) => Self::Raft(note),
            ServerNote::Lock(note) => Self::Lock(note),
        }
    }
}

/// The outbox of a client, which keeps nothing.
struct ForClient<'a, O>(&'a mut O);

impl<O: Outbox<Talk>> Outbox<ClientSpeech> for ForClient<'_, O> {
    fn send(&mut self, to: ProcessId, msg: impl Into<Msg>) {
        self.0.send(to, msg);
    }
    fn arm(&mut self, timer: ClientTimer, due: Mono) {
        self.0.arm(Timer::Client(timer), due);
    }
    fn disarm(&mut self, timer: ClientTimer) {
        self.0.disarm(Timer::Client(timer));
    }
    fn persist(&mut self, _nothing: impl Into<()>) {}
    fn note(&mut self, note: impl Into<locks::Note>) {
        self.0.note(Note::Lock(note.into()));
    }
    fn connect(&mut self, peer: ProcessId, number: u64, keepalive: Keepalive) {
        self.0.connect(peer, number, keepalive);
    }
    fn disconnect(&mut self, peer: ProcessId, number: u64) {
        self.0.disconnect(peer, number);
    }
}

/// Anybody.
#[derive(Clone, Debug)]
pub(crate) enum Actor {
    Server(Box<Server>, ServerConfig),
    Worker(Box<Worker>),
    Asker(Asker),
    Prober(Prober),
}

impl Machine for Actor {
    type Dialect = Talk;

    fn on(&mut self, input: Input<'_, Talk>, now: Now, out: &mut impl Outbox<Talk>) {
        match self {
            Self::Server(server, _) => {
                let input: Input<'_, ServerSpeech> = match input {
                    Input::Boot => Input::Boot,
                    Input::Message { from, msg } => Input::Message { from, msg },
                    Input::Refused { to, msg } => Input::Refused { to, msg },
                    Input::Closed { peer, number } => Input::Closed { peer, number },
                    Input::Timer(Timer::Server(timer)) => Input::Timer(timer),
                    Input::Timer(_) => unreachable!("a server arms its own timers"),
                };
                server.on(input, now, &mut Lift::new(out));
            }
            Self::Worker(worker) => worker.on(input, now, out),
            Self::Asker(asker) => asker.on(input, now, out),
            Self::Prober(prober) => prober.on(input, now, out),
        }
    }

    fn start(&self, disk: &Disk, start: Start, mut rng: Rng) -> Self {
        match self {
            Self::Server(_, config) => Self::Server(Box::new(config.start(disk, start, rng)), config.clone()),
            Self::Worker(worker) => Self::Worker(Box::new(worker.start(rng.below(1 << 24) << 20))),
            Self::Asker(asker) => Self::Asker(asker.clone()),
            Self::Prober(prober) => Self::Prober(prober.clone()),
        }
    }

    fn plays(&self, role: Role) -> Option<u64> {
        match (self, role) {
            (Self::Server(server, _), Role::Leader) => server.leads(),
            (Self::Server(server, _), Role::Follower) => server.leads().is_none().then_some(0),
            (Self::Worker(worker), Role::Holder) => worker.client.token().map(|token| token.0),
            (Self::Server(..), Role::Holder)
            | (Self::Worker(_), Role::Leader | Role::Follower)
            | (Self::Asker(_) | Self::Prober(_), _) => None,
        }
    }
}

/// One thing that a worker does.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Do {
    Acquire,
    Release,
    Put(Key),
    /// It lets go when its stop time has come, as a worker does before it acts.
    Check,
    /// A store refused its token.
    Refused,
}

/// A worker that takes the lock again and again: how long it holds it, and how long it rests.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Cycle {
    pub(crate) hold: Span,
    pub(crate) rest: Span,
    /// It takes the lock no more after this reading of its clock.
    pub(crate) until: Mono,
}

/// A client half and what it is told to do when.
#[derive(Clone, Debug)]
pub(crate) struct Worker {
    pub(crate) client: Client,
    config: Rc<ClientConfig>,
    plan: VecDeque<(Mono, Do)>,
    cycle: Option<Cycle>,
    /// What the client said, and when.
    pub(crate) words: Vec<(Mono, Word)>,
}

impl Worker {
    pub(crate) fn new(config: ClientConfig, plan: Vec<(Span, Do)>, cycle: Option<Cycle>) -> Self {
        let config = Rc::new(config);
        let plan = plan.into_iter().map(|(after, what)| (Mono::default() + after, what)).collect();
        Self { client: config.client(0), config, plan, cycle, words: Vec::new() }
    }

    fn start(&self, first_id: u64) -> Self {
        Self { client: self.config.client(first_id), words: Vec::new(), ..self.clone() }
    }

    fn on(&mut self, input: Input<'_, Talk>, now: Now, out: &mut impl Outbox<Talk>) {
        match input {
            Input::Boot => {
                // What was to be done before it started (again) is not done.
                while self.plan.front().is_some_and(|(due, _)| *due < now.mono) {
                    self.plan.pop_front();
                }
                if self.cycle.is_some_and(|cycle| now.mono < cycle.until) {
                    self.plan.push_back((now.mono, Do::Acquire));
                }
            }
            Input::Timer(Timer::Plan) => {
                while let Some((_, what)) = self.plan.pop_front_if(|(due, _)| *due <= now.mono) {
                    self.carry_out(what, now, out);
                }
            }
            Input::Message { from, msg } => {
                self.client.on(Input::Message { from, msg }, now, &mut ForClient(out))
            }
            Input::Closed { peer, number } => {
                self.client.on(Input::Closed { peer, number }, now, &mut ForClient(out));
            }
            Input::Refused { to, msg } => {
                self.client.on(Input::Refused { to, msg }, now, &mut ForClient(out))
            }
            Input::Timer(Timer::Client(timer)) => {
                self.client.on(Input::Timer(timer), now, &mut ForClient(out));
            }
            Input::Timer(Timer::Server(_)) => unreachable!("a worker is no member"),
        }
        while let Some(word) = self.client.next_word() {
            self.hear(&word, now);
            self.words.push((now.mono, word));
        }
        if let Some((due, _)) = self.plan.front() {
            out.arm(Timer::Plan, *due);
        }
    }

    fn carry_out(&mut self, what: Do, now: Now, out: &mut impl Outbox<Talk>) {
        let out = &mut ForClient(out);
        match what {
            Do::Acquire => self.client.acquire(now, out),
            Do::Release => self.client.release(now, out),
            Do::Put(key) => self.client.put(key, 1, now, out),
            Do::Refused => self.client.refused(out),
            Do::Check => {
                if !self.client.may_act(now) {
                    self.client.stop_acting(out);
                }
            }
        }
    }

    fn hear(&mut self, word: &Word, now: Now) {
        let Some(cycle) = self.cycle else { return };
        match word {
            Word::Acquired { .. } => self.plan.push_back((now.mono + cycle.hold, Do::Release)),
            Word::Lost(_) | Word::Released => {
                self.plan.clear();
                let next = now.mono + cycle.rest;
                if next < cycle.until {
                    self.plan.push_back((next, Do::Acquire));
                }
            }
            Word::Renumbered(_) | Word::Safe | Word::PutDone => {}
        }
    }
}

/// When an asker asks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Due {
    /// At this reading of its clock.
    At(Mono),
    /// So long after the answer to the request before.
    Then(Span),
}

/// One request of an asker: when, whom, what.
#[derive(Clone, Debug)]
pub(crate) struct Asked {
    pub(crate) due: Due,
    pub(crate) member: ProcessId,
    pub(crate) request: Rc<Request>,
}

/// Sends requests at given readings of its clock and writes down what comes back. Its first request has the number 1.
#[derive(Clone, Debug)]
pub(crate) struct Asker {
    asks: Rc<[Asked]>,
    next: usize,
    /// Which request was answered when and how.
    pub(crate) answers: Vec<(u64, Mono, Reply)>,
    /// Which watch heard of a deletion when, and of which revision.
    pub(crate) deletions: Vec<(u64, Mono, u64)>,
}

impl Asker {
    pub(crate) fn new(asks: Vec<Asked>) -> Self {
        Self { asks: asks.into(), next: 0, answers: Vec::new(), deletions: Vec::new() }
    }

    /// The lease that its request with this number is granted.
    pub(crate) fn lease(me: ProcessId, id: u64) -> LeaseId {
        LeaseId(u64::from(me.0) << 48 | id)
    }

    /// The answer to a request.
    pub(crate) fn answer(&self, id: u64) -> Option<&Reply> {
        self.answers.iter().find(|(answered, ..)| *answered == id).map(|(.., reply)| reply)
    }

    /// When a request was answered.
    pub(crate) fn answered_at(&self, id: u64) -> Option<Mono> {
        self.answers.iter().find(|(answered, ..)| *answered == id).map(|(_, at, _)| *at)
    }

    fn on(&mut self, input: Input<'_, Talk>, now: Now, out: &mut impl Outbox<Talk>) {
        match input {
            Input::Message { msg: Msg::Etcd(etcd::Msg::Reply { id, reply }), .. } => {
                self.answers.push((*id, now.mono, Reply::clone(reply)));
            }
            Input::Message { msg: Msg::Etcd(etcd::Msg::Deleted { id, revision }), .. } => {
                self.deletions.push((*id, now.mono, *revision));
            }
            Input::Boot
            | Input::Timer(_)
            | Input::Refused { .. }
            | Input::Message { .. }
            | Input::Closed { .. } => {}
        }
        while let Some(ask) = self.asks.get(self.next) {
            let due = match ask.due {
                Due::At(at) => at,
                Due::Then(_) if self.answers.len() < self.next => break,
                Due::Then(wait) => self.answers.last().map_or(Mono::default(), |(_, at, _)| *at) + wait,
            };
            if due > now.mono {
                out.arm(Timer::Plan, due);
                break;
            }
            self.next += 1;
            let id = self.next as u64;
            out.send(ask.member, etcd::Msg::Request { id, request: ask.request.clone() });
        }
    }
}

/// Sends requests to the first server, which keeps a service by itself, and writes down what comes back: after what wait
/// each, counted from the answer before.
#[derive(Clone, Debug)]
pub(crate) struct Prober {
    asks: Rc<[(Span, locks::Request)]>,
    next: usize,
    /// The answers in order, and when each came.
    pub(crate) answers: Vec<(Mono, locks::Reply)>,
}

impl Prober {
    pub(crate) fn new(asks: Vec<(Span, locks::Request)>) -> Self {
        Self { asks: asks.into(), next: 0, answers: Vec::new() }
    }

    fn on(&mut self, input: Input<'_, Talk>, now: Now, out: &mut impl Outbox<Talk>) {
        if let Input::Message { msg: Msg::Reply { reply, .. }, .. } = input {
            self.answers.push((now.mono, reply.clone()));
        }
        let Some((wait, request)) = self.asks.get(self.next).filter(|_| self.answers.len() == self.next)
        else {
            return;
        };
        let due = self.answers.last().map_or(Mono::default(), |(at, _)| *at) + *wait;
        if due > now.mono {
            return out.arm(Timer::Plan, due);
        }
        self.next += 1;
        out.send(ProcessId(0), request.msg(self.next as u64));
    }
}
