//! A world drawn from a seed: how the service and its clients are set up, which kinds of fault there are, and when they
//! strike whom.

use kernel::{
    Fault, FaultKind, Gap, LinkSpec, Manner, Mono, Plan, ProcessId, Rate, Ratio, Rng, Side, SimTime, Span,
    Stream, Target, When,
};
use locks::chubby::{self, Chubby};
use locks::consul::{self, Behavior, Consul};
use locks::hazelcast::{self, Hazelcast};
use locks::zookeeper::{self, Number, ZooKeeper};
use locks::{AnyReplica, ClientKind, GiveUp, Policy, Wait};

use crate::cast::{Actor, Cycle, Role};
use crate::lab::{MEMBERS, POLICY, Setup, ms};

/// Faults begin before this, and are over five seconds later.
const FAULTS_UNTIL: u64 = 12_000;
/// From then on everything works.
pub(super) const CALM_FROM: SimTime = SimTime::from_millis(FAULTS_UNTIL + 5_000);
/// Workers take the lock no more after this reading of their clocks.
const WORK_UNTIL: Mono = Mono::from_micros(30_000_000);
/// The world ends then, when everybody has long been idle.
const HORIZON: SimTime = SimTime::from_secs(80);

const WORKERS: u16 = 3;
const ELECTION: Span = ms(300);

/// Which service.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Of {
    Consul,
    ZooKeeper,
    Hazelcast,
    Chubby,
}

/// The kinds of fault. Disks keep what was written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    PauseWorker,
    PauseServer,
    CrashServer,
    CrashWorker,
    CutServers,
    CutClient,
    Loss,
    Duplicate,
    Delay,
    ClockRate,
    DiskStall,
}

const ALL: [Kind; 11] = [
    Kind::PauseWorker,
    Kind::PauseServer,
    Kind::CrashServer,
    Kind::CrashWorker,
    Kind::CutServers,
    Kind::CutClient,
    Kind::Loss,
    Kind::Duplicate,
    Kind::Delay,
    Kind::ClockRate,
    Kind::DiskStall,
];

/// How clients behave and what strikes: rightly, or with one mistake.
#[derive(Clone, Copy, Debug)]
pub(super) struct Way {
    /// Whether the margin allows for clocks and for pings that are passed on late.
    pub(super) margin: bool,
    /// Whether servers and clients are only cut off from each other.
    pub(super) cuts_only: bool,
}

impl Way {
    pub(super) const RIGHT: Self = Self { margin: true, cuts_only: false };
    pub(super) const CUT_OFF: Self = Self { margin: true, cuts_only: true };
}

/// A world, and what has to be known to judge it.
pub(super) struct Drawn {
    pub(super) plan: Plan<Actor>,
    pub(super) workers: Vec<ProcessId>,
    /// Whether a holder's clock must have come to its stop time when its grant ends. It need not when servers are paused:
    /// one that was acknowledges late what it heard long ago.
    pub(super) beliefs_are_judged: bool,
    pub(super) about: String,
}

struct Draw(Rng);

