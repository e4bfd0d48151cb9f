//! The server half: an etcd member.

use std::rc::Rc;

use kernel::{Dialect, Input, Keep, Lift, Mono, Outbox, ProcessId, Rng, Topic};
use raft::{LogId, Payload, Raft};

use super::kv::{Action, Change, Effect, KeyValue, State};
use super::lessor::{Lessor, Renewal};
use super::{Command, Fault, LeaseTimes, Msg, Reply, Request};
use crate::{Freed, Key, LeaseId, Note, Restart, Token};

/// etcd's replicated state machine, as its log sees it.
#[derive(Clone, Debug)]
pub struct App;

impl raft::App for App {
    type Command = Rc<Command>;
    type Snapshot = Rc<State>;
}

/// What a member speaks.
#[derive(Clone, Debug)]
pub struct ServerSpeech;

impl Dialect for ServerSpeech {
    type Msg = Msg;
    type Timer = ServerTimer;
    type Write = ServerWrite;
    type Disk = ServerDisk;
    type Note = ServerNote;
    type Role = ();
}

/// A member's timers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ServerTimer {
    /// The log's.
    Raft(raft::Timer),
    /// The leader looks at its leases.
    Lessor,
}

/// A change of a member's disk.
#[derive(Clone, Debug)]
pub struct ServerWrite(raft::Write<App>);

/// A member's disk: the log and its snapshot. The state machine is computed from them.
#[derive(Clone, Debug, Default)]
pub struct ServerDisk(raft::Disk<App>);

impl Keep<ServerWrite> for ServerDisk {
    fn keep(&mut self, write: &ServerWrite) {
        self.0.keep(&write.0);
    }
}

/// What a member announces.
#[derive(Clone, Debug, PartialEq)]
pub enum ServerNote {
    /// About the log's leadership.
    Raft(raft::Note),
    /// About locks.
    Lock(Note),
}

impl ServerNote {
    /// The word by which a fault can wait for it.
    pub fn topic(&self) -> Option<Topic> {
        match self {
            Self::Raft(note) => note.topic(),
            Self::Lock(note) => note.topic(),
        }
    }
}

impl From<raft::Message<App>> for Msg {
    fn from(message: raft::Message<App>) -> Self {
        Self::Peer(message)
    }
}
impl From<raft::Timer> for ServerTimer {
    fn from(timer: raft::Timer) -> Self {
        Self::Raft(timer)
    }
}
impl From<raft::Write<App>> for ServerWrite {
    fn from(write: raft::Write<App>) -> Self {
        Self(write)
    }
}
impl From<raft::Note> for ServerNote {
    fn from(note: raft::Note) -> Self {
        Self::Raft(note)
    }
}
impl From<Note> for ServerNote {
    fn from(note: Note) -> Self {
        Self::Lock(note)
    }
}

/// How a cluster begins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Opening {
    /// The store's revision, from what was written before the story; a fresh one is at 1.
    pub revision: u64,
    /// Who leads already, in which term; `None`: nobody, and the members elect one.
    pub leader: Option<(ProcessId, u64)>,
}

/// A member's configuration.
#[derive(Clone, Debug)]
pub struct ServerConfig {
    /// The log's.
    pub raft: raft::Config,
    /// What times leases.
    pub leases: LeaseTimes,
    /// How the cluster begins.
    pub opening: Opening,
    /// After how many entries a member takes a snapshot and forgets the log before (etcd: 10,000).
    pub snapshot_every: u64,
}

/// Where an answer goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Asker {
    client: ProcessId,
    id: u64,
    /// The follower that passed the request on, when one did.
    via: Option<ProcessId>,
}

#[derive(Clone, Debug)]
struct Reading {
    ctx: u64,
    asker: Asker,
    request: Rc<Request>,
    /// The read can be served once this entry is applied; not known yet while `None`.
    index: Option<u64>,
}

#[derive(Clone, Debug)]
struct Watch {
    client: ProcessId,
    id: u64,
    key: Key,
    from: u64,
}

/// An etcd member.
#[derive(Clone, Debug)]
pub struct Server {
    config: Rc<ServerConfig>,
    raft: Raft<App>,
    state: Rc<State>,
    lessor: Lessor,
    /// It leads and has taken over the leases.
    primary: bool,
    /// Requests that this member put into the log and whose clients wait.
    proposed: Vec<(ProcessId, u64)>,
    readings: Vec<Reading>,
    /// Keep-alives that wait for a lease's end, which is on its way.
    ending: Vec<(LeaseId, Asker)>,
    watches: Vec<Watch>,
    ctx: u64,
    compacted_at: u64,
}

