//! Setting a world up, running it, and reading what happened.

use std::rc::Rc;

use kernel::{
    Fault, FaultKind, Gap, HostSpec, LinkSpec, Manner, Mono, Plan, ProcessId, ProcessSpec, Rate, Rng, Side,
    SimTime, Span, Start, Stream, Target, Trace, What, When, World,
};
use locks::replicated::{Member, MemberConfig};
use locks::{
    Anchor, AnyReplica, ClientConfig, ClientKind, Disk, Freed, GiveUp, Gone, HolderClock, Note as LockNote,
    Policy, Request, Server, ServerConfig, Wait,
};
use raft::Reads;

use crate::cast::{Actor, Asked, Asker, Cycle, Do, Note, Role, Talk, Worker};

pub(crate) const N1: ProcessId = ProcessId(0);
pub(crate) const N2: ProcessId = ProcessId(1);
pub(crate) const N3: ProcessId = ProcessId(2);

/// So many milliseconds.
pub(crate) const fn ms(millis: u64) -> Span {
    Span::from_millis(millis)
}
/// So many seconds.
pub(crate) const fn s(secs: u64) -> Span {
    Span::from_secs(secs)
}
/// A monotonic reading in milliseconds.
pub(crate) const fn mono(millis: u64) -> Mono {
    Mono::from_micros(millis * 1_000)
}

/// A careful client: lease 10 s, margin 2 s, renewed every 3 s.
pub(crate) const POLICY: Policy = Policy {
    ttl: s(10),
    margin: s(2),
    renew_every: s(3),
    timeout: ms(500),
    retry: ms(200),
    anchor: Anchor::Sent,
    clock: HolderClock::Monotonic,
    give_up: GiveUp::StopTime,
    wait: Wait::Queue,
};

/// How servers are set up.
#[derive(Clone, Debug)]
pub(crate) struct Setup {
    pub(crate) seed: u64,
    /// Who leads when the world begins; nobody: they elect one.
    pub(crate) leader: Option<u16>,
    pub(crate) heartbeat: Span,
    pub(crate) election: Span,
    /// How a leader makes sure that it still leads.
    pub(crate) reads: Reads,
    pub(crate) snapshot_every: u64,
    pub(crate) link: LinkSpec,
    pub(crate) disk: Span,
    pub(crate) horizon: SimTime,
}

impl Default for Setup {
    /// Three of which the first leads, in term 1; 1 ms between any two.
    fn default() -> Self {
        Self {
            seed: 1,
            leader: Some(0),
            heartbeat: ms(100),
            election: s(1),
            reads: Reads::ReadIndex,
            snapshot_every: 10_000,
            link: LinkSpec { delay: ms(1), ..LinkSpec::default() },
            disk: Span::ZERO,
            horizon: SimTime::from_secs(600),
        }
    }
}

pub(crate) const MEMBERS: [ProcessId; 3] = [N1, N2, N3];

impl Setup {
    /// A server's part in the log.
    pub(crate) fn raft(&self, me: ProcessId) -> raft::Config {
        let ticks = self.election.as_micros() / self.heartbeat.as_micros();
        let election = raft::ElectionTimeout::ticks(self.heartbeat, ticks);
        raft::Config { reads: self.reads, ..raft::Config::new(me, MEMBERS, self.heartbeat, election) }
    }

    /// Three servers that keep this service in a replicated log.
    pub(crate) fn log(&self, service: &AnyReplica, kind: ClientKind) -> Lab {
        self.servers(kind, |me| {
            ServerConfig::Member(Rc::new(MemberConfig {
                raft: self.raft(me),
                service: service.clone(),
                leader: self.leader.map(|leader| (ProcessId(leader), 1)),
                snapshot_every: self.snapshot_every,
            }))
        })
    }

    /// Three servers, each configured by itself.
    pub(crate) fn servers(&self, kind: ClientKind, config: impl Fn(ProcessId) -> ServerConfig) -> Lab {
        let mut plan = Plan::new(self.seed, self.horizon);
        plan.link_all(self.link);
        for me in MEMBERS {
            let config = Rc::new(config(me));
            // What it is before it starts does not matter.
            let server = config.start(&Disk::default(), Start::First, Rng::new(Stream::new(0, 0, 0)));
            let name = format!("n{}", me.0 + 1);
            let host = plan.host(HostSpec::new(&name));
            let spec = ProcessSpec { disk_latency: self.disk, ..ProcessSpec::new(&name, host) };
            plan.process(spec, Actor::Server(server, config));
        }
        Lab { plan, kind }
    }
}

