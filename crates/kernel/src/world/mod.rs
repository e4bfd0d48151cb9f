//! The world: it takes what is due next, hands it to its process, and carries out what the process asks for.

mod aim;
mod connections;
mod deliver;
mod effects;
mod strike;

use std::rc::Rc;

use slab::Slab;

use crate::link::Links;
use crate::plan::{HostId, Plan, ProcessId};
use crate::process::Process;
use crate::queue::{Due, Queue, Rank};
use crate::{
    Anchor, Clock, Dialect, Fault, FaultId, Health, Machine, Now, Rate, RecordId, Rng, SimTime, Span, Start,
    Stream, Trace, When,
};

/// What waits in the queue, beside timers and letters.
#[derive(Clone, Debug)]
enum Payload {
    DiskDone {
        process: ProcessId,
        life: u32,
    },
    Backup(FaultId),
    Strike(FaultId, RecordId),
    Lift(FaultId, RecordId),
    /// A connection's keepalive.
    Probe(u32),
    /// Word that a connection is closed, and what led to it.
    Closed(u32, RecordId),
}

/// A message on its way.
#[derive(Clone, Debug)]
struct Letter<D: Dialect> {
    from: ProcessId,
    /// The sender's life: only that one learns of a refusal.
    life: u32,
    to: ProcessId,
    msg: D::Msg,
    sent: RecordId,
    /// It is on its way back to its sender.
    refused: bool,
}

/// What never changes while a world goes on.
#[derive(Debug)]
struct Script<M: Machine> {
    seed: u64,
    horizon: SimTime,
    /// Machines as they were cast.
    cast: Vec<M>,
    faults: Vec<Fault<M::Dialect>>,
    /// What orders say.
    orders: Vec<<M::Dialect as Dialect>::Msg>,
    rates: Vec<Rate>,
}

/// A host as it is.
#[derive(Clone, Debug)]
struct Host {
    clock: Clock,
    /// Suspensions in force.
    suspensions: u16,
    /// Rate faults in force, the latest last.
    rates: Vec<(FaultId, Rate)>,
}

/// A fault that waits for notes.
#[derive(Clone, Debug)]
struct Waiting<Role> {
    fault: FaultId,
    anchor: Anchor<Role>,
    seen: u32,
}

/// Whom a fault turned out to strike.
#[derive(Clone, Default, Debug)]
struct Victims {
    processes: Rc<[ProcessId]>,
    host: Option<HostId>,
    links: Rc<[(HostId, HostId)]>,
    /// Whose backup a restore gives to all of them.
    source: Option<ProcessId>,
}

/// What a fault struck, to be undone when it ends.
#[derive(Clone, Debug)]
struct InForce {
    fault: FaultId,
    victims: Victims,
}

/// Every process's disk as it was when a restore's backup was taken.
#[derive(Clone, Debug)]
struct Backup<D: Dialect> {
    fault: FaultId,
    disks: Vec<Rc<D::Disk>>,
}

/// All that changes as time passes, and nothing else: to clone it is to take a snapshot. Machines are copied only
/// when they are touched after one. A clone goes on with a clone of its trace, whose records it names as causes, or
/// with [`Trace::off`].
///
/// Of what is due at one instant, faults go first, as they strike and as they end; then processes that start or find
/// what waited for them; then everything else, in the order in which it was sent or armed.
#[derive(Clone, Debug)]
pub struct World<M: Machine> {
    now: SimTime,
    inputs_taken: u64,
    queue: Queue,
    /// What most of the queue stands for; apart from the rest, to be moved about as little as can be.
    letters: Slab<Letter<M::Dialect>>,
    payloads: Slab<Payload>,
    machines: Vec<Rc<M>>,
    processes: Vec<Process<M::Dialect>>,
    hosts: Vec<Host>,
    links: Links,
    waiting: Vec<Waiting<<M::Dialect as Dialect>::Role>>,
    in_force: Vec<InForce>,
    backups: Vec<Backup<M::Dialect>>,
    /// Ends of connections; most worlds have none.
    ends: Vec<connections::End>,
    next_end: u32,
    /// The sender's life of the message that was taken last.
    spoke: u32,
    script: Rc<Script<M>>,
}

