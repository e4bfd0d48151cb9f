//! A lock service that a replicated log keeps: what a kind says of its requests, and the member around it.
//!
//! A `Replica` is a state machine. What goes through the log is applied alike on every member; the leader has a memory
//! of its own besides (deadlines, above all), and a new one makes that anew. [`Member`] is the process: it passes requests
//! on to where they belong, applies what is committed, and answers.

mod letter;

use std::collections::VecDeque;
use std::rc::Rc;

use kernel::{Dialect, Input, Keep, Lift, Map, Mono, Now, Outbox, ProcessId, Rng, Span};
use raft::{LogId, Payload, Raft};

use crate::kinds::{AnyReplica, Reply};
use crate::service::{Asker, Outcome};
use crate::{Key, Msg, Request, ServerNote};

pub use letter::Letter;

/// The state machine as the log sees it.
#[derive(Clone, Debug)]
pub struct App;

impl raft::App for App {
    type Command = Rc<Command>;
    type Snapshot = Rc<AnyReplica>;
}

/// What goes through the log.
#[derive(Clone, Debug)]
pub struct Command {
    /// The member that proposed it, and answers when it applies it.
    origin: ProcessId,
    asker: Asker,
    request: Request,
}

/// What members tell each other.
#[derive(Clone, Debug)]
pub enum Peer {
    /// About the log.
    Raft(raft::Message<App>),
    /// To the leader: a client's request that only it can answer.
    Forward {
        /// The client.
        client: ProcessId,
        /// Its number.
        id: u64,
        /// What.
        request: Request,
    },
    /// Back from the leader: what the client is to hear.
    Back {
        /// The client.
        client: ProcessId,
        /// What.
        msg: Msg,
    },
}

/// What a member speaks.
#[derive(Clone, Debug)]
pub struct MemberSpeech;

impl Dialect for MemberSpeech {
    type Msg = Msg;
    type Timer = MemberTimer;
    type Write = MemberWrite;
    type Disk = MemberDisk;
    type Note = ServerNote;
    type Role = ();
}

/// A member's timers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MemberTimer {
    /// The log's.
    Raft(raft::Timer),
    /// Something is due in the service.
    Service,
}

/// A change of a member's disk.
#[derive(Clone, Debug)]
pub struct MemberWrite(raft::Write<App>);

/// A member's disk: the log and its snapshot.
#[derive(Clone, Debug, Default)]
pub struct MemberDisk(raft::Disk<App>);

impl Keep<MemberWrite> for MemberDisk {
    fn keep(&mut self, write: &MemberWrite) {
        self.0.keep(&write.0);
    }
}

impl From<raft::Message<App>> for Msg {
    fn from(message: raft::Message<App>) -> Self {
        Self::Member(Peer::Raft(message).into())
    }
}
impl From<raft::Timer> for MemberTimer {
    fn from(timer: raft::Timer) -> Self {
        Self::Raft(timer)
    }
}
impl From<raft::Write<App>> for MemberWrite {
    fn from(write: raft::Write<App>) -> Self {
        Self(write)
    }
}

/// Where a request is dealt with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Route {
    /// It goes through the log.
    Log,
    /// The leader looks at it first, and may answer without the log.
    Leader,
    /// The member that is asked answers from its own state.
    Here,
    /// The same, when it has made sure that it leads, as the log's configuration says; at once when it does not.
    Confirmed,
}

/// What the log says that is to be applied.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry<'a> {
    pub(crate) id: LogId,
    pub(crate) asker: Asker,
    pub(crate) request: &'a Request,
}

