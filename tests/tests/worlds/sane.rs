//! What must hold of any play's facts, whatever was drawn.

use std::collections::BTreeMap;

use kernel::{Phase, ProcessId, RecordId, SimTime, What};
use scenario::document::model::{AdvisoryScope, Claim, Equal, Lock, Pooler, Store, StoreKind};
use scenario::facts::{Ending, Write, WriteKind};
use scenario::story::{Msg, Note};
use scenario::{Play, Scenario};

use crate::draw::World;

/// Panics where something does not hold.
pub(crate) fn check(world: &World, scenario: &Scenario, play: &Play) {
    trace_is_in_order(play);
    tale_is_in_order(play);
    locks(world, scenario, play);
    beliefs(scenario, play);
    fences(world, scenario, play);
    writes(play);
    strikes(play);
    if world.is_protected {
        assert_eq!(
            play.verdict.corrupting, 0,
            "a fence that is raised first lets nothing stale in behind it"
        );
    }
}

fn trace_is_in_order(play: &Play) {
    let records = play.trace.records();
    assert!(records.iter().map(|record| record.at).is_sorted(), "time never goes back");
    let mut last: BTreeMap<ProcessId, RecordId> = BTreeMap::new();
    for (index, record) in records.iter().enumerate() {
        let id = RecordId(index as u32);
        assert!(record.cause.index().is_none_or(|cause| cause < index), "{index}: its cause comes before it");
        if record.process != ProcessId::NOBODY {
            let previous = last.insert(record.process, id).unwrap_or(RecordId::NONE);
            assert_eq!(record.previous, previous, "{index}: its process's record before it");
        }
    }
}

fn tale_is_in_order(play: &Play) {
    let end = play.broken_off.unwrap_or(play.horizon());
    assert!(play.tale.is_sorted_by_key(|event| (event.at, event.record)), "the tale is in order");
    for (index, event) in play.tale.iter().enumerate() {
        assert_eq!(event.n as usize, index + 1);
        assert!(event.at <= end, "nothing is told of what is after the end");
        assert!(event.record.index().is_some_and(|record| record < play.trace.records().len()));
        assert!(!event.text.is_empty());
    }
    assert!(!play.headline.sentence.is_empty());
}

/// The authority's record: one holder at a time; tokens that grow and nothing forgotten, where the kind promises that and
/// disks keep what they promised.
fn locks(world: &World, scenario: &Scenario, play: &Play) {
    let end = play.horizon();
    // A claimer's clock can be so far behind that its lease is over as it is granted; and of a majority's deadlines the one
    // that counts may have passed on a clock that was stepped, or while the others answered.
    let by_other_clocks =
        matches!(scenario.lock, Lock::DynamodbItem(_) | Lock::Redlock(_) | Lock::Handover(_));
    let pooled = matches!(&scenario.lock, Lock::PostgresAdvisory(lock)
        if lock.pooler == Pooler::Transaction && lock.scope == AdvisoryScope::Session);
    for (index, lease) in play.facts.leases.iter().enumerate() {
        let until = lease.ended.map_or(end, |(at, _)| at);
        assert!(lease.granted <= until, "a lease ends after it begins");
        let bound = matches!(scenario.lock, Lock::PostgresAdvisory(_));
        assert_eq!(lease.deadlines.is_empty(), bound, "a grant sets a deadline, or is bound to a connection");
        assert!(lease.deadlines.is_sorted_by_key(|deadline| deadline.set), "deadlines are set in order");
        assert!(by_other_clocks || lease.deadlines.iter().all(|deadline| deadline.until >= deadline.set));
        assert_eq!(lease.ended.is_some(), lease.end_record != RecordId::NONE);
        if !world.disks_keep {
            continue;
        }
        for other in play.facts.leases[index + 1..].iter().filter(|other| other.lock == lease.lock) {
            assert!(
                other.token > lease.token || lease.token.is_none() || !world.promises.tokens_grow,
                "grant {} after {} of {}",
                other.grant,
                lease.grant,
                lease.lock
            );
            // A single writer's right runs out on the copies' clocks, the next one's wait on its own; and who is impatient
            // overlaps. On a pooler's connection locks are counted, whoever asks.
            let shared = pooled || matches!(scenario.lock, Lock::Handover(_));
            assert!(
                other.granted >= until || shared,
                "{}: {} granted at {} while {} holds until {until}",
                lease.lock,
                other.grant,
                other.granted,
                lease.grant
            );
        }
        assert!(
            !world.promises.forgets_nothing || !matches!(lease.ended, Some((_, Ending::Forgotten))),
            "nothing is forgotten when disks keep: {} of {}",
            lease.grant,
            lease.lock
        );
    }
}

