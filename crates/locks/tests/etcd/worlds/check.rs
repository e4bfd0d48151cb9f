//! What must hold, checked from outside: folds over the record and looks at the workers, step by step.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::AddAssign;

use kernel::{Health, ProcessId, SimTime, Took, Trace, What, World};
use locks::{Freed, Granted, LeaseId, Note as LockNote, Token};

use super::draw::{CALM_FROM, Drawn};
use crate::common::{Actor, Note, Talk, Worker};

/// What happened, so that nobody is proud of quiet worlds.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Tally {
    pub(super) grants: u64,
    pub(super) expired: u64,
    pub(super) takeovers: u64,
    pub(super) holds: u64,
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
        self.holds += other.holds;
        self.lost += other.lost;
        self.failed_renewals += other.failed_renewals;
        self.restarts += other.restarts;
        self.judged += other.judged;
    }
}

/// The authority's record of the one lock. A new leader may tell again what an old one told.
#[derive(Default)]
struct Record {
    /// Every grant that there ever was.
    grants: BTreeMap<Token, ProcessId>,
    freed: BTreeSet<Token>,
    holder: Option<(Token, LeaseId)>,
}

pub(super) struct Check {
    workers: Vec<ProcessId>,
    clocks_are_judged: bool,
    beliefs_are_judged: bool,
    seen: usize,
    record: Record,
    held_when_calm: bool,
    tally: Tally,
}

impl Check {
    pub(super) fn new(drawn: &Drawn) -> Self {
        Self {
            workers: drawn.workers.clone(),
            clocks_are_judged: drawn.clocks_are_judged,
            beliefs_are_judged: drawn.beliefs_are_judged,
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
            LockNote::Freed { grant, how, .. } => self.freed(at, Token(grant.0), *how, world)?,
            LockNote::TookOver { .. } => self.tally.takeovers += 1,
            LockNote::Holds(holds) => {
                self.tally.holds += 1;
                self.held_when_calm |= at > CALM_FROM;
                let known = holds.token.and_then(|token| self.record.grants.get(&token));
                if known != Some(&by) {
                    return Err(format!("{at}: {by:?} holds {holds:?}, which it was not granted"));
                }
            }
            LockNote::LetGo { why, .. } => self.tally.lost += u64::from(*why != locks::Gone::Released),
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
        let (holder, lease) = (granted.holder, granted.lease);
        let token = granted.token.ok_or("an etcd hands out tokens")?;
        if self.record.grants.contains_key(&token) {
            return Ok(());
        }
        if let Some((other, _)) = self.record.holder {
            return Err(format!("{at}: {token} is granted while {other} holds"));
        }
        if let Some((last, _)) = self.record.grants.last_key_value().filter(|(last, _)| **last >= token) {
            return Err(format!("{at}: {token} is granted after {last}"));
        }
        self.record.grants.insert(token, holder);
        self.record.holder = Some((token, lease));
        self.tally.grants += 1;
        Ok(())
    }

    fn freed(&mut self, at: SimTime, token: Token, how: Freed, world: &World<Actor>) -> Result<(), String> {
        if !self.record.freed.insert(token) {
            return Ok(());
        }
        if self.record.holder.is_none_or(|(held, _)| held != token) {
            return Err(format!("{at}: {token} is freed, and {:?} held", self.record.holder));
        }
        self.record.holder = None;
        self.tally.expired += u64::from(how == Freed::Expired);
        let holder = self.record.grants[&token];
        if world.health(holder) == Health::Down {
            return Ok(()); // It believes nothing.
        }
        let client = &worker(world, holder).client;
        if client.token() == Some(token) {
            let may_act = client.may_act(world.readings(holder));
            if self.beliefs_are_judged || (self.clocks_are_judged && may_act) {
                let stop = client.stop();
                return Err(format!("{at}: {holder:?}'s belief in {token} outlives the record: {stop:?}"));
            }
        }
        self.tally.judged += u64::from(self.clocks_are_judged);
        Ok(())
    }

    /// When all is calm again somebody gets the lock, and when nobody wants it any more nothing is left of it.
    pub(super) fn end(self, world: &World<Actor>) -> Result<Tally, String> {
        if !self.held_when_calm {
            return Err("nobody got the lock after the faults".into());
        }
        for &process in &self.workers {
            let worker = worker(world, process);
            if worker.client.doing() != "wants no lock" {
                return Err(format!("{process:?} still {}", worker.client.doing()));
            }
            if crate::common::any_client_timer(world, process) {
                return Err(format!("{process:?} is idle with a timer armed"));
            }
        }
        let states: Vec<_> = (0..world.process_count() as u16)
            .filter_map(|process| match world.machine(ProcessId(process)) {
                Actor::Server(server, _) => match &**server {
                    locks::Server::Etcd(server) => Some(server.state()),
                    locks::Server::Single(_) | locks::Server::Member(_) => None,
                },
                Actor::Worker(_) | Actor::Asker(_) | Actor::Prober(_) => None,
            })
            .collect();
        if states.iter().any(|state| *state != states[0]) {
            return Err("the members do not agree".into());
        }
        if !states[0].keys.is_empty() || !states[0].leases.is_empty() {
            return Err(format!("left over: {:?}, {:?}", states[0].keys, states[0].leases));
        }
        Ok(self.tally)
    }
}

fn worker(world: &World<Actor>, process: ProcessId) -> &Worker {
    match world.machine(process) {
        Actor::Worker(worker) => worker,
        Actor::Server(..) | Actor::Asker(_) | Actor::Prober(_) => panic!("{process:?} is no worker"),
    }
}
