//! The verdict, told again by a twin that is too simple to be wrong: every pair of facts is looked at, and what a store
//! was touched by is read from the trace.

#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "the twin is simple: it looks for a few things among many"
)]

use std::collections::BTreeSet;

use kernel::{ProcessId, SimTime, Span, What};
use scenario::facts::{Belief, Ending, Lease, Loss, MomentKind, RowState, Struck, Write, WriteKind};
use scenario::story::Note;
use scenario::{Play, Verdict};
use stores::Op;

/// The verdict of a play.
pub(crate) fn verdict(play: &Play) -> Verdict {
    let facts = &play.facts;
    let by_workers = || facts.writes.iter().filter(|write| write.kind != WriteKind::Requeue);
    let count = |is_it: &dyn Fn(&Write) -> bool| by_workers().filter(|write| is_it(write)).count() as u64;
    let (gap, longest_takeover) = gaps(play);
    Verdict {
        overlap: overlap(play),
        stale_accepted: count(&|write| is_stale(play, write) && write.accepted),
        corrupting: count(&|write| write.accepted && is_corrupting(play, write)),
        stale_rejected: count(&|write| is_stale(play, write) && !write.accepted),
        valid_rejected: count(&|write| !write.accepted && is_rightful(play, write)),
        duplicates: by_workers().map(|write| duplicates(play, write)).sum(),
        token_regressions: regressions(play),
        lost_acks: facts.lost_writes + forgotten(play),
        stale_reads: count_moments(play, &|what| matches!(what, MomentKind::Read { stale: true, .. })),
        gap,
        longest_takeover,
        spurious_losses: spurious_losses(play),
        orphans: orphans(play),
    }
}

fn count_moments(play: &Play, is_it: &dyn Fn(&MomentKind) -> bool) -> u64 {
    play.facts.moments.iter().filter(|moment| is_it(&moment.what)).count() as u64
}

fn lock_of<'a>(play: &'a Play, write: &Write) -> Option<&'a str> {
    play.cast.lock_of(write.store).map(|lock| &**lock)
}

/// The grant under which a worker acted, by its place; of several with one token the last.
fn grant_under(play: &Play, lock: &str, write: &Write) -> Option<usize> {
    let leases = &play.facts.leases;
    (0..leases.len()).rev().find(|&place| {
        let lease = &leases[place];
        lease.worker == write.worker
            && Some(lease.grant) == write.under
            && &*lease.lock == lock
            && lease.record < write.record
    })
}

/// Whether a newer grant of the same lock had been issued when the store decided.
fn is_stale(play: &Play, write: &Write) -> bool {
    let Some(lock) = lock_of(play, write) else { return false };
    let Some(own) = grant_under(play, lock, write) else { return false };
    let newer = |lease: &Lease| &*lease.lock == lock && lease.record < write.record;
    play.facts.leases[own + 1..].iter().any(newer)
}

/// Whether somebody with a newer grant had touched the store before.
fn is_corrupting(play: &Play, write: &Write) -> bool {
    let Some(lock) = lock_of(play, write) else { return false };
    let Some(own) = grant_under(play, lock, write) else { return false };
    let newer: Vec<&Lease> =
        play.facts.leases[own + 1..].iter().filter(|lease| &*lease.lock == lock).collect();
    touches(play, write)
        .into_iter()
        .any(|(worker, under)| newer.iter().any(|lease| lease.worker == worker && Some(lease.grant) == under))
}

/// Who touched the store of a write before it, each with the token that it acted under.
fn touches(play: &Play, write: &Write) -> Vec<(kernel::ProcessId, Option<u64>)> {
    let mut touches = Vec::new();
    for record in &play.trace.records()[..write.record.index().expect("a decision is recorded")] {
        if record.process != write.store {
            continue;
        }
        let (worker, id) = match &record.what {
            What::Noted(Note::Store(stores::Note::Decided(decided)))
                if !matches!(decided.op, Op::Read | Op::Scan | Op::Requeue(_)) =>
            {
                (decided.from, decided.id)
            }
            What::Noted(Note::Store(
                stores::Note::Answered { to, id, .. } | stores::Note::Replayed { to, id, .. },
            )) => (*to, *id),
            _ => continue,
        };
        let asked = play.trace.records().iter().find_map(|asked| match &asked.what {
            What::Noted(Note::Work(scenario::actors::WorkNote::Asks { id: of, under, .. }))
                if *of == id && asked.process == worker =>
            {
                Some(*under)
            }
            _ => None,
        });
        touches.push((worker, asked.flatten().map(|grant| grant.0)));
    }
    touches
}

