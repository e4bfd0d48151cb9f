//! A cluster moved by hand: one clock, timers that fire when told, messages that wait to be delivered.

mod describe;

use std::collections::VecDeque;
use std::fmt::Write as _;
use std::rc::Rc;

use kernel::{Effect, Effects, Input, Keep, Mono, ProcessId, Rng, Span, Stream};
use raft::{
    App, Config, Disk, ElectionTimeout, Entry, Flow, LogId, Message, Payload, Raft, ReadState, Reads, Role,
    Snapshot, Speech, Timer,
};

const MINIMUM: Span = Span::from_millis(100);

/// A state machine that writes down every command.
#[derive(Clone, Debug)]
pub(crate) struct Letters;
impl App for Letters {
    type Command = String;
    type Snapshot = Vec<String>;
}

pub(crate) struct Setup {
    pub(crate) servers: u16,
    pub(crate) pre_vote: bool,
    pub(crate) check_quorum: bool,
    pub(crate) reads: Reads,
    pub(crate) entries_per_append_max: usize,
    pub(crate) entries_kept_behind: u64,
    /// Begin with this leader of term 1.
    pub(crate) established: Option<u16>,
}

impl Default for Setup {
    fn default() -> Self {
        Self {
            servers: 3,
            pre_vote: true,
            check_quorum: true,
            reads: Reads::ReadIndex,
            entries_per_append_max: 64,
            entries_kept_behind: 0,
            established: None,
        }
    }
}

/// Which messages; `None` for any.
pub(crate) struct Filter {
    pub(crate) from: Option<u16>,
    pub(crate) to: Option<u16>,
    pub(crate) kind: Option<String>,
}

impl Filter {
    fn takes(&self, letter: &Letter) -> bool {
        self.from.is_none_or(|from| from == letter.from.0)
            && self.to.is_none_or(|to| to == letter.to.0)
            && self.kind.as_ref().is_none_or(|kind| kind == describe::message(&letter.msg).0)
    }
}

#[derive(Clone)]
struct Letter {
    from: ProcessId,
    to: ProcessId,
    msg: Message<Letters>,
}

struct Server {
    raft: Raft<Letters>,
    alive: bool,
    life: u64,
    timers: [Option<Mono>; 2],
    disk: Disk<Letters>,
    /// What waits for the disk, when it is slow.
    backlog: VecDeque<Effect<Speech<Letters>>>,
    slow_disk: bool,
    applied: Vec<String>,
    reads: Vec<ReadState>,
}

pub(crate) struct Lab {
    setup: Setup,
    now: Mono,
    servers: Vec<Server>,
    mail: VecDeque<Letter>,
    held: Vec<Letter>,
    /// Directed links that carry nothing.
    cuts: Vec<(u16, u16)>,
    output: String,
    /// Tell notes and what is applied, not messages.
    pub(crate) quiet: bool,
}

impl Lab {
    pub(crate) fn new(setup: Setup) -> Self {
        let mut lab = Self {
            now: Mono::from_micros(0),
            servers: Vec::new(),
            mail: VecDeque::new(),
            held: Vec::new(),
            cuts: Vec::new(),
            output: String::new(),
            quiet: true,
            setup,
        };
        for number in 1..=lab.setup.servers {
            let raft = match lab.setup.established {
                Some(leader) => {
                    let snapshot = Snapshot { last: LogId { term: 1, index: 1 }, state: Vec::new() };
                    Raft::established(lab.config(number), ProcessId(leader), snapshot, lab.rng(number, 0))
                }
                None => Raft::start(lab.config(number), &Disk::default(), lab.rng(number, 0)),
            };
            lab.servers.push(Server {
                raft,
                alive: true,
                life: 0,
                timers: [None; 2],
                disk: Disk::default(),
                backlog: VecDeque::new(),
                slow_disk: false,
                applied: Vec::new(),
                reads: Vec::new(),
            });
        }
        for number in 1..=lab.setup.servers {
            lab.input(number, Input::Boot);
        }
        lab.settle();
        lab
    }

