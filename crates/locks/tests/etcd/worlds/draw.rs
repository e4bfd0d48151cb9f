//! A world drawn from a seed: how the service and its clients are set up, which kinds of fault there are, and when they
//! strike whom.

use kernel::{
    Fault, FaultKind, Gap, LinkSpec, Manner, Mono, Plan, ProcessId, Rate, Ratio, Rng, Side, SimTime, Span,
    Stream, Target, WallAfter, When,
};
use locks::etcd::{Checkpoints, LeaseTimes};
use locks::{Anchor, GiveUp, HolderClock, Policy, Wait};

use crate::common::{Actor, Cycle, Lab, Role, Setup, Talk, ms, s};

/// Faults begin before this, and are over four seconds later.
const FAULTS_UNTIL: u64 = 10_000;
/// From then on everything works.
pub(super) const CALM_FROM: SimTime = SimTime::from_millis(FAULTS_UNTIL + 4_000);
/// Workers take the lock no more after this reading of their clocks.
const WORK_UNTIL: Mono = Mono::from_micros(18_000_000);
/// The world ends then, when everybody has long been idle.
const HORIZON: SimTime = SimTime::from_secs(55);

const SERVERS: u16 = 3;
const WORKERS: u16 = 3;
const ELECTION: Span = ms(300);

/// The kinds of fault.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
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
    WallStep,
    DiskStall,
    SuspendWorker,
    CrashLeader,
    SlowWorker,
}

impl Kind {
    /// Under these no leader answers for leases that another one times, and clocks run true: a lease needs no margin,
    /// and a new leader need add nothing.
    const SHARP: [Self; 5] =
        [Self::CrashLeader, Self::CutClient, Self::SlowWorker, Self::Duplicate, Self::PauseWorker];

    const ALL: [Self; 13] = [
        Self::PauseWorker,
        Self::PauseServer,
        Self::CrashServer,
        Self::CrashWorker,
        Self::CutServers,
        Self::CutClient,
        Self::Loss,
        Self::Duplicate,
        Self::Delay,
        Self::ClockRate,
        Self::WallStep,
        Self::DiskStall,
        Self::SuspendWorker,
    ];
}

/// How clients behave and what strikes: rightly, or with one mistake.
#[derive(Clone, Copy, Debug)]
pub(super) struct Way {
    pub(super) clock: HolderClock,
    pub(super) anchor: Anchor,
    /// The members' answers are slow to arrive, and the margin only allows for clocks.
    pub(super) slow_replies: bool,
    /// What strikes; by default each world has some kinds of all.
    pub(super) only: Option<&'static [Kind]>,
    /// What a holder announces counts, and not what its clock would tell it if it looked.
    pub(super) beliefs_count: bool,
}

impl Way {
    pub(super) const RIGHT: Self = Self {
        clock: HolderClock::Monotonic,
        anchor: Anchor::Sent,
        slow_replies: false,
        only: None,
        beliefs_count: false,
    };
}

pub(super) struct Drawn {
    pub(super) plan: Plan<Actor>,
    pub(super) workers: Vec<ProcessId>,
    /// Whether what a holder may do by its clock has to be over when the authority frees its lock: not when a member's
    /// or a clock's standing still can make an old leader answer for a new one, or a stop time come late.
    pub(super) clocks_are_judged: bool,
    /// Whether what it announces has to be over as well: not when it can be paused.
    pub(super) beliefs_are_judged: bool,
    /// In words, for a failure's message.
    pub(super) about: String,
}

struct Draw(Rng);

