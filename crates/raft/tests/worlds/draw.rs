//! A world drawn from a seed: how the cluster is set up, which kinds of fault there are, and when they strike whom.

use std::rc::Rc;

use kernel::{
    Anchor, Fault, FaultKind, Gap, HostId, HostSpec, LinkSpec, Manner, Plan, ProcessId, ProcessSpec, Rate,
    Ratio, Rng, Side, SimTime, Span, Stream, Target, Topic, WallAfter, When,
};
use raft::{Config, ElectionTimeout, Reads};

use crate::cast::{Cast, Client, Role, Server, Story};

/// Faults begin before this.
pub(crate) const FAULTS_UNTIL: SimTime = SimTime::from_secs(4);
/// The world ends then.
pub(crate) const HORIZON: SimTime = SimTime::from_secs(8);

pub(crate) struct Drawn {
    pub(crate) plan: Plan<Cast>,
    pub(crate) servers: usize,
    /// In words, for a failure's message.
    pub(crate) about: String,
}

struct Draw {
    rng: Rng,
    servers: u16,
    /// Clocks stay within what the lease allows for.
    tame_clocks: bool,
}

/// The kinds of fault; each seed has some of them.
const KINDS: u64 = 12;
/// And the kinds that Raft does not promise to survive.
const KINDS_OF_FORGETTING: u64 = 2;

/// Whether what is on disk stays there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Disks {
    Keep,
    Forget,
}

pub(crate) fn draw(seed: u64, disks: Disks) -> Drawn {
    let mut rng = Rng::new(Stream::new(seed, 1000, 0));
    let servers = if rng.below(3) == 0 { 5 } else { 3 };
    let heartbeat = Span::from_millis(20 + rng.below(30));
    let min = heartbeat.times(2 + rng.below(3));
    let election = ElectionTimeout::uniform(min, min.times(2));
    let check_quorum = rng.below(4) > 0;
    let reads = if check_quorum && rng.below(2) == 0 {
        Reads::Lease { span: Span::from_micros(min.as_micros() * 8 / 10) }
    } else {
        Reads::ReadIndex
    };
    let pre_vote = rng.below(4) > 0;
    let peers: Rc<[ProcessId]> = (0..servers).map(ProcessId).collect();
    let entries_per_append_max = [1, 2, 64][rng.below(3) as usize];
    let (entries_kept_behind, compact_every) = (rng.below(6), [4, 12, 1000][rng.below(3) as usize]);
    let disk_latency = Span::from_millis([0, 1, 5][rng.below(3) as usize]);
    let transfers = rng.below(4) == 0;

    let mut plan = Plan::new(seed, HORIZON);
    plan.link_all(LinkSpec {
        delay: Span::from_micros(500 + rng.below(5_000)),
        jitter: Span::from_micros(rng.below(5_000)),
        loss: Ratio::new([0, 0, 1][rng.below(3) as usize], 100),
        duplicate: Ratio::new([0, 0, 2][rng.below(3) as usize], 100),
    });
    for &me in peers.iter() {
        let name = format!("n{}", me.0 + 1);
        let rate = Rate::from_ppm(rng.below(401) as i32 - 200);
        let host = plan.host(HostSpec { rate, ..HostSpec::new(&name) });
        let config = Config {
            pre_vote,
            check_quorum,
            reads,
            entries_per_append_max,
            entries_kept_behind,
            ..Config::new(me, peers.clone(), heartbeat, election)
        };
        let spec = ProcessSpec { disk_latency, ..ProcessSpec::new(&name, host) };
        plan.process(spec, Cast::Server(Box::new(Server::new(config, compact_every))));
    }
    for client in 0..1 + rng.below(4) {
        let name = format!("c{}", client + 1);
        let host = plan.host(HostSpec::new(&name));
        plan.process(ProcessSpec::new(&name, host), Cast::Client(Client::new(peers.clone(), transfers)));
    }

    let mut draw = Draw { rng, servers, tame_clocks: matches!(reads, Reads::Lease { .. }) };
    // Swarm testing: fewer kinds at a time reach further than all of them at once (Groce et al., 2012).
    let mut kinds: Vec<u64> = (0..KINDS).filter(|_| draw.rng.below(3) == 0).collect();
    if disks == Disks::Forget {
        kinds.extend([2, KINDS, KINDS + KINDS_OF_FORGETTING - 1]);
    }
    let mut faults = 0;
    if !kinds.is_empty() {
        for _ in 0..draw.rng.below(20) {
            let kind = kinds[draw.rng.below(kinds.len() as u64) as usize];
            plan.fault(draw.fault(kind));
            faults += 1;
        }
    }
    let about = format!(
        "{servers} servers, heartbeat {heartbeat}, election from {min}, pre-vote {pre_vote}, check-quorum \
         {check_quorum}, {reads:?}, disk {disk_latency}, {faults} faults of kinds {kinds:?}"
    );
    Drawn { plan, servers: usize::from(servers), about }
}