    fn config(&self, me: u16) -> Config {
        let peers: Rc<[ProcessId]> = (1..=self.setup.servers).map(ProcessId).collect();
        let election = ElectionTimeout::uniform(MINIMUM, MINIMUM.times(2));
        Config {
            pre_vote: self.setup.pre_vote,
            check_quorum: self.setup.check_quorum,
            reads: self.setup.reads,
            entries_per_append_max: self.setup.entries_per_append_max,
            entries_kept_behind: self.setup.entries_kept_behind,
            ..Config::new(ProcessId(me), peers, Span::from_millis(30), election)
        }
    }

    fn rng(&self, number: u16, life: u64) -> Rng {
        Rng::new(Stream::new(1, u64::from(number), life))
    }

    fn server(&mut self, number: u16) -> &mut Server {
        &mut self.servers[usize::from(number) - 1]
    }

    pub(crate) fn take_output(&mut self) -> String {
        std::mem::take(&mut self.output)
    }

    fn tell(&mut self, line: String) {
        writeln!(self.output, "{line}").expect("a string takes everything");
    }

    // ── inputs ──

    fn input(&mut self, number: u16, input: Input<'_, Speech<Letters>>) {
        let mut out = Effects::default();
        let now = self.now;
        let server = self.server(number);
        if server.alive {
            server.raft.on(input, now, &mut out);
            self.after(number, out);
        }
    }

    /// Carries out what was asked, and hands on what is committed.
    fn after(&mut self, number: u16, out: Effects<Speech<Letters>>) {
        for effect in out.0 {
            let server = self.server(number);
            match effect {
                Effect::Arm { timer, due } => server.timers[timer as usize] = Some(due),
                Effect::Disarm(timer) => server.timers[timer as usize] = None,
                Effect::Connect { .. } | Effect::Disconnect { .. } => {}
                Effect::Send { .. } | Effect::Persist(_) | Effect::Note(_) => {
                    server.backlog.push_back(effect)
                }
            }
        }
        self.flush(number);
        self.apply(number);
    }

    fn flush(&mut self, number: u16) {
        loop {
            let server = self.server(number);
            if server.slow_disk && matches!(server.backlog.front(), Some(Effect::Persist(_))) {
                return;
            }
            match server.backlog.pop_front() {
                None => return,
                Some(Effect::Persist(write)) => server.disk.keep(&write),
                Some(Effect::Connect { .. } | Effect::Disconnect { .. }) => {}
                Some(Effect::Note(note)) => self.tell(format!("{number} {}", describe::note(&note))),
                Some(Effect::Send { to, msg }) => {
                    self.mail.push_back(Letter { from: ProcessId(number), to, msg });
                }
                Some(Effect::Arm { .. } | Effect::Disarm(_)) => unreachable!("timers do not wait"),
            }
        }
    }

    fn apply(&mut self, number: u16) {
        let mut lines = Vec::new();
        let server = self.server(number);
        if let Some((index, state)) = server.raft.take_snapshot() {
            if index > 1 {
                lines.push(format!("{number} loads the snapshot of {index}: {}", state.join(" ")));
            }
            server.applied = state;
        }
        while let Some(entry) = server.raft.next_committed() {
            lines.push(format!("{number} applies {}", describe::entry(&entry)));
            if let Payload::Command(command) = entry.payload {
                server.applied.push(command);
            }
        }
        while let Some(read) = server.raft.next_read() {
            server.reads.push(read);
        }
        let applied = server.raft.applied();
        let (ready, waiting) = server.reads.iter().partition(|read: &&ReadState| read.index <= applied);
        server.reads = waiting;
        let state = server.applied.join(" ");
        let ready: Vec<ReadState> = ready;
        lines.extend(
            ready
                .iter()
                .map(|read| format!("{number} serves read {}: {state}", read.ctx).trim_end().to_string()),
        );
        lines.into_iter().for_each(|line| self.tell(line));
    }

    // ── commands ──

    pub(crate) fn timeout(&mut self, number: u16) {
        self.fire(number, Timer::Election);
    }

    pub(crate) fn heartbeat(&mut self, number: u16) {
        self.fire(number, Timer::Heartbeat);
    }

    fn fire(&mut self, number: u16, timer: Timer) {
        let now = self.now;
        match self.server(number).timers[timer as usize].take() {
            Some(due) => {
                self.now = now.max(due);
                self.input(number, Input::Timer(timer));
            }
            None => self.tell(format!("{number} has no such timer armed")),
        }
    }