/// A lock service as a replicated state machine.
pub(crate) trait Replica {
    /// Where a request is dealt with.
    fn route(&self, request: &Request) -> Route;
    /// The log says so: applied alike on every member. `now` is for what a member remembers for itself.
    fn apply(&mut self, entry: Entry<'_>, now: Now, out: &mut Outcome);
    /// The leader is asked, or the member itself for what is dealt with there. False: to the log.
    fn asked(&mut self, asker: Asker, request: &Request, leads: bool, now: Now, out: &mut Outcome) -> bool;
    /// It leads from now on, in this term, and has applied everything that was committed before.
    fn leads(&mut self, term: u64, now: Now, out: &mut Outcome);
    /// It leads no more: what only a leader remembers is forgotten.
    fn follows(&mut self);
    /// Only what went through the log is left, as in a snapshot: what a server remembers for itself is its own.
    fn forgets(&mut self);
    /// When something is due next, if anything is.
    fn wakes_at(&self) -> Option<Mono>;
    /// Something may be due.
    fn woken(&mut self, leads: bool, now: Now, out: &mut Outcome);
}

/// A member's configuration.
#[derive(Clone, Debug)]
pub struct MemberConfig {
    /// The log's.
    pub raft: raft::Config,
    /// The service as it is before anybody has asked it anything.
    pub service: AnyReplica,
    /// Who leads already, in which term; `None`: nobody, and the members elect one.
    pub leader: Option<(ProcessId, u64)>,
    /// After how many entries a member takes a snapshot.
    pub snapshot_every: u64,
}

/// For how long a member waits for the log before it forgets who asked.
const PATIENCE: Span = Span::from_secs(10);

/// How many of a client's requests a member remembers, to know one that arrives twice.
const REMEMBERED: usize = 64;

/// A request that this member put into the log, and whose client waits.
#[derive(Clone, Copy, Debug)]
struct Proposed {
    asker: Asker,
    since: Mono,
}

/// A member.
#[derive(Clone, Debug)]
pub struct Member {
    config: Rc<MemberConfig>,
    raft: Raft<App>,
    service: AnyReplica,
    /// It leads and has taken over.
    primary: bool,
    proposed: Vec<Proposed>,
    /// Requests that wait until the member has made sure that it leads: each by its word.
    confirming: Vec<(u64, Asker, Request)>,
    ctx: u64,
    /// Who wants to be told when a lock changes.
    watches: Vec<(Asker, Key)>,
    wakes_at: Option<Mono>,
    compacted_at: u64,
    /// Each client's last requests. A connection brings each of them once.
    taken: Map<ProcessId, VecDeque<u64>>,
}

impl Member {
    /// A member that comes up for the first time.
    pub fn open(config: Rc<MemberConfig>, rng: Rng) -> Self {
        let raft = match config.leader {
            Some((leader, term)) => {
                let last = LogId { term, index: 1 };
                let snapshot = raft::Snapshot { last, state: Rc::new(config.service.clone()) };
                Raft::established(config.raft.clone(), leader, snapshot, rng)
            }
            None => Raft::start(config.raft.clone(), &raft::Disk::default(), rng),
        };
        Self::with(config, raft)
    }

    /// A member that comes up with what its disk kept.
    pub fn start(config: Rc<MemberConfig>, disk: &MemberDisk, rng: Rng) -> Self {
        let raft = Raft::start(config.raft.clone(), &disk.0, rng);
        Self::with(config, raft)
    }

    fn with(config: Rc<MemberConfig>, raft: Raft<App>) -> Self {
        Self {
            service: config.service.clone(),
            config,
            raft,
            primary: false,
            proposed: Vec::new(),
            confirming: Vec::new(),
            ctx: 0,
            watches: Vec::new(),
            wakes_at: None,
            compacted_at: 0,
            taken: Map::new(),
        }
    }

    /// Its log.
    pub fn raft(&self) -> &Raft<App> {
        &self.raft
    }
    /// Its copy of the service.
    pub fn service(&self) -> &AnyReplica {
        &self.service
    }

    /// Takes one input.
    pub fn on(&mut self, input: Input<'_, MemberSpeech>, now: Now, out: &mut impl Outbox<MemberSpeech>) {
        match input {
            Input::Boot => {
                self.raft.on(Input::Boot, now.mono, &mut Lift::new(out));
                self.settle(now, out); // What it starts from is loaded first.
                if self.raft.is_leader() {
                    self.promote(now, out);
                }
            }
            Input::Timer(MemberTimer::Raft(timer)) => {
                self.raft.on(Input::Timer(timer), now.mono, &mut Lift::new(out));
            }
            Input::Timer(MemberTimer::Service) => {
                self.wakes_at = None;
                let mut outcome = Outcome::default();
                self.service.get_mut().woken(self.primary, now, &mut outcome);
                self.carry_out(outcome, now, out);
            }
            Input::Message { msg: &Msg::Request { id, ref request }, from } if self.is_new(from, id) => {
                self.asked(Asker { client: from, id, via: None }, request, now, out);
            }
            Input::Message { msg: Msg::Member(letter), from } => self.heard(from, &letter.peer(), now, out),
            Input::Refused { msg: Msg::Member(letter), to } => match &*letter.peer() {
                Peer::Raft(msg) => {
                    self.raft.on(Input::Refused { to, msg }, now.mono, &mut Lift::new(out));
                }
                &Peer::Forward { client, id, .. } => {
                    self.answer(Asker { client, id, via: None }, NO_LEADER, out);
                }
                Peer::Back { .. } => {}
            },
            Input::Refused { msg: Msg::Happened { .. }, to } => {
                self.watches.retain(|(asker, _)| asker.client != to);
            }
            Input::Message { .. } | Input::Refused { .. } | Input::Closed { .. } => {}
        }
        self.settle(now, out);
    }

