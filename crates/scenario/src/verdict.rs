//! The verdict: numbers folded from the facts.

use kernel::{Map, SimTime, Span};

use crate::cast::{Cast, Group};
use crate::claimant::{Claimant, claim_of};
use crate::facts::{
    Belief, Ending, Facts, Lease, Loss, Moment, MomentKind, RowState, RowStep, Struck, Write, WriteKind,
};

/// What came out, in numbers. Belief and truth are counted apart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Verdict {
    /// Time in which two workers both believed that they held the same lock.
    pub overlap: Span,
    /// Writes accepted after a newer grant of that lock had been issued.
    pub stale_accepted: u64,
    /// Those of them accepted after the newer holder had first touched that store.
    pub corrupting: u64,
    /// Stale writes refused.
    pub stale_rejected: u64,
    /// Writes of the rightful newest holder refused.
    pub valid_rejected: u64,
    /// Effects applied twice (an invoice charged twice).
    pub duplicates: u64,
    /// Grants whose token is not above every earlier token of that lock.
    pub token_regressions: u64,
    /// Acknowledged grants or writes that a later state forgot.
    pub lost_acks: u64,
    /// Reads answered with a value older than one already acknowledged.
    pub stale_reads: u64,
    /// Time with no holder while somebody wanted the lock.
    pub gap: Span,
    /// The longest such stretch.
    pub longest_takeover: Span,
    /// Live, connected holders that lost their lease.
    pub spurious_losses: u64,
    /// Claims left on a store with nobody to finish them.
    pub orphans: u64,
}

/// Folds the verdict.
pub fn verdict(facts: &Facts, cast: &Cast, horizon: SimTime) -> Verdict {
    let writes = || facts.writes.iter().filter(|write| write.kind != WriteKind::Requeue);
    let count = |holds: &dyn Fn(&Write) -> bool| writes().filter(|write| holds(write)).count() as u64;
    let (gap, longest_takeover) = gaps(facts, horizon);
    Verdict {
        overlap: overlap(facts, horizon),
        stale_accepted: count(&|write| write.stale && write.accepted),
        corrupting: count(&|write| write.corrupting),
        stale_rejected: count(&|write| write.stale && !write.accepted),
        valid_rejected: valid_rejections(facts, cast).count() as u64,
        duplicates: writes().map(|write| write.duplicates).sum(),
        token_regressions: token_regressions(facts),
        lost_acks: facts.lost_writes + forgotten_grants(facts),
        stale_reads: stale_reads(facts),
        gap,
        longest_takeover,
        spurious_losses: spurious_losses(facts, cast),
        orphans: orphaned(facts, cast).count() as u64,
    }
}

/// The locks that anybody took or wanted.
fn locks(facts: &Facts) -> Vec<&str> {
    let beliefs = facts.beliefs.iter().map(|belief| &*belief.lock);
    let leases = facts.leases.iter().map(|lease| &*lease.lock);
    let mut locks = Vec::new();
    for lock in beliefs.chain(leases).chain(facts.wants.iter().map(|want| &*want.lock)) {
        if let Err(place) = locks.binary_search(&lock) {
            locks.insert(place, lock);
        }
    }
    locks
}

/// The stretches of time for which at least `least` of these intervals are open.
fn stretches(intervals: &[(SimTime, SimTime)], least: usize) -> Vec<(SimTime, SimTime)> {
    let mut edges: Vec<(SimTime, i32)> = Vec::with_capacity(intervals.len() * 2);
    for &(from, until) in intervals.iter().filter(|(from, until)| from < until) {
        edges.push((from, 1));
        edges.push((until, -1));
    }
    // At one instant, ends come first: who follows at once does not overlap.
    kernel::order::by_key(&mut edges, |edge| *edge);
    let mut open = 0;
    let mut begun = None;
    let mut found = Vec::new();
    for (at, change) in edges {
        open += change;
        match begun {
            None if open >= least as i32 => begun = Some(at),
            Some(from) if open < least as i32 => {
                if from < at {
                    found.push((from, at));
                }
                begun = None;
            }
            None | Some(_) => {}
        }
    }
    found
}