    /// Time passes: timers fire when they are due, and what is sent arrives at once.
    pub(crate) fn elapse(&mut self, span: Span) {
        self.quiet = true;
        let until = self.now + span;
        self.settle();
        loop {
            let due = self.servers.iter().zip(1..).filter(|(server, _)| server.alive);
            let timers = due.flat_map(|(server, number)| {
                [Timer::Election, Timer::Heartbeat]
                    .map(|timer| (server.timers[timer as usize], number, timer))
            });
            let next = timers.filter_map(|(due, number, timer)| Some((due?, number, timer))).min();
            match next {
                Some((due, number, timer)) if due <= until => {
                    self.now = self.now.max(due);
                    self.fire(number, timer);
                    self.settle();
                }
                Some(_) | None => break,
            }
        }
        self.now = until;
    }

    pub(crate) fn propose(&mut self, number: u16, command: String) {
        let (now, mut out) = (self.now, Effects::default());
        if let Err(dropped) = self.server(number).raft.propose(command, now, &mut out) {
            self.tell(format!("{number} drops it: {dropped}"));
        }
        self.after(number, out);
    }

    pub(crate) fn read(&mut self, number: u16, ctx: u64) {
        let (now, mut out) = (self.now, Effects::default());
        if let Err(dropped) = self.server(number).raft.read(ctx, now, &mut out) {
            self.tell(format!("{number} drops it: {dropped}"));
        }
        self.after(number, out);
    }

    pub(crate) fn transfer(&mut self, number: u16, to: u16) {
        let (now, mut out) = (self.now, Effects::default());
        self.server(number).raft.transfer_leadership(ProcessId(to), now, &mut out);
        self.after(number, out);
    }

    pub(crate) fn compact(&mut self, number: u16) {
        let mut out = Effects::default();
        let server = self.server(number);
        server.raft.compact(server.applied.clone(), &mut out);
        self.after(number, out);
    }

    // ── the mail ──

    /// Delivers what waits now, not what that leads to.
    pub(crate) fn deliver(&mut self, filter: &Filter, reversed: bool, twice: bool) {
        let (mut taken, left) = self.mail.drain(..).partition::<Vec<_>, _>(|letter| filter.takes(letter));
        self.mail = left.into();
        if reversed {
            taken.reverse();
        }
        for letter in taken {
            self.deliver_one(letter.clone());
            if twice {
                self.deliver_one(letter);
            }
        }
    }

    fn deliver_one(&mut self, letter: Letter) {
        let Letter { from, to, msg } = letter;
        let (kind, says) = describe::message(&msg);
        let lost = self.cuts.contains(&(from.0, to.0)) || !self.server(to.0).alive;
        if !self.quiet {
            let fate = if lost { " (lost)" } else { "" };
            self.tell(format!("{}->{} {kind} {says}{fate}", from.0, to.0));
        }
        if !lost {
            self.input(to.0, Input::Message { from, msg: &msg });
        }
    }

    /// Keeps messages back, or copies of them, until they are released.
    pub(crate) fn hold(&mut self, filter: &Filter, copy: bool) {
        if copy {
            return self.held.extend(self.mail.iter().filter(|letter| filter.takes(letter)).cloned());
        }
        let (held, left) = self.mail.drain(..).partition::<Vec<_>, _>(|letter| filter.takes(letter));
        self.mail = left.into();
        self.held.extend(held);
    }

    pub(crate) fn release(&mut self) {
        self.mail.extend(self.held.drain(..));
    }

    pub(crate) fn drop(&mut self, filter: &Filter) {
        self.mail.retain(|letter| !filter.takes(letter));
    }

    /// Tells the senders that their messages cannot be delivered.
    pub(crate) fn refuse(&mut self, filter: &Filter) {
        let (refused, left) = self.mail.drain(..).partition::<Vec<_>, _>(|letter| filter.takes(letter));
        self.mail = left.into();
        for Letter { from, to, msg } in refused {
            self.input(from.0, Input::Refused { to, msg: &msg });
        }
    }

    pub(crate) fn settle(&mut self) {
        let mut delivered = 0;
        while let Some(letter) = self.mail.pop_front() {
            self.deliver_one(letter);
            delivered += 1;
            assert!(delivered < 10_000, "the servers never stop talking");
        }
    }

