//! Who is in a random world: servers that count writes, and clients that write, read and try again.

use std::collections::BTreeMap;
use std::rc::Rc;

use kernel::{Dialect, Input, Lift, Machine, Mono, Now, Outbox, ProcessId, Rng, Span, Start, Topic};
use raft::{App, Config, Disk, Entry, Message, Payload, Raft, Write};

use crate::draw::FAULTS_UNTIL;

/// One write: whose, and which of theirs. Tried again, it is the same write.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Op {
    pub(crate) client: ProcessId,
    pub(crate) seq: u64,
}

/// How many different writes were applied, and of each client the last with the number that it was.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(crate) struct Count {
    pub(crate) version: u64,
    pub(crate) last: BTreeMap<ProcessId, (u64, u64)>,
}

#[derive(Clone, Debug)]
pub(crate) struct Counter;
impl App for Counter {
    type Command = Op;
    type Snapshot = Count;
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Ask {
    Write,
    Read,
}

#[derive(Clone, Debug)]
pub(crate) enum Msg {
    Raft(Message<Counter>),
    Ask {
        seq: u64,
        ask: Ask,
    },
    /// `None`: try somebody else.
    Answer {
        seq: u64,
        version: Option<u64>,
    },
    /// An operator wants somebody else to lead.
    Transfer {
        to: ProcessId,
    },
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Timer {
    Raft(raft::Timer),
    Think,
    Patience,
}

#[derive(Clone, Debug)]
pub(crate) enum Note {
    Raft(raft::Note),
    Begins,
    Done { ask: Ask, seq: u64, version: u64 },
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Role {
    Leader,
    Follower,
}

#[derive(Clone, Debug)]
pub(crate) struct Story;
impl Dialect for Story {
    type Msg = Msg;
    type Timer = Timer;
    type Write = Write<Counter>;
    type Disk = Disk<Counter>;
    type Note = Note;
    type Role = Role;

    fn topic(note: &Note) -> Option<Topic> {
        match note {
            Note::Raft(note) => note.topic(),
            Note::Begins => None,
            Note::Done { .. } => Some(Topic("is answered")),
        }
    }
}
impl From<Message<Counter>> for Msg {
    fn from(message: Message<Counter>) -> Self {
        Self::Raft(message)
    }
}
impl From<raft::Timer> for Timer {
    fn from(timer: raft::Timer) -> Self {
        Self::Raft(timer)
    }
}
impl From<raft::Note> for Note {
    fn from(note: raft::Note) -> Self {
        Self::Raft(note)
    }
}

#[derive(Clone, Debug)]
pub(crate) enum Cast {
    Server(Box<Server>),
    Client(Client),
}

impl Machine for Cast {
    type Dialect = Story;

    fn on(&mut self, input: Input<'_, Story>, now: Now, out: &mut impl Outbox<Story>) {
        match self {
            Self::Server(server) => server.on(input, now.mono, out),
            Self::Client(client) => client.on(input, now.mono, out),
        }
    }

    fn start(&self, disk: &Disk<Counter>, _start: Start, rng: Rng) -> Self {
        match self {
            Self::Server(server) => Self::Server(Box::new(server.start(disk, rng))),
            Self::Client(client) => Self::Client(Client { rng: Some(rng), ..client.clone() }),
        }
    }