impl Server {
    /// A member that comes up for the first time in a cluster that begins as `config.opening` says.
    pub fn open(config: Rc<ServerConfig>, rng: Rng) -> Self {
        let state = Rc::new(State::at_revision(config.opening.revision));
        let raft = match config.opening.leader {
            Some((leader, term)) => {
                let last = LogId { term, index: 1 };
                let snapshot = raft::Snapshot { last, state: state.clone() };
                Raft::established(config.raft.clone(), leader, snapshot, rng)
            }
            None => Raft::start(config.raft.clone(), &raft::Disk::default(), rng),
        };
        Self::with(config, raft, state)
    }

    /// A member that comes up with what its disk kept.
    pub fn start(config: Rc<ServerConfig>, disk: &ServerDisk, rng: Rng) -> Self {
        let state = Rc::new(State::at_revision(config.opening.revision));
        let raft = Raft::start(config.raft.clone(), &disk.0, rng);
        Self::with(config, raft, state)
    }

    fn with(config: Rc<ServerConfig>, raft: Raft<App>, state: Rc<State>) -> Self {
        Self {
            config,
            raft,
            state,
            lessor: Lessor::default(),
            primary: false,
            proposed: Vec::new(),
            readings: Vec::new(),
            ending: Vec::new(),
            watches: Vec::new(),
            ctx: 0,
            compacted_at: 0,
        }
    }

    /// Its log.
    pub fn raft(&self) -> &Raft<App> {
        &self.raft
    }
    /// Its copy of the replicated state.
    pub fn state(&self) -> &State {
        &self.state
    }
    /// Until when each lease runs, on its clock; empty unless it leads.
    pub fn deadlines(&self) -> impl Iterator<Item = (LeaseId, Mono)> {
        self.lessor.iter()
    }

    /// Takes one input.
    pub fn on(&mut self, input: Input<ServerSpeech>, now: Mono, out: &mut impl Outbox<ServerSpeech>) {
        match input {
            Input::Boot => {
                self.raft.on(Input::Boot, now, &mut Lift::new(out));
                if self.raft.is_leader() {
                    self.promote(now, out);
                }
            }
            Input::Timer(ServerTimer::Raft(timer)) => {
                self.raft.on(Input::Timer(timer), now, &mut Lift::new(out));
            }
            Input::Timer(ServerTimer::Lessor) => self.look_at_leases(now, out),
            Input::Message { from, msg } => self.heard(from, msg, now, out),
            Input::Refused { to, msg } => self.unheard(to, msg, now, out),
        }
        self.settle(now, out);
    }

    fn heard(&mut self, from: ProcessId, msg: Msg, now: Mono, out: &mut impl Outbox<ServerSpeech>) {
        match msg {
            Msg::Peer(msg) => self.raft.on(Input::Message { from, msg }, now, &mut Lift::new(out)),
            Msg::Request { id, request } => {
                self.asked(Asker { client: from, id, via: None }, request, now, out);
            }
            Msg::Forward { client, id, request } => {
                self.asked(Asker { client, id, via: Some(from) }, request, now, out);
            }
            Msg::ForwardReply { client, id, reply } => out.send(client, Msg::Reply { id, reply }),
            Msg::Reply { .. } | Msg::Deleted { .. } => {}
        }
    }

    fn unheard(&mut self, to: ProcessId, msg: Msg, now: Mono, out: &mut impl Outbox<ServerSpeech>) {
        match msg {
            Msg::Peer(msg) => self.raft.on(Input::Refused { to, msg }, now, &mut Lift::new(out)),
            Msg::Forward { client, id, .. } => {
                let asker = Asker { client, id, via: None };
                self.answer(asker, Reply::Failed(Fault::NoLeader), out);
            }
            Msg::Deleted { .. } => self.watches.retain(|watch| watch.client != to),
            Msg::Request { .. } | Msg::Reply { .. } | Msg::ForwardReply { .. } => {}
        }
    }

    fn answer(&self, asker: Asker, reply: Reply, out: &mut impl Outbox<ServerSpeech>) {
        let reply = Rc::new(reply);
        match asker.via {
            None => out.send(asker.client, Msg::Reply { id: asker.id, reply }),
            Some(via) => out.send(via, Msg::ForwardReply { client: asker.client, id: asker.id, reply }),
        }
    }

