//! From a document to a plan: who is there, what each does, and what will strike them.

mod faults;
mod service;
mod stores;
mod workers;

use std::rc::Rc;

use kernel::{HostId, HostSpec, LinkSpec, Plan, ProcessId, ProcessSpec, Rate, SimTime, Span, Wall};

pub use self::faults::CastFault;
use crate::actors::Actor;
use document::model::{Network, Scenario, StoreKind};

/// The groups that a reader sees processes in.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Group {
    /// Members of the lock service.
    LockService,
    /// Workers.
    Workers,
    /// Stores.
    Stores,
    /// Sweepers.
    Sweepers,
    /// Other users of the lock service.
    Others,
}

/// A process as a reader knows it.
#[derive(Clone, Debug, PartialEq)]
pub struct Member {
    /// Its number.
    pub process: ProcessId,
    /// Its name.
    pub name: Rc<str>,
    /// The host it runs on.
    pub host: HostId,
    /// Its group.
    pub group: Group,
}

/// Everybody in a play, by number.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Cast {
    /// The processes, in order of their numbers.
    pub members: Vec<Member>,
    /// The hosts' names, in order of their numbers.
    pub hosts: Vec<Rc<str>>,
    /// The faults that are switched on, in order of their numbers in the trace.
    pub faults: Vec<CastFault>,
    /// How many servers must have a grant for it to be one: a majority of several that know nothing of each other, or one.
    pub copies: usize,
    /// For each store, the lock that protects it.
    pub protects: Vec<(ProcessId, Rc<str>)>,
    /// For each store, its kind.
    pub stores: Vec<(ProcessId, ::stores::Kind)>,
    /// Sidecars, each with the worker that it holds locks for.
    pub sidecars: Vec<(ProcessId, ProcessId)>,
    /// For each journal, its nodes: the first has the store's name.
    pub journals: Vec<(ProcessId, Rc<[ProcessId]>)>,
}

impl Cast {
    /// A process's name.
    pub fn name(&self, process: ProcessId) -> &str {
        self.members.get(process.index()).map_or("the network", |member| &member.name)
    }
    /// The process of this name.
    pub fn process(&self, name: &str) -> Option<ProcessId> {
        self.members.iter().find(|member| &*member.name == name).map(|member| member.process)
    }
    /// The host that a process of the play runs on.
    pub fn host_of(&self, process: ProcessId) -> HostId {
        self.members[process.index()].host
    }
    /// The host of this name, or the one that the process of this name runs on.
    pub fn host(&self, name: &str) -> Option<HostId> {
        let named = self.hosts.iter().position(|host| &**host == name).map(|index| HostId(index as u16));
        named.or_else(|| self.process(name).map(|process| self.host_of(process)))
    }
    /// The processes of a group.
    pub fn group(&self, group: Group) -> impl Iterator<Item = &Member> {
        self.members.iter().filter(move |member| member.group == group)
    }
    /// The lock that protects a store.
    pub fn lock_of(&self, store: ProcessId) -> Option<&Rc<str>> {
        self.protects.iter().find(|(protected, _)| *protected == store).map(|(_, lock)| lock)
    }
    /// What kind of store this is.
    pub fn kind_of(&self, store: ProcessId) -> Option<&::stores::Kind> {
        self.stores.iter().find(|(of, _)| *of == store).map(|(_, kind)| kind)
    }