fn total(stretches: &[(SimTime, SimTime)]) -> Span {
    stretches.iter().fold(Span::ZERO, |sum, (from, until)| sum + until.since(*from))
}

fn overlap(facts: &Facts, horizon: SimTime) -> Span {
    let of = |lock| {
        let mut intervals: Map<_, Vec<(SimTime, SimTime)>> = Map::new();
        for belief in facts.beliefs.iter().filter(|belief| &*belief.lock == lock) {
            let until = belief.ended.map_or(horizon, |(at, _)| at);
            intervals.entry(belief.worker).or_default().push((belief.from, until));
        }
        // One worker's beliefs never overlap with each other.
        let all: Vec<(SimTime, SimTime)> = intervals.values().flat_map(|own| stretches(own, 1)).collect();
        total(&stretches(&all, 2))
    };
    locks(facts).into_iter().fold(Span::ZERO, |sum, lock| sum + of(lock))
}

/// Time with no holder while somebody wanted the lock, and the longest stretch of it.
fn gaps(facts: &Facts, horizon: SimTime) -> (Span, Span) {
    let mut all = Vec::new();
    for lock in locks(facts) {
        let held: Vec<(SimTime, SimTime)> = facts
            .leases
            .iter()
            .filter(|lease| &*lease.lock == lock)
            .map(|lease| (lease.granted, lease.ended.map_or(horizon, |(at, _)| at)))
            .collect();
        let wanted: Vec<(SimTime, SimTime)> = facts
            .wants
            .iter()
            .filter(|want| &*want.lock == lock)
            .map(|want| (want.from, want.until.unwrap_or(horizon)))
            .collect();
        let (held, wanted) = (stretches(&held, 1), stretches(&wanted, 1));
        for (from, until) in wanted {
            let mut at = from;
            for &(held_from, held_until) in held.iter().filter(|(f, u)| *u > from && *f < until) {
                if held_from > at {
                    all.push((at, held_from));
                }
                at = at.max(held_until);
            }
            if at < until {
                all.push((at, until));
            }
        }
    }
    let longest = all.iter().map(|(from, until)| until.since(*from)).max().unwrap_or_default();
    (total(&all), longest)
}

/// The writes of the rightful newest holder that were refused.
pub(crate) fn valid_rejections<'a>(facts: &'a Facts, cast: &'a Cast) -> impl Iterator<Item = &'a Write> {
    let refused = facts.writes.iter().filter(|write| !write.stale && !write.accepted);
    refused.filter(|write| is_newest_holders(facts, cast, write))
}

/// Whether a write was the newest holder's while the authority's record still had its grant.
fn is_newest_holders(facts: &Facts, cast: &Cast, write: &Write) -> bool {
    let (Some(lock), Some(under)) = (cast.lock_of(write.store), write.under) else { return false };
    let newest = facts.leases.iter().rfind(|lease| lease.lock == *lock && lease.granted <= write.at);
    newest.is_some_and(|lease| {
        lease.worker == write.worker
            && lease.grant == under
            && lease.ended.is_none_or(|(at, _)| at > write.at)
    })
}

fn token_regressions(facts: &Facts) -> u64 {
    let mut highest: Map<&str, Option<u64>> = Map::new();
    let mut regressions = 0;
    for lease in &facts.leases {
        let highest = highest.entry(&lease.lock).or_default();
        if lease.token.is_some() && lease.token <= *highest {
            regressions += 1;
        }
        *highest = (*highest).max(lease.token);
    }
    regressions
}

/// Grants that their holders knew of and a later state of the service does not.
fn forgotten_grants(facts: &Facts) -> u64 {
    let known = |lease: &&Lease| facts.beliefs.iter().any(|belief| belief.is_in(lease));
    let forgotten = |lease: &&Lease| matches!(lease.ended, Some((_, Ending::Forgotten)));
    facts.leases.iter().filter(forgotten).filter(known).count() as u64
}

