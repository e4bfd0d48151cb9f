//! A toy dialect whose machines do what a table says, a stage to put them on, and a trace that reads as lines.
#![allow(dead_code, reason = "each test file uses its share")]

use std::rc::Rc;

use kernel::*;

/// What actors speak: numbers for messages and writes, words for notes.
#[derive(Clone, Debug)]
pub(crate) struct Toy;

impl Dialect for Toy {
    type Msg = u32;
    type Timer = u8;
    type Write = u32;
    type Disk = Pages;
    type Note = &'static str;
    type Role = Part;

    fn topic(note: &&'static str) -> Option<Topic> {
        Some(Topic(note))
    }
}

/// Everything ever written, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Pages(pub(crate) Vec<u32>);

impl Keep<u32> for Pages {
    fn keep(&mut self, write: &u32) {
        self.0.push(*write);
    }
}

/// Parts that an actor can play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    Leader,
    Follower,
}

/// What an actor reacts to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum On {
    Boot,
    Message(u32),
    AnyMessage,
    Timer(u8),
    Refused,
}

/// What an actor does about it. Spans are milliseconds of its monotonic clock.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Act {
    Send(u16, u32),
    /// Sends back what came, and 100 more.
    Echo,
    /// Sends what the monotonic clock reads, in milliseconds.
    SendMono(u16),
    Arm(u8, u64),
    Disarm(u8),
    Persist(u32),
    /// Persists the number of pages that the disk had at the start and of those written since.
    Count,
    Note(&'static str),
    Play(Part, u64),
    Draw,
}

/// One input as an actor remembers it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Memory {
    pub(crate) on: On,
    pub(crate) now: Now,
}

/// A machine that does what its table says and remembers what it took.
#[derive(Clone, Debug)]
pub(crate) struct Actor {
    table: Rc<[(On, Vec<Act>)]>,
    pub(crate) started: Option<Start>,
    /// What was on its disk when it started.
    pub(crate) found: Vec<u32>,
    pub(crate) memory: Vec<Memory>,
    pub(crate) drawn: Vec<u64>,
    written: u32,
    plays: Vec<(Part, u64)>,
    rng: Rng,
}

impl Actor {
    fn new(table: Vec<(On, Vec<Act>)>) -> Self {
        Self {
            table: table.into(),
            started: None,
            found: Vec::new(),
            memory: Vec::new(),
            drawn: Vec::new(),
            written: 0,
            plays: Vec::new(),
            rng: Rng::new(Stream::new(0, 0, 0)),
        }
    }

    fn act(&mut self, act: Act, from: Option<(ProcessId, u32)>, now: Now, out: &mut Effects<Toy>) {
        match act {
            Act::Send(to, msg) => out.send(ProcessId(to), msg),
            Act::Echo => {
                let (from, msg) = from.expect("only messages can be echoed");
                out.send(from, msg + 100);
            }
            Act::SendMono(to) => out.send(ProcessId(to), (now.mono.as_micros() / 1_000) as u32),
            Act::Arm(timer, after) => out.arm(timer, now.mono + Span::from_millis(after)),
            Act::Disarm(timer) => out.disarm(timer),
            Act::Persist(page) => out.persist(page),
            Act::Count => {
                self.written += 1;
                out.persist(self.found.len() as u32 + self.written);
            }
            Act::Note(word) => out.note(word),
            Act::Play(part, rank) => {
                self.plays.retain(|(played, _)| *played != part);
                self.plays.push((part, rank));
            }
            Act::Draw => self.drawn.push(self.rng.below(1_000_000)),
        }
    }
}

impl Machine for Actor {
    type Dialect = Toy;

    fn on(&mut self, input: Input<Toy>, now: Now, out: &mut Effects<Toy>) {
        let (on, from) = match input {
            Input::Boot => (On::Boot, None),
            Input::Message { from, msg } => (On::Message(msg), Some((from, msg))),
            Input::Refused { .. } => (On::Refused, None),
            Input::Timer(timer) => (On::Timer(timer), None),
        };
        self.memory.push(Memory { on, now });
        let table = self.table.clone();
        let exact = table.iter().find(|(when, _)| *when == on);
        let any = || table.iter().find(|(when, _)| *when == On::AnyMessage && from.is_some());
        for &act in exact.or_else(any).map_or(&[][..], |(_, acts)| acts) {
            self.act(act, from, now, out);
        }
    }

