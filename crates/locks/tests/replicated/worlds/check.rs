//! What must hold, checked from outside: folds over the record and looks at the workers, step by step.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::AddAssign;

use kernel::{Health, ProcessId, SimTime, Took, Trace, What, World};
use locks::{AnyReplica, Freed, Gone, GrantId, Granted, Note as LockNote, Server, Token};

use super::draw::{CALM_FROM, Of};
use crate::cast::{Actor, Note, Talk, Worker};

/// What happened, so that nobody is proud of quiet worlds.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Tally {
    pub(super) grants: u64,
    pub(super) expired: u64,
    pub(super) takeovers: u64,
    /// Grants that a worker was told of.
    pub(super) acknowledged: u64,
    pub(super) lost: u64,
    pub(super) failed_renewals: u64,
    pub(super) restarts: u64,
    /// Ends of grants at which the holder's clock was looked at.
    pub(super) judged: u64,
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Self) {
        self.grants += other.grants;
        self.expired += other.expired;
        self.takeovers += other.takeovers;
        self.acknowledged += other.acknowledged;
        self.lost += other.lost;
        self.failed_renewals += other.failed_renewals;
        self.restarts += other.restarts;
        self.judged += other.judged;
    }
}

/// The authority's record of the one lock. A new leader may tell again what an old one told.
#[derive(Default)]
struct Record {
    /// Every grant that there ever was, its holder and its token.
    grants: BTreeMap<GrantId, (ProcessId, Token)>,
    freed: BTreeSet<GrantId>,
    holder: Option<GrantId>,
    last: Option<Token>,
}

pub(super) struct Check {
    of: Of,
    workers: Vec<ProcessId>,
    beliefs_are_judged: bool,
    seen: usize,
    record: Record,
    held_when_calm: bool,
    tally: Tally,
}

impl Check {
    pub(super) fn new(of: Of, workers: Vec<ProcessId>, beliefs_are_judged: bool) -> Self {
        Self {
            of,
            workers,
            beliefs_are_judged,
            seen: 0,
            record: Record::default(),
            held_when_calm: false,
            tally: Tally::default(),
        }
    }

    pub(super) fn step(&mut self, world: &World<Actor>, trace: &Trace<Talk>) -> Result<(), String> {
        let records = trace.records();
        for record in &records[self.seen..] {
            match &record.what {
                What::Noted(Note::Lock(note)) => self.note(record.at, record.process, note, world)?,
                What::Took(Took::Boot) if record.at > SimTime::ZERO => self.tally.restarts += 1,
                What::Noted(Note::Raft(_))
                | What::Took(_)
                | What::Sent { .. }
                | What::Dropped
                | What::Kept(_)
                | What::Struck(_) => {}
            }
        }
        self.seen = records.len();
        Ok(())
    }

    fn note(
        &mut self,
        at: SimTime,
        by: ProcessId,
        note: &LockNote,
        world: &World<Actor>,
    ) -> Result<(), String> {
        match note {
            LockNote::Granted(granted) => self.granted(at, granted)?,
            LockNote::Freed { grant, how, .. } => self.freed(at, *grant, *how, world)?,
            LockNote::TookOver { .. } => self.tally.takeovers += 1,
            LockNote::Holds(holds) => {
                self.tally.acknowledged += 1;
                self.held_when_calm |= at > CALM_FROM;
                let known = self.record.grants.get(&holds.grant);
                if known.is_none_or(|(holder, token)| (*holder, Some(*token)) != (by, holds.token)) {
                    return Err(format!("{at}: {by:?} holds {holds:?}, which it was not granted"));
                }
                let may_act = worker(world, by).client.may_act(world.readings(by));
                if self.record.freed.contains(&holds.grant) && self.beliefs_are_judged && may_act {
                    return Err(format!("{at}: {by:?} begins to hold {holds:?}, which outlives the record"));
                }
            }
            LockNote::LetGo { why, .. } => self.tally.lost += u64::from(*why != Gone::Released),
            LockNote::RenewalFailed { .. } => self.tally.failed_renewals += 1,
            LockNote::Renewed { .. }
            | LockNote::CameUp { .. }
            | LockNote::Wrote { .. }
            | LockNote::ReadServed { .. }
            | LockNote::Wants { .. }
            | LockNote::StopsWanting { .. }
            | LockNote::Extended { .. }
            | LockNote::PutOff { .. }
            | LockNote::Woken { .. } => {}
        }
        Ok(())
    }

    fn granted(&mut self, at: SimTime, granted: &Granted) -> Result<(), String> {
        let token = granted.token.ok_or("there is always a token")?;
        if let Some(known) = self.record.grants.get(&granted.grant) {
            return if *known == (granted.holder, token) {
                Ok(())
            } else {
                Err(format!("{at}: {granted:?} is told otherwise than before: {known:?}"))
            };
        }
        if let Some(other) = self.record.holder {
            return Err(format!("{at}: {granted:?} is granted while {other:?} holds"));
        }
        if let Some(last) = self.record.last.filter(|last| *last >= token) {
            return Err(format!("{at}: {token} is granted after {last}"));
        }
        self.record.grants.insert(granted.grant, (granted.holder, token));
        self.record.holder = Some(granted.grant);
        self.record.last = Some(token);
        self.tally.grants += 1;
        Ok(())
    }