    fn plays(&self, role: Role) -> Option<u64> {
        let raft = self.raft()?;
        (raft.is_leader() == (role == Role::Leader)).then_some(raft.term())
    }
}

impl Cast {
    pub(crate) fn raft(&self) -> Option<&Raft<Counter>> {
        match self {
            Self::Server(server) => server.raft.as_ref(),
            Self::Client(_) => None,
        }
    }
    pub(crate) fn count(&self) -> Option<&Count> {
        match self {
            Self::Server(server) => Some(&server.count),
            Self::Client(_) => None,
        }
    }
}

/// A server: its Raft part, and what the log amounts to.
#[derive(Clone, Debug)]
pub(crate) struct Server {
    config: Config,
    /// Compacts after so many entries.
    compact_every: u64,
    raft: Option<Raft<Counter>>,
    count: Count,
    /// Writes that somebody waits for.
    writes: Vec<(ProcessId, u64)>,
    /// Reads that somebody waits for, by `ctx`, and from where on they can be served.
    reads: Vec<Read>,
    reads_asked: u64,
}

#[derive(Clone, Copy, Debug)]
struct Read {
    ctx: u64,
    client: ProcessId,
    seq: u64,
    index: Option<u64>,
}

impl Server {
    pub(crate) fn new(config: Config, compact_every: u64) -> Self {
        Self {
            config,
            compact_every,
            raft: None,
            count: Count::default(),
            writes: Vec::new(),
            reads: Vec::new(),
            reads_asked: 0,
        }
    }

    fn start(&self, disk: &Disk<Counter>, rng: Rng) -> Self {
        let raft = Raft::start(self.config.clone(), disk, rng);
        Self { raft: Some(raft), ..Self::new(self.config.clone(), self.compact_every) }
    }

    fn on(&mut self, input: Input<'_, Story>, now: Mono, out: &mut impl Outbox<Story>) {
        let raft = self.raft.as_mut().expect("a machine is started before it is given anything");
        let mut inner = Lift::new(out);
        let inner: &mut Lift<'_, Story, _> = &mut inner;
        match input {
            Input::Boot => raft.on(Input::Boot, now, inner),
            Input::Message { from, msg: Msg::Raft(msg) } => {
                raft.on(Input::Message { from, msg }, now, inner);
            }
            Input::Refused { to, msg: Msg::Raft(msg) } => raft.on(Input::Refused { to, msg }, now, inner),
            Input::Timer(Timer::Raft(timer)) => raft.on(Input::Timer(timer), now, inner),
            Input::Message { from, msg: &Msg::Ask { seq, ask: Ask::Write } } => {
                if let Some(&(last, version)) = self.count.last.get(&from)
                    && last >= seq
                {
                    out.send(from, Msg::Answer { seq, version: Some(version) });
                } else if raft.propose(Op { client: from, seq }, now, inner).is_ok() {
                    self.writes.push((from, seq));
                } else {
                    out.send(from, Msg::Answer { seq, version: None });
                }
            }
            Input::Message { from, msg: &Msg::Ask { seq, ask: Ask::Read } } => {
                self.reads_asked += 1;
                let ctx = self.reads_asked;
                if raft.read(ctx, now, inner).is_ok() {
                    self.reads.push(Read { ctx, client: from, seq, index: None });
                } else {
                    out.send(from, Msg::Answer { seq, version: None });
                }
            }
            Input::Message { from: _, msg: &Msg::Transfer { to } } => {
                raft.transfer_leadership(to, now, inner);
            }
            Input::Message { from: _, msg: Msg::Answer { .. } }
            | Input::Refused { to: _, msg: Msg::Ask { .. } | Msg::Answer { .. } | Msg::Transfer { .. } }
            | Input::Closed { .. }
            | Input::Timer(Timer::Think | Timer::Patience) => {}
        }
        self.after(out);
    }

