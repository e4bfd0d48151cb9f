//! What must hold at every step of every world (Raft paper, figure 3), watched from outside.

use std::collections::BTreeMap;

use kernel::{ProcessId, Record, SimTime, Took, Trace, What, World};
use raft::{LogId, Message, Payload};

use crate::cast::{Ask, Cast, Msg, Note, Op, Story};

/// What was seen in a world.
#[derive(Default)]
pub(crate) struct Check {
    servers: Vec<Seen>,
    records: usize,
    /// Who led each term, in which of its lives.
    leaders: BTreeMap<u64, (ProcessId, u32)>,
    /// Whom each server voted for in each term, as it said itself.
    votes: BTreeMap<(u64, ProcessId), ProcessId>,
    /// Of each entry that was ever in a log: the entry before it, and what it carries.
    entries: BTreeMap<LogId, (LogId, Option<Op>)>,
    /// What is committed, from index 1, and the term in which it was first seen to be.
    committed: Vec<(LogId, u64)>,
    /// The highest version that a client has been told.
    answered: u64,
    /// Of each client: what it asks, and what had been answered when it began.
    asks: BTreeMap<ProcessId, u64>,
    acked: BTreeMap<ProcessId, (u64, u64)>,
    pub(crate) last_write_done: SimTime,
    pub(crate) faults_over: SimTime,
    pub(crate) tally: Tally,
}

/// How much happened, so that nobody takes a quiet world for a safe one.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Tally {
    pub(crate) steps: u64,
    pub(crate) elections: u64,
    pub(crate) crashes: u64,
    pub(crate) writes: u64,
    pub(crate) reads: u64,
    pub(crate) snapshots: u64,
    pub(crate) transfers: u64,
    pub(crate) truncations: u64,
}

/// What was last seen of a server.
#[derive(Default)]
struct Seen {
    life: u32,
    term: u64,
    commit: u64,
    log: Vec<LogId>,
}

impl Check {
    pub(crate) fn new(servers: usize) -> Self {
        Self { servers: (0..servers).map(|_| Seen::default()).collect(), ..Self::default() }
    }

    /// Looks at what one step did.
    pub(crate) fn step(&mut self, world: &World<Cast>, trace: &Trace<Story>) {
        self.tally.steps += 1;
        let first = std::mem::replace(&mut self.records, trace.records().len());
        for record in &trace.records()[first..] {
            self.record(world, record);
        }
    }

    fn record(&mut self, world: &World<Cast>, record: &Record<Story>) {
        let Record { at, process, what, .. } = record;
        match what {
            What::Took(took) => {
                if let Some(seen) = self.servers.get_mut(process.index()) {
                    if *took == Took::Boot {
                        // Its term too can be an older one, when its disk did not get to know the last.
                        *seen = Seen { life: seen.life + 1, ..Seen::default() };
                        self.tally.crashes += u64::from(seen.life > 1);
                    }
                    self.server(world, *process);
                }
            }
            What::Sent { to, msg: Msg::Raft(message), .. } => self.promise(world, *process, *to, message),
            What::Noted(Note::Begins) => {
                self.asks.insert(*process, self.answered);
            }
            What::Noted(Note::Done { ask, seq, version }) => self.done(*at, *process, *ask, *seq, *version),
            What::Noted(Note::Raft(raft::Note::InstalledSnapshot { .. })) => self.tally.snapshots += 1,
            What::Noted(Note::Raft(raft::Note::TransferBegan { .. })) => self.tally.transfers += 1,
            What::Struck(_) => self.faults_over = *at,
            What::Sent { .. } | What::Dropped | What::Kept(_) | What::Noted(Note::Raft(_)) => {}
        }
    }