type DialectOf<M> = <M as Machine>::Dialect;
type MsgOf<M> = <<M as Machine>::Dialect as Dialect>::Msg;
type NoteOf<M> = <<M as Machine>::Dialect as Dialect>::Note;
type RoleOf<M> = <<M as Machine>::Dialect as Dialect>::Role;
type TimerOf<M> = <<M as Machine>::Dialect as Dialect>::Timer;

/// Purposes of draws that are not a link's.
const PROCESS_DRAWS: u64 = 100;

impl<M: Machine> World<M> {
    /// A world that has not begun: everything that is planned is due.
    pub fn new(plan: Plan<M>) -> Self {
        let Plan { seed, horizon, hosts, processes, cast, links, all_links, faults, orders } = plan;
        let mut world = Self {
            now: SimTime::ZERO,
            inputs_taken: 0,
            queue: Queue::default(),
            letters: Slab::new(),
            payloads: Slab::new(),
            machines: Vec::with_capacity(cast.len()),
            processes: processes.iter().map(|spec| Process::new(spec.host, spec.disk_latency)).collect(),
            hosts: hosts
                .iter()
                .map(|spec| Host {
                    clock: Clock::new(spec.mono, spec.wall, spec.rate),
                    suspensions: 0,
                    rates: Vec::new(),
                })
                .collect(),
            links: Links::new(hosts.len(), seed, all_links, &links),
            waiting: Vec::new(),
            in_force: Vec::new(),
            backups: Vec::new(),
            ends: Vec::new(),
            next_end: 0,
            spoke: 0,
            script: Rc::new(Script {
                seed,
                horizon,
                cast,
                faults,
                orders,
                rates: hosts.iter().map(|spec| spec.rate).collect(),
            }),
        };
        world.schedule_faults();
        for index in 0..world.processes.len() {
            let process = ProcessId(index as u16);
            let machine = world.started(process, Start::First);
            world.machines.push(Rc::new(machine));
            world.look_into_inbox(process);
        }
        world
    }

    fn schedule_faults(&mut self) {
        let script = self.script.clone();
        for (number, fault) in script.faults.iter().enumerate() {
            let id = FaultId(number as u16);
            if let crate::FaultKind::Restore { taken, .. } = fault.kind {
                self.due(taken, Rank::Fault, Payload::Backup(id));
            }
            match &fault.at {
                When::At(at) => self.due(*at, Rank::Fault, Payload::Strike(id, RecordId::NONE)),
                When::After(anchor) => {
                    self.waiting.push(Waiting { fault: id, anchor: anchor.clone(), seen: 0 });
                }
            }
        }
    }

    fn started(&self, process: ProcessId, start: Start) -> M {
        let state = &self.processes[process.index()];
        let who = u64::from(process.0) << 32 | u64::from(state.life);
        let rng = Rng::new(Stream::new(self.script.seed, PROCESS_DRAWS, who));
        self.script.cast[process.index()].start(&state.disk.content, start, rng)
    }

    fn due(&mut self, at: SimTime, rank: Rank, payload: Payload) {
        let slot = self.payloads.insert(payload);
        let place = self.queue.place(rank);
        self.queue.push(at, place, Due::Payload(slot));
    }

    #[inline(always)]
    fn post(&mut self, at: SimTime, letter: Letter<M::Dialect>) {
        let slot = self.letters.insert(letter);
        let place = self.queue.place(Rank::Rest);
        self.queue.push(at, place, Due::Letter(slot));
    }

    /// A process that may run finds what waits for it, one input after the other.
    fn look_into_inbox(&mut self, process: ProcessId) {
        let state = &self.processes[process.index()];
        if state.health() == Health::Runs && !state.inbox.is_empty() {
            let place = self.queue.place(Rank::Inbox);
            self.queue.push(self.now, place, Due::Inbox(process));
        }
    }

