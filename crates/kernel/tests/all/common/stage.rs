//! What a world is planned on.

use kernel::*;

use super::{Act, Actor, On, Part, Run, Toy, len, ms};

/// Processes a, b, c, ..., each on a host of its own, links of 1 ms, disks that answer at once, one second.
#[derive(Clone, Debug)]
pub(crate) struct Stage {
    pub(crate) seed: u64,
    pub(crate) horizon: SimTime,
    pub(crate) hosts: Vec<HostSpec>,
    pub(crate) processes: Vec<ProcessSpec>,
    pub(crate) link: LinkSpec,
    pub(crate) links: Vec<(u16, u16, LinkSpec)>,
    tables: Vec<Vec<(On, Vec<Act>)>>,
    pub(crate) faults: Vec<Fault<Toy>>,
    pub(crate) orders: Vec<u32>,
}

impl Stage {
    pub(crate) fn new(processes: u16) -> Self {
        let name = |index: u16| char::from(b'a' + index as u8).to_string();
        Self {
            seed: 1,
            horizon: ms(1_000),
            hosts: (0..processes).map(|index| HostSpec::new(&name(index))).collect(),
            processes: (0..processes).map(|index| ProcessSpec::new(&name(index), HostId(index))).collect(),
            link: LinkSpec { delay: len(1), ..LinkSpec::default() },
            links: Vec::new(),
            tables: vec![Vec::new(); usize::from(processes)],
            faults: Vec::new(),
            orders: vec![9],
        }
    }

    /// Puts one more process on a host: a sidecar.
    pub(crate) fn beside(&mut self, host: u16) -> u16 {
        let index = self.processes.len() as u16;
        let name = char::from(b'a' + index as u8).to_string();
        self.processes.push(ProcessSpec::new(&name, HostId(host)));
        self.tables.push(Vec::new());
        index
    }

    /// What an actor does on an input; the last word counts.
    pub(crate) fn on(&mut self, process: u16, on: On, acts: &[Act]) {
        let table = &mut self.tables[usize::from(process)];
        table.retain(|(when, _)| *when != on);
        table.push((on, acts.to_vec()));
    }

    /// `from` sends `msg` to `to` at that millisecond of its monotonic clock (true time, while nobody bends that), by
    /// a timer named like the message. One plan of sends for a process.
    pub(crate) fn sends(&mut self, from: u16, plan: &[(u64, u16, u32)]) {
        let boot: Vec<Act> = plan.iter().map(|&(at, _, msg)| Act::Arm(msg as u8, at)).collect();
        self.on(from, On::Boot, &boot);
        for &(_, to, msg) in plan {
            self.on(from, On::Timer(msg as u8), &[Act::Send(to, msg)]);
        }
    }

    pub(crate) fn disk_latency(&mut self, process: u16, latency: Span) {
        self.processes[usize::from(process)].disk_latency = latency;
    }

    /// A fault from one millisecond to another.
    pub(crate) fn fault(&mut self, from: u64, until: u64, kind: FaultKind<Part>) -> FaultId {
        self.fault_when(When::At(ms(from)), Some(len(until - from)), kind)
    }

    /// A fault from a millisecond on, for ever.
    pub(crate) fn fault_forever(&mut self, from: u64, kind: FaultKind<Part>) -> FaultId {
        self.fault_when(When::At(ms(from)), None, kind)
    }

    pub(crate) fn fault_when(
        &mut self,
        at: When<Part>,
        span: Option<Span>,
        kind: FaultKind<Part>,
    ) -> FaultId {
        self.faults.push(Fault { at, span, kind });
        FaultId(self.faults.len() as u16 - 1)
    }

    pub(crate) fn plan(&self) -> Plan<Actor> {
        let mut plan = Plan::new(self.seed, self.horizon);
        for host in &self.hosts {
            plan.host(host.clone());
        }
        plan.link_all(self.link);
        for &(from, to, spec) in &self.links {
            plan.link(HostId(from), HostId(to), spec);
        }
        for (spec, table) in self.processes.iter().zip(&self.tables) {
            plan.process(spec.clone(), Actor::new(table.clone()));
        }
        for order in &self.orders {
            plan.order(*order);
        }
        self.faults.iter().for_each(|fault| plan.fault(fault.clone()));
        plan
    }

    /// Plays to the end.
    pub(crate) fn run(&self) -> Run {
        self.run_until(self.horizon)
    }

    /// Plays up to and including an instant.
    pub(crate) fn run_until(&self, until: SimTime) -> Run {
        let mut run = Run { world: World::new(self.plan()), trace: Trace::recording() };
        run.world.run_until(until, &mut run.trace);
        run
    }
}