/// A holder's belief is about a grant that there was, and begins after it; without a lock service there is none.
fn beliefs(scenario: &Scenario, play: &Play) {
    for belief in &play.facts.beliefs {
        if matches!(scenario.lock, Lock::None(_)) {
            assert_eq!((play.facts.leases.len(), belief.token, belief.stops.len()), (0, None, 0));
            continue;
        }
        let of_it = |lease: &&scenario::facts::Lease| belief.is_in(lease);
        let lease = play.facts.leases.iter().find(of_it);
        let lease = lease.unwrap_or_else(|| panic!("nobody granted what {belief:?} is about"));
        assert!(
            belief.from >= lease.granted,
            "nobody knows of a grant before there is one: {belief:?}, {lease:?}"
        );
        assert!(belief.ended.is_none_or(|(at, _)| at >= belief.from));
        assert!(belief.stops.iter().all(|stop| stop.sent <= stop.set), "it counts from what was sent before");
        assert!(belief.stops.is_sorted_by_key(|stop| stop.set));
    }
}

/// A fence never falls, unless it has a lifetime, and in one step it never lets a lower token in.
fn fences(world: &World, scenario: &Scenario, play: &Play) {
    for store in &scenario.store {
        let process = play.cast.process(&store.name).expect("it was cast");
        let rows = play.facts.rows.iter().filter(|row| row.store == process);
        if world.disks_keep {
            assert!(rows.clone().map(|row| row.done).is_sorted(), "items of {} are undone", store.name);
        }
        if world.disks_keep && store.fence_lifetime.is_none() {
            assert!(rows.map(|row| row.fence).is_sorted(), "the fence of {} falls", store.name);
        }
        let decided = play.facts.writes.iter().filter(|write| write.store == process);
        for write in decided.filter(|write| write.kind != WriteKind::Requeue) {
            match store.kind {
                StoreKind::Unfenced | StoreKind::ExternalApi => {
                    assert!(write.accepted, "a store that compares nothing refuses nothing");
                }
                StoreKind::Sql if store.is_claimed_without_token() => {
                    assert_eq!(write.fence, None, "{write:?}");
                    // What is rolled back never was, and what is committed was written by one at a time.
                    assert!(store.claim != Some(Claim::RowLock) || write.duplicates == 0, "{write:?}");
                }
                StoreKind::FencedRow | StoreKind::Sql | StoreKind::Dynamodb => compared(store, write),
                StoreKind::VersionedRow
                | StoreKind::SessionChecked
                | StoreKind::S3Manifest
                | StoreKind::Stream
                | StoreKind::IdGenerator
                | StoreKind::Journal
                | StoreKind::Kafka => assert_eq!(write.fence, None, "{write:?}"),
            }
        }
    }
}

/// What a comparison of token and fence comes to.
fn compared(store: &Store, write: &Write) {
    let fence = write.fence.expect("it has a fence");
    let in_one_step = store.check_gap.is_none_or(|gap| gap.0 == kernel::Span::ZERO);
    match write.token {
        None => assert!(!write.accepted, "a fenced store takes nothing without a token"),
        Some(token) if token < fence => assert!(!write.accepted || !in_one_step, "{write:?}"),
        Some(token) if token > fence => assert!(write.accepted, "{write:?}"),
        Some(_) => assert_eq!(write.accepted, store.equal != Some(Equal::Rejected), "{write:?}"),
    }
}

/// Every write that a store decided about was sent by its worker before, and that led to it.
fn writes(play: &Play) {
    for write in &play.facts.writes {
        assert!(write.sent <= write.at);
        assert!(
            !write.corrupting || (write.stale && write.accepted),
            "only stale writes that got in corrupt"
        );
        let past = play.trace.past(write.record);
        let asked = past.iter().rev().filter_map(|id| play.trace.get(*id)).any(|record| {
            let to_it = matches!(
                &record.what,
                What::Sent { to, msg: Msg::Store(stores::Msg::Request { .. } | stores::Msg::Journal(_)), .. }
                    if *to == write.store || play.cast.journal_of(*to).is_some_and(|(of, _)| of == write.store)
            );
            to_it && record.process == write.worker && record.at == write.sent
        });
        assert!(asked, "nobody sent {write:?}");
        let decided = play.trace.get(write.record).map(|record| &record.what);
        assert!(matches!(
            decided,
            Some(What::Noted(Note::Store(stores::Note::Decided(_) | stores::Note::Journal(_))))
        ));
    }
}

/// Each fault that was planned strikes once at most, and ends after it began.
fn strikes(play: &Play) {
    let mut begun = vec![0_u32; play.cast.faults.len()];
    for record in play.trace.records() {
        if let What::Struck(struck) = &record.what
            && struck.phase != Phase::Ends
        {
            begun[usize::from(struck.fault.0)] += 1;
        }
    }
    assert!(begun.iter().all(|times| *times <= 1));
    for block in &play.facts.blocks {
        assert!(block.until.is_none_or(|until| until >= block.from));
        assert!(block.until.unwrap_or(SimTime::ZERO) <= play.horizon());
    }
}