    fn asked(&mut self, asker: Asker, request: Rc<Request>, now: Mono, out: &mut impl Outbox<ServerSpeech>) {
        match &*request {
            Request::Grant(_) | Request::Revoke(_) | Request::Txn(_) => {
                let action = Action::Client(request.clone());
                if self.propose(asker.client, asker.id, action, now, out) {
                    self.proposed.push((asker.client, asker.id));
                } else {
                    self.answer(asker, Reply::Failed(Fault::NoLeader), out);
                }
            }
            Request::KeepAlive(lease) => self.keep_alive(asker, *lease, &request, now, out),
            Request::Get { key, serializable: true } => {
                let found = self.state.get(key);
                self.read_served(asker, found.revision, out);
                self.answer(asker, Reply::Got(found), out);
            }
            Request::Get { serializable: false, .. } | Request::LastCreatedBefore { .. } => {
                self.read(asker, request, now, out);
            }
            Request::WatchDelete { key, from } => self.watch(asker, key, *from, out),
        }
    }

    fn propose(
        &mut self,
        client: ProcessId,
        id: u64,
        action: Action,
        now: Mono,
        out: &mut impl Outbox<ServerSpeech>,
    ) -> bool {
        let command = Rc::new(Command { origin: self.config.raft.me, client, id, action });
        self.raft.propose(command, now, &mut Lift::new(out)).is_ok()
    }

    fn keep_alive(
        &mut self,
        asker: Asker,
        lease: LeaseId,
        request: &Rc<Request>,
        now: Mono,
        out: &mut impl Outbox<ServerSpeech>,
    ) {
        if !self.raft.is_leader() {
            match (self.raft.leader(), asker.via) {
                (Some(leader), None) => {
                    let Asker { client, id, .. } = asker;
                    out.send(leader, Msg::Forward { client, id, request: request.clone() });
                }
                // Passed on once already: the follower that did so knew no better.
                (Some(_), Some(_)) | (None, _) => self.answer(asker, Reply::Failed(Fault::NoLeader), out),
            }
        } else if !self.primary {
            self.answer(asker, Reply::Failed(Fault::NotPrimary), out);
        } else {
            match self.lessor.renew(lease, now, &self.config.leases) {
                Renewal::Until { deadline, ttl, checkpointed } => {
                    out.note(Note::Renewed { lease, deadline });
                    self.answer(asker, Reply::KeptAlive(Some(ttl)), out);
                    if checkpointed {
                        self.propose(self.config.raft.me, 0, Action::Checkpoint(lease, None), now, out);
                    }
                }
                Renewal::Ending => self.ending.push((lease, asker)),
                Renewal::Unknown => self.answer(asker, Reply::KeptAlive(None), out),
            }
        }
    }

    fn read(&mut self, asker: Asker, request: Rc<Request>, now: Mono, out: &mut impl Outbox<ServerSpeech>) {
        self.ctx += 1;
        let ctx = self.ctx;
        if self.raft.read(ctx, now, &mut Lift::new(out)).is_ok() {
            self.readings.push(Reading { ctx, asker, request, index: None });
        } else {
            self.answer(asker, Reply::Failed(Fault::NoLeader), out);
        }
    }

    fn read_served(&self, asker: Asker, revision: u64, out: &mut impl Outbox<ServerSpeech>) {
        out.note(Note::ReadServed { to: asker.client, id: asker.id, revision });
    }

    fn watch(&mut self, asker: Asker, key: &Key, from: u64, out: &mut impl Outbox<ServerSpeech>) {
        self.answer(asker, Reply::Watching, out);
        let Asker { client, id, .. } = asker;
        self.watches.retain(|watch| watch.client != client || watch.key != *key);
        match self.state.deleted.get(key) {
            Some(&revision) if revision >= from && !self.state.keys.contains_key(key) => {
                out.send(client, Msg::Deleted { id, revision });
            }
            Some(_) | None => self.watches.push(Watch { client, id, key: key.clone(), from }),
        }
    }

    /// Brings the state machine up to what is committed, and does what follows from it.
    fn settle(&mut self, now: Mono, out: &mut impl Outbox<ServerSpeech>) {
        if let Some((index, state)) = self.raft.take_snapshot() {
            self.state = state;
            self.compacted_at = index;
        }
        while let Some(entry) = self.raft.next_committed() {
            match &entry.payload {
                Payload::Empty => {
                    if self.raft.is_leader() && entry.id.term == self.raft.term() {
                        self.promote(now, out);
                    }
                }
                Payload::Command(command) => self.apply(command, now, out),
            }
        }
        if self.primary && !self.raft.is_leader() {
            self.demote(out);
        }
        if !self.readings.is_empty() {
            self.serve_reads(out);
        }
        if self.raft.applied() >= self.compacted_at + self.config.snapshot_every {
            self.compacted_at = self.raft.applied();
            self.raft.compact(self.state.clone(), &mut Lift::new(out));
        }
    }