    /// What a message says about its sender must be on the sender's disk by then.
    fn promise(
        &mut self,
        world: &World<Cast>,
        from: ProcessId,
        to: ProcessId,
        message: &Message<crate::cast::Counter>,
    ) {
        let disk = world.disk(from);
        match message {
            Message::VoteAnswer { term, granted: true } => self.vote(world, *term, from, to),
            Message::Vote { term, .. } => self.vote(world, *term, from, from),
            Message::Accepted { term, through } => {
                assert!(disk.term >= *term, "{from:?} speaks for term {term}, its disk is in {}", disk.term);
                let last = disk.log.last().index;
                assert!(last >= *through, "{from:?} says that it holds {through}, its disk ends at {last}");
            }
            Message::HeartbeatAnswer { term, .. }
            | Message::Heartbeat { term, .. }
            | Message::Append { term, .. }
            | Message::Rejected { term, .. }
            | Message::VoteAnswer { term, granted: false }
            | Message::Snapshot { term, .. }
            | Message::TimeoutNow { term }
            | Message::Outdated { term } => {
                assert!(disk.term >= *term, "{from:?} speaks for term {term}, its disk is in {}", disk.term);
            }
            Message::PreVote { .. }
            | Message::PreVoteAnswer { .. }
            | Message::Propose(_)
            | Message::Read { .. }
            | Message::ReadAnswer { .. }
            | Message::Transfer { .. } => {}
        }
    }

    fn vote(&mut self, world: &World<Cast>, term: u64, voter: ProcessId, candidate: ProcessId) {
        let disk = world.disk(voter);
        let kept = disk.term > term || (disk.term == term && disk.vote == Some(candidate));
        assert!(kept, "{voter:?} votes for {candidate:?} in term {term} before its disk knows");
        let first = *self.votes.entry((term, voter)).or_insert(candidate);
        assert_eq!(first, candidate, "{voter:?} votes twice in term {term}");
    }

    fn server(&mut self, world: &World<Cast>, process: ProcessId) {
        let raft = world.machine(process).raft().expect("a server");
        assert_eq!(raft.halted(), None, "{process:?} stopped, with a disk that keeps everything");
        assert!(raft.applied() <= raft.commit_index(), "{process:?} applied what is not committed");
        assert!(raft.commit_index() <= raft.last_index(), "{process:?} committed what it does not hold");
        let seen = &mut self.servers[process.index()];
        assert!(raft.term() >= seen.term, "{process:?} went back from term {} to {}", seen.term, raft.term());
        seen.term = raft.term();
        if raft.commit_index() > seen.commit {
            self.commit(world, process);
        }
        let seen = &self.servers[process.index()];
        if seen.log.last() != Some(&raft.log().last()) || seen.log.first() != Some(&raft.log().before()) {
            self.log(world, process);
        }
        if raft.is_leader() {
            self.leader(world, process);
        }
    }

    /// Log matching: an entry's term and index tell all that is before it. (Its own predecessor is enough, by induction.)
    fn log(&mut self, world: &World<Cast>, process: ProcessId) {
        let log = world.machine(process).raft().expect("a server").log();
        let seen = &mut self.servers[process.index()];
        let known: Vec<LogId> = std::mem::take(&mut seen.log);
        let mut previous = log.before();
        seen.log.push(previous);
        for entry in log.entries() {
            assert!(
                entry.id.index == previous.index + 1 && entry.id.term >= previous.term,
                "{process:?} has {:?} behind {previous:?}",
                entry.id
            );
            let carries = match entry.payload {
                Payload::Empty => None,
                Payload::Command(op) => Some(op),
            };
            let first = *self.entries.entry(entry.id).or_insert((previous, carries));
            assert_eq!(first, (previous, carries), "two entries {:?}, one of them on {process:?}", entry.id);
            previous = entry.id;
            seen.log.push(previous);
        }
        if known.last().is_some_and(|last| !log.holds(*last)) {
            self.tally.truncations += 1;
        }
    }