pub(super) fn draw(of: Of, seed: u64, way: Way) -> Drawn {
    let mut draw = Draw(Rng::new(Stream::new(seed, 7, 7)));
    // Clocks run within 5% of true time, so within 10.6% of each other; until it notices that it has lost its leader, a
    // follower answers pings for up to two election timeouts; and half a tick later it passes them on.
    let (ttl, tick) = (ms(2_000 + draw.below(2_000)), ms(200));
    let margin = Span::from_micros(ttl.as_micros() / 9) + ELECTION.times(2) + tick;
    // A Chubby's holder counts a lease and a wait for its extension at once, and has to have the answer before its margin.
    let (ttl, margin) = match of {
        Of::Chubby => (ttl + ms(2_000), Span::from_micros((ttl + ms(2_000)).as_micros() / 5)),
        Of::Consul | Of::ZooKeeper | Of::Hazelcast => (ttl, margin),
    };
    let policy = Policy {
        ttl,
        margin: if way.margin { margin } else { Span::ZERO },
        renew_every: ms(300 + draw.below(300)),
        timeout: ms(100 + draw.below(400)),
        retry: ms(100),
        give_up: GiveUp::StopTime,
        wait: draw.of([Wait::Queue, Wait::Watch, Wait::Poll(ms(400))]),
        ..POLICY
    };
    let setup = Setup {
        seed,
        leader: draw.of([Some(0), None]),
        heartbeat: ms(50),
        election: ELECTION,
        reads: raft::Reads::ReadIndex,
        snapshot_every: draw.of([6, 10_000]),
        link: LinkSpec {
            delay: ms(1 + draw.below(8)),
            jitter: ms(draw.below(8)),
            loss: Ratio::new(draw.of([0, 0, 1]), 100),
            duplicate: Ratio::new(draw.of([0, 0, 2]), 100),
        },
        disk: ms(draw.of([0, 0, 2])),
        horizon: HORIZON,
    };
    let (service, kind) = match of {
        Of::Consul => {
            let lock_delay = ms(draw.of([0, 500, 2_000]));
            // The LockIndex only grows as long as the key is there.
            let index = draw.of([consul::Index::Lock, consul::Index::Modify]);
            let behavior = match index {
                consul::Index::Lock => Behavior::Release,
                consul::Index::Modify => draw.of([Behavior::Release, Behavior::Delete]),
            };
            let recipe = consul::Recipe::new(behavior, lock_delay);
            (AnyReplica::Consul(Consul::new(index)), ClientKind::Consul(recipe))
        }
        Of::Hazelcast => {
            let service = Hazelcast::new(policy.ttl, policy.renew_every);
            (AnyReplica::Hazelcast(service), ClientKind::Hazelcast(hazelcast::Recipe::default()))
        }
        Of::Chubby => {
            let config = chubby::Config { ttl, answer_before: Span::from_micros(ttl.as_micros() / 2) };
            let recipe = chubby::Recipe::new(ms(draw.of([0, 500, 2_000])), ms(draw.of([0, 1_000, 10_000])));
            (AnyReplica::Chubby(Chubby::new(config)), ClientKind::Chubby(recipe))
        }
        Of::ZooKeeper => {
            let number = draw.of([Number::Czxid, Number::Sequence]);
            let service = ZooKeeper::new(tick, number, (1, 0));
            (AnyReplica::ZooKeeper(service), ClientKind::ZooKeeper(zookeeper::Recipe::new(number)))
        }
    };
    let mut about = format!("{policy:?}, {kind:?}, {:?}", setup.link);
    let mut lab = setup.log(&service, kind);
    let workers: Vec<ProcessId> = (0..WORKERS)
        .map(|_| {
            let hold = ms(100 + draw.below(5_000));
            let cycle = Cycle { hold, rest: ms(draw.below(600)), until: WORK_UNTIL };
            let rate = if way.cuts_only { Rate::NOMINAL } else { draw.rate() };
            lab.any_worker(policy, vec![], Some(cycle), rate)
        })
        .collect();

    // Swarm testing: fewer kinds at a time reach further than all of them at once (Groce et al., 2012).
    let kinds: Vec<Kind> = if way.cuts_only {
        vec![Kind::CutServers, Kind::CutClient]
    } else {
        ALL.into_iter().filter(|_| draw.below(3) == 0).collect()
    };
    if !kinds.is_empty() {
        for _ in 0..6 + draw.below(18) {
            let kind = kinds[draw.below(kinds.len() as u64) as usize];
            let at = 500 + draw.below(FAULTS_UNTIL - 500);
            let fault = draw.fault(of, kind, at);
            lab.plan.fault(fault);
        }
    }
    about += &format!(", faults {kinds:?}");
    Drawn { plan: lab.plan, workers, beliefs_are_judged: !kinds.contains(&Kind::PauseServer), about }
}

