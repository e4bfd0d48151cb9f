//! What stores decided, and what their rows became.

use kernel::{ProcessId, Record, RecordId, SimTime};
use stores::Op;

use super::Fold;
use crate::facts::{MomentKind, RowState, RowStep, Write, WriteKind};
use crate::story::Story;

impl Fold<'_> {
    pub(super) fn store(&mut self, id: RecordId, record: &Record<Story>, note: &stores::Note) {
        let Record { at, process: store, .. } = *record;
        match note {
            stores::Note::Decided(decided) => self.decided(id, at, store, decided),
            stores::Note::Answered { to, id: asked, version } => {
                if let Some(asked) = self.asked.get(&(*to, *asked))
                    && let Some(grant) = self.grant_of(store, *to, asked.under)
                {
                    self.touch(store, grant);
                }
                let acked = self.acked_at_ask.get(&(*to, u64::from(*asked))).copied().unwrap_or(0);
                let stale = u64::from(*version) < acked;
                self.moment(id, at, *to, MomentKind::Read { from: store, stale });
            }
            stores::Note::Opened(row) => {
                let acked = self.acked.get(&store).copied().unwrap_or(0);
                self.lost_writes += acked.saturating_sub(u64::from(row.version));
                self.row(at, store, row);
            }
        }
    }

    pub(super) fn row(&mut self, at: SimTime, store: ProcessId, row: &stores::Row) {
        self.facts.rows.push(RowStep {
            at,
            store,
            fence: row.fence.map(|token| token.0),
            state: match row.state {
                stores::RowState::Queued => RowState::Queued,
                stores::RowState::Running => RowState::Running,
                stores::RowState::Done => RowState::Done,
            },
            owner: row.owner.map(|token| token.0),
            done: row.done,
        });
    }

    /// The place among the leases of the grant under which a worker acts on a store.
    pub(super) fn grant_of(&self, store: ProcessId, worker: ProcessId, under: Option<u64>) -> Option<usize> {
        let (lock, grant) = (self.cast.lock_of(store)?, under?);
        self.facts
            .leases
            .iter()
            .rposition(|lease| lease.worker == worker && lease.grant == grant && lease.lock == *lock)
    }

    pub(super) fn touch(&mut self, store: ProcessId, grant: usize) {
        let touched = self.touched.entry(store).or_insert(grant);
        *touched = (*touched).max(grant);
    }

    pub(super) fn decided(&mut self, id: RecordId, at: SimTime, store: ProcessId, decided: &stores::Decided) {
        let (kind, token) = match decided.op {
            Op::Raise(token) => (WriteKind::Raise, token),
            Op::Write(token, item) => (WriteKind::Item { item: item.number, effects: item.effects }, token),
            Op::Finish(token) => (WriteKind::Finish, token),
            Op::Requeue(_) => (WriteKind::Requeue, None),
            Op::Read | Op::Scan => return,
        };
        let worker = decided.from;
        let asked = self.asked.get(&(worker, decided.id));
        let (sent, under) = asked.map_or((at, None), |asked| (asked.sent, asked.under));
        let accepted = decided.refusal.is_none();
        let grant = self.grant_of(store, worker, under);
        let newest = self
            .cast
            .lock_of(store)
            .and_then(|lock| self.facts.leases.iter().rposition(|lease| lease.lock == *lock));
        let stale = grant.is_some_and(|grant| newest.is_some_and(|newest| newest > grant));
        let corrupting = stale
            && accepted
            && grant.is_some_and(|grant| self.touched.get(&store).is_some_and(|&touched| touched > grant));
        let mut duplicates = 0;
        if let (WriteKind::Item { item, effects }, true) = (kind, accepted) {
            let times = self.written.entry((store, item)).or_default();
            if *times > 0 {
                duplicates = u64::from(effects);
            }
            *times += 1;
        }
        if let Some(grant) = grant {
            self.touch(store, grant);
        }
        if accepted {
            self.row(at, store, &decided.row);
        }
        let fence = decided.fence.map(|token| token.0);
        let reason = reason(decided, token);
        let (token, under) = (token.map(|token| token.0), under);
        self.facts.writes.push(Write {
            at,
            sent,
            store,
            worker,
            kind,
            token,
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
}

fn reason(decided: &stores::Decided, token: Option<stores::Token>) -> String {
    match (&decided.refusal, token, decided.fence) {
        (Some(refusal), ..) => refusal.to_string(),
        (None, Some(token), Some(fence)) if token > fence => {
            format!("token {token} is above the fence {fence}")
        }
        (None, Some(token), Some(fence)) if token == fence => format!("token {token} equals the fence"),
        (None, Some(_), Some(_)) => "the check came before the fence was raised".into(),
        (None, None, Some(_)) => "the claim is still the one that was seen".into(),
        (None, _, None) => "this store checks nothing".into(),
    }
}