    fn start(&self, disk: &Pages, start: Start, rng: Rng) -> Self {
        let fresh = Self::new(self.table.to_vec());
        Self { started: Some(start), found: disk.0.clone(), rng, ..fresh }
    }

    fn plays(&self, role: Part) -> Option<u64> {
        self.plays.iter().find(|(part, _)| *part == role).map(|(_, rank)| *rank)
    }
}

/// So many milliseconds of true time after the beginning.
pub(crate) const fn ms(millis: u64) -> SimTime {
    SimTime::from_millis(millis)
}

/// So many milliseconds.
pub(crate) const fn len(millis: u64) -> Span {
    Span::from_millis(millis)
}

/// A monotonic reading in milliseconds.
pub(crate) const fn mono(millis: u64) -> Mono {
    Mono::from_micros(millis * 1_000)
}

/// A wall reading in milliseconds.
pub(crate) const fn wall(millis: i64) -> Wall {
    Wall::from_micros(millis * 1_000)
}

/// Processes a, b, c, ..., each on a host of its own, links of 1 ms, disks that answer at once, one second.
#[derive(Clone)]
pub(crate) struct Stage {
    pub(crate) seed: u64,
    pub(crate) horizon: SimTime,
    pub(crate) hosts: Vec<HostSpec>,
    pub(crate) processes: Vec<ProcessSpec>,
    pub(crate) link: LinkSpec,
    pub(crate) links: Vec<(u16, u16, LinkSpec)>,
    tables: Vec<Vec<(On, Vec<Act>)>>,
    pub(crate) faults: Vec<Fault<Toy>>,
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