    /// State machine safety: what one server has committed, no other has otherwise.
    fn commit(&mut self, world: &World<Cast>, process: ProcessId) {
        let raft = world.machine(process).raft().expect("a server");
        let seen = &mut self.servers[process.index()];
        let before = std::mem::replace(&mut seen.commit, raft.commit_index());
        for index in before + 1..=raft.commit_index() {
            let held = raft.log().term_at(index).map(|term| LogId { term, index });
            match self.committed.get(index as usize - 1) {
                Some((first, _)) => {
                    assert!(
                        held.is_none_or(|id| id == *first),
                        "{process:?} commits {held:?}, not {first:?}"
                    );
                }
                None => {
                    // Whoever commits first leads; it can have compacted in the same step what it held before it.
                    let held = held.or_else(|| seen.log.iter().find(|id| id.index == index).copied());
                    let id = held.expect("a leader holds what it commits");
                    assert_eq!(
                        self.committed.len() as u64 + 1,
                        index,
                        "{process:?} is the first to commit it"
                    );
                    self.committed.push((id, raft.term()));
                }
            }
        }
    }

    /// Election safety and leader completeness.
    fn leader(&mut self, world: &World<Cast>, process: ProcessId) {
        let raft = world.machine(process).raft().expect("a server");
        let who = (process, self.servers[process.index()].life);
        if let Some(first) = self.leaders.insert(raft.term(), who) {
            assert_eq!(first, who, "term {} has two leaders", raft.term());
            return;
        }
        self.tally.elections += 1;
        let log = raft.log();
        for (id, term) in &self.committed {
            // A leader of an older term than the one in which it was committed can come late, and need not have it.
            if *term < raft.term() && id.index >= log.before().index {
                assert!(
                    log.holds(*id),
                    "{process:?} leads term {} without {id:?}, committed in {term}",
                    raft.term()
                );
            }
        }
        for (other, _) in self.servers.iter().enumerate() {
            let other = ProcessId(other as u16);
            let rival = world.machine(other).raft().expect("a server");
            let leased = rival.lease_until().is_some_and(|until| world.readings(other).mono < until);
            assert!(
                other == process || rival.term() >= raft.term() || !leased,
                "{process:?} leads term {} while {other:?} answers reads by its lease in term {}",
                raft.term(),
                rival.term()
            );
        }
    }

    /// Linearizability of a counter: whoever began after an answer sees at least what it said.
    fn done(&mut self, at: SimTime, client: ProcessId, ask: Ask, seq: u64, version: u64) {
        let floor = self.asks.remove(&client).expect("it asked");
        self.answered = self.answered.max(version);
        match ask {
            Ask::Write => {
                assert!(
                    version > floor,
                    "{client:?}: write {seq} became {version}, after {floor} was answered"
                );
                self.acked.insert(client, (seq, version));
                self.last_write_done = at;
                self.tally.writes += 1;
            }
            Ask::Read => {
                assert!(version >= floor, "{client:?}: read {seq} saw {version}, after {floor} was answered");
                self.tally.reads += 1;
            }
        }
    }

    /// When everything has calmed down: somebody leads and commits, and nothing that was acknowledged is missing.
    pub(crate) fn end(&self, world: &World<Cast>) {
        let servers = || (0..self.servers.len() as u16).map(ProcessId);
        for server in servers() {
            let count = world.machine(server).count().expect("a server");
            if count.version >= self.answered {
                for (client, acked) in &self.acked {
                    let last = count.last.get(client).copied().unwrap_or_default();
                    assert!(
                        last >= *acked,
                        "{server:?} has {last:?} of {client:?}, acknowledged was {acked:?}"
                    );
                }
            }
        }
        let calm = world.now().since(self.faults_over);
        if calm >= crate::CALM {
            let leads = |server: &ProcessId| {
                let raft = world.machine(*server).raft().expect("a server");
                raft.is_leader() && raft.has_quorum_contact(world.readings(*server).mono)
            };
            assert_eq!(
                servers().filter(leads).count(),
                1,
                "nothing has gone wrong for {calm}, and nobody leads"
            );
            let idle = world.now().since(self.last_write_done);
            assert!(
                idle < crate::PROGRESS,
                "nothing has gone wrong for {calm}, and nothing is written for {idle}"
            );
        }
    }
}
