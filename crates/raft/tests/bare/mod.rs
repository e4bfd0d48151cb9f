//! Servers that are nothing but their Raft part, on the kernel.

use kernel::{
    HostSpec, Input, LinkSpec, Machine, Now, Outbox, Plan, ProcessId, ProcessSpec, Rng, SimTime, Span, Start,
};
use raft::{App, Config, Disk, ElectionTimeout, LogId, Raft, Snapshot, Speech};

/// A state machine without a state.
#[derive(Clone, Debug)]
pub(crate) struct Nothing;
impl App for Nothing {
    type Command = ();
    type Snapshot = ();
}

/// A server.
#[derive(Clone, Debug)]
pub(crate) struct Bare {
    config: Config,
    raft: Option<Raft<Nothing>>,
}

impl Machine for Bare {
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
}

/// Five servers with 50 ms heartbeats, 100 to 200 ms election timeouts and links of 10 to 15 ms; nothing happens.
pub(crate) fn idle_cluster(horizon: SimTime) -> Plan<Bare> {
    let mut plan = Plan::new(1, horizon);
    plan.link_all(LinkSpec {
        delay: Span::from_millis(10),
        jitter: Span::from_millis(5),
        ..LinkSpec::default()
    });
    let election = ElectionTimeout::uniform(Span::from_millis(100), Span::from_millis(200));
    let peers: std::rc::Rc<[ProcessId]> = (0..5).map(ProcessId).collect();
    for &me in peers.iter() {
        let name = format!("n{}", me.0 + 1);
        let host = plan.host(HostSpec::new(&name));
        let config = Config::new(me, peers.clone(), Span::from_millis(50), election);
        plan.process(ProcessSpec::new(&name, host), Bare { config, raft: None });
    }
    plan
}