    pub(crate) fn fault_when(&mut self, at: When, span: Option<Span>, kind: FaultKind<Part>) -> FaultId {
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

/// A world that was played, and what happened in it.
#[derive(Clone, Debug)]
pub(crate) struct Run {
    pub(crate) world: World<Actor>,
    pub(crate) trace: Trace<Toy>,
}

impl Run {
    pub(crate) fn go_on(&mut self, until: SimTime) {
        self.world.run_until(until, &mut self.trace);
    }

    pub(crate) fn actor(&self, process: u16) -> &Actor {
        self.world.machine(ProcessId(process))
    }

    pub(crate) fn disk(&self, process: u16) -> &[u32] {
        &self.world.disk(ProcessId(process)).0
    }

    pub(crate) fn health(&self, process: u16) -> Health {
        self.world.health(ProcessId(process))
    }

    /// Lines of all that happened to the processes named (`"ab"`), with `-` for faults of links.
    pub(crate) fn lines(&self, who: &str) -> Vec<String> {
        let named = |record: &&Record<Toy>| who.contains(letter(record.process));
        self.trace.records().iter().filter(named).map(|record| line(&self.trace, record)).collect()
    }

    /// Holds what happened to the processes named to the lines expected, one a record, in order.
    #[track_caller]
    pub(crate) fn check(&self, who: &str, expected: &str) {
        let expected: Vec<&str> = expected.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
        let lines = self.lines(who);
        assert!(lines == expected, "expected\n{}\nbut it was\n{}\n", expected.join("\n"), lines.join("\n"));
    }
}

fn letter(process: ProcessId) -> char {
    if process == ProcessId::NOBODY { '-' } else { char::from(b'a' + process.0 as u8) }
}

/// Milliseconds, with a fraction when there is one.
fn millis(at: SimTime) -> String {
    let micros = at.as_micros();
    let whole = (micros / 1_000).to_string();
    if micros.is_multiple_of(1_000) { whole } else { format!("{whole}.{:03}", micros % 1_000) }
}

/// A record as a line: when in milliseconds, who, what.
pub(crate) fn line(trace: &Trace<Toy>, record: &Record<Toy>) -> String {
    let said = || match trace.get(record.cause).map(|cause| &cause.what) {
        Some(What::Sent { msg, .. }) => msg.to_string(),
        other => format!("what nobody sent ({other:?})"),
    };
    let what = match &record.what {
        What::Took(Took::Boot) => "boots".into(),
        What::Took(Took::Message) => format!("takes {}", said()),
        What::Took(Took::Refused) => format!("refused {}", said()),
        What::Took(Took::Timer(timer)) => format!("timer {timer}"),
        What::Sent { to, msg, fate } => {
            let fate = match fate {
                Fate::Arrives(at) => millis(*at),
                Fate::ArrivesTwice(at, again) => format!("{} and {}", millis(*at), millis(*again)),
                Fate::Lost => "lost".into(),
                Fate::Cut => "cut".into(),
                Fate::Refused(at) => format!("refused {}", millis(*at)),
            };
            format!("sends {msg} to {} ({fate})", letter(*to))
        }
        What::Dropped => format!("drops {}", said()),
        What::Kept(page) => format!("keeps {page}"),
        What::Noted(word) => format!("notes {word}"),
        What::Struck(Struck { fault, phase, .. }) => format!("fault {} {phase:?}", fault.0).to_lowercase(),
    };
    format!("{} {} {what}", millis(record.at), letter(record.process))
}

/// A pause.
pub(crate) fn pause(process: u16, gap: Gap) -> FaultKind<Part> {
    FaultKind::Pause { target: Target::Process(ProcessId(process)), gap }
}

/// A crash whose host refuses connections.
pub(crate) fn crash(process: u16) -> FaultKind<Part> {
    FaultKind::Crash { target: Target::Process(ProcessId(process)), manner: Manner::Refused }
}

/// A crash of the whole machine: nobody answers.
pub(crate) fn vanish(process: u16) -> FaultKind<Part> {
    FaultKind::Crash { target: Target::Process(ProcessId(process)), manner: Manner::Silent }
}

pub(crate) fn suspend(host: u16, wall: WallAfter) -> FaultKind<Part> {
    FaultKind::Suspend { target: Target::Host(HostId(host)), wall }
}

pub(crate) fn rate(host: u16, millionths: u32) -> FaultKind<Part> {
    FaultKind::ClockRate { target: Target::Host(HostId(host)), rate: Rate::from_millionths(millionths) }
}

pub(crate) fn wall_step(host: u16, by_millis: i64) -> FaultKind<Part> {
    FaultKind::WallStep { target: Target::Host(HostId(host)), by_micros: by_millis * 1_000 }
}

pub(crate) fn disk_stall(process: u16) -> FaultKind<Part> {
    FaultKind::DiskStall { target: Target::Process(ProcessId(process)) }
}

pub(crate) fn disk_loss(process: u16) -> FaultKind<Part> {
    FaultKind::DiskLoss { target: Target::Process(ProcessId(process)) }
}

/// Some hosts as one side of a link fault.
pub(crate) fn these(hosts: &[u16]) -> Side<Part> {
    Side::These(hosts.iter().map(|host| Target::Host(HostId(*host))).collect())
}

/// A cut of one direction.
pub(crate) fn cut(from: Side<Part>, to: Side<Part>, manner: Manner) -> FaultKind<Part> {
    FaultKind::Cut { from, to, both_ways: false, manner }
}

/// A restore of processes, each from its own backup.
pub(crate) fn restore(processes: &[u16], taken: u64) -> FaultKind<Part> {
    let targets = processes.iter().map(|process| Target::Process(ProcessId(*process))).collect();
    FaultKind::Restore { targets, taken: ms(taken), from: None }
}

/// An anchor on a note.
pub(crate) fn after(process: Option<u16>, word: &'static str, nth: u32, plus: u64) -> When {
    When::After(Anchor { process: process.map(ProcessId), topic: Topic(word), nth, plus: len(plus) })
}
