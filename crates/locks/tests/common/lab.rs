//! Setting a world up, running it, and reading what happened.

use std::rc::Rc;

use kernel::{
    Fault, FaultKind, HostSpec, LinkSpec, Mono, Plan, ProcessId, ProcessSpec, Rate, Rng, SimTime, Span,
    Start, Stream, Trace, Wall, What, When, World,
};
use locks::etcd::{self, LeaseTimes, Opening, Request, Server};
use locks::service::{self, Durability};
use locks::{AnyService, ClientConfig, ClientKind, Disk, Note as LockNote, Policy, ServerConfig, Word};

use super::{Actor, Asked, Asker, Cycle, Do, Due, Note, Prober, Role, Talk, Worker, ms, s};

/// How a cluster is set up.
#[derive(Clone, Debug)]
pub(crate) struct Setup {
    pub(crate) seed: u64,
    pub(crate) servers: u16,
    /// Who leads when the world begins; nobody: they elect one.
    pub(crate) leader: Option<u16>,
    pub(crate) revision: u64,
    pub(crate) heartbeat: Span,
    /// An election timeout is one to two of these.
    pub(crate) election: Span,
    pub(crate) leases: LeaseTimes,
    pub(crate) snapshot_every: u64,
    pub(crate) link: LinkSpec,
    pub(crate) horizon: SimTime,
    pub(crate) disk: Span,
    pub(crate) entries_kept_behind: u64,
}

impl Default for Setup {
    /// Three members of which the first leads; leases that end at the very instant; 1 ms between any two.
    fn default() -> Self {
        Self {
            seed: 1,
            servers: 3,
            leader: Some(0),
            revision: 1,
            heartbeat: ms(100),
            election: s(1),
            leases: LeaseTimes {
                expiry_every: Span::ZERO,
                promote_extend: Span::ZERO,
                min_ttl: Span::ZERO,
                checkpoints: None,
                revoke_retry: s(7),
            },
            snapshot_every: 10_000,
            link: LinkSpec { delay: ms(1), ..LinkSpec::default() },
            horizon: SimTime::from_secs(600),
            disk: Span::ZERO,
            entries_kept_behind: 16,
        }
    }
}

impl Setup {
    /// With other times for leases.
    pub(crate) fn leases(edit: impl FnOnce(&mut LeaseTimes)) -> Self {
        let mut setup = Self::default();
        edit(&mut setup.leases);
        setup
    }

    /// A world with these members, and nobody else yet.
    pub(crate) fn lab(self) -> Lab {
        let mut plan = Plan::new(self.seed, self.horizon);
        plan.link_all(self.link);
        let members: Rc<[ProcessId]> = (0..self.servers).map(ProcessId).collect();
        let ticks = self.election.as_micros() / self.heartbeat.as_micros();
        for &me in members.iter() {
            let name = format!("n{}", me.0 + 1);
            let election = raft::ElectionTimeout::ticks(self.heartbeat, ticks);
            let mut raft = raft::Config::new(me, members.clone(), self.heartbeat, election);
            raft.entries_kept_behind = self.entries_kept_behind;
            let leader = self.leader.map(|leader| (ProcessId(leader), 1));
            let opening = Opening { revision: self.revision, leader };
            let config = etcd::ServerConfig {
                raft,
                leases: self.leases,
                opening,
                restore_bump: 0,
                snapshot_every: self.snapshot_every,
            };
            add_server(&mut plan, HostSpec::new(&name), self.disk, ServerConfig::Etcd(Rc::new(config)));
        }
        Lab { plan, members, kind: ClientKind::Etcd(etcd::Recipe::new(true)) }
    }
}

fn add_server(plan: &mut Plan<Actor>, host: HostSpec, disk_latency: Span, config: ServerConfig) {
    let name = host.name.clone();
    // What it is before it starts does not matter.
    let server = config.start(&Disk::Empty, Start::First, Rng::new(Stream::new(0, 0, 0)));
    let host = plan.host(host);
    let spec = ProcessSpec { disk_latency, ..ProcessSpec::new(&name, host) };
    plan.process(spec, Actor::Server(Box::new(server), config));
}