    fn after(&mut self, out: &mut impl Outbox<Story>) {
        let raft = self.raft.as_mut().expect("it is started");
        if let Some((_, count)) = raft.take_snapshot() {
            self.count = count;
        }
        while let Some(Entry { payload, .. }) = raft.next_committed() {
            let Payload::Command(Op { client, seq }) = payload else { continue };
            let (last, version) = self.count.last.entry(client).or_default();
            if seq > *last {
                self.count.version += 1;
                (*last, *version) = (seq, self.count.version);
            }
            let version = Some(*version);
            self.writes.retain(|&waits| {
                if waits == (client, seq) {
                    out.send(client, Msg::Answer { seq, version });
                }
                waits != (client, seq)
            });
        }
        while let Some(ready) = raft.next_read() {
            self.reads
                .iter_mut()
                .filter(|read| read.ctx == ready.ctx)
                .for_each(|read| read.index = Some(ready.index));
        }
        let (applied, version) = (raft.applied(), Some(self.count.version));
        self.reads.retain(|read| {
            let served = read.index.is_some_and(|index| index <= applied);
            if served {
                out.send(read.client, Msg::Answer { seq: read.seq, version });
            }
            !served
        });
        let kept = raft.snapshot().map_or(0, |snapshot| snapshot.last.index);
        if applied - kept >= self.compact_every {
            raft.compact(self.count.clone(), &mut Lift::<'_, Story, _>::new(out));
        }
    }
}

/// A client: one question at a time, tried at one server after the other until somebody answers.
#[derive(Clone, Debug)]
pub(crate) struct Client {
    servers: Rc<[ProcessId]>,
    /// Now and then, while there are faults, it asks for another leader.
    transfers: bool,
    rng: Option<Rng>,
    seq: u64,
    asks: Option<Ask>,
    server: usize,
}

impl Client {
    pub(crate) fn new(servers: Rc<[ProcessId]>, transfers: bool) -> Self {
        Self { servers, transfers, rng: None, seq: 0, asks: None, server: 0 }
    }

    fn draw(&mut self, bound: u64) -> u64 {
        self.rng.as_mut().expect("a machine is started before it is given anything").below(bound)
    }

    fn think(&mut self, now: Mono, out: &mut impl Outbox<Story>) {
        let pause = Span::from_micros(self.draw(60_000));
        out.arm(Timer::Think, now + pause);
    }

    fn ask(&mut self, now: Mono, out: &mut impl Outbox<Story>) {
        if let Some(ask) = self.asks {
            out.send(self.servers[self.server], Msg::Ask { seq: self.seq, ask });
            out.arm(Timer::Patience, now + Span::from_millis(150));
        }
    }

    fn ask_another(&mut self, now: Mono, out: &mut impl Outbox<Story>) {
        self.server = (self.server + 1) % self.servers.len();
        self.ask(now, out);
    }

    fn on(&mut self, input: Input<'_, Story>, now: Mono, out: &mut impl Outbox<Story>) {
        match input {
            Input::Boot => {
                self.server = self.draw(self.servers.len() as u64) as usize;
                self.think(now, out);
            }
            Input::Timer(Timer::Think) => {
                self.seq += 1;
                let ask = if self.draw(2) == 0 { Ask::Write } else { Ask::Read };
                self.asks = Some(ask);
                out.note(Note::Begins);
                if self.transfers && now.as_micros() < FAULTS_UNTIL.as_micros() && self.draw(20) == 0 {
                    let to = self.draw(self.servers.len() as u64) as usize;
                    let to = self.servers[to];
                    out.send(self.servers[self.server], Msg::Transfer { to });
                }
                self.ask(now, out);
            }
            Input::Timer(Timer::Patience) => self.ask_another(now, out),
            Input::Message { from: _, msg: &Msg::Answer { seq, version } } => {
                let Some(ask) = self.asks.filter(|_| seq == self.seq) else { return };
                match version {
                    Some(version) => {
                        self.asks = None;
                        out.disarm(Timer::Patience);
                        out.note(Note::Done { ask, seq, version });
                        self.think(now, out);
                    }
                    None => out.arm(Timer::Patience, now + Span::from_millis(20)),
                }
            }
            Input::Refused { .. } | Input::Closed { .. } => {
                if self.asks.is_some() {
                    out.arm(Timer::Patience, now + Span::from_millis(20));
                }
            }
            Input::Message { from: _, msg: Msg::Raft(_) | Msg::Ask { .. } | Msg::Transfer { .. } }
            | Input::Timer(Timer::Raft(_)) => {}
        }
    }
}