    /// Another member says something.
    fn heard(&mut self, from: ProcessId, peer: &Peer, now: Now, out: &mut impl Outbox<MemberSpeech>) {
        match peer {
            Peer::Raft(msg) => {
                if self.is_new_proposal(msg) {
                    self.raft.on(Input::Message { from, msg }, now.mono, &mut Lift::new(out));
                }
            }
            &Peer::Forward { client, id, ref request } if self.is_new(client, id) => {
                self.asked(Asker { client, id, via: Some(from) }, request, now, out);
            }
            Peer::Back { client, msg } => {
                self.tell(Asker { client: *client, id: 0, via: None }, msg.clone(), out)
            }
            Peer::Forward { .. } => {}
        }
    }

    /// Whether a client's request arrives for the first time. What members say for themselves has the number 0.
    fn is_new(&mut self, client: ProcessId, id: u64) -> bool {
        let taken = self.taken.entry(client).or_default();
        if id != 0 && taken.contains(&id) {
            return false;
        }
        taken.push_back(id);
        if taken.len() > REMEMBERED {
            taken.pop_front();
        }
        true
    }

    fn is_new_proposal(&mut self, msg: &raft::Message<App>) -> bool {
        let raft::Message::Propose(command) = msg else { return true };
        self.is_new(command.asker.client, command.asker.id)
    }

    fn asked(&mut self, asker: Asker, request: &Request, now: Now, out: &mut impl Outbox<MemberSpeech>) {
        let route = self.service.get().route(request);
        match route {
            // A member that has lost its leader turns its clients away.
            Route::Here if self.raft.leader().is_none() => self.answer(asker, NO_LEADER, out),
            Route::Leader if !self.primary => match (self.raft.leader(), asker.via) {
                (Some(leader), None) if !self.raft.is_leader() => {
                    let Asker { client, id, .. } = asker;
                    let forward = Peer::Forward { client, id, request: request.clone() };
                    out.send(leader, Msg::Member(forward.into()));
                }
                _ => self.answer(asker, NO_LEADER, out),
            },
            Route::Confirmed if self.primary => self.confirm(asker, request, now, out),
            Route::Here | Route::Leader | Route::Confirmed => self.ask_service(asker, request, now, out),
            Route::Log => self.propose(asker, request, now, out),
        }
    }

    fn ask_service(
        &mut self,
        asker: Asker,
        request: &Request,
        now: Now,
        out: &mut impl Outbox<MemberSpeech>,
    ) {
        let mut outcome = Outcome::default();
        let done = self.service.get_mut().asked(asker, request, self.primary, now, &mut outcome);
        self.carry_out(outcome, now, out);
        if !done {
            self.propose(asker, request, now, out);
        }
    }

    fn confirm(&mut self, asker: Asker, request: &Request, now: Now, out: &mut impl Outbox<MemberSpeech>) {
        self.ctx += 1;
        self.confirming.push((self.ctx, asker, request.clone()));
        if self.raft.read(self.ctx, now.mono, &mut Lift::new(out)).is_err() {
            self.confirming.pop();
            self.answer(asker, NO_LEADER, out);
        }
    }

    /// It has made sure that it leads, or leads no more.
    fn settle_confirmed(&mut self, now: Now, out: &mut impl Outbox<MemberSpeech>) {
        while let Some(ready) = self.raft.next_read() {
            if let Some(place) = self.confirming.iter().position(|(ctx, ..)| *ctx == ready.ctx) {
                let (_, asker, request) = self.confirming.remove(place);
                self.ask_service(asker, &request, now, out);
            }
        }
        if !self.primary {
            for (_, asker, request) in std::mem::take(&mut self.confirming) {
                self.ask_service(asker, &request, now, out);
            }
        }
    }

    fn propose(&mut self, asker: Asker, request: &Request, now: Now, out: &mut impl Outbox<MemberSpeech>) {
        let me = self.config.raft.me;
        let command = Rc::new(Command { origin: me, asker, request: request.clone() });
        if self.raft.propose(command, now.mono, &mut Lift::new(out)).is_ok() {
            self.proposed.retain(|asked| asked.since + PATIENCE > now.mono);
            self.proposed.push(Proposed { asker, since: now.mono });
        } else if asker.client != me {
            self.answer(asker, NO_LEADER, out);
        }
    }

    fn answer(&self, asker: Asker, reply: Reply, out: &mut impl Outbox<MemberSpeech>) {
        self.tell(asker, Msg::Reply { id: asker.id, reply }, out);
    }

