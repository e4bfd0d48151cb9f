//! A toy dialect, and machines that do what a table says.

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
    Closed(u64),
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
    /// A connection with this number to this process: asked after when silent for so long, then twice, 10 ms apart.
    Connect(u16, u64, u64),
    Disconnect(u16, u64),
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
    armed: Vec<(u8, Mono)>,
    written: u32,
    plays: Vec<(Part, u64)>,
    rng: Rng,
}

impl Actor {
    pub(super) fn new(table: Vec<(On, Vec<Act>)>) -> Self {
        Self {
            table: table.into(),
            started: None,
            found: Vec::new(),
            memory: Vec::new(),
            drawn: Vec::new(),
            armed: Vec::new(),
            written: 0,
            plays: Vec::new(),
            rng: Rng::new(Stream::new(0, 0, 0)),
        }
    }

    /// What every machine may count on: it boots once and first, its monotonic clock never goes back, and a timer
    /// comes up only when it is armed and due, and then once.
    fn hold_to_account(&mut self, on: On, now: Now) {
        assert_eq!(on == On::Boot, self.memory.is_empty(), "{on:?} after {:?}", self.memory);
        assert!(self.memory.last().is_none_or(|last| last.now.mono <= now.mono));
        if let On::Timer(timer) = on {
            let armed = self.armed.iter().position(|(armed, _)| *armed == timer).expect("it was armed");
            let (_, due) = self.armed.swap_remove(armed);
            assert!(due <= now.mono, "timer {timer} is early");
        }
    }

    fn act(&mut self, act: Act, from: Option<(ProcessId, u32)>, now: Now, out: &mut impl Outbox<Toy>) {
        match act {
            Act::Send(to, msg) => out.send(ProcessId(to), msg),
            Act::Echo => {
                let (from, msg) = from.expect("only messages can be echoed");
                out.send(from, msg + 100);
            }
            Act::SendMono(to) => out.send(ProcessId(to), (now.mono.as_micros() / 1_000) as u32),
            Act::Arm(timer, after) => {
                let due = now.mono + Span::from_millis(after);
                self.armed.retain(|(armed, _)| *armed != timer);
                self.armed.push((timer, due));
                out.arm(timer, due);
            }
            Act::Disarm(timer) => {
                self.armed.retain(|(armed, _)| *armed != timer);
                out.disarm(timer);
            }
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
            Act::Connect(to, number, idle) => {
                let keepalive =
                    Keepalive { idle: Span::from_millis(idle), every: Span::from_millis(10), count: 2 };
                out.connect(ProcessId(to), number, keepalive);
            }
            Act::Disconnect(to, number) => out.disconnect(ProcessId(to), number),
            Act::Draw => self.drawn.push(self.rng.below(1_000_000)),
        }
    }
}

impl Machine for Actor {
    type Dialect = Toy;

    fn on(&mut self, input: Input<'_, Toy>, now: Now, out: &mut impl Outbox<Toy>) {
        let (on, from) = match input {
            Input::Boot => (On::Boot, None),
            Input::Message { from, msg } => (On::Message(*msg), Some((from, *msg))),
            Input::Refused { .. } => (On::Refused, None),
            Input::Timer(timer) => (On::Timer(timer), None),
            Input::Closed { number, .. } => (On::Closed(number), None),
        };
        self.hold_to_account(on, now);
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
