//! Of grants, renewals, new leaders, endings, and what holders believed.

use kernel::{Map, SimTime, Span};

use super::{Teller, Tone};
use crate::facts::{Belief, Deadline, DeadlineBy, Ending, Lease, Loss, Stop};
use document::Dur;
use document::model::{EventKind, Kind, Lock};
use document::text::{instant, length, reading, token, whose};

impl Teller<'_> {
    /// What the holder made of a deadline: the first stop time that it set at or after the authority set that.
    fn stop_text(&self, lease: &Lease, deadline: &Deadline) -> String {
        let beliefs = self.facts.beliefs.iter().filter(|belief| belief.is_in(lease));
        let mut stops = beliefs.flat_map(|belief| &belief.stops);
        let stop = stops.find(|stop| stop.set >= deadline.set).filter(|stop| stop.at < SimTime::NEVER);
        match stop {
            Some(stop) if stop.on_wall => {
                format!("; its own stop time: {} on its wall clock", reading(stop.reading))
            }
            Some(stop) => format!("; its own stop time: {}", reading(stop.reading)),
            None => String::new(),
        }
    }

    pub(super) fn grants(&mut self) {
        let facts = self.facts;
        let mut highest_of = Map::new();
        for lease in &facts.leases {
            let highest = highest_of.entry(&lease.lock).or_insert(None);
            let repeated = lease.token.is_some() && lease.token <= *highest;
            *highest = (*highest).max(lease.token);
            // Its claimer gave up before the answer came, died, or was told that too few copies are sure.
            let is_taken_up = facts.beliefs.iter().any(|belief| belief.is_in(lease));
            let (worker, lock) = (self.name(lease.worker), &lease.lock);
            let mut text = if is_taken_up {
                format!("{worker} acquires {lock}: {}", token(lease.token))
            } else {
                format!("{lock} is granted to {worker}, which never holds it: {}", token(lease.token))
            };
            if let Some(first) = lease.deadlines.first() {
                text = format!("{text}, until {}{}", instant(first.until), self.stop_text(lease, first));
            }
            if repeated {
                text.push_str(". A token this low was granted before");
            }
            let tone = if repeated { Tone::Bad } else { Tone::Plain };
            self.tell(lease.granted, lease.worker, EventKind::Acquired, tone, lease.record, text);
        }
    }

    /// Of all renewals those are told that mattered: the last of a lease, the last with a leader, and the first after
    /// one that failed.
    pub(super) fn renewals(&mut self) {
        let facts = self.facts;
        for lease in &facts.leases {
            for (index, deadline) in lease.deadlines.iter().enumerate() {
                if deadline.by != DeadlineBy::Renewal {
                    continue;
                }
                let last_with_this_leader = match lease.deadlines.get(index + 1) {
                    Some(next) => next.server != deadline.server,
                    // A lease that was given back did not need its last renewal.
                    None => !matches!(lease.ended, Some((_, Ending::Released)) | None),
                };
                let since = index.checked_sub(1).map_or(lease.granted, |before| lease.deadlines[before].set);
                let after_failure = facts.moments.iter().any(|moment| {
                    moment.process == lease.worker
                        && moment.at >= since
                        && moment.at <= deadline.set
                        && matches!(moment.what, crate::facts::MomentKind::RenewalFailed { .. })
                });
                if last_with_this_leader || after_failure {
                    let text = format!(
                        "{} renews with {}: until {}{}",
                        self.name(lease.worker),
                        self.name(deadline.server),
                        instant(deadline.until),
                        self.stop_text(lease, deadline)
                    );
                    self.tell(
                        deadline.set,
                        lease.worker,
                        EventKind::Renewed,
                        Tone::Plain,
                        deadline.record,
                        text,
                    );
                }
            }
        }
    }

    pub(super) fn takeovers(&mut self) {
        let facts = self.facts;
        for reign in &facts.reigns {
            let of_reign = |deadline: &&Deadline| {
                deadline.server == reign.process
                    && matches!(
                        deadline.by,
                        DeadlineBy::NewLeader | DeadlineBy::Checkpoint | DeadlineBy::Added | DeadlineBy::Date
                    )
                    && deadline.set >= reign.from
                    && reign.until.is_none_or(|until| deadline.set <= until)
            };
            let mut restarts = Vec::new();
            for lease in &facts.leases {
                if let Some(deadline) = lease.deadlines.iter().find(of_reign) {
                    let how = match deadline.by {
                        DeadlineBy::Checkpoint => "goes on with what the last checkpoint says is left",
                        DeadlineBy::Added => "goes on, and a heartbeat interval longer",
                        DeadlineBy::Date => "keeps its date",
                        DeadlineBy::NewLeader | DeadlineBy::Grant | DeadlineBy::Renewal => {
                            "restarts at full length"
                        }
                    };
                    let lease = whose(self.name(lease.worker));
                    restarts.push(format!("{lease} lease {how}, until {}", instant(deadline.until)));
                }
            }
            if reign.from > SimTime::ZERO {
                let name = self.name(reign.process);
                let mut text = format!("{name} leads the lock service in term {}", reign.term);
                if !restarts.is_empty() {
                    text = format!("{text}; {}", restarts.join("; "));
                }
                self.tell(reign.from, reign.process, EventKind::Leader, Tone::Plain, reign.record, text);
            }
        }
        for reign in &facts.reigns {
            if let Some(until) = reign.until
                && !self.was_stopped(reign.process, until, until)
            {
                let text = format!("{} no longer leads", self.name(reign.process));
                self.tell(until, reign.process, EventKind::LeaderLost, Tone::Plain, reign.record, text);
            }
        }
    }

    pub(super) fn endings(&mut self) {
        let facts = self.facts;
        let service = &self.scenario.lock;
        let Kind { numbers, keeps, .. } = service.kind();
        for lease in &facts.leases {
            let Some((at, ending)) = lease.ended else { continue };
            let (lock, worker) = (&lease.lock, self.name(lease.worker).to_owned());
            let (kind, tone, text) = match ending {
                // There an item that is over is its holder's until somebody claims it, or until it is gone.
                Ending::Expired if matches!(self.scenario.lock, Lock::DynamodbItem(_)) => {
                    let text = format!(
                        "{} item is deleted by its TTL: the next epoch of {lock} is 1",
                        whose(&worker)
                    );
                    (EventKind::Expired, Tone::Fault, text)
                }
                Ending::Expired => {
                    // The end of a lease is one of the changes that a service numbers.
                    let does = lease
                        .end_revision
                        .map_or(String::new(), |revision| format!("; {} ({numbers} {revision})", keeps.ends));
                    let comes_of_it = match service.delay() {
                        Dur(Span::ZERO) => format!("{lock} is free"),
                        Dur(delay) => format!("nobody gets {lock} for {}", length(delay)),
                    };
                    let text = format!("{} lease runs out{does}: {comes_of_it}", whose(&worker));
                    (EventKind::Expired, Tone::Fault, text)
                }
                Ending::Released => {
                    let does = lease.end_revision.map_or(String::new(), |revision| {
                        format!(": {} ({numbers} {revision})", keeps.released)
                    });
                    let text = format!("{worker} releases {lock}{does}");
                    (EventKind::Released, Tone::Plain, text)
                }
                Ending::Replaced => {
                    let text = format!(
                        "{} grant of {lock} is replaced: somebody else has taken over",
                        whose(&worker)
                    );
                    (EventKind::Replaced, Tone::Fault, text)
                }
                Ending::Disconnected => {
                    let text = format!("{} connection is closed: {lock} is free", whose(&worker));
                    (EventKind::Disconnected, Tone::Fault, text)
                }
                Ending::Forgotten => {
                    let (grant, token) = (whose(&worker), token(lease.token));
                    let text = format!("the service no longer knows {grant} grant with {token}");
                    (EventKind::Forgotten, Tone::Bad, text)
                }
            };
            // What the service does is its leader's doing; a release is its holder's.
            let process = match ending {
                Ending::Released => lease.worker,
                Ending::Expired | Ending::Replaced | Ending::Disconnected | Ending::Forgotten => {
                    lease.ended_by
                }
            };
            self.tell(at, process, kind, tone, lease.end_record, text);
        }
    }

    /// How beliefs end: releases and crashes are told elsewhere. And how those come back that were in jeopardy.
    pub(super) fn beliefs(&mut self) {
        let facts = self.facts;
        for (index, belief) in facts.beliefs.iter().enumerate() {
            let name = self.name(belief.worker);
            let before = facts.beliefs.iter().take(index).rfind(|before| {
                (before.worker, before.grant) == (belief.worker, belief.grant) && before.lock == belief.lock
            });
            if let Some((since, Loss::Jeopardy)) = before.and_then(|before| before.ended) {
                let after = length(belief.from.since(since));
                let text = format!("{name} is safe again after {after}: it still holds {}", belief.lock);
                self.tell(belief.from, belief.worker, EventKind::Safe, Tone::Plain, belief.record, text);
            }
            self.taken_for_granted(belief);
            for stop in &belief.stops {
                self.put_off(belief, stop);
            }
            let Some((at, loss)) = belief.ended else { continue };
            let name = self.name(belief.worker);
            let text = match loss {
                Loss::Released | Loss::Crashed => continue,
                Loss::StopTime => self.stopped_text(belief, at),
                Loss::ToldGone if self.scenario.lock.kind().ttl_min.0 == Span::ZERO => {
                    format!("{name} finds its connection closed: {} is lost", belief.lock)
                }
                Loss::ToldGone => format!("{name} asks to renew and learns that its lease is gone"),
                Loss::WriteRefused => format!("{name} lets {} go: the store refused its write", belief.lock),
                Loss::RenewalFailed => format!("{name} lets {} go: a renewal failed", belief.lock),
                Loss::Jeopardy | Loss::Expired => self.jeopardy_text(belief),
            };
            self.tell(at, belief.worker, EventKind::LetGo, Tone::Plain, belief.end_record, text);
        }
    }

    /// A holder of a lock that the service, which has granted it to others, has not granted to it.
    fn taken_for_granted(&mut self, belief: &Belief) {
        let of_lock = |lease: &&Lease| lease.lock == belief.lock && lease.granted <= belief.from;
        let mut leases = self.facts.leases.iter().filter(of_lock).peekable();
        if leases.peek().is_none() || leases.any(|lease| belief.is_in(lease)) {
            return;
        }
        let (name, token) = (self.name(belief.worker), token(belief.token));
        let text =
            format!("{name} takes {} for its own, with {token}: the service has not granted it", belief.lock);
        self.tell(belief.from, belief.worker, EventKind::NotGranted, Tone::Bad, belief.record, text);
    }

    /// A holder that begins to renew late, and goes on for as long as it ever has for that.
    fn put_off(&mut self, belief: &Belief, stop: &Stop) {
        let Some(late) = stop.put_off else { return };
        let (name, late) = (self.name(belief.worker), length(late));
        let text = format!(
            "{name} begins to renew {late} late and counts its time for that from now; its own stop time: {}",
            reading(stop.reading)
        );
        self.tell(stop.set, belief.worker, EventKind::RenewsLate, Tone::Plain, stop.record, text);
    }

    fn jeopardy_text(&self, belief: &Belief) -> String {
        let name = self.name(belief.worker);
        let counted = belief.stops.last().map_or(String::new(), |stop| format!(" {}", reading(stop.reading)));
        let lock = &belief.lock;
        format!(
            "{name} is in jeopardy: its lease is over by its own count{counted}, and whether its session lives it does not know. \
             Until it does, nothing is done under {lock}"
        )
    }

    fn stopped_text(&self, belief: &Belief, at: SimTime) -> String {
        let name = self.name(belief.worker);
        let Some(stop) = belief.stops.last() else { return format!("{name} lets {} go", belief.lock) };
        let reading = reading(stop.reading);
        let clock = if stop.on_wall { "wall clock" } else { "monotonic clock" };
        let mut text = format!("{name} lets {} go: its {clock} is past its stop time {reading}", belief.lock);
        let lease = self.facts.leases.iter().find(|lease| belief.is_in(lease));
        let deadline = lease.and_then(|lease| lease.deadlines.iter().rfind(|deadline| deadline.set <= at));
        if let Some(deadline) = deadline
            && deadline.until < at
        {
            let late = at.since(deadline.until);
            text =
                format!("{text}, {} after the service's deadline {}", length(late), instant(deadline.until));
        }
        text
    }
}