/// A world that has not begun.
pub(crate) struct Lab {
    pub(crate) plan: Plan<Actor>,
    pub(crate) members: Rc<[ProcessId]>,
    /// What workers are clients of.
    pub(crate) kind: ClientKind,
}

impl Lab {
    /// So many servers that each keep this service by itself, `link` away from everybody, and nobody else yet.
    pub(crate) fn of(
        servers: u16,
        service: &AnyService,
        durability: Durability,
        kind: ClientKind,
        link: Span,
    ) -> Self {
        let mut plan = Plan::new(1, SimTime::from_secs(600));
        plan.link_all(LinkSpec { delay: link, ..LinkSpec::default() });
        for number in 1..=servers {
            let config = service::ServerConfig { service: service.clone(), durability };
            let host = HostSpec::new(&format!("n{number}"));
            add_server(&mut plan, host, Span::ZERO, ServerConfig::Single(Rc::new(config)));
        }
        Self { plan, members: (0..servers).map(ProcessId).collect(), kind }
    }

    /// Somebody who asks the first server by a script.
    pub(crate) fn prober(&mut self, asks: Vec<(Span, locks::Request)>) -> ProcessId {
        let host = self.plan.host(HostSpec::new("prober"));
        self.plan.process(ProcessSpec::new("prober", host), Actor::Prober(Prober::new(asks)))
    }

    /// A worker for the lock `job` on a host whose wall clock is ahead, or behind, by so many milliseconds.
    pub(crate) fn worker_off_by(
        &mut self,
        wall_millis: i64,
        policy: Policy,
        plan: Vec<(Span, Do)>,
    ) -> ProcessId {
        let wall = Wall::from_micros(wall_millis * 1_000);
        let host = HostSpec { wall, ..HostSpec::new("") };
        self.worker_on(host, "job", policy, plan, None)
    }

    /// The next process's number.
    pub(crate) fn next(&self) -> ProcessId {
        ProcessId(self.plan.processes().len() as u16)
    }

    /// A worker for the lock `job` with this plan.
    pub(crate) fn worker(&mut self, policy: Policy, plan: Vec<(Span, Do)>) -> ProcessId {
        self.any_worker("job", policy, plan, None, Rate::NOMINAL)
    }

    pub(crate) fn any_worker(
        &mut self,
        lock: &str,
        policy: Policy,
        plan: Vec<(Span, Do)>,
        cycle: Option<Cycle>,
        rate: Rate,
    ) -> ProcessId {
        self.worker_on(HostSpec { rate, ..HostSpec::new("") }, lock, policy, plan, cycle)
    }

    fn worker_on(
        &mut self,
        host: HostSpec,
        lock: &str,
        policy: Policy,
        plan: Vec<(Span, Do)>,
        cycle: Option<Cycle>,
    ) -> ProcessId {
        let me = self.next();
        let name = format!("w{}", me.0);
        let (servers, kind) = (self.members.clone(), self.kind.clone());
        let config = ClientConfig { me, servers, lock: lock.into(), policy, kind };
        let host = self.plan.host(HostSpec { name: name.as_str().into(), ..host });
        let worker = Worker::new(config, plan, cycle);
        self.plan.process(ProcessSpec::new(&name, host), Actor::Worker(Box::new(worker)))
    }

    /// An asker: after how many milliseconds it asks which member what.
    pub(crate) fn asker(&mut self, asks: Vec<(u64, u16, Request)>) -> ProcessId {
        let ask = |(millis, member, request): (u64, u16, Request)| Asked {
            due: Due::At(Mono::from_micros(millis * 1_000)),
            member: ProcessId(member),
            request: Rc::new(request),
        };
        self.any_asker(asks.into_iter().map(ask).collect())
    }

    pub(crate) fn any_asker(&mut self, asks: Vec<Asked>) -> ProcessId {
        let name = format!("c{}", self.next().0);
        let host = self.plan.host(HostSpec::new(&name));
        self.plan.process(ProcessSpec::new(&name, host), Actor::Asker(Asker::new(asks)))
    }