    /// Carries out the next thing that is due. False when nothing is, up to the horizon; the world then stands there.
    pub fn step(&mut self, trace: &mut Trace<M::Dialect>) -> bool {
        self.step_until(self.script.horizon, trace)
    }

    /// Carries out everything that is due up to and including `until`, and stands there.
    pub fn run_until(&mut self, until: SimTime, trace: &mut Trace<M::Dialect>) {
        while self.step_until(until, trace) {}
    }

    fn step_until(&mut self, until: SimTime, trace: &mut Trace<M::Dialect>) -> bool {
        let until = until.min(self.script.horizon);
        if self.now == SimTime::ZERO && self.inputs_taken == 0 && trace.clocks().is_empty() {
            self.note_first_clocks(trace);
        }
        loop {
            match self.queue.next_at() {
                Some(at) if at <= until => {}
                Some(_) | None => {
                    self.now = self.now.max(until);
                    return false;
                }
            }
            let (at, place, due) = self.queue.pop().expect("it was just seen there");
            self.now = at;
            let acted = match due {
                Due::Timer(process, slot) => self.timer_popped(process, slot, place, trace),
                Due::Letter(slot) => {
                    if !self.ends.is_empty() {
                        self.arrived(slot);
                    }
                    self.letter_popped(slot, trace)
                }
                Due::Payload(slot) => self.payload_popped(slot, trace),
                Due::Inbox(process) => self.inbox_popped(process, trace),
            };
            if acted {
                return true;
            }
        }
    }

    fn note_first_clocks(&self, trace: &mut Trace<M::Dialect>) {
        for (index, host) in self.hosts.iter().enumerate() {
            trace.clock_bent(HostId(index as u16), *host.clock.line());
        }
    }

    /// True time.
    pub fn now(&self) -> SimTime {
        self.now
    }
    /// When the next thing is due, if anything is.
    pub fn next_at(&self) -> Option<SimTime> {
        self.queue.next_at()
    }
    /// How many inputs processes have taken so far.
    pub fn inputs_taken(&self) -> u64 {
        self.inputs_taken
    }
    /// How many processes there are.
    pub fn process_count(&self) -> usize {
        self.processes.len()
    }
    /// A process's machine; of one that is down, as it was when it crashed.
    pub fn machine(&self, process: ProcessId) -> &M {
        &self.machines[process.index()]
    }
    /// Whether a process runs.
    pub fn health(&self, process: ProcessId) -> Health {
        self.processes[process.index()].health()
    }
    /// What a process would find on its disk if it started now.
    pub fn disk(&self, process: ProcessId) -> &<M::Dialect as Dialect>::Disk {
        &self.processes[process.index()].disk.content
    }
    /// How many inputs wait for a process to run again.
    pub fn inputs_waiting(&self, process: ProcessId) -> usize {
        self.processes[process.index()].inbox.len()
    }
    /// The host that a process runs on.
    pub fn host_of(&self, process: ProcessId) -> HostId {
        self.processes[process.index()].host
    }
    /// A host's clocks.
    pub fn clock(&self, host: HostId) -> &Clock {
        &self.hosts[host.index()].clock
    }
    /// What a process would read on its host's clocks now.
    pub fn readings(&self, process: ProcessId) -> Now {
        let line = self.hosts[self.host_of(process).index()].clock.line();
        Now { mono: line.mono_at(self.now), wall: line.wall_at(self.now) }
    }
    /// Whether a fault cuts the link from one host to another now.
    pub fn is_cut(&self, from: HostId, to: HostId) -> bool {
        self.links.is_cut(from, to)
    }
    /// When a timer of a process is due, in true time, as its host's clock now runs; `None` when it is not armed.
    pub fn timer_due(&self, process: ProcessId, timer: <M::Dialect as Dialect>::Timer) -> Option<SimTime> {
        let state = &self.processes[process.index()];
        let due = state.timers.iter().find(|armed| armed.name == timer)?.due?;
        Some(self.hosts[state.host.index()].clock.line().when_mono(due))
    }
    /// How long a process's disk takes.
    pub fn disk_latency(&self, process: ProcessId) -> Span {
        self.processes[process.index()].disk.latency
    }
}