    fn serve_reads(&mut self, out: &mut impl Outbox<ServerSpeech>) {
        while let Some(ready) = self.raft.next_read() {
            if let Some(reading) = self.readings.iter_mut().find(|reading| reading.ctx == ready.ctx) {
                reading.index = Some(ready.index);
            }
        }
        let applied = self.raft.applied();
        let (ready, waiting): (Vec<Reading>, Vec<Reading>) = std::mem::take(&mut self.readings)
            .into_iter()
            .partition(|reading| reading.index.is_some_and(|index| index <= applied));
        self.readings = waiting;
        for reading in ready {
            let found = match &*reading.request {
                Request::Get { key, .. } => self.state.get(key),
                Request::LastCreatedBefore { prefix, revision } => {
                    self.state.last_created_before(prefix, *revision)
                }
                Request::Grant(_)
                | Request::KeepAlive(_)
                | Request::Revoke(_)
                | Request::Txn(_)
                | Request::WatchDelete { .. } => unreachable!("only reads wait here"),
            };
            self.read_served(reading.asker, found.revision, out);
            self.answer(reading.asker, Reply::Got(found), out);
        }
    }

    /// A new leader takes over the leases when it applies the first entry of its term.
    fn promote(&mut self, now: Mono, out: &mut impl Outbox<ServerSpeech>) {
        self.primary = true;
        let times = &self.config.leases;
        self.lessor.begin(now, times);
        let mut leases = Vec::new();
        for (&lease, record) in &self.state.leases {
            let deadline = self.lessor.track(lease, record, times.promote_extend, now, times);
            let from = if record.remaining.is_some() { Restart::Remaining } else { Restart::Full };
            leases.push((lease, deadline, from));
        }
        out.note(Note::TookOver { term: self.raft.term(), leases });
        self.arm_lessor(out);
    }

    fn demote(&mut self, out: &mut impl Outbox<ServerSpeech>) {
        self.primary = false;
        self.lessor = Lessor::default();
        out.disarm(ServerTimer::Lessor);
        for (_, asker) in std::mem::take(&mut self.ending) {
            self.answer(asker, Reply::Failed(Fault::NoLeader), out);
        }
    }

    fn arm_lessor(&self, out: &mut impl Outbox<ServerSpeech>) {
        match self.lessor.next_due(&self.config.leases) {
            Some(due) => out.arm(ServerTimer::Lessor, due),
            None => out.disarm(ServerTimer::Lessor),
        }
    }

    fn look_at_leases(&mut self, now: Mono, out: &mut impl Outbox<ServerSpeech>) {
        if !self.primary {
            return;
        }
        let me = self.config.raft.me;
        for lease in self.lessor.take_expired(now, &self.config.leases) {
            self.propose(me, 0, Action::Expire(lease), now, out);
        }
        for (lease, left) in self.lessor.take_checkpoints(now, &self.config.leases) {
            self.propose(me, 0, Action::Checkpoint(lease, Some(left)), now, out);
        }
        self.arm_lessor(out);
    }

    fn apply(&mut self, command: &Command, now: Mono, out: &mut impl Outbox<ServerSpeech>) {
        let Command { origin, client, id, action } = command;
        let state = Rc::make_mut(&mut self.state);
        let effect = state.apply(action, *client, *id, self.config.leases.min_ttl);
        let answers = *origin == self.config.raft.me && {
            let waiting = self.proposed.len();
            self.proposed.retain(|asked| *asked != (*client, *id));
            self.proposed.len() < waiting
        };
        match effect {
            Effect::Granted(lease, ttl) => {
                if self.primary {
                    let times = &self.config.leases;
                    self.lessor.track(lease, &self.state.leases[&lease], kernel::Span::ZERO, now, times);
                    self.arm_lessor(out);
                }
                if answers {
                    self.answer(Asker { client: *client, id: *id, via: None }, Reply::Granted { lease, ttl }, out);
                }
            }
            Effect::Ended(lease, gone) => {
                self.ended(lease, gone.as_deref().unwrap_or_default(), action, now, out);
                if answers {
                    let reply = Reply::Revoked(gone.is_some());
                    self.answer(Asker { client: *client, id: *id, via: None }, reply, out);
                }
            }
            Effect::Txn(result, changes) => {
                for change in &changes {
                    self.changed(change, *client, now, out);
                }
                if answers {
                    let reply = result.map_or_else(Reply::Failed, Reply::Txn);
                    self.answer(Asker { client: *client, id: *id, via: None }, reply, out);
                }
            }
            Effect::Checkpointed => {}
        }
    }