pub(super) fn draw(seed: u64, way: &Way) -> Drawn {
    let mut draw = Draw(Rng::new(Stream::new(seed, 2_000, 0)));
    let ttl = ms(2_000 + draw.below(1_500));
    let sharp = way.only.is_none() && draw.below(4) == 0;
    // Clocks run within 5% of true time, so within 10.6% of each other; and until it notices that it does not lead
    // any more, an old leader acknowledges renewals for up to two election timeouts.
    let for_clocks = Span::from_micros(ttl.as_micros() / 9);
    let margin = match (sharp, way.slow_replies) {
        (true, _) => Span::ZERO,
        (false, true) => for_clocks,
        (false, false) => for_clocks + ELECTION.times(2),
    };
    let poll = Wait::Poll(ms(200 + draw.below(400)));
    let policy = Policy {
        ttl,
        margin,
        renew_every: ms(300 + draw.below(if sharp { 1_200 } else { 300 })),
        timeout: if way.slow_replies { s(1) } else { ms(100 + draw.below(400)) },
        retry: ms(100),
        anchor: way.anchor,
        clock: way.clock,
        give_up: GiveUp::StopTime,
        wait: draw.of([Wait::Queue, Wait::Watch, poll]),
    };
    let checkpoints = |unit| Checkpoints { every: ms(400), unit: ms(unit) };
    let setup = Setup {
        seed,
        servers: SERVERS,
        leader: draw.of([Some(0), None]),
        revision: 1,
        heartbeat: ms(50),
        election: ELECTION,
        leases: LeaseTimes {
            expiry_every: draw.of([Span::ZERO, ms(100), ms(500)]),
            promote_extend: if sharp { Span::ZERO } else { ELECTION },
            min_ttl: Span::ZERO,
            checkpoints: draw.of([None, Some(checkpoints(1)), Some(checkpoints(1_000))]),
            revoke_retry: s(1),
        },
        snapshot_every: draw.of([6, 10_000]),
        entries_kept_behind: draw.of([0, 16]),
        link: LinkSpec {
            delay: ms(1 + draw.below(8)),
            jitter: ms(draw.below(8)),
            loss: Ratio::new(if sharp { 0 } else { draw.of([0, 0, 1]) }, 100),
            duplicate: Ratio::new(draw.of([0, 0, 2]), 100),
        },
        horizon: HORIZON,
        disk: ms(draw.of([0, 0, 2])),
    };
    let about = format!("{policy:?}, {:?}", setup.leases);
    let mut lab = setup.lab();
    let workers: Vec<ProcessId> = (0..WORKERS)
        .map(|_| {
            let cycle = Cycle {
                hold: ms(if sharp { 2_000 } else { 100 } + draw.below(5_000)),
                rest: ms(draw.below(600)),
                until: WORK_UNTIL,
            };
            let rate = if sharp { Rate::NOMINAL } else { draw.rate() };
            lab.any_worker("job", policy, vec![], Some(cycle), rate)
        })
        .collect();

    // Swarm testing: fewer kinds at a time reach further than all of them at once (Groce et al., 2012).
    let kinds: Vec<Kind> = match way.only {
        Some(kinds) => kinds.to_vec(),
        None if sharp => Kind::SHARP.into_iter().filter(|_| draw.below(3) > 0).collect(),
        None => Kind::ALL.into_iter().filter(|_| draw.below(3) == 0).collect(),
    };
    if way.slow_replies {
        draw.slow_replies(&mut lab);
    }
    if !kinds.is_empty() {
        for _ in 0..if sharp { 2 + draw.below(4) } else { 6 + draw.below(18) } {
            let kind = kinds[draw.below(kinds.len() as u64) as usize];
            let at = 500 + draw.below(FAULTS_UNTIL - 500);
            lab.plan.fault(draw.fault(kind, at));
            if sharp && matches!(kind, Kind::CrashLeader | Kind::SlowWorker) {
                // What a holder was told last counts when it hears nothing more.
                let within = if kind == Kind::CrashLeader { 400 } else { 1_500 };
                let at = at + draw.below(within);
                lab.plan.fault(draw.cut_holder(at));
            }
        }
    }
    let about = format!("{about}, faults {kinds:?}");
    let none_of = |these: &[Kind]| !kinds.iter().any(|kind| these.contains(kind));
    let clocks_are_judged = none_of(&[Kind::PauseServer, Kind::SuspendWorker]);
    let beliefs_are_judged = way.beliefs_count || (clocks_are_judged && none_of(&[Kind::PauseWorker]));
    Drawn { plan: lab.plan, workers, clocks_are_judged, beliefs_are_judged, about }
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
        match self.below(4) {
            0 | 1 => Target::Role(Role::Leader),
            2 => Target::Role(Role::Follower),
            _ => Target::Process(ProcessId(self.below(u64::from(SERVERS)) as u16)),
        }
    }

    fn worker(&mut self) -> Target<Role> {
        match self.below(2) {
            0 => Target::Role(Role::Holder),
            _ => Target::Process(ProcessId(SERVERS + self.below(u64::from(WORKERS)) as u16)),
        }
    }

    fn anybody(&mut self) -> Target<Role> {
        if self.below(2) == 0 { self.server() } else { self.worker() }
    }

    fn ratio(&mut self) -> Ratio {
        Ratio::new(1 + self.below(8) as u32, 10)
    }

    fn slow_replies(&mut self, lab: &mut Lab) {
        for worker in 0..WORKERS {
            let to = Side::These(vec![Target::Process(ProcessId(SERVERS + worker))]);
            let kind = FaultKind::Delay {
                from: Side::Others,
                to,
                both_ways: false,
                extra: ms(300 + self.below(500)),
            };
            lab.plan.fault(Fault { at: When::At(SimTime::ZERO), span: None, kind });
        }
    }

    /// The holder hears nothing any more from `at` on, for longer than its lease.
    fn cut_holder(&self, at: u64) -> Fault<Talk> {
        let from = Side::These(vec![Target::Role(Role::Holder)]);
        let kind = FaultKind::Cut { from, to: Side::Others, both_ways: true, manner: Manner::Silent };
        Fault { at: When::At(SimTime::from_millis(at)), span: Some(ms(3_600)), kind }
    }

    fn fault(&mut self, kind: Kind, at: u64) -> Fault<Talk> {
        let at = SimTime::from_millis(at);
        // Long enough for a lease to run out, or just a hiccup.
        let longest = self.of([300, 2_000, 4_000]);
        let span = match kind {
            Kind::PauseWorker
            | Kind::SuspendWorker
            | Kind::CutClient
            | Kind::CrashServer
            | Kind::CrashLeader => ms(4_000 - self.below(3_500)),
            _ => ms(10 + self.below(longest - 10)),
        };
        Fault { at: When::At(at), span: Some(span), kind: self.kind(kind) }
    }

    fn kind(&mut self, kind: Kind) -> FaultKind<Role> {
        let manner = self.of([Manner::Silent, Manner::Refused]);
        let gap = self.of([Gap::BeforeInput, Gap::BeforeSend]);
        let both_ways = self.below(3) > 0;
        let these = |target| Side::These(vec![target]);
        match kind {
            Kind::PauseWorker => FaultKind::Pause { target: self.worker(), gap },
            Kind::PauseServer => FaultKind::Pause { target: self.server(), gap },
            Kind::CrashServer => FaultKind::Crash { target: self.server(), manner },
            Kind::CrashLeader => FaultKind::Crash { target: Target::Role(Role::Leader), manner },
            Kind::CrashWorker => FaultKind::Crash { target: self.worker(), manner },
            Kind::CutServers => {
                let servers = (0..SERVERS).map(|server| Target::Process(ProcessId(server))).collect();
                FaultKind::Cut { from: these(self.server()), to: Side::These(servers), both_ways, manner }
            }
            Kind::CutClient => {
                FaultKind::Cut { from: these(self.worker()), to: Side::Others, both_ways, manner }
            }
            Kind::Loss => {
                let ratio = self.ratio();
                FaultKind::Loss { from: these(self.anybody()), to: Side::Others, both_ways, ratio }
            }
            Kind::Duplicate => {
                let ratio = self.ratio();
                FaultKind::Duplicate { from: these(self.anybody()), to: Side::Others, both_ways, ratio }
            }
            Kind::Delay => {
                let extra = ms(self.below(400));
                FaultKind::Delay { from: these(self.anybody()), to: Side::Others, both_ways, extra }
            }
            Kind::SlowWorker => {
                let extra = ms(self.below(400));
                FaultKind::Delay { from: these(self.worker()), to: Side::Others, both_ways, extra }
            }
            Kind::ClockRate => FaultKind::ClockRate { target: self.anybody(), rate: self.rate() },
            Kind::WallStep => {
                let by_micros = (self.below(8_000) as i64 - 5_000) * 1_000;
                FaultKind::WallStep { target: self.worker(), by_micros }
            }
            Kind::DiskStall => FaultKind::DiskStall { target: self.server() },
            Kind::SuspendWorker => {
                let wall = self.of([WallAfter::CatchesUp, WallAfter::Keeps]);
                FaultKind::Suspend { target: self.worker(), wall }
            }
        }
    }
}
