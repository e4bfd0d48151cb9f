//! What a world is made of, before it begins.

use std::rc::Rc;

use crate::link::LinkSpec;
use crate::{Dialect, Fault, Machine, Mono, Rate, SimTime, Span, Wall};

/// A host: it owns clocks and a network address.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub struct HostId(pub u16);

/// A process: it runs one machine on one host.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub struct ProcessId(pub u16);

impl HostId {
    pub(crate) const fn index(self) -> usize {
        self.0 as usize
    }
}
impl ProcessId {
    /// Stands where a record has no process: a fault of a link.
    pub const NOBODY: Self = Self(u16::MAX);

    /// Its place in the order in which processes were planned.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// A host as it begins.
#[derive(Clone, Debug)]
pub struct HostSpec {
    /// What people call it.
    pub name: Rc<str>,
    /// What its monotonic clock reads at the beginning.
    pub mono: Mono,
    /// What its wall clock reads at the beginning.
    pub wall: Wall,
    /// How fast its clocks run when no fault changes that.
    pub rate: Rate,
}

impl HostSpec {
    /// A host whose clocks read zero at the beginning and run true.
    pub fn new(name: &str) -> Self {
        Self { name: name.into(), mono: Mono::default(), wall: Wall::default(), rate: Rate::NOMINAL }
    }
}

/// A process as it begins.
#[derive(Clone, Debug)]
pub struct ProcessSpec {
    /// What people call it.
    pub name: Rc<str>,
    /// Where it runs.
    pub host: HostId,
    /// How long its disk takes to keep a write.
    pub disk_latency: Span,
}

impl ProcessSpec {
    /// A process with a disk that answers at once.
    pub fn new(name: &str, host: HostId) -> Self {
        Self { name: name.into(), host, disk_latency: Span::ZERO }
    }
}

/// What a world is made of: hosts, links, processes with their machines, faults, and a seed.
#[derive(Clone, Debug)]
pub struct Plan<M: Machine> {
    pub(crate) seed: u64,
    pub(crate) horizon: SimTime,
    pub(crate) hosts: Vec<HostSpec>,
    pub(crate) processes: Vec<ProcessSpec>,
    pub(crate) cast: Vec<M>,
    pub(crate) links: Vec<(HostId, HostId, LinkSpec)>,
    pub(crate) all_links: LinkSpec,
    pub(crate) faults: Vec<Fault<M::Dialect>>,
    pub(crate) orders: Vec<<M::Dialect as Dialect>::Msg>,
}

impl<M: Machine> Plan<M> {
    /// The longest world: with the fastest clock its readings stay far inside 64 bits.
    pub const HORIZON_MAX: SimTime = SimTime::from_secs(24 * 60 * 60);
    /// The most hosts, and the most processes, that one world can hold.
    pub const CAST_MAX: usize = 256;

    /// A world that ends at `horizon`. Panics when that is later than [`Plan::HORIZON_MAX`].
    pub fn new(seed: u64, horizon: SimTime) -> Self {
        assert!(horizon <= Self::HORIZON_MAX, "a world lasts a day at most");
        Self {
            seed,
            horizon,
            hosts: Vec::new(),
            processes: Vec::new(),
            cast: Vec::new(),
            links: Vec::new(),
            all_links: LinkSpec::default(),
            faults: Vec::new(),
            orders: Vec::new(),
        }
    }

    /// Adds a host.
    pub fn host(&mut self, spec: HostSpec) -> HostId {
        assert!(self.hosts.len() < Self::CAST_MAX, "a world holds 256 hosts at most");
        self.hosts.push(spec);
        HostId(self.hosts.len() as u16 - 1)
    }

    /// Adds a process with its machine. Processes are numbered in this order, from 0.
    pub fn process(&mut self, spec: ProcessSpec, machine: M) -> ProcessId {
        assert!(self.processes.len() < Self::CAST_MAX, "a world holds 256 processes at most");
        assert!(spec.host.index() < self.hosts.len(), "a process runs on a planned host");
        self.processes.push(spec);
        self.cast.push(machine);
        ProcessId(self.processes.len() as u16 - 1)
    }

    /// What every link between two hosts is like, unless [`Plan::link`] says otherwise.
    pub fn link_all(&mut self, spec: LinkSpec) {
        self.all_links = spec;
    }

    /// What the link from one host to another is like, in that direction. The last word on a link counts.
    pub fn link(&mut self, from: HostId, to: HostId, spec: LinkSpec) {
        self.links.push((from, to, spec));
    }

    /// Adds a fault; its number is its place in this order, from 0.
    pub fn fault(&mut self, fault: Fault<M::Dialect>) {
        assert!(self.faults.len() < usize::from(u16::MAX), "more faults than can be numbered");
        self.faults.push(fault);
    }

    /// Adds what an order says; returns its place, for [`FaultKind::Order`](crate::FaultKind::Order).
    pub fn order(&mut self, order: <M::Dialect as Dialect>::Msg) -> usize {
        self.orders.push(order);
        self.orders.len() - 1
    }

    /// The hosts' names and readings at the beginning, in order.
    pub fn hosts(&self) -> &[HostSpec] {
        &self.hosts
    }

    /// The processes, in order.
    pub fn processes(&self) -> &[ProcessSpec] {
        &self.processes
    }
}