    fn tell(&self, asker: Asker, msg: Msg, out: &mut impl Outbox<MemberSpeech>) {
        match asker.via {
            None if asker.client == self.config.raft.me => {} // It asked for itself, and waits for nothing.
            None => out.send(asker.client, msg),
            Some(via) => out.send(via, Msg::Member(Peer::Back { client: asker.client, msg }.into())),
        }
    }

    /// Does what the service wants. What it notes is told by the leader alone: one voice is enough.
    fn carry_out(&mut self, outcome: Outcome, now: Now, out: &mut impl Outbox<MemberSpeech>) {
        if self.raft.is_leader() {
            for note in outcome.notes {
                out.note(note);
            }
        }
        for (asker, reply) in outcome.replies {
            self.answer(asker, reply, out);
        }
        for (asker, lock) in outcome.watches {
            self.tell(asker, Msg::WatchIsOn { id: asker.id }, out);
            self.watches.retain(|(other, watched)| other.client != asker.client || *watched != lock);
            self.watches.push((asker, lock));
        }
        for lock in outcome.moved {
            let (told, watches): (Vec<_>, Vec<_>) =
                std::mem::take(&mut self.watches).into_iter().partition(|(_, watched)| *watched == lock);
            self.watches = watches;
            for (asker, _) in told {
                self.tell(asker, Msg::Happened { id: asker.id }, out);
            }
        }
        for asker in outcome.told {
            self.tell(asker, Msg::Happened { id: asker.id }, out);
        }
        let me = self.config.raft.me;
        for request in outcome.proposals {
            self.propose(Asker { client: me, id: 0, via: None }, &request, now, out);
        }
        for (asker, request) in outcome.logged {
            self.propose(asker, &request, now, out);
        }
        for (asker, request) in outcome.confirmed {
            self.confirm(asker, &request, now, out);
        }
        if let (Some(request), Some(leader)) = (outcome.to_leader, self.raft.leader())
            && leader != me
        {
            let forward = Peer::Forward { client: me, id: 0, request };
            out.send(leader, Msg::Member(forward.into()));
        }
    }

    fn promote(&mut self, now: Now, out: &mut impl Outbox<MemberSpeech>) {
        self.primary = true;
        let mut outcome = Outcome::default();
        self.service.get_mut().leads(self.raft.term(), now, &mut outcome);
        self.carry_out(outcome, now, out);
    }

    /// Brings the service up to what is committed, and does what follows from it.
    fn settle(&mut self, now: Now, out: &mut impl Outbox<MemberSpeech>) {
        if let Some((index, state)) = self.raft.take_snapshot() {
            self.compacted_at = index;
            self.service = AnyReplica::clone(&state);
            // What is watched may have changed in what it skips.
            for (asker, _) in std::mem::take(&mut self.watches) {
                self.tell(asker, Msg::Happened { id: asker.id }, out);
            }
        }
        while let Some(entry) = self.raft.next_committed() {
            match &entry.payload {
                Payload::Empty => {
                    if self.raft.is_leader() && entry.id.term == self.raft.term() {
                        self.promote(now, out);
                    }
                }
                Payload::Command(command) => self.apply(entry.id, command, now, out),
            }
        }
        if self.primary && !self.raft.is_leader() {
            self.primary = false;
            self.service.get_mut().follows();
        }
        self.settle_confirmed(now, out);
        if self.raft.applied() >= self.compacted_at + self.config.snapshot_every {
            self.compacted_at = self.raft.applied();
            let mut state = self.service.clone();
            state.get_mut().forgets();
            self.raft.compact(Rc::new(state), &mut Lift::new(out));
        }
        let wakes_at = self.service.get().wakes_at();
        if wakes_at != self.wakes_at {
            self.wakes_at = wakes_at;
            match wakes_at {
                Some(at) => out.arm(MemberTimer::Service, at.max(now.mono)),
                None => out.disarm(MemberTimer::Service),
            }
        }
    }

    fn apply(&mut self, id: LogId, command: &Command, now: Now, out: &mut impl Outbox<MemberSpeech>) {
        let Command { origin, asker, request } = command;
        let mut outcome = Outcome::default();
        self.service.get_mut().apply(Entry { id, asker: *asker, request }, now, &mut outcome);
        let waiting = self.proposed.len();
        self.proposed.retain(|asked| asked.asker != *asker);
        // The member that was asked answers, if its client still waits.
        if *origin != self.config.raft.me || self.proposed.len() == waiting {
            outcome.replies.retain(|(other, _)| other != asker);
        }
        // What others wait for is answered where the service leads.
        if !self.primary {
            outcome.replies.retain(|(other, _)| other == asker);
        }
        self.carry_out(outcome, now, out);
    }
}

const NO_LEADER: Reply = Reply::NoLeader;