    fn freed(&mut self, at: SimTime, grant: GrantId, how: Freed, world: &World<Actor>) -> Result<(), String> {
        if !self.record.freed.insert(grant) {
            return Ok(());
        }
        if self.record.holder != Some(grant) {
            return Err(format!("{at}: {grant:?} is freed, and {:?} held", self.record.holder));
        }
        self.record.holder = None;
        self.tally.expired += u64::from(how == Freed::Expired);
        let (holder, _) = self.record.grants[&grant];
        if world.health(holder) == Health::Down || !self.beliefs_are_judged {
            return Ok(()); // It believes nothing.
        }
        let client = &worker(world, holder).client;
        if client.holds() == Some(grant) && client.may_act(world.readings(holder)) {
            let stop = client.stop();
            return Err(format!("{at}: {holder:?}'s belief in {grant:?} outlives the record: {stop:?}"));
        }
        self.tally.judged += 1;
        Ok(())
    }

    /// When all is calm again somebody gets the lock, and when nobody wants it any more nothing is left of it: no grant,
    /// no session, no place in line.
    pub(super) fn end(self, world: &World<Actor>) -> Result<Tally, String> {
        if !self.held_when_calm {
            return Err("nobody got the lock after the faults".into());
        }
        if let Some(grant) = self.record.holder {
            return Err(format!("{grant:?} was never freed"));
        }
        for &process in &self.workers {
            let worker = worker(world, process);
            if worker.client.doing() != "wants no lock" {
                return Err(format!("{process:?} still {}", worker.client.doing()));
            }
        }
        let mut states = Vec::new();
        for process in (0..world.process_count() as u16).map(ProcessId) {
            if let Actor::Server(Server::Member(member), _) = world.machine(process) {
                let left = left_over(member.service());
                if !left.is_empty() {
                    return Err(format!("left over at {process:?}: {left}"));
                }
                states.push((member.raft().applied(), text(member.service())));
            }
        }
        if states.iter().any(|state| *state != states[0]) {
            return Err(format!("the servers of the {:?} do not agree: {states:?}", self.of));
        }
        Ok(self.tally)
    }
}

/// What went through the log, as text.
fn text(service: &AnyReplica) -> String {
    match service {
        AnyReplica::Consul(consul) => format!("{:?}", consul.keys().collect::<Vec<_>>()),
        AnyReplica::ZooKeeper(zookeeper) => zookeeper.last_zxid().to_string(),
        AnyReplica::Felix(broker) => broker.cache().tail().to_string(),
        AnyReplica::Hazelcast(group) => format!("{:?}", group.locks().collect::<Vec<_>>()),
        AnyReplica::Chubby(cell) => format!("{:?}", cell.locks().collect::<Vec<_>>()),
        AnyReplica::Raft(lock) => format!("{:?}", lock.taken().collect::<Vec<_>>()),
    }
}

fn left_over(service: &AnyReplica) -> String {
    match service {
        AnyReplica::Consul(consul) => {
            let held: Vec<_> = consul.keys().filter(|(_, entry)| entry.session.is_some()).collect();
            let sessions = consul.sessions().count();
            if held.is_empty() && sessions == 0 {
                String::new()
            } else {
                format!("{held:?}, {sessions} sessions")
            }
        }
        AnyReplica::Felix(_) | AnyReplica::Raft(_) => String::new(),
        AnyReplica::Hazelcast(group) => {
            let held = group.locks().filter(|(_, lock)| lock.owner.is_some() || !lock.waiting.is_empty());
            let (held, sessions) = (held.count(), group.sessions().count());
            if held == 0 && sessions == 0 {
                String::new()
            } else {
                format!("{held} locks, {sessions} sessions")
            }
        }
        AnyReplica::Chubby(cell) => {
            let held = cell.locks().filter(|(_, lock)| lock.holder.is_some()).count();
            let sessions = cell.sessions().count();
            if held == 0 && sessions == 0 {
                String::new()
            } else {
                format!("{held} locks, {sessions} sessions")
            }
        }
        AnyReplica::ZooKeeper(zookeeper) => {
            let nodes: usize = zookeeper.locks().map(|(_, nodes)| nodes.count()).sum();
            let sessions = zookeeper.sessions().count();
            if nodes == 0 && sessions == 0 {
                String::new()
            } else {
                format!("{nodes} nodes, {sessions} sessions")
            }
        }
    }
}

fn worker(world: &World<Actor>, process: ProcessId) -> &Worker {
    match world.machine(process) {
        Actor::Worker(worker) => worker,
        Actor::Server(..) | Actor::Asker(_) => panic!("{process:?} is no worker"),
    }
}
