//! Raft clusters alone, for measuring: five servers with 50 ms heartbeats, election timeouts of 100 to 200 ms and links
//! of 10 to 15 ms.

use std::rc::Rc;

use kernel::{
    Fault, FaultKind, HostSpec, Input, LinkSpec, Machine, Manner, Now, Outbox, Plan, ProcessId, ProcessSpec,
    Rng, SimTime, Span, Start, Target, Trace, When, World,
};
use raft::{App, Config, Disk, ElectionTimeout, LogId, Raft, Snapshot, Speech};

const SERVERS: u16 = 5;

/// A state machine without a state.
#[derive(Clone, Debug)]
pub struct Nothing;
impl App for Nothing {
    type Command = ();
    type Snapshot = ();
}

/// A server that is nothing but its Raft part.
#[derive(Clone, Debug)]
pub struct Server {
    config: Config,
    raft: Option<Raft<Nothing>>,
}

impl Machine for Server {
    type Dialect = Speech<Nothing>;

    fn on(&mut self, input: Input<'_, Speech<Nothing>>, now: Now, out: &mut impl Outbox<Speech<Nothing>>) {
        let raft = self.raft.as_mut().expect("a machine is started before it is given anything");
        raft.on(input, now.mono, out);
        while raft.next_committed().is_some() {}
    }

    fn start(&self, disk: &Disk<Nothing>, start: Start, rng: Rng) -> Self {
        let config = self.config.clone();
        let raft = match start {
            Start::First => {
                let snapshot = Snapshot { last: LogId { term: 1, index: 1 }, state: () };
                Raft::established(config, ProcessId(0), snapshot, rng)
            }
            Start::Again | Start::Restored => Raft::start(config, disk, rng),
        };
        Self { config: self.config.clone(), raft: Some(raft) }
    }

    /// The dialect of a bare Raft has one role; here it is the leader's.
    fn plays(&self, (): ()) -> Option<u64> {
        self.raft.as_ref().filter(|raft| raft.is_leader()).map(Raft::term)
    }
}

/// A cluster in which nothing happens.
pub fn idle(horizon: SimTime) -> Plan<Server> {
    let mut plan = Plan::new(1, horizon);
    plan.link_all(LinkSpec {
        delay: Span::from_millis(10),
        jitter: Span::from_millis(5),
        ..LinkSpec::default()
    });
    let election = ElectionTimeout::uniform(Span::from_millis(100), Span::from_millis(200));
    let peers: Rc<[ProcessId]> = (0..SERVERS).map(ProcessId).collect();
    for &me in peers.iter() {
        let name = format!("n{}", me.0 + 1);
        let host = plan.host(HostSpec::new(&name));
        let config = Config::new(me, peers.clone(), Span::from_millis(50), election);
        plan.process(ProcessSpec::new(&name, host), Server { config, raft: None });
    }
    plan
}

/// The same cluster, whose leader dies every 2 s and is back a second later.
pub fn with_crashes(horizon: SimTime) -> Plan<Server> {
    let mut plan = idle(horizon);
    let mut at = SimTime::from_secs(2);
    while at < horizon {
        plan.fault(Fault {
            at: When::At(at),
            span: Some(Span::from_secs(1)),
            kind: FaultKind::Crash { target: Target::Role(()), manner: Manner::Silent },
        });
        at = at + Span::from_secs(2);
    }
    plan
}

/// Runs a world to its end; answers how many inputs were taken.
pub fn run(plan: Plan<Server>, mut trace: Trace<Speech<Nothing>>) -> u64 {
    let mut world = World::new(plan);
    while world.step(&mut trace) {}
    world.inputs_taken()
}