fn stale_reads(facts: &Facts) -> u64 {
    let stale = |moment: &&Moment| matches!(moment.what, MomentKind::Read { stale: true, .. });
    facts.moments.iter().filter(stale).count() as u64
}

/// Holders that lost their lease between a renewal and the loss without any fault at them or at their links.
fn spurious_losses(facts: &Facts, cast: &Cast) -> u64 {
    let lost = |belief: &&Belief| {
        matches!(
            belief.ended,
            Some((_, Loss::StopTime | Loss::ToldGone | Loss::RenewalFailed | Loss::Expired))
        )
    };
    // A lock that a sidecar holds is lost by what strikes that.
    let holders = |worker| std::iter::once(worker).chain(cast.sidecar_of(worker));
    let undisturbed = |belief: &&Belief| {
        let from = belief.last_renewal().map_or(belief.from, |stop| stop.set);
        let until = belief.ended.map_or(from, |(at, _)| at);
        !facts.blocks.iter().any(|block| {
            block.from <= until
                && block.until.is_none_or(|end| end >= from)
                && holders(belief.worker).any(|holder| block.strikes(holder, cast.host_of(holder)))
        })
    };
    facts.beliefs.iter().filter(lost).filter(undisturbed).count() as u64
}

/// Rows that are claimed at the end under a grant that is over, by a worker that neither believes in it any more nor
/// came to the end of its program.
pub(crate) fn orphaned<'a>(facts: &'a Facts, cast: &'a Cast) -> impl Iterator<Item = &'a RowStep> {
    cast.group(Group::Stores).filter_map(move |store| {
        let row = facts.rows.iter().rfind(|row| row.store == store.process)?;
        if row.state != RowState::Running {
            return None;
        }
        let Some(claimant) = Claimant::of(facts, cast, row) else {
            return left(facts, cast, row).map(|_| row);
        };
        let grants = || facts.leases.iter().filter(|lease| claimant.has(lease));
        let live = grants().any(|lease| lease.ended.is_none());
        let mut beliefs = facts.beliefs.iter().filter(|belief| claimant.believes(belief));
        let believed = beliefs.any(|belief| belief.ended.is_none());
        let finished = grants().any(|lease| {
            facts.moments.iter().any(|moment| {
                moment.process == lease.worker
                    && moment.at >= lease.granted
                    && moment.what == MomentKind::Finished
            })
        });
        (!live && !believed && !finished).then_some(row)
    })
}

/// A claim that no lock goes with, and when its worker left it by dying or by stopping.
pub(crate) fn left<'a>(facts: &'a Facts, cast: &Cast, row: &RowStep) -> Option<(&'a Write, SimTime)> {
    let claim = claim_of(facts, row)?;
    let died = facts.blocks.iter().filter(|block| {
        let struck =
            matches!(&block.struck, Struck::Processes(processes) if processes.contains(&claim.worker));
        struck && matches!(cast.faults[usize::from(block.fault.0)].kind, "crash" | "power-off")
    });
    let stopped = facts.moments.iter().filter(|moment| {
        let stops = matches!(moment.what, MomentKind::Stopped { .. } | MomentKind::Restarts { .. });
        stops && moment.process == claim.worker
    });
    let ends = died.map(|block| block.from).chain(stopped.map(|moment| moment.at));
    ends.filter(|at| *at >= claim.at).min().map(|at| (claim, at))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn s(from: u64, until: u64) -> (SimTime, SimTime) {
        (SimTime::from_secs(from), SimTime::from_secs(until))
    }

    #[test]
    fn stretches_are_where_enough_intervals_are_open() {
        assert_eq!(stretches(&[s(0, 5), s(3, 9), s(8, 10)], 2), [s(3, 5), s(8, 9)]);
        assert_eq!(stretches(&[s(0, 5), s(5, 9)], 2), [], "who follows at once does not overlap");
        assert_eq!(stretches(&[s(0, 5), s(5, 9)], 1), [s(0, 5), s(5, 9)]);
        assert_eq!(stretches(&[s(4, 4)], 1), [], "an instant takes no time");
    }
}
