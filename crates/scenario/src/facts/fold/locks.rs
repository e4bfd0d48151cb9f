//! Leadership, the authority's record, and the holders' beliefs.

use kernel::{Mono, ProcessId, Record, RecordId, SimTime};
use locks::{Freed, Gone, GrantId, Granted, LeaseId, Reading, Restart};

use super::Fold;
use crate::facts::{Belief, Deadline, DeadlineBy, Ending, Lease, Loss, MomentKind, Reign, Stop, Want};
use crate::story::Story;

pub(super) fn ending(how: Freed) -> Ending {
    match how {
        Freed::Expired => Ending::Expired,
        Freed::Released => Ending::Released,
        Freed::Replaced => Ending::Replaced,
        Freed::Disconnected => Ending::Disconnected,
    }
}

/// A reading in microseconds, and whether it is one of the wall clock.
pub(super) fn micros(reading: Reading) -> (i64, bool) {
    match reading {
        Reading::Mono(mono) => (mono.as_micros() as i64, false),
        Reading::Wall(wall) => (wall.as_micros(), true),
    }
}

impl Fold<'_> {
    pub(super) fn raft(&mut self, id: RecordId, record: &Record<Story>, note: &raft::Note) {
        match note {
            raft::Note::BecameLeader { term } => self.reign(id, record, *term),
            raft::Note::SteppedDown { .. } => self.reign_ends(record.process, record.at),
            raft::Note::BecameFollower { .. }
            | raft::Note::Campaigns { .. }
            | raft::Note::Voted { .. }
            | raft::Note::TransferBegan { .. }
            | raft::Note::TransferAborted { .. }
            | raft::Note::SentSnapshot { .. }
            | raft::Note::InstalledSnapshot { .. } => {}
            raft::Note::Halted(_) => {
                self.reign_ends(record.process, record.at);
                let why = "its disk does not hold what it had promised to keep".to_owned();
                self.moment(id, record.at, record.process, MomentKind::Stopped { why });
            }
        }
    }

    pub(super) fn reign(&mut self, id: RecordId, record: &Record<Story>, term: u64) {
        let Record { at, process, .. } = *record;
        let known = self.facts.reigns.iter().any(|reign| reign.process == process && reign.term == term);
        if !known {
            self.facts.reigns.push(Reign { process, term, from: at, until: None, record: id });
        }
    }

    pub(super) fn reign_ends(&mut self, process: ProcessId, at: SimTime) {
        for reign in &mut self.facts.reigns {
            if reign.process == process && reign.until.is_none() {
                reign.until = Some(at);
            }
        }
    }

    pub(super) fn lock(&mut self, id: RecordId, record: &Record<Story>, note: &locks::Note) {
        use locks::Note as N;
        let at = record.at;
        // What a sidecar believes, its worker goes by.
        let process = self.cast.holds_for(record.process);
        match note {
            N::Granted(granted) if self.copies_count() => self.copy_granted(id, record, granted),
            N::Granted(granted) => {
                let set = granted.deadline;
                let deadline = set.map(|set| self.deadline(id, record, set, DeadlineBy::Grant));
                self.granted(id, record, granted, deadline);
            }
            N::Renewed { lease, deadline } => {
                let deadline = self.deadline(id, record, *deadline, DeadlineBy::Renewal);
                if self.copies_count() {
                    self.copy_renewed(process, *lease, &deadline);
                } else {
                    self.set_deadline(*lease, &deadline);
                }
            }
            N::CameUp { knows } if self.copies_count() => self.copies_forgotten(id, record, knows),
            N::CameUp { knows } => self.forgotten(id, record, knows.iter()),
            N::TookOver { term, leases } => self.took_over(id, record, *term, leases),
            N::Freed { lock, grant, how, .. } if self.copies_count() => {
                self.copy_freed(id, record, (lock, *grant), *how);
            }
            N::Freed { lock, grant, how, revision } => {
                self.freed(id, record, lock, *grant, (ending(*how), *revision));
            }
            N::Wrote { .. } => {}
            N::ReadServed { to, id: asked, revision } => {
                let acked = self.acked_at_ask.get(*to, *asked).copied().unwrap_or(0);
                self.moment(id, at, *to, MomentKind::Read { from: process, stale: *revision < acked });
            }
            N::Wants { lock } => {
                self.facts.wants.push(Want { lock: lock.clone(), worker: process, from: at, until: None });
            }
            N::StopsWanting { .. } => self.wants_end(process, at),
            N::Holds(holds) => {
                self.wants_end(process, at);
                let stop = holds.stop.map(|stop| self.stop(id, record, holds.sent, stop));
                self.facts.beliefs.push(Belief {
                    lock: holds.lock.clone(),
                    worker: process,
                    grant: holds.grant.0,
                    token: holds.token.map(|token| token.0),
                    from: at,
                    stops: stop.into_iter().collect(),
                    ended: None,
                    record: id,
                    end_record: RecordId::NONE,
                });
            }
            N::Extended { lock, grant, sent, stop } => {
                let stop = self.stop(id, record, *sent, *stop);
                if let Some(belief) = self.open_belief(process, lock, *grant) {
                    belief.stops.push(stop);
                }
            }
            N::PutOff { lock, grant, sent, stop, late } => {
                let stop = Stop { put_off: Some(*late), ..self.stop(id, record, *sent, *stop) };
                if let Some(belief) = self.open_belief(process, lock, *grant) {
                    belief.stops.push(stop);
                }
            }
            N::RenewalFailed { server, why, .. } => {
                let why = (*why).to_owned();
                self.moment(id, at, process, MomentKind::RenewalFailed { server: *server, why });
            }
            N::LetGo { lock, grant, why } => {
                let loss = match why {
                    Gone::StopTime => Loss::StopTime,
                    Gone::ToldGone => Loss::ToldGone,
                    Gone::RenewalFailed => Loss::RenewalFailed,
                    Gone::Released => Loss::Released,
                    Gone::WriteRefused => Loss::WriteRefused,
                    Gone::Jeopardy => Loss::Jeopardy,
                    Gone::GraceOver => Loss::Expired,
                };
                if let Some(belief) = self.open_belief(process, lock, *grant) {
                    belief.ended = Some((at, loss));
                    belief.end_record = id;
                } else if loss != Loss::Released {
                    self.jeopardy_ends_badly(process, lock, *grant);
                }
            }
            N::Woken { lock } => self.moment(id, at, process, MomentKind::Woken { lock: lock.clone() }),
        }
    }

    pub(super) fn deadline(
        &self,
        id: RecordId,
        record: &Record<Story>,
        deadline: Reading,
        by: DeadlineBy,
    ) -> Deadline {
        let host = self.host(record.process);
        let until = self.clocks.when(host, record.at, deadline);
        let (reading, on_wall) = micros(deadline);
        Deadline { set: record.at, reading, on_wall, until, by, server: record.process, record: id }
    }

    pub(super) fn stop(&self, id: RecordId, record: &Record<Story>, sent: Mono, stop: Reading) -> Stop {
        let host = self.host(record.process);
        let (reading, on_wall) = micros(stop);
        Stop {
            set: record.at,
            sent: self.clocks.when(host, SimTime::ZERO, Reading::Mono(sent)),
            reading,
            on_wall,
            at: self.clocks.when(host, record.at, stop),
            put_off: None,
            record: id,
        }
    }

    /// The grant's place among the leases, if it is a new one.
    pub(super) fn granted(
        &mut self,
        id: RecordId,
        record: &Record<Story>,
        granted: &Granted,
        deadline: Option<Deadline>,
    ) -> Option<usize> {
        // A new leader tells again what an old one told: the log is the same.
        // One that is restored from a backup may use a number again, but not a lease's.
        let is_known = |&place: &usize| {
            let lease = &self.facts.leases[place];
            lease.lock == granted.lock && lease.grant == granted.grant.0
        };
        if self.granted_under.get(&granted.lease).is_some_and(|places| places.iter().any(is_known)) {
            return None;
        }
        let place = self.facts.leases.len();
        self.kept_by.insert(place, record.process);
        self.granted_under.entry(granted.lease).or_default().push(place);
        self.facts.leases.push(Lease {
            lock: granted.lock.clone(),
            worker: self.cast.holds_for(granted.holder),
            grant: granted.grant.0,
            token: granted.token.map(|token| token.0),
            granted: record.at,
            deadlines: deadline.into_iter().collect(),
            ended: None,
            end_revision: None,
            record: id,
            end_record: RecordId::NONE,
            ended_by: ProcessId::NOBODY,
        });
        Some(place)
    }

    /// A lease's deadline is that of every grant under it which has not ended.
    pub(super) fn set_deadline(&mut self, lease: LeaseId, deadline: &Deadline) {
        for &place in self.granted_under.get(&lease).into_iter().flatten() {
            let grant = &mut self.facts.leases[place];
            if grant.ended.is_none() {
                grant.deadlines.push(deadline.clone());
                self.kept_by.insert(place, deadline.server);
            }
        }
    }

    pub(super) fn took_over(
        &mut self,
        id: RecordId,
        record: &Record<Story>,
        term: u64,
        leases: &[(LeaseId, Reading, Restart)],
    ) {
        self.reign(id, record, term);
        for &(lease, deadline, from) in leases {
            let by = match from {
                Restart::Full => DeadlineBy::NewLeader,
                Restart::Remaining => DeadlineBy::Checkpoint,
                Restart::Longer => DeadlineBy::Added,
                Restart::Dated => DeadlineBy::Date,
            };
            let deadline = self.deadline(id, record, deadline, by);
            self.set_deadline(lease, &deadline);
        }
        self.forgotten(id, record, leases.iter().map(|(lease, ..)| lease));
    }

    /// Whoever keeps the record now knows the grants under these leases, and no others.
    fn forgotten<'l>(
        &mut self,
        id: RecordId,
        record: &Record<Story>,
        knows: impl Iterator<Item = &'l LeaseId>,
    ) {
        let newest = self.facts.reigns.iter().max_by_key(|reign| reign.term);
        let is_deposed = newest.is_some_and(|reign| reign.process != record.process);
        let known: Vec<usize> =
            knows.filter_map(|lease| self.granted_under.get(lease)).flatten().copied().collect();
        for place in 0..self.facts.leases.len() {
            if known.contains(&place) {
                if !is_deposed {
                    self.kept_by.insert(place, record.process);
                }
            // Of what a newer one keeps, a server that was deposed has nothing to say.
            } else if !is_deposed || self.kept_by.get(&place) == Some(&record.process) {
                self.ends(place, id, record, Ending::Forgotten);
            }
        }
    }

    /// A lease ends, if it has not.
    pub(super) fn ends(&mut self, place: usize, id: RecordId, record: &Record<Story>, how: Ending) -> bool {
        let Some(lease) = self.facts.leases.get_mut(place).filter(|lease| lease.ended.is_none()) else {
            return false;
        };
        lease.ended = Some((record.at, how));
        (lease.end_record, lease.ended_by) = (id, record.process);
        true
    }

    fn freed(
        &mut self,
        id: RecordId,
        record: &Record<Story>,
        lock: &locks::Key,
        grant: GrantId,
        (how, revision): (Ending, Option<u64>),
    ) {
        let open = |lease: &Lease| lease.lock == *lock && lease.grant == grant.0 && lease.ended.is_none();
        let place = self.facts.leases.iter().rposition(open);
        if let Some(place) = place.filter(|&place| self.ends(place, id, record, how)) {
            self.facts.leases[place].end_revision = revision;
        }
    }

    pub(super) fn open_belief(
        &mut self,
        worker: ProcessId,
        lock: &locks::Key,
        grant: GrantId,
    ) -> Option<&mut Belief> {
        self.facts.beliefs.iter_mut().rev().find(|belief| {
            belief.worker == worker
                && belief.grant == grant.0
                && belief.lock == *lock
                && belief.ended.is_none()
        })
    }

    /// It had stopped believing already, for it was in jeopardy; now it is lost for good.
    fn jeopardy_ends_badly(&mut self, worker: ProcessId, lock: &locks::Key, grant: GrantId) {
        let mut beliefs = self.facts.beliefs.iter_mut().rev();
        let last =
            beliefs.find(|belief| belief.worker == worker && belief.grant == grant.0 && belief.lock == *lock);
        if let Some((_, loss @ Loss::Jeopardy)) = last.and_then(|belief| belief.ended.as_mut()) {
            *loss = Loss::Expired;
        }
    }

    pub(super) fn wants_end(&mut self, worker: ProcessId, at: SimTime) {
        for want in self.facts.wants.iter_mut().rev().filter(|want| want.worker == worker) {
            want.until.get_or_insert(at);
        }
    }
}