    /// A fault from one instant, in milliseconds, to another; `None`: to the end.
    pub(crate) fn fault(&mut self, from: u64, to: Option<u64>, kind: FaultKind<Role>) {
        let span = to.map(|to| ms(to - from));
        self.plan.fault(Fault { at: When::At(SimTime::from_millis(from)), span, kind });
    }

    /// Begins.
    pub(crate) fn begin(self) -> Run {
        Run { world: World::new(self.plan), trace: Trace::recording() }
    }

    /// Runs so many milliseconds.
    pub(crate) fn run(self, millis: u64) -> Run {
        let mut run = self.begin();
        run.until(millis);
        run
    }
}

/// A world that goes on, and what has happened in it.
pub(crate) struct Run {
    pub(crate) world: World<Actor>,
    pub(crate) trace: Trace<Talk>,
}

impl Run {
    pub(crate) fn until(&mut self, millis: u64) {
        self.world.run_until(SimTime::from_millis(millis), &mut self.trace);
    }

    pub(crate) fn server(&self, member: u16) -> &Server {
        match self.world.machine(ProcessId(member)) {
            Actor::Server(server, _) => match &**server {
                locks::Server::Etcd(server) => server,
                locks::Server::Single(_) | locks::Server::Member(_) => {
                    panic!("{member} is no member of an etcd")
                }
            },
            Actor::Worker(_) | Actor::Asker(_) | Actor::Prober(_) => panic!("{member} is no member"),
        }
    }

    /// The service that a server keeps by itself.
    pub(crate) fn service(&self, server: u16) -> &AnyService {
        match self.world.machine(ProcessId(server)) {
            Actor::Server(server, _) => match &**server {
                locks::Server::Single(server) => server.service(),
                locks::Server::Etcd(_) | locks::Server::Member(_) => {
                    panic!("a log keeps that service")
                }
            },
            Actor::Worker(_) | Actor::Asker(_) | Actor::Prober(_) => panic!("{server} is no server"),
        }
    }

    pub(crate) fn prober(&self, process: ProcessId) -> &Prober {
        match self.world.machine(process) {
            Actor::Prober(prober) => prober,
            Actor::Server(..) | Actor::Worker(_) | Actor::Asker(_) => panic!("{process:?} is no prober"),
        }
    }

    pub(crate) fn worker(&self, process: ProcessId) -> &Worker {
        match self.world.machine(process) {
            Actor::Worker(worker) => worker,
            Actor::Server(..) | Actor::Asker(_) | Actor::Prober(_) => panic!("{process:?} is no worker"),
        }
    }

    pub(crate) fn asker(&self, process: ProcessId) -> &Asker {
        match self.world.machine(process) {
            Actor::Asker(asker) => asker,
            Actor::Server(..) | Actor::Worker(_) | Actor::Prober(_) => panic!("{process:?} is no asker"),
        }
    }

    /// What was announced about locks: when, by whom, what.
    pub(crate) fn notes(&self) -> impl Iterator<Item = (SimTime, ProcessId, &LockNote)> {
        self.trace.records().iter().filter_map(|record| match &record.what {
            What::Noted(Note::Lock(note)) => Some((record.at, record.process, note)),
            What::Noted(Note::Raft(_))
            | What::Took(_)
            | What::Sent { .. }
            | What::Dropped
            | What::Kept(_)
            | What::Struck(_) => None,
        })
    }

    /// Such notes: when, in milliseconds, and by whom. Several of one kind by one process at one instant count once.
    pub(crate) fn when(&self, wanted: impl Fn(&LockNote) -> bool) -> Vec<(u64, ProcessId)> {
        let mut found: Vec<(u64, ProcessId)> = self
            .notes()
            .filter(|(.., note)| wanted(note))
            .map(|(at, process, _)| (at.as_micros() / 1_000, process))
            .collect();
        found.dedup();
        found
    }

