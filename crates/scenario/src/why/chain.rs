//! The chain of events that explains a line of the verdict.
//!
//! For the first case of each line: the grant under which somebody acted, what stopped or delayed them, the check that let
//! them go on, the end of their grant, the next one, and the act itself. Each is a record of the trace and an event of the
//! tale. Whether the actor could have known of it is read from the trace: it could when it happened before its act, along
//! messages and its own steps, and not when it merely was earlier.

use kernel::{ProcessId, RecordId, SimTime};

use crate::cast::Cast;
use crate::claimant::Claimant;
use crate::facts::{Belief, Block, Ending, Facts, Lease, MomentKind, Stop, Write, WriteKind};
use crate::play::Play;
use crate::tale::Event;
use crate::verdict::{left, orphaned, valid_rejections};

/// Why lines of the verdict are not zero.
#[derive(Clone, Debug, PartialEq)]
pub struct Why {
    /// The lines: names of numbers of the verdict. Several when one act is a case of each.
    pub lines: Vec<&'static str>,
    /// How many cases of the first line there are beside the one that is explained.
    pub others: u64,
    /// What led to it, in order.
    pub chain: Vec<Link>,
}

/// A link of such a chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Link {
    /// The event, by its number in the tale, from 1.
    pub event: u32,
    /// Whether whoever acted in the end could have known of it then; `None` of what it did itself, and where nobody acted.
    pub known: Option<bool>,
}

impl Link {
    /// The event itself, in the tale of the play.
    pub fn told_in(self, play: &Play) -> Option<&Event> {
        play.tale.get((self.event as usize).checked_sub(1)?)
    }
}

impl Why {
    /// What is asked, in words: "a stale write was accepted".
    pub fn question(&self) -> &'static str {
        match self.lines.first().copied().unwrap_or_default() {
            "stale_accepted" => "a stale write was accepted",
            "corrupting" => "a stale write corrupted",
            "duplicates" => "something was done twice",
            "stale_rejected" => "a stale write was refused",
            "valid_rejected" => "a write of the rightful holder was refused",
            "overlap" => "two believed at once that they held the lock",
            "token_regressions" => "a token was no higher than an earlier one",
            "lost_acks" => "an acknowledged grant was forgotten",
            "stale_reads" => "a read was stale",
            "orphans" => "a claim was left with nobody to finish it",
            _ => "nobody held a lock that somebody wanted",
        }
    }
}

/// Every line of the verdict that is not zero, with its chain.
pub fn why(play: &Play) -> Vec<Why> {
    let teller = Teller { play, facts: &play.facts, cast: &play.cast };
    let verdict = &play.verdict;
    let mut all: Vec<Why> = Vec::new();
    let mut tell = |line, count: u64, case: Option<Case>| {
        let Some(case) = case.filter(|_| count > 0) else { return };
        let chain = teller.chain(&case);
        // Where no lock is asked for, nobody is told that two believe in it.
        if chain.is_empty() {
            return;
        }
        // One act can be several things: a stale write that is accepted, corrupts, and charges twice.
        let same = all.iter_mut().find(|known| known.chain.last() == chain.last() && case.act.is_some());
        match same {
            Some(known) => {
                known.lines.push(line);
                known.chain.extend(chain);
                kernel::order::by_key(&mut known.chain, |link| link.event);
                known.chain.dedup_by_key(|link| link.event);
            }
            None => all.push(Why { lines: vec![line], others: count - 1, chain }),
        }
    };
    let writes = || play.facts.writes.iter().filter(|write| write.kind != WriteKind::Requeue);
    let write = |holds: &dyn Fn(&Write) -> bool| {
        writes().find(|write| holds(write)).map(|write| teller.of_write(write))
    };
    tell("stale_accepted", verdict.stale_accepted, write(&|write| write.stale && write.accepted));
    tell("corrupting", verdict.corrupting, write(&|write| write.corrupting));
    let doubled = writes().filter(|write| write.duplicates > 0).count() as u64;
    tell(
        "duplicates",
        doubled,
        writes().find(|write| write.duplicates > 0).map(|write| teller.of_double(write)),
    );
    tell("stale_rejected", verdict.stale_rejected, write(&|write| write.stale && !write.accepted));
    let rejected = valid_rejections(&play.facts, &play.cast).next();
    tell("valid_rejected", verdict.valid_rejected, rejected.map(|write| teller.of_write(write)));
    tell("overlap", u64::from(verdict.overlap.as_micros() > 0), teller.of_overlap());
    tell("token_regressions", verdict.token_regressions, teller.of_regression());
    tell("lost_acks", verdict.lost_acks, teller.of_forgotten());
    tell("stale_reads", verdict.stale_reads, teller.of_stale_read());
    tell("orphans", verdict.orphans, teller.of_orphan());
    tell("gap", u64::from(verdict.gap.as_micros() > 0), teller.of_gap());
    all
}