fn plan_of(plan: &[(u64, Do)]) -> Vec<(Span, Do)> {
    plan.iter().map(|(at, what)| (ms(*at), *what)).collect()
}

/// A world that has not begun.
pub(crate) struct Lab {
    pub(crate) plan: Plan<Actor>,
    kind: ClientKind,
}

impl Lab {
    /// The next process's number.
    fn next(&self) -> ProcessId {
        ProcessId(self.plan.processes().len() as u16)
    }

    /// A worker for the lock `job` with this plan: after how many milliseconds it does what.
    pub(crate) fn worker(&mut self, policy: Policy, plan: &[(u64, Do)]) -> ProcessId {
        self.worker_of(&MEMBERS, policy, plan_of(plan), None, Rate::NOMINAL)
    }

    /// The same, and it asks this one server alone.
    pub(crate) fn worker_beside(
        &mut self,
        server: ProcessId,
        policy: Policy,
        plan: &[(u64, Do)],
    ) -> ProcessId {
        self.worker_of(&[server], policy, plan_of(plan), None, Rate::NOMINAL)
    }

    pub(crate) fn any_worker(
        &mut self,
        policy: Policy,
        plan: Vec<(Span, Do)>,
        cycle: Option<Cycle>,
        rate: Rate,
    ) -> ProcessId {
        self.worker_of(&MEMBERS, policy, plan, cycle, rate)
    }

    fn worker_of(
        &mut self,
        servers: &[ProcessId],
        policy: Policy,
        plan: Vec<(Span, Do)>,
        cycle: Option<Cycle>,
        rate: Rate,
    ) -> ProcessId {
        let me = self.next();
        let name = format!("w{}", me.0);
        let config =
            ClientConfig { me, servers: servers.into(), lock: "job".into(), policy, kind: self.kind.clone() };
        let host = self.plan.host(HostSpec { rate, ..HostSpec::new(&name) });
        let worker = Worker::new(config, plan, cycle);
        self.plan.process(ProcessSpec::new(&name, host), Actor::Worker(Box::new(worker)))
    }