    /// Whose locks a process holds: its worker's, if it is a sidecar; its own otherwise.
    pub fn holds_for(&self, process: ProcessId) -> ProcessId {
        let worker = self.sidecars.iter().find(|(sidecar, _)| *sidecar == process);
        worker.map_or(process, |(_, worker)| *worker)
    }
    /// The worker's sidecar, if it has one.
    pub fn sidecar_of(&self, worker: ProcessId) -> Option<ProcessId> {
        self.sidecars.iter().find(|(_, of)| *of == worker).map(|(sidecar, _)| *sidecar)
    }
    /// Who announces what a process does: its sidecar, if that has the process's locks, what has to do with them.
    pub(crate) fn teller(&self, process: ProcessId, verb: &str) -> ProcessId {
        let of_locks = matches!(
            verb,
            "acquires" | "renews" | "fails to renew" | "releases" | "loses" | "wants" | "wakes"
        );
        self.sidecar_of(process).filter(|_| of_locks).unwrap_or(process)
    }
    /// The journal that a node is one of, and all of its nodes.
    pub fn journal_of(&self, node: ProcessId) -> Option<(ProcessId, &[ProcessId])> {
        let journal = self.journals.iter().find(|(_, nodes)| nodes.contains(&node))?;
        Some((journal.0, &journal.1))
    }

    fn add(&mut self, name: &str, host: Option<&str>, group: Group) -> ProcessId {
        let process = ProcessId(self.members.len() as u16);
        let host_name = host.unwrap_or(name);
        let host = match self.hosts.iter().position(|known| &**known == host_name) {
            Some(index) => HostId(index as u16),
            None => {
                self.hosts.push(host_name.into());
                HostId(self.hosts.len() as u16 - 1)
            }
        };
        self.members.push(Member { process, name: name.into(), host, group });
        process
    }
}

/// The name of the process that stands for other users of the lock service.
pub const OTHERS: &str = "other users";

/// Casts a valid scenario: numbers for everybody, and the plan of the world.
pub fn cast(scenario: &Scenario) -> (Cast, Plan<Actor>) {
    let mut cast = people(scenario);
    let mut plan = Plan::new(scenario.seed, SimTime::ZERO + scenario.horizon.0);
    for name in &cast.hosts {
        plan.host(host_spec(scenario, name));
    }
    links(&scenario.network, &cast, &mut plan);
    let service = service::Service::new(&scenario.lock, &cast);
    for member in &cast.members {
        let (actor, disk_latency) = match member.group {
            Group::LockService => (service.server(member.process), scenario.lock.disk().0),
            Group::Others if cast.holds_for(member.process) != member.process => {
                (workers::sidecar(scenario, &cast, member.process, &service), Span::ZERO)
            }
            Group::Others => (service.bystander(member.process), Span::ZERO),
            Group::Workers => (workers::worker(scenario, &cast, member, &service), Span::ZERO),
            Group::Stores if let Some((journal, _)) = cast.journal_of(member.process) => {
                let store = named(&scenario.store, |store| &store.name, cast.name(journal));
                (Actor::Journal(::stores::journal::Node::default()), store.disk.0)
            }
            Group::Stores => {
                let store = named(&scenario.store, |store| &store.name, &member.name);
                let doorman = stores::doorman(scenario, &cast, member.process, &service);
                (Actor::Store(stores::machine(store), doorman), store.disk.0)
            }
            Group::Sweepers => (workers::sweeper(scenario, &cast, member, &service), Span::ZERO),
        };
        let spec = ProcessSpec { disk_latency, ..ProcessSpec::new(&member.name, member.host) };
        plan.process(spec, actor);
    }
    cast.faults = faults::plan_faults(scenario, &cast, &mut plan);
    (cast, plan)
}

fn named<'a, T>(items: &'a [T], name_of: impl Fn(&T) -> &String, name: &str) -> &'a T {
    items.iter().find(|item| name_of(item) == name).expect("it was cast from this list")
}