/// Whether a write was of the newest holder, whose grant was in force.
fn is_rightful(play: &Play, write: &Write) -> bool {
    let Some(lock) = lock_of(play, write) else { return false };
    let before = |lease: &&Lease| &*lease.lock == lock && lease.record < write.record;
    let Some(newest) = play.facts.leases.iter().rfind(before) else { return false };
    newest.worker == write.worker
        && Some(newest.grant) == write.under
        && newest.ended.is_none_or(|(at, _)| at > write.at)
}

/// Effects of a write that an earlier one had applied, told one by one. (Drawn writes have few of them.)
fn duplicates(play: &Play, write: &Write) -> u64 {
    let Some(effects) = effects(play, write) else { return 0 };
    let earlier: BTreeSet<(u32, u32)> = play
        .facts
        .writes
        .iter()
        .filter(|other| other.store == write.store && other.record < write.record)
        .filter_map(|other| effects_applied(play, other))
        .flatten()
        .collect();
    if write.accepted { effects.filter(|effect| earlier.contains(effect)).count() as u64 } else { 0 }
}

fn effects_applied(play: &Play, write: &Write) -> Option<impl Iterator<Item = (u32, u32)> + use<>> {
    effects(play, write).filter(|_| write.accepted)
}

/// What each effect of a write is known by: the item that it belongs to, and its place there. Ids are known by their
/// timestamp.
fn effects(play: &Play, write: &Write) -> Option<impl Iterator<Item = (u32, u32)> + use<>> {
    let WriteKind::Item { item, effects } = write.kind else { return None };
    let Some(What::Noted(Note::Store(stores::Note::Decided(decided)))) =
        play.trace.get(write.record).map(|record| &record.what)
    else {
        return None;
    };
    let makes_ids = matches!(play.cast.kind_of(write.store), Some(stores::Kind::IdGenerator(_)));
    let of = match decided.op.stamp() {
        Some(stamp) if makes_ids => stamp.seen().0,
        Some(_) | None => item,
    };
    let first = write.part.map_or(0, |part| part.first);
    Some((first..first + effects).map(move |nth| (of, nth)))
}

fn regressions(play: &Play) -> u64 {
    let leases = &play.facts.leases;
    let regresses = |&place: &usize| {
        let lease = &leases[place];
        let same_lock = leases[..place].iter().filter(|other| other.lock == lease.lock);
        lease.token.is_some() && same_lock.into_iter().any(|other| other.token >= lease.token)
    };
    (0..leases.len()).filter(regresses).count() as u64
}

fn forgotten(play: &Play) -> u64 {
    let is_it = |lease: &&Lease| {
        matches!(lease.ended, Some((_, Ending::Forgotten)))
            && play
                .facts
                .beliefs
                .iter()
                .any(|belief| belief.worker == lease.worker && belief.grant == lease.grant)
    };
    play.facts.leases.iter().filter(is_it).count() as u64
}

/// Every instant at which something about a lock changes, in order, from the beginning to the end.
fn instants(play: &Play) -> Vec<SimTime> {
    let facts = &play.facts;
    let mut instants = BTreeSet::from([SimTime::ZERO, play.horizon()]);
    for lease in &facts.leases {
        instants.extend([Some(lease.granted), lease.ended.map(|(at, _)| at)].into_iter().flatten());
    }
    for belief in &facts.beliefs {
        instants.extend([Some(belief.from), belief.ended.map(|(at, _)| at)].into_iter().flatten());
    }
    for want in &facts.wants {
        instants.extend([Some(want.from), want.until].into_iter().flatten());
    }
    instants.into_iter().filter(|at| *at <= play.horizon()).collect()
}

fn locks(play: &Play) -> BTreeSet<String> {
    let facts = &play.facts;
    let named = facts.leases.iter().map(|lease| &lease.lock);
    let named = named.chain(facts.beliefs.iter().map(|belief| &belief.lock));
    named.chain(facts.wants.iter().map(|want| &want.lock)).map(|lock| lock.to_string()).collect()
}

/// Whether something that lasts from an instant to another covers a stretch.
fn covers(from: SimTime, until: Option<SimTime>, stretch: &[SimTime]) -> bool {
    from <= stretch[0] && until.is_none_or(|until| until >= stretch[1])
}