    /// When a worker began to hold, in milliseconds, with which tokens.
    pub(crate) fn holds(&self, worker: ProcessId) -> Vec<(u64, u64)> {
        self.notes()
            .filter(|(_, by, _)| *by == worker)
            .filter_map(|(at, _, note)| match note {
                LockNote::Holds(holds) => Some((at.as_micros() / 1_000, holds.token?.0)),
                _ => None,
            })
            .collect()
    }

    /// When a worker began to hold, in milliseconds, by which grants and with which tokens, if any.
    pub(crate) fn grants(&self, worker: ProcessId) -> Vec<(u64, locks::GrantId, Option<u64>)> {
        self.notes()
            .filter(|(_, by, _)| *by == worker)
            .filter_map(|(at, _, note)| match note {
                LockNote::Holds(holds) => {
                    Some((at.as_micros() / 1_000, holds.grant, holds.token.map(|token| token.0)))
                }
                _ => None,
            })
            .collect()
    }

    /// Requests that a process sent to servers that keep a service by themselves: when, in milliseconds, to whom, what.
    pub(crate) fn asked(&self, by: ProcessId) -> Vec<(u64, u16, &locks::Request)> {
        self.trace
            .records()
            .iter()
            .filter(|record| record.process == by)
            .filter_map(|record| match &record.what {
                What::Sent { to, msg: locks::Msg::Request { request, .. }, .. } => {
                    Some((record.at.as_micros() / 1_000, to.0, request))
                }
                _ => None,
            })
            .collect()
    }

    /// When a worker let go, in milliseconds, and why.
    pub(crate) fn let_go(&self, worker: ProcessId) -> Vec<(u64, locks::Gone)> {
        self.notes()
            .filter(|(_, by, _)| *by == worker)
            .filter_map(|(at, _, note)| match note {
                LockNote::LetGo { why, .. } => Some((at.as_micros() / 1_000, *why)),
                _ => None,
            })
            .collect()
    }

    /// When locks were freed, in milliseconds, and of which grants.
    pub(crate) fn freed(&self) -> Vec<(u64, u64, locks::Freed)> {
        self.notes()
            .filter_map(|(at, _, note)| match note {
                LockNote::Freed { grant, how, .. } => Some((at.as_micros() / 1_000, grant.0, *how)),
                _ => None,
            })
            .collect()
    }

    /// Messages that a process sent: when, in milliseconds, to whom, what.
    pub(crate) fn sent(&self, by: ProcessId) -> impl Iterator<Item = (u64, ProcessId, &locks::etcd::Msg)> {
        self.trace.records().iter().filter(move |record| record.process == by).filter_map(|record| {
            match &record.what {
                What::Sent { to, msg: locks::Msg::Etcd(msg), .. } => {
                    Some((record.at.as_micros() / 1_000, *to, msg))
                }
                What::Sent { .. }
                | What::Noted(_)
                | What::Took(_)
                | What::Dropped
                | What::Kept(_)
                | What::Struck(_) => None,
            }
        })
    }

    /// Requests of one kind that a process sent: when, in milliseconds, and to whom.
    pub(crate) fn requests(&self, by: ProcessId, wanted: impl Fn(&Request) -> bool) -> Vec<(u64, u16)> {
        self.sent(by)
            .filter_map(|(at, to, msg)| match msg {
                locks::etcd::Msg::Request { request, .. } if wanted(request) => Some((at, to.0)),
                _ => None,
            })
            .collect()
    }

    pub(crate) fn any_client_timer(&self, worker: ProcessId) -> bool {
        any_client_timer(&self.world, worker)
    }

    /// The words that a worker heard: when on its clock, in milliseconds.
    pub(crate) fn words(&self, worker: ProcessId) -> Vec<(u64, Word)> {
        self.worker(worker).words.iter().map(|(at, word)| (at.as_micros() / 1_000, word.clone())).collect()
    }
}

/// Whether any of a client's timers is armed.
pub(crate) fn any_client_timer(world: &World<Actor>, worker: ProcessId) -> bool {
    use locks::ClientTimer as T;
    [T::Renew, T::Stop, T::Overdue, T::Again, T::Try]
        .into_iter()
        .any(|timer| world.timer_due(worker, super::Timer::Client(timer)).is_some())
}