/// The records that a chain is made of.
struct Case {
    records: Vec<RecordId>,
    /// The act that is explained: what it could have known is judged from here.
    act: Option<RecordId>,
    /// What became of the act.
    outcome: Option<RecordId>,
}

struct Teller<'p> {
    play: &'p Play,
    facts: &'p Facts,
    cast: &'p Cast,
}

impl Teller<'_> {
    fn chain(&self, case: &Case) -> Vec<Link> {
        let past = case.act.map(|act| (act, self.play.trace.past(act)));
        let actor = case.act.and_then(|act| Some(self.play.trace.get(act)?.process));
        let events = self.play.tale.iter().filter(|event| case.records.contains(&event.record));
        let known = |event: &Event| {
            let own = actor == Some(event.process) || Some(event.record) == case.outcome;
            past.as_ref()
                .filter(|_| !own)
                .map(|(act, past)| event.record == *act || past.binary_search(&event.record).is_ok())
        };
        events.map(|event| Link { event: event.n, known: known(event) }).collect()
    }

    fn lease(&self, worker: ProcessId, grant: u64) -> Option<&Lease> {
        self.facts.leases.iter().find(|lease| lease.worker == worker && lease.grant == grant)
    }

    fn belief(&self, worker: ProcessId, grant: u64) -> Option<&Belief> {
        self.facts.beliefs.iter().find(|belief| belief.worker == worker && belief.grant == grant)
    }

    /// What struck a process, its host or its links between two instants.
    fn blocks(&self, process: ProcessId, from: SimTime, until: SimTime) -> impl Iterator<Item = &Block> {
        let host = self.cast.host_of(process);
        self.facts.blocks.iter().filter(move |block| {
            block.strikes(process, host) && block.from <= until && block.until.is_none_or(|end| end >= from)
        })
    }

    /// What led to a write: how its worker came to send it, and what had happened meanwhile.
    fn of_write(&self, write: &Write) -> Case {
        let mut records = vec![write.record];
        let worker = write.worker;
        let lease = write.under.and_then(|grant| self.lease(worker, grant));
        let belief = write.under.and_then(|grant| self.belief(worker, grant));
        if let Some(lease) = lease {
            records.push(lease.record);
            // The last time that its deadline was moved is where its story begins.
            let renewed = lease.deadlines.iter().rfind(|deadline| deadline.set <= write.sent);
            records.extend(renewed.map(|deadline| deadline.record));
            let from = renewed.map_or(lease.granted, |deadline| deadline.set);
            records.extend(self.blocks(worker, from, write.at).map(|block| block.record));
            if lease.ended.is_some_and(|(at, _)| at <= write.at) {
                records.push(lease.end_record);
            }
        }
        if let Some(belief) = belief {
            let put_off = |stop: &&Stop| stop.put_off.is_some() && stop.set <= write.sent;
            records.extend(belief.stops.iter().rfind(put_off).map(|stop| stop.record));
            if belief.ended.is_some_and(|(at, _)| at <= write.at) {
                records.push(belief.end_record);
            }
        }
        // What was granted to nobody begins with its holder's belief in it.
        records.extend(belief.filter(|_| lease.is_none()).map(|belief| belief.record));
        let granted = lease.map(|lease| (&lease.lock, lease.granted));
        if let Some((lock, since)) = granted.or(belief.map(|belief| (&belief.lock, belief.from))) {
            let newer = self.facts.leases.iter().find(|newer| {
                newer.lock == *lock
                    && newer.granted > since
                    && newer.granted <= write.at
                    && newer.worker != worker
            });
            if let Some(newer) = newer {
                records.push(newer.record);
                let touched = self.facts.writes.iter().find(|touch| {
                    touch.store == write.store
                        && touch.worker == newer.worker
                        && touch.accepted
                        && touch.at <= write.at
                        && touch.at >= newer.granted
                });
                records.extend(touched.map(|touch| touch.record));
            }
        }
        let checked = self.facts.moments.iter().rfind(|moment| {
            moment.process == worker
                && moment.at <= write.sent
                && matches!(moment.what, MomentKind::Checked { passed: true, .. })
        });
        records.extend(checked.map(|moment| moment.record));
        Case { records, act: self.sending(write), outcome: Some(write.record) }
    }

    /// The record in which a write's worker decided to send it.
    fn sending(&self, write: &Write) -> Option<RecordId> {
        let mut at = write.record;
        loop {
            let record = self.play.trace.get(at)?;
            if record.process == write.worker {
                return Some(at);
            }
            let earlier = [record.cause, record.previous].into_iter().filter(|id| id.index().is_some());
            // What the store decided was caused by the message; the message by who sent it.
            at = earlier
                .clone()
                .find(|id| self.play.trace.get(*id).is_some_and(|record| record.process == write.worker))
                .or_else(|| earlier.max())?;
        }
    }

    /// A write that was done a second time: with the first.
    fn of_double(&self, write: &Write) -> Case {
        let mut case = self.of_write(write);
        let first = self.facts.writes.iter().find(|first| {
            first.store == write.store && first.kind == write.kind && first.accepted && first.at < write.at
        });
        case.records.extend(first.map(|first| first.record));
        case
    }

    /// The first two beliefs in one lock that overlap: how the second came about while the first lasted.
    fn of_overlap(&self) -> Option<Case> {
        let beliefs = &self.facts.beliefs;
        let (first, second) = beliefs.iter().enumerate().find_map(|(nth, second)| {
            let overlaps = |first: &&Belief| {
                first.lock == second.lock
                    && first.worker != second.worker
                    && first.ended.is_none_or(|(at, _)| at > second.from)
            };
            beliefs.iter().take(nth).find(overlaps).map(|first| (first, second))
        })?;
        let mut records = vec![first.record, second.record, first.end_record];
        let until = first.ended.map_or(SimTime::NEVER, |(at, _)| at);
        let from = first.last_renewal().map_or(first.from, |stop| stop.set);
        records.extend(self.blocks(first.worker, from, until).map(|block| block.record));
        if let Some(lease) = self.lease(first.worker, first.grant) {
            records.push(lease.record);
            records.push(lease.end_record);
        }
        records.extend(self.lease(second.worker, second.grant).map(|lease| lease.record));
        let act = Some(first.end_record).filter(|record| record.index().is_some());
        Some(Case { records, act, outcome: None })
    }

    /// The first grant whose token is not above every earlier one of its lock: with the highest before it, and what
    /// happened to servers between.
    fn of_regression(&self) -> Option<Case> {
        let leases = &self.facts.leases;
        let (higher, lower) = leases.iter().enumerate().find_map(|(nth, lease)| {
            let earlier = leases.iter().take(nth).filter(|earlier| earlier.lock == lease.lock);
            let highest =
                earlier.filter(|earlier| earlier.token.is_some()).max_by_key(|earlier| earlier.token)?;
            (lease.token.is_some() && lease.token <= highest.token).then_some((highest, lease))
        })?;
        let mut records = vec![higher.record, lower.record];
        records.extend(self.of_servers(higher.granted, lower.granted));
        Some(Case { records, act: None, outcome: None })
    }

    /// The first grant that its holder knew of and a later state of the service did not.
    fn of_forgotten(&self) -> Option<Case> {
        let lease = self.facts.leases.iter().find(|lease| {
            matches!(lease.ended, Some((_, Ending::Forgotten)))
                && self.facts.beliefs.iter().any(|belief| belief.is_in(lease))
        })?;
        let mut records = vec![lease.record, lease.end_record];
        records.extend(self.belief(lease.worker, lease.grant).map(|belief| belief.record));
        records.extend(self.of_servers(lease.granted, lease.ended.map_or(SimTime::NEVER, |(at, _)| at)));
        Some(Case { records, act: None, outcome: None })
    }

    /// What struck servers of the lock service, what started from a backup, and who took the lead.
    fn of_servers(&self, from: SimTime, until: SimTime) -> Vec<RecordId> {
        let is_server =
            |process: ProcessId| self.cast.members[process.index()].group == crate::cast::Group::LockService;
        let servers = self.cast.members.iter().filter(|member| is_server(member.process));
        let mut records: Vec<RecordId> = servers
            .flat_map(|member| self.blocks(member.process, from, until))
            .map(|block| block.record)
            .collect();
        let reigns = self.facts.reigns.iter().filter(|reign| reign.from > from && reign.from <= until);
        records.extend(reigns.map(|reign| reign.record));
        let restored =
            self.facts.moments.iter().filter(|moment| {
                moment.what == MomentKind::Restored && moment.at >= from && moment.at <= until
            });
        records.extend(restored.map(|moment| moment.record));
        records
    }

    fn of_stale_read(&self) -> Option<Case> {
        let read = self
            .facts
            .moments
            .iter()
            .find(|moment| matches!(moment.what, MomentKind::Read { stale: true, .. }))?;
        let MomentKind::Read { from, .. } = read.what else { return None };
        let mut records = vec![read.record];
        records.extend(self.blocks(from, SimTime::ZERO, read.at).map(|block| block.record));
        let reigns = self.facts.reigns.iter().filter(|reign| reign.from <= read.at);
        records.extend(reigns.map(|reign| reign.record));
        Some(Case { records, act: None, outcome: None })
    }

    /// A row that nobody will finish: who claimed it, and how its grant ended.
    fn of_orphan(&self) -> Option<Case> {
        let row = orphaned(self.facts, self.cast).next()?;
        let Some(claimant) = Claimant::of(self.facts, self.cast, row) else {
            let (claim, _) = left(self.facts, self.cast, row)?;
            let mut records = vec![claim.record];
            records.extend(self.blocks(claim.worker, claim.at, SimTime::NEVER).map(|block| block.record));
            return Some(Case { records, act: None, outcome: None });
        };
        let lease = self.facts.leases.iter().rfind(|lease| claimant.has(lease))?;
        let mut records = vec![lease.record, lease.end_record];
        let claim = self.facts.writes.iter().rfind(|write| {
            write.store == row.store
                && write.worker == lease.worker
                && write.kind == WriteKind::Raise
                && write.accepted
        });
        records.extend(claim.map(|claim| claim.record));
        records.extend(self.belief(lease.worker, lease.grant).map(|belief| belief.end_record));
        records.extend(self.blocks(lease.worker, lease.granted, SimTime::NEVER).map(|block| block.record));
        Some(Case { records, act: None, outcome: None })
    }

    /// The longest wait for a lock that nobody held: whose grant ended before it, why, and who came next.
    fn of_gap(&self) -> Option<Case> {
        let gaps = self.facts.leases.iter().filter_map(|lease| {
            let (ended, _) = lease.ended?;
            let next = self.facts.leases.iter().find(|next| next.lock == lease.lock && next.granted >= ended);
            let until = next.map_or(self.play.horizon(), |next| next.granted);
            let covered = self.facts.leases.iter().any(|other| {
                other.lock == lease.lock
                    && other.granted < ended
                    && other.ended.is_none_or(|(at, _)| at > ended)
            });
            let wanted = self.facts.wants.iter().any(|want| {
                want.lock == lease.lock && want.from < until && want.until.is_none_or(|end| end > ended)
            });
            (!covered && wanted && until > ended).then_some((lease, next, until.since(ended)))
        });
        let (lease, next, _) =
            gaps.max_by_key(|(lease, _, length)| (*length, std::cmp::Reverse(lease.record)))?;
        let ended = lease.ended.map_or(SimTime::ZERO, |(at, _)| at);
        let mut records = vec![lease.record, lease.end_record];
        let from = lease.deadlines.last().map_or(lease.granted, |deadline| deadline.set);
        records.extend(self.blocks(lease.worker, from, ended).map(|block| block.record));
        records.extend(next.map(|next| next.record));
        Some(Case { records, act: None, outcome: None })
    }
}