fn overlap(play: &Play) -> Span {
    let mut sum = Span::ZERO;
    for lock in locks(play) {
        for stretch in instants(play).windows(2) {
            let believes = |belief: &&Belief| {
                *belief.lock == *lock && covers(belief.from, belief.ended.map(|(at, _)| at), stretch)
            };
            let believers: BTreeSet<_> =
                play.facts.beliefs.iter().filter(believes).map(|belief| belief.worker).collect();
            if believers.len() > 1 {
                sum += stretch[1].since(stretch[0]);
            }
        }
    }
    sum
}

/// Time without a holder while somebody wanted the lock: all of it, and the longest piece.
fn gaps(play: &Play) -> (Span, Span) {
    let (mut sum, mut longest) = (Span::ZERO, Span::ZERO);
    for lock in locks(play) {
        let mut piece = Span::ZERO;
        for stretch in instants(play).windows(2) {
            let held = play.facts.leases.iter().any(|lease| {
                *lease.lock == *lock && covers(lease.granted, lease.ended.map(|(at, _)| at), stretch)
            });
            let wanted = play
                .facts
                .wants
                .iter()
                .any(|want| *want.lock == *lock && covers(want.from, want.until, stretch));
            if wanted && !held {
                sum += stretch[1].since(stretch[0]);
                piece += stretch[1].since(stretch[0]);
            } else {
                piece = Span::ZERO;
            }
            longest = longest.max(piece);
        }
    }
    (sum, longest)
}

fn spurious_losses(play: &Play) -> u64 {
    let is_it = |belief: &&Belief| {
        let Some((until, Loss::StopTime | Loss::ToldGone | Loss::RenewalFailed)) = belief.ended else {
            return false;
        };
        let since = belief.stops.last().map_or(belief.from, |stop| stop.set);
        let host = play.cast.members[belief.worker.index()].host;
        !play.facts.blocks.iter().any(|block| {
            let on_it = match &block.struck {
                Struck::Processes(processes) => processes.contains(&belief.worker),
                Struck::Host(struck) => *struck == host,
                Struck::Links(links) => links.iter().any(|(from, to)| [*from, *to].contains(&host)),
                Struck::Nobody => false,
            };
            on_it && block.from <= until && block.until.is_none_or(|end| end >= since)
        })
    };
    play.facts.beliefs.iter().filter(is_it).count() as u64
}

fn orphans(play: &Play) -> u64 {
    let facts = &play.facts;
    let mut orphans = 0;
    for (store, lock) in &play.cast.protects {
        let Some(row) = facts.rows.iter().rfind(|row| row.store == *store) else { continue };
        if row.state != RowState::Running {
            continue;
        }
        // The last that claimed it, where its token does not say.
        let mut claims = facts.writes.iter().rev();
        let claim = claims.find(|it| it.store == *store && it.accepted && it.kind == WriteKind::Raise);
        let is_owners = |token: Option<u64>, worker: ProcessId, grant: u64| match (row.owner, claim) {
            (Some(owner), _) => token == Some(owner),
            (None, Some(claim)) => claim.worker == worker && claim.under == Some(grant),
            (None, None) => false,
        };
        let left_alone = |claim: &Write| {
            let crashes = facts.blocks.iter().any(|block| {
                let kind = play.cast.faults[usize::from(block.fault.0)].kind;
                let dead = matches!(&block.struck, Struck::Processes(all) if all.contains(&claim.worker));
                dead && (kind == "crash" || kind == "power-off") && block.from >= claim.at
            });
            crashes
                || facts.moments.iter().any(|moment| {
                    moment.process == claim.worker
                        && moment.at >= claim.at
                        && matches!(moment.what, MomentKind::Stopped { .. } | MomentKind::Restarts { .. })
                })
        };
        if let (None, Some(claim)) = (row.owner, claim.filter(|claim| claim.under.is_none())) {
            orphans += u64::from(left_alone(claim));
            continue;
        }
        let grants: Vec<&Lease> = facts
            .leases
            .iter()
            .filter(|lease| lease.lock == *lock && is_owners(lease.token, lease.worker, lease.grant))
            .collect();
        let believed = facts.beliefs.iter().any(|belief| {
            belief.lock == *lock
                && is_owners(belief.token, belief.worker, belief.grant)
                && belief.ended.is_none()
        });
        let finished = facts.moments.iter().any(|moment| {
            moment.what == MomentKind::Finished
                && grants.iter().any(|lease| lease.worker == moment.process && moment.at >= lease.granted)
        });
        if !believed && !finished && grants.iter().all(|lease| lease.ended.is_some()) {
            orphans += 1;
        }
    }
    orphans
}