impl Draw {
    fn fault(&mut self, kind: u64) -> Fault<Story> {
        let at = SimTime::from_micros(500_000 + self.rng.below(FAULTS_UNTIL.as_micros() - 500_000));
        // Some wait for a moment that is delicate.
        let at = match self.rng.below(6) {
            0 => {
                let topics = ["becomes leader", "campaigns", "votes", "is answered", "sends a snapshot"];
                When::After(Anchor {
                    who: None,
                    topic: Topic(topics[self.rng.below(topics.len() as u64) as usize]),
                    nth: 1 + self.rng.below(5) as u32,
                    plus: Span::from_micros(self.rng.below(30_000)),
                })
            }
            _ => When::At(at),
        };
        let longest = if self.rng.below(2) == 0 { 300_000 } else { 2_000_000 };
        let span = Some(Span::from_micros(10_000 + self.rng.below(longest)));
        Fault { at, span, kind: self.kind(kind) }
    }

    fn kind(&mut self, kind: u64) -> FaultKind<Role> {
        let target = self.target();
        let manner = if self.rng.below(2) == 0 { Manner::Silent } else { Manner::Refused };
        let both_ways = self.rng.below(2) == 0;
        let ratio = Ratio::new(1 + self.rng.below(9) as u32, 10);
        let (from, to) = self.sides();
        match kind {
            0 => FaultKind::Pause { target, gap: Gap::BeforeInput },
            1 => FaultKind::Pause { target, gap: Gap::BeforeSend },
            2 | 3 => FaultKind::Crash { target, manner },
            4 => FaultKind::Cut { from, to, both_ways: true, manner },
            5 => FaultKind::Cut { from, to, both_ways: false, manner },
            6 => FaultKind::Loss { from, to, both_ways, ratio },
            7 => FaultKind::Duplicate { from, to, both_ways, ratio },
            8 => FaultKind::Delay { from, to, both_ways, extra: Span::from_micros(self.rng.below(200_000)) },
            9 => FaultKind::ClockRate { target, rate: self.rate() },
            // A clock that stands still in a suspension breaks a lease: see `Reads::Lease`.
            10 if self.tame_clocks => FaultKind::Pause { target, gap: Gap::BeforeInput },
            10 => FaultKind::Suspend { target, wall: WallAfter::CatchesUp },
            11 => FaultKind::DiskStall { target },
            12 => FaultKind::DiskLoss { target },
            _ => FaultKind::Restore {
                targets: vec![target],
                taken: SimTime::from_micros(self.rng.below(FAULTS_UNTIL.as_micros())),
                from: None,
            },
        }
    }

    fn rate(&mut self) -> Rate {
        let (slowest, fastest) = if self.tame_clocks { (950_000, 1_050_000) } else { (500_000, 2_000_000) };
        Rate::from_millionths((slowest + self.rng.below(fastest - slowest + 1)) as u32)
    }

    fn target(&mut self) -> Target<Role> {
        match self.rng.below(4) {
            0 | 1 => Target::Role(Role::Leader),
            2 => Target::Role(Role::Follower),
            _ => Target::Process(ProcessId(self.rng.below(u64::from(self.servers)) as u16)),
        }
    }

    /// Some servers on one side; the other servers, or everybody else with the clients, on the other.
    fn sides(&mut self) -> (Side<Role>, Side<Role>) {
        let these = match self.rng.below(3) {
            0 => vec![self.target()],
            _ => {
                let some: Vec<u16> = (0..self.servers).filter(|_| self.rng.below(2) == 0).collect();
                let others: Vec<u16> = (0..self.servers).filter(|server| !some.contains(server)).collect();
                let hosts =
                    |servers: Vec<u16>| servers.into_iter().map(|s| Target::Host(HostId(s))).collect();
                if !some.is_empty() && !others.is_empty() && self.rng.below(2) == 0 {
                    return (Side::These(hosts(some)), Side::These(hosts(others)));
                }
                if some.is_empty() { vec![self.target()] } else { hosts(some) }
            }
        };
        if self.rng.below(2) == 0 {
            (Side::These(these), Side::Others)
        } else {
            (Side::Others, Side::These(these))
        }
    }
}
