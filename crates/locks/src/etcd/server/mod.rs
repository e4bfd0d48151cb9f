//! The server half: an etcd member.
//!
//! `asked` takes clients' requests; `applied` carries out what the log says; `leases` is the leader's part; `record` is
//! what an audience is told about locks, of which etcd itself knows nothing.

mod applied;
mod asked;
mod leases;
mod record;
mod speech;

use std::rc::Rc;

use kernel::{Input, Lift, Mono, Outbox, ProcessId, Rng};
use raft::{LogId, Payload, Raft};

use super::lessor::Lessor;
use super::{Fault, LeaseTimes, Msg, Reply, Request, State};
use crate::{Key, LeaseId};

pub use self::speech::{App, ServerDisk, ServerSpeech, ServerTimer, ServerWrite};

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
    /// What a restore from a backup adds to the revision (`etcdutl snapshot restore --bump-revision`).
    pub restore_bump: u64,
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

/// A request that this member put into the log, and whose client waits.
#[derive(Clone, Copy, Debug)]
struct Proposed {
    client: ProcessId,
    id: u64,
    since: Mono,
}

/// A read that waits until this member's state is recent enough.
#[derive(Clone, Debug)]
struct WaitingRead {
    ctx: u64,
    asker: Asker,
    request: Rc<Request>,
    since: Mono,
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
    /// The last leader that it knew, and its term.
    reign: (u64, Option<ProcessId>),
    proposed: Vec<Proposed>,
    readings: Vec<WaitingRead>,
    /// Keep-alives that wait for the log: for a lease's end, which is on its way, or for a checkpoint to be taken back.
    renewals: Vec<(LeaseId, Asker)>,
    watches: Vec<Watch>,
    ctx: u64,
    compacted_at: u64,
    /// The last entry of the backup that it was restored from, until that is applied and the revision is bumped.
    bump_at: Option<u64>,
    /// It has loaded what was on its disk: a snapshot that comes now is the leader's.
    loaded: bool,
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
        let raft = Raft::start(config.raft.clone(), &disk.log, rng);
        Self { bump_at: disk.bump_at, ..Self::with(config, raft, state) }
    }

    fn with(config: Rc<ServerConfig>, raft: Raft<App>, state: Rc<State>) -> Self {
        Self {
            config,
            reign: (raft.term(), raft.leader()),
            raft,
            state,
            lessor: Lessor::default(),
            primary: false,
            proposed: Vec::new(),
            readings: Vec::new(),
            renewals: Vec::new(),
            watches: Vec::new(),
            ctx: 0,
            compacted_at: 0,
            bump_at: None,
            loaded: false,
        }
    }

    /// A member that comes up from a backup.
    pub fn restore(config: Rc<ServerConfig>, disk: &ServerDisk, rng: Rng) -> Self {
        let mut server = Self::start(config, disk, rng);
        if server.config.restore_bump > 0 {
            server.bump_at = Some(server.raft.last_index());
        }
        server
    }

    /// When the backup's last entry is applied: whoever counts on revisions that only grow is given new ones, above all that
    /// the lost part of the log can have handed out.
    fn bump(&mut self, out: &mut impl Outbox<ServerSpeech>) {
        if self.bump_at.is_some_and(|index| self.raft.applied() >= index) {
            self.bump_at = None;
            Rc::make_mut(&mut self.state).revision += self.config.restore_bump;
            self.compacted_at = self.raft.applied();
            self.raft.compact(self.state.clone(), &mut Lift::new(out));
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
    pub fn on(&mut self, input: Input<'_, ServerSpeech>, now: Mono, out: &mut impl Outbox<ServerSpeech>) {
        match input {
            Input::Boot => {
                if let Some(index) = self.bump_at {
                    out.persist(ServerWrite::Bump(index));
                }
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
            Input::Closed { .. } => return,
        }
        self.settle(now, out);
    }

    fn heard(&mut self, from: ProcessId, msg: &Msg, now: Mono, out: &mut impl Outbox<ServerSpeech>) {
        match *msg {
            Msg::Peer(ref msg) => self.raft.on(Input::Message { from, msg }, now, &mut Lift::new(out)),
            Msg::Request { id, ref request } => {
                self.asked(Asker { client: from, id, via: None }, request, now, out);
            }
            Msg::Forward { client, id, ref request } => {
                self.asked(Asker { client, id, via: Some(from) }, request, now, out);
            }
            Msg::ForwardReply { client, id, ref reply } => {
                out.send(client, Msg::Reply { id, reply: reply.clone() });
            }
            Msg::Reply { .. } | Msg::Deleted { .. } => {}
        }
    }

    fn unheard(&mut self, to: ProcessId, msg: &Msg, now: Mono, out: &mut impl Outbox<ServerSpeech>) {
        match *msg {
            Msg::Peer(ref msg) => self.raft.on(Input::Refused { to, msg }, now, &mut Lift::new(out)),
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

    /// Brings the state machine up to what is committed, and does what follows from it.
    fn settle(&mut self, now: Mono, out: &mut impl Outbox<ServerSpeech>) {
        if let Some((index, state)) = self.raft.take_snapshot() {
            self.compacted_at = index;
            self.load(state, out);
            if self.loaded {
                self.bump_at = self.bump_at.filter(|bump_at| *bump_at > index); // The leader has made the bump.
            }
        }
        self.loaded = true;
        while let Some(entry) = self.raft.next_committed() {
            match &entry.payload {
                Payload::Empty => {
                    if self.raft.is_leader() && entry.id.term == self.raft.term() {
                        self.promote(now, out);
                    }
                }
                Payload::Command(command) => self.apply(command, now, out),
            }
            self.bump(out);
        }
        if self.primary && !self.raft.is_leader() {
            self.demote(out);
        }
        if !self.readings.is_empty() {
            self.serve_reads(out);
        }
        let reign = (self.raft.term(), self.raft.leader());
        if reign.1.is_some() && reign != self.reign {
            self.reign = reign;
            self.leader_changed(out);
        }
        if self.raft.applied() >= self.compacted_at + self.config.snapshot_every {
            self.compacted_at = self.raft.applied();
            self.raft.compact(self.state.clone(), &mut Lift::new(out));
        }
    }
}