    pub(crate) fn isolate(&mut self, number: u16) {
        for other in 1..=self.setup.servers {
            self.cuts.extend([(number, other), (other, number)]);
        }
    }

    pub(crate) fn cut(&mut self, from: u16, to: u16) {
        self.cuts.push((from, to));
    }

    pub(crate) fn heal(&mut self) {
        self.cuts.clear();
    }

    // ── disks and crashes ──

    pub(crate) fn slow_disk(&mut self, number: u16) {
        self.server(number).slow_disk = true;
    }

    pub(crate) fn disk_done(&mut self, number: u16) {
        self.server(number).slow_disk = false;
        self.flush(number);
    }

    pub(crate) fn crash(&mut self, number: u16) {
        let server = self.server(number);
        server.alive = false;
        server.timers = [None; 2];
        server.backlog.clear();
        server.slow_disk = false;
        server.applied.clear();
        server.reads.clear();
    }

    pub(crate) fn restart(&mut self, number: u16) {
        let config = self.config(number);
        let life = self.server(number).life + 1;
        let rng = self.rng(number, life);
        let server = self.server(number);
        server.raft = Raft::start(config, &server.disk, rng);
        (server.life, server.alive) = (life, true);
        self.input(number, Input::Boot);
    }

    /// Restarts a server from a disk whose log has entries of these terms.
    pub(crate) fn restart_with(&mut self, number: u16, term: u64, vote: Option<u16>, log: &[u64]) {
        self.crash(number);
        let mut disk = Disk { term, vote: vote.map(ProcessId), ..Disk::default() };
        for (&term, index) in log.iter().zip(1..) {
            let payload = Payload::Command(format!("{term}-{index}"));
            disk.log.graft(&[Entry { id: LogId { term, index }, payload }]);
        }
        self.server(number).disk = disk;
        self.restart(number);
    }

    // ── looking ──

    pub(crate) fn status(&mut self) {
        for (server, number) in self.servers.iter().zip(1..) {
            let raft = &server.raft;
            let role = match raft.role() {
                _ if !server.alive => "down",
                _ if raft.halted().is_some() => "halted",
                Role::Follower => "follower",
                Role::PreCandidate => "pre-candidate",
                Role::Candidate => "candidate",
                Role::Leader => "leader",
            };
            let who = |peer: Option<ProcessId>| peer.map_or("-".to_string(), |peer| peer.0.to_string());
            let before = raft.log().before();
            let mut log =
                if before.index > 0 { format!("[{}]", describe::id(before)) } else { String::new() };
            for entry in raft.log().entries() {
                write!(log, " {}", entry.id.term).expect("a string takes everything");
            }
            writeln!(
                self.output,
                "{number} {role}, term {}, vote {}, leader {}, commit {}, log {}",
                raft.term(),
                who(raft.vote()),
                who(raft.leader()),
                raft.commit_index(),
                if log.is_empty() { "-" } else { log.trim() }
            )
            .expect("a string takes everything");
        }
    }

    pub(crate) fn progress(&mut self, number: u16) {
        let now = self.now;
        let server = self.server(number);
        let mut lines = Vec::new();
        for (peer, progress) in server.raft.progress().unwrap_or_default().iter().enumerate() {
            let flow = match progress.flow {
                Flow::Probe { waits: true } => "probes, waits",
                Flow::Probe { waits: false } => "probes",
                Flow::Replicate => "replicates",
                Flow::Snapshot { .. } => "sends a snapshot",
            };
            if peer + 1 != usize::from(number) {
                lines.push(format!(
                    "{}: matches {}, next {}, {flow}",
                    peer + 1,
                    progress.matched,
                    progress.next
                ));
            }
        }
        let contact = if server.raft.has_quorum_contact(now) { "hears" } else { "does not hear" };
        lines.push(format!("{number} {contact} from a majority"));
        if let Some(until) = server.raft.lease_until() {
            let left = until.since(now);
            lines.push(if left == Span::ZERO {
                "its lease is over".into()
            } else {
                format!("its lease: {left}")
            });
        }
        lines.into_iter().for_each(|line| self.tell(line));
    }
}
