//! What stores decided, and what their rows became.

use kernel::{ProcessId, Record, RecordId, SimTime};
use stores::{Effects, Op};

use super::Fold;
use crate::facts::{Belief, MomentKind, Part, RowStep, Write, WriteKind};
use crate::story::Story;

impl Fold<'_> {
    pub(super) fn store(&mut self, id: RecordId, record: &Record<Story>, note: &stores::Note) {
        let Record { at, process: store, .. } = *record;
        match note {
            stores::Note::Decided(decided) => self.decided(id, at, store, decided),
            stores::Note::Answered { to, id: asked, version } => {
                if let Some(asked) = self.asked.get(*to, u64::from(*asked))
                    && let Some(grant) = self.grant_of(store, *to, asked.under)
                {
                    self.touch(store, grant);
                }
                let acked = self.acked_at_ask.get(*to, u64::from(*asked)).copied().unwrap_or(0);
                let stale = u64::from(*version) < acked;
                self.moment(id, at, *to, MomentKind::Read { from: store, stale });
            }
            stores::Note::Replayed { to, id: asked, item } => {
                let under = self.asked.get(*to, u64::from(*asked)).and_then(|asked| asked.under);
                let grant = self.grant_of(store, *to, under);
                let stale = self.is_stale(store, grant);
                if let Some(grant) = grant {
                    self.touch(store, grant);
                }
                self.moment(id, at, *to, MomentKind::Replayed { store, item: item.number, stale });
            }
            stores::Note::PutOff { to, why, .. } => {
                self.moment(id, at, *to, MomentKind::PutOff { store, why: why.to_string() });
            }
            stores::Note::Locked { from } => {
                self.moment(id, at, *from, MomentKind::RowLocked { store });
            }
            stores::Note::Waits { from, owner } => {
                self.moment(id, at, *from, MomentKind::RowAwaited { store, owner: *owner });
            }
            stores::Note::RolledBack { from, items, why } => {
                let (items, why) = (*items, why.to_string());
                self.moment(id, at, *from, MomentKind::RolledBack { store, items, why });
            }
            stores::Note::Journal(note) => self.journal(id, record, note),
            stores::Note::Opened(row) => {
                let is = u64::from(row.version);
                let acked = self.acked_since_start.insert(store, is).unwrap_or(0);
                self.lost_writes += acked.saturating_sub(is);
                self.row(at, store, row);
            }
        }
    }

    pub(super) fn row(&mut self, at: SimTime, store: ProcessId, row: &stores::Row) {
        self.versions.insert(store, row.version.into());
        self.facts.rows.push(RowStep {
            at,
            store,
            fence: row.fence.map(|token| token.0),
            state: row.state,
            owner: row.owner.map(|token| token.0),
            done: row.done,
        });
    }

    /// The place among the leases of the grant under which a worker acts on a store. One that the service never issued stands
    /// behind those that it had issued when its holder began to believe in it.
    pub(super) fn grant_of(&self, store: ProcessId, worker: ProcessId, under: Option<u64>) -> Option<usize> {
        let (lock, grant) = (self.cast.lock_of(store)?, under?);
        let leases = &self.facts.leases;
        let issued = leases
            .iter()
            .rposition(|lease| lease.worker == worker && lease.grant == grant && lease.lock == *lock);
        issued.or_else(|| {
            let believed =
                |belief: &&Belief| belief.worker == worker && belief.grant == grant && belief.lock == *lock;
            let from = self.facts.beliefs.iter().rfind(believed)?.from;
            leases.iter().rposition(|lease| lease.lock == *lock && lease.granted <= from)
        })
    }

    pub(super) fn touch(&mut self, store: ProcessId, grant: usize) {
        let touched = self.touched.entry(store).or_insert(grant);
        *touched = (*touched).max(grant);
    }

    pub(super) fn decided(&mut self, id: RecordId, at: SimTime, store: ProcessId, decided: &stores::Decided) {
        let kind = match decided.op {
            Op::Raise(_) => WriteKind::Raise,
            Op::Write(_, item) | Op::Part(_, item) => {
                WriteKind::Item { item: item.number, effects: item.effects }
            }
            Op::Finish(_) => WriteKind::Finish,
            Op::Requeue(_) => WriteKind::Requeue,
            Op::Read | Op::Scan => return,
        };
        let token = decided.op.stamp().and_then(|stamp| stamp.token());
        let worker = decided.from;
        let asked = self.asked.get(worker, u64::from(decided.id));
        let (sent, under) = asked.map_or((at, None), |asked| (asked.sent, asked.under));
        let accepted = decided.refusal.is_none();
        let grant = self.grant_of(store, worker, under);
        let stale = self.is_stale(store, grant);
        let corrupting = stale
            && accepted
            && grant.is_some_and(|grant| self.touched.get(&store).is_some_and(|&touched| touched > grant));
        let duplicates = if accepted { self.apply(store, decided.op) } else { 0 };
        if let Some(grant) = grant {
            self.touch(store, grant);
        }
        if accepted {
            self.row(at, store, &decided.row);
        }
        let fence = decided.fence.map(|token| token.0);
        let kind_of_store = self.cast.kind_of(store);
        let reason = match (&decided.refusal, kind) {
            (Some(refusal), _) => refusal.to_string(),
            (None, WriteKind::Requeue) => "the claim is still the one that was seen".into(),
            (None, _) => {
                kind_of_store.map_or(String::new(), |kind| kind.guard().grounds(decided.op, decided.fence))
            }
        };
        let carried = kind_of_store.and_then(|kind| kind.guard().carries(decided.op)).unwrap_or_default();
        let part = match decided.op {
            Op::Part(_, item) => Some(Part { first: item.first, is_last: false }),
            Op::Write(_, item) if item.first > 0 => Some(Part { first: item.first, is_last: true }),
            Op::Write(..) | Op::Raise(_) | Op::Finish(_) | Op::Requeue(_) | Op::Read | Op::Scan => None,
        };
        let (token, under) = (token.map(|token| token.0), under);
        self.facts.writes.push(Write {
            at,
            sent,
            store,
            worker,
            kind,
            part,
            token,
            carried,
            under,
            accepted,
            stale,
            corrupting,
            duplicates,
            fence,
            reason,
            record: id,
        });
    }

    /// Whether a newer grant of the store's lock has been issued than this one, by its place among the leases.
    fn is_stale(&self, store: ProcessId, grant: Option<usize>) -> bool {
        let newest = self
            .cast
            .lock_of(store)
            .and_then(|lock| self.facts.leases.iter().rposition(|lease| lease.lock == *lock));
        grant.is_some_and(|grant| newest.is_some_and(|newest| newest > grant))
    }

    /// Takes down what a write applied: how many effects of it had been applied before.
    fn apply(&mut self, store: ProcessId, op: Op) -> u64 {
        let effects = self.cast.kind_of(store).and_then(|kind| kind.guard().effects(op));
        let Some(Effects { of, first, count }) = effects else { return 0 };
        self.applied.entry((store, of)).or_default().add(first, first.saturating_add(count))
    }
}