impl Draw {
    fn below(&mut self, bound: u64) -> u64 {
        self.0.below(bound)
    }

    fn of<T: Copy, const N: usize>(&mut self, these: [T; N]) -> T {
        these[self.below(N as u64) as usize]
    }

    /// Within 5% of true time.
    fn rate(&mut self) -> Rate {
        Rate::from_millionths(950_000 + self.below(100_001) as u32)
    }

    fn server(&mut self) -> Target<Role> {
        match self.below(2) {
            0 => Target::Role(Role::Leader),
            _ => Target::Process(ProcessId(self.below(3) as u16)),
        }
    }

    fn worker(&mut self) -> Target<Role> {
        match self.below(2) {
            0 => Target::Role(Role::Holder),
            _ => Target::Process(ProcessId(3 + self.below(u64::from(WORKERS)) as u16)),
        }
    }

    fn anybody(&mut self) -> Target<Role> {
        if self.below(2) == 0 { self.server() } else { self.worker() }
    }

    fn fault(&mut self, of: Of, kind: Kind, at: u64) -> Fault<crate::cast::Talk> {
        let span = match kind {
            Kind::PauseWorker | Kind::CutClient | Kind::CrashServer => ms(500 + self.below(4_000)),
            Kind::PauseServer
            | Kind::CrashWorker
            | Kind::CutServers
            | Kind::Loss
            | Kind::Duplicate
            | Kind::Delay
            | Kind::ClockRate
            | Kind::DiskStall => {
                let longest = self.of([300, 2_000, 4_000]);
                ms(10 + self.below(longest - 10))
            }
        };
        Fault { at: When::At(SimTime::from_millis(at)), span: Some(span), kind: self.kind(of, kind) }
    }

    fn kind(&mut self, of: Of, kind: Kind) -> FaultKind<Role> {
        let manner = self.of([Manner::Silent, Manner::Refused]);
        let gap = self.of([Gap::BeforeInput, Gap::BeforeSend]);
        let both_ways = self.below(3) > 0;
        let ratio = Ratio::new(1 + self.below(8) as u32, 10);
        let these = |target| Side::These(vec![target]);
        match kind {
            Kind::PauseWorker => FaultKind::Pause { target: self.worker(), gap },
            Kind::PauseServer => FaultKind::Pause { target: self.server(), gap },
            Kind::CrashServer => FaultKind::Crash { target: self.server(), manner },
            Kind::CrashWorker => FaultKind::Crash { target: self.worker(), manner },
            Kind::CutServers => {
                // A connection that is cut one way is cut: a follower that still hears its leader would answer pings
                // for ever that it cannot pass on.
                let servers = MEMBERS.map(Target::Process).to_vec();
                let to = Side::These(servers);
                FaultKind::Cut { from: these(self.server()), to, both_ways: true, manner }
            }
            Kind::CutClient => {
                FaultKind::Cut { from: these(self.worker()), to: Side::Others, both_ways, manner }
            }
            Kind::Loss => {
                // Followers tell a ZooKeeper's leader once whom they have heard of, over a connection that loses nothing.
                let lossy = if of == Of::ZooKeeper { self.worker() } else { self.anybody() };
                FaultKind::Loss { from: these(lossy), to: Side::Others, both_ways, ratio }
            }
            Kind::Duplicate => {
                FaultKind::Duplicate { from: these(self.anybody()), to: Side::Others, both_ways, ratio }
            }
            Kind::Delay => {
                let extra = ms(self.below(300));
                FaultKind::Delay { from: these(self.anybody()), to: Side::Others, both_ways, extra }
            }
            Kind::ClockRate => FaultKind::ClockRate { target: self.anybody(), rate: self.rate() },
            Kind::DiskStall => FaultKind::DiskStall { target: self.server() },
        }
    }
}