    fn ended(
        &mut self,
        lease: LeaseId,
        gone: &[(Key, KeyValue)],
        action: &Action,
        now: Mono,
        out: &mut impl Outbox<ServerSpeech>,
    ) {
        let how = match action {
            Action::Expire(_) => Freed::Expired,
            Action::Client(_) | Action::Checkpoint(..) => Freed::Released,
        };
        for (key, value) in gone {
            self.deleted(key, value, how, now, out);
        }
        if self.primary {
            self.lessor.forget(lease);
            self.arm_lessor(out);
            let (over, rest): (Vec<_>, Vec<_>) =
                std::mem::take(&mut self.ending).into_iter().partition(|(ending, _)| *ending == lease);
            self.ending = rest;
            for (_, asker) in over {
                self.answer(asker, Reply::KeptAlive(None), out);
            }
        }
    }

    fn changed(
        &mut self,
        change: &Change,
        client: ProcessId,
        now: Mono,
        out: &mut impl Outbox<ServerSpeech>,
    ) {
        match change {
            Change::Put(key, value) => match value.lease {
                Some(lease) if value.version == 1 => {
                    if self.announces() && self.owner(lock_of(key)).is_some_and(|(first, _)| *first == *key) {
                        self.note_grant(key, value, lease, now, out);
                    }
                }
                Some(_) => {}
                None if self.announces() => out.note(Note::Wrote { client, revision: value.mod_revision }),
                None => {}
            },
            Change::Deleted(key, value) => self.deleted(key, value, Freed::Released, now, out),
        }
    }

    /// A key is gone: watchers hear of it, and if it was a lock's, the record says so.
    fn deleted(
        &mut self,
        key: &Key,
        value: &KeyValue,
        how: Freed,
        now: Mono,
        out: &mut impl Outbox<ServerSpeech>,
    ) {
        let revision = self.state.revision;
        self.watches.retain(|watch| {
            let hears = watch.key == *key && revision >= watch.from;
            if hears {
                out.send(watch.client, Msg::Deleted { id: watch.id, revision });
            }
            !hears
        });
        let (Some(lease), true) = (value.lease, self.announces()) else { return };
        let lock = lock_of(key);
        let next = self.owner(lock).map(|(key, next)| (key.clone(), next.clone()));
        if next.as_ref().is_some_and(|(_, next)| next.create_revision < value.create_revision) {
            return; // It was waiting in line, not at its head.
        }
        let token = Token(value.create_revision);
        out.note(Note::Freed { lock: lock.into(), lease, token, how, revision });
        if let Some((key, next)) = next
            && let Some(lease) = next.lease
        {
            self.note_grant(&key, &next, lease, now, out);
        }
    }

    /// The leader tells what the log's entries do; every member applies them, and one voice is enough.
    fn announces(&self) -> bool {
        self.raft.is_leader()
    }

    fn note_grant(
        &self,
        key: &Key,
        value: &KeyValue,
        lease: LeaseId,
        now: Mono,
        out: &mut impl Outbox<ServerSpeech>,
    ) {
        // A leader that has not taken over yet times the lease a moment later.
        let full = || self.state.leases.get(&lease).map(|record| now + record.ttl);
        let Some(deadline) = self.lessor.deadline(lease).or_else(full) else { return };
        out.note(Note::Granted {
            lock: lock_of(key).into(),
            holder: ProcessId(value.value as u16),
            lease,
            token: Token(value.create_revision),
            deadline,
        });
    }

    /// Whose lock it is by the recipe: etcd itself knows keys alone. The oldest key of the lock's own name or below
    /// it holds.
    fn owner(&self, lock: &str) -> Option<(&Key, &KeyValue)> {
        self.state
            .keys
            .iter()
            .filter(|(key, value)| value.lease.is_some() && lock_of(key) == lock)
            .min_by_key(|(_, value)| value.create_revision)
    }
}

/// The lock that a key is about: `billing` and `billing/…` are both about `billing`.
fn lock_of(key: &str) -> &str {
    key.split_once('/').map_or(key, |(lock, _)| lock)
}