    /// An asker: after how many milliseconds it asks which server what.
    pub(crate) fn asker(&mut self, asks: Vec<(u64, ProcessId, Request)>) -> ProcessId {
        let ask = |(at, server, request)| Asked { at: mono(at), server, request };
        let name = format!("c{}", self.next().0);
        let host = self.plan.host(HostSpec::new(&name));
        let asker = Asker::new(asks.into_iter().map(ask).collect());
        self.plan.process(ProcessSpec::new(&name, host), Actor::Asker(asker))
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

    pub(crate) fn server(&self, process: ProcessId) -> &Server {
        match self.world.machine(process) {
            Actor::Server(server, _) => server,
            Actor::Worker(_) | Actor::Asker(_) => panic!("{process:?} is no server"),
        }
    }

    pub(crate) fn member(&self, process: ProcessId) -> &Member {
        match self.server(process) {
            Server::Member(member) => member,
            Server::Etcd(_) | Server::Single(_) => panic!("{process:?} keeps no log of this kind"),
        }
    }

    pub(crate) fn asker(&self, process: ProcessId) -> &Asker {
        match self.world.machine(process) {
            Actor::Asker(asker) => asker,
            Actor::Server(..) | Actor::Worker(_) => panic!("{process:?} is no asker"),
        }
    }

    /// What was announced about locks: when, in milliseconds, by whom, what.
    pub(crate) fn notes(&self) -> impl Iterator<Item = (u64, ProcessId, &LockNote)> {
        self.trace.records().iter().filter_map(|record| match &record.what {
            What::Noted(Note::Lock(note)) => Some((record.at.as_micros() / 1_000, record.process, note)),
            What::Noted(Note::Raft(_))
            | What::Took(_)
            | What::Sent { .. }
            | What::Dropped
            | What::Kept(_)
            | What::Struck(_) => None,
        })
    }

    /// What was granted: when, with which token.
    pub(crate) fn granted(&self) -> Vec<(u64, u64)> {
        let granted = |(at, _, note): (u64, ProcessId, &LockNote)| match note {
            LockNote::Granted(granted) => Some((at, granted.token.map_or(0, |token| token.0))),
            _ => None,
        };
        self.notes().filter_map(granted).collect()
    }

    /// When locks were freed, and how.
    pub(crate) fn freed(&self) -> Vec<(u64, Freed)> {
        let freed = |(at, _, note): (u64, ProcessId, &LockNote)| match note {
            LockNote::Freed { how, .. } => Some((at, *how)),
            _ => None,
        };
        self.notes().filter_map(freed).collect()
    }

    /// When new leaders took over, and until when each lease then ran.
    pub(crate) fn took_over(&self) -> Vec<(u64, ProcessId, Vec<u64>)> {
        let took = |(at, by, note): (u64, ProcessId, &LockNote)| match note {
            LockNote::TookOver { leases, .. } => {
                let until = leases.iter().map(|(_, until, _)| match until {
                    locks::Reading::Mono(until) => until.as_micros() / 1_000,
                    locks::Reading::Wall(_) => panic!("a leader's clock is monotonic"),
                });
                Some((at, by, until.collect()))
            }
            _ => None,
        };
        self.notes().filter_map(took).collect()
    }

    /// When a worker began to hold, with which token.
    pub(crate) fn holds(&self, worker: ProcessId) -> Vec<(u64, u64)> {
        let holds = |(at, _, note): (u64, ProcessId, &LockNote)| match note {
            LockNote::Holds(holds) => Some((at, holds.token.map_or(0, |token| token.0))),
            _ => None,
        };
        self.notes().filter(|(_, by, _)| *by == worker).filter_map(holds).collect()
    }

    /// When a worker let go, and why.
    pub(crate) fn let_go(&self, worker: ProcessId) -> Vec<(u64, Gone)> {
        let let_go = |(at, _, note): (u64, ProcessId, &LockNote)| match note {
            LockNote::LetGo { why, .. } => Some((at, *why)),
            _ => None,
        };
        self.notes().filter(|(_, by, _)| *by == worker).filter_map(let_go).collect()
    }

    /// How often somebody noted something.
    pub(crate) fn count(&self, by: ProcessId, wanted: impl Fn(&LockNote) -> bool) -> usize {
        self.notes().filter(|(_, process, note)| *process == by && wanted(note)).count()
    }
}

/// A process stops.
pub(crate) fn pause(process: ProcessId) -> FaultKind<Role> {
    FaultKind::Pause { target: Target::Process(process), gap: Gap::BeforeInput }
}
/// A process crashes, and its host refuses connections.
pub(crate) fn crash(process: ProcessId) -> FaultKind<Role> {
    FaultKind::Crash { target: Target::Process(process), manner: Manner::Refused }
}
/// Nothing passes between these and everybody else.
pub(crate) fn isolate(processes: &[ProcessId]) -> FaultKind<Role> {
    FaultKind::Cut { from: side(processes), to: Side::Others, both_ways: true, manner: Manner::Silent }
}
/// Nothing passes between these and those.
pub(crate) fn cut(these: &[ProcessId], those: &[ProcessId]) -> FaultKind<Role> {
    FaultKind::Cut { from: side(these), to: side(those), both_ways: true, manner: Manner::Silent }
}
/// What these say to those takes so much longer.
pub(crate) fn delay(these: &[ProcessId], those: &[ProcessId], extra: Span) -> FaultKind<Role> {
    FaultKind::Delay { from: side(these), to: side(those), both_ways: false, extra }
}
/// What these say to those arrives twice.
pub(crate) fn twice(these: &[ProcessId], those: &[ProcessId]) -> FaultKind<Role> {
    let ratio = kernel::Ratio::new(1, 1);
    FaultKind::Duplicate { from: side(these), to: side(those), both_ways: false, ratio }
}
pub(crate) fn side(processes: &[ProcessId]) -> Side<Role> {
    Side::These(processes.iter().map(|process| Target::Process(*process)).collect())
}

/// The wall clock of a process's host is set ahead.
pub(crate) fn wall_step(process: ProcessId, by: Span) -> FaultKind<Role> {
    FaultKind::WallStep { target: Target::Process(process), by_micros: by.as_micros() as i64 }
}