fn people(scenario: &Scenario) -> Cast {
    let mut cast = Cast { copies: service::copies(&scenario.lock), ..Cast::default() };
    for node in scenario.lock.nodes() {
        cast.add(node, None, Group::LockService);
    }
    for worker in &scenario.worker {
        cast.add(&worker.name, worker.host.as_deref(), Group::Workers);
    }
    for store in &scenario.store {
        let process = cast.add(&store.name, store.host.as_deref(), Group::Stores);
        cast.stores.push((process, stores::kind(store)));
        if store.kind == StoreKind::Journal {
            let others = store.journal_nodes().iter();
            let mut nodes = vec![process];
            nodes.extend(others.map(|node| cast.add(node, None, Group::Stores)));
            cast.journals.push((process, nodes.into()));
        }
    }
    for sweeper in &scenario.sweeper {
        cast.add(&sweeper.name, sweeper.host.as_deref(), Group::Sweepers);
    }
    if !scenario.lock.other_writes().is_empty() {
        cast.add(OTHERS, None, Group::Others);
    }
    for worker in &scenario.worker {
        if let (Some(name), Some(process)) = (&worker.sidecar, cast.process(&worker.name)) {
            let host = worker.host.as_deref().unwrap_or(&worker.name);
            let sidecar = cast.add(name, Some(host), Group::Others);
            cast.sidecars.push((sidecar, process));
        }
    }
    let first_lock = scenario.locks().into_iter().next();
    for store in &scenario.store {
        if let Some(lock) = store.lock.as_deref().or(first_lock) {
            let process = cast.process(&store.name).expect("it was just cast");
            cast.protects.push((process, lock.into()));
        }
    }
    cast
}

fn host_spec(scenario: &Scenario, name: &str) -> HostSpec {
    let mut spec = HostSpec::new(name);
    if let Some(host) = scenario.host.iter().find(|host| host.name == name) {
        spec.wall = Wall::from_micros(host.wall_offset.0);
        spec.rate = Rate::from_ppm(host.drift_ppm);
    }
    spec
}

fn links(network: &Network, cast: &Cast, plan: &mut Plan<Actor>) {
    let all = LinkSpec {
        delay: network.delay.map_or(Span::from_millis(1), |delay| delay.0),
        jitter: network.jitter.0,
        loss: network.loss.0,
        duplicate: network.duplicate.0,
    };
    plan.link_all(all);
    for link in &network.link {
        let spec = LinkSpec {
            delay: link.delay.map_or(all.delay, |delay| delay.0),
            jitter: link.jitter.map_or(all.jitter, |jitter| jitter.0),
            loss: link.loss.map_or(all.loss, |loss| loss.0),
            duplicate: link.duplicate.map_or(all.duplicate, |duplicate| duplicate.0),
        };
        let (from, to) = (hosts_of(link.from.iter(), cast), hosts_of(link.to.iter(), cast));
        let from = from.unwrap_or_else(|| others(cast, to.as_deref().unwrap_or_default()));
        let to = to.unwrap_or_else(|| others(cast, &from));
        for &a in &from {
            for &b in to.iter().filter(|&&b| b != a) {
                plan.link(a, b, spec);
                if link.both_ways {
                    plan.link(b, a, spec);
                }
            }
        }
    }
}

/// The hosts that these names stand for; `None` when they say "others".
fn hosts_of<'a>(names: impl Iterator<Item = &'a str>, cast: &Cast) -> Option<Vec<HostId>> {
    let mut hosts = Vec::new();
    for name in names {
        match group_word(name) {
            Some(group) => hosts.extend(cast.group(group).map(|member| member.host)),
            None if name == "others" => return None,
            None => hosts.extend(cast.host(name)),
        }
    }
    kernel::order::by_key(&mut hosts, |host| *host);
    hosts.dedup();
    Some(hosts)
}

fn others(cast: &Cast, but: &[HostId]) -> Vec<HostId> {
    (0..cast.hosts.len() as u16).map(HostId).filter(|host| !but.contains(host)).collect()
}

/// The group that a word in place of a name stands for.
pub fn group_word(name: &str) -> Option<Group> {
    match name {
        "lock" => Some(Group::LockService),
        "workers" => Some(Group::Workers),
        "stores" => Some(Group::Stores),
        _ => None,
    }
}
