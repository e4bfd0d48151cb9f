//! The leader's memory of until when each lease runs. It is nowhere else: not in the log, not on the followers.

use kernel::{Map, Mono, Span};

use super::kv::LeaseRecord;
use crate::LeaseId;

/// How often, and how exactly, a leader writes down what is left of leases.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Checkpoints {
    /// How long after the grant or the take-over, and then again and again; renewals do not shift it. A lease of which
    /// no more than this is left, by its length or its last checkpoint, is left alone until it is renewed (etcd: 5 min,
    /// `scheduleCheckpointIfNeeded`).
    pub every: Span,
    /// What is left is rounded up to this; etcd keeps whole seconds.
    pub unit: Span,
}

/// What times leases.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LeaseTimes {
    /// How often the leader looks for leases that have run out (etcd: 500 ms); nothing: at the very instant.
    pub expiry_every: Span,
    /// What a new leader adds to each lease (etcd: one election timeout).
    pub promote_extend: Span,
    /// Leases that are asked for shorter are granted this long (etcd: one and a half election timeouts, in whole seconds).
    pub min_ttl: Span,
    /// Checkpoints, when they are on.
    pub checkpoints: Option<Checkpoints>,
    /// How long the leader waits before it proposes the end of a lease once more, and how long a server keeps a request
    /// in mind whose answer does not come (etcd's request timeout: 5 s and two election timeouts).
    pub revoke_retry: Span,
}

#[derive(Clone, Debug)]
struct Timing {
    deadline: Mono,
    ttl: Span,
    checkpoint_due: Option<Mono>,
    checkpoint: Checkpoint,
    /// Its end was proposed; proposed again then.
    revoking_until: Option<Mono>,
}

/// What the log has, or is about to have, of the time that is left of a lease.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Checkpoint {
    /// Nothing: a new leader would give it its full length.
    None,
    /// Less than the full length. A renewal must take that back before it counts.
    Noted,
    /// It is being taken back.
    BeingTakenBack,
}

/// The leader's lease tracker.
#[derive(Clone, Debug, Default)]
pub(super) struct Lessor {
    leases: Map<LeaseId, Timing>,
    /// The leader looks at these instants, when it does not look at the very one.
    next_look: Option<Mono>,
}

/// What became of a renewal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Renewal {
    /// Until then.
    Until { deadline: Mono, ttl: Span },
    /// The log has a checkpoint of it, which must be taken back first.
    Checkpointed,
    /// Its time is over and its end is on the way.
    Ending,
    /// No such lease.
    Unknown,
}

impl Lessor {
    /// Starts the clock of a lease: of a new one, or of one that another leader granted.
    pub(super) fn track(
        &mut self,
        lease: LeaseId,
        record: &LeaseRecord,
        extra: Span,
        now: Mono,
        times: &LeaseTimes,
    ) -> Mono {
        let left = record.remaining.unwrap_or(record.ttl);
        let checkpoint = if record.remaining.is_some() { Checkpoint::Noted } else { Checkpoint::None };
        let timing = Timing {
            deadline: now + extra + left,
            ttl: record.ttl,
            checkpoint_due: next_checkpoint(left, now, times),
            checkpoint,
            revoking_until: None,
        };
        let deadline = timing.deadline;
        self.leases.insert(lease, timing);
        deadline
    }

    pub(super) fn forget(&mut self, lease: LeaseId) {
        self.leases.remove(&lease);
    }

    pub(super) fn renew(&mut self, lease: LeaseId, now: Mono) -> Renewal {
        let Some(timing) = self.leases.get_mut(&lease) else { return Renewal::Unknown };
        if timing.deadline <= now {
            return Renewal::Ending;
        }
        if timing.checkpoint != Checkpoint::None {
            return Renewal::Checkpointed;
        }
        timing.deadline = now + timing.ttl;
        Renewal::Until { deadline: timing.deadline, ttl: timing.ttl }
    }

    /// The log is being told that the full length is left again: no checkpoint goes between.
    pub(super) fn taking_back(&mut self, lease: LeaseId) {
        if let Some(timing) = self.leases.get_mut(&lease) {
            timing.checkpoint = Checkpoint::BeingTakenBack;
        }
    }

    /// The log says that the full length is left again.
    pub(super) fn taken_back(&mut self, lease: LeaseId, now: Mono, times: &LeaseTimes) {
        if let Some(timing) = self.leases.get_mut(&lease) {
            timing.checkpoint = Checkpoint::None;
            timing.checkpoint_due = timing.checkpoint_due.or(next_checkpoint(timing.ttl, now, times));
        }
    }

    /// The leases that have run out and whose end is to be proposed now.
    pub(super) fn take_expired(&mut self, now: Mono, times: &LeaseTimes) -> Vec<LeaseId> {
        if times.expiry_every > Span::ZERO {
            match &mut self.next_look {
                Some(next) if now < *next => return Vec::new(),
                // The looks keep their rhythm, also over a time without leases.
                Some(next) => {
                    while *next <= now {
                        *next = *next + times.expiry_every;
                    }
                }
                None => self.next_look = Some(now + times.expiry_every),
            }
        }
        let mut expired = Vec::new();
        for (&lease, timing) in &mut self.leases {
            if timing.deadline <= now && timing.revoking_until.is_none_or(|until| until <= now) {
                timing.revoking_until = Some(now + times.revoke_retry);
                expired.push(lease);
            }
        }
        expired
    }

    /// The leases of which the log is to be told what is left.
    pub(super) fn take_checkpoints(&mut self, now: Mono, times: &LeaseTimes) -> Vec<(LeaseId, Span)> {
        let Some(checkpoints) = times.checkpoints else { return Vec::new() };
        let mut due = Vec::new();
        for (&lease, timing) in &mut self.leases {
            if timing.checkpoint_due.is_none_or(|at| at > now) {
                continue;
            }
            timing.checkpoint_due = None;
            if timing.deadline <= now {
                continue;
            }
            // What a renewal has just made nearly full again says nothing.
            let left = timing.deadline.since(now).rounded_up_to(checkpoints.unit).min(timing.ttl);
            if left < timing.ttl && timing.checkpoint != Checkpoint::BeingTakenBack {
                timing.checkpoint = Checkpoint::Noted;
                due.push((lease, left));
            }
            timing.checkpoint_due = next_checkpoint(left, now, times);
        }
        due
    }

    /// When to look again; `None` when there is nothing to wait for.
    pub(super) fn next_due(&self, times: &LeaseTimes) -> Option<Mono> {
        let expiry = if times.expiry_every == Span::ZERO {
            self.leases.values().map(|timing| timing.revoking_until.unwrap_or(timing.deadline)).min()
        } else if self.leases.is_empty() {
            None
        } else {
            self.next_look
        };
        let checkpoint = self.leases.values().filter_map(|timing| timing.checkpoint_due).min();
        [expiry, checkpoint].into_iter().flatten().min()
    }

    /// Begins to look regularly; a new leader's first look is one interval after it took over.
    pub(super) fn begin(&mut self, now: Mono, times: &LeaseTimes) {
        self.leases.clear();
        self.next_look = (times.expiry_every > Span::ZERO).then(|| now + times.expiry_every);
    }

    pub(super) fn deadline(&self, lease: LeaseId) -> Option<Mono> {
        self.leases.get(&lease).map(|timing| timing.deadline)
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (LeaseId, Mono)> {
        self.leases.iter().map(|(&lease, timing)| (lease, timing.deadline))
    }
}

/// When the log is to be told next what is left of a lease of which so much is left.
fn next_checkpoint(left: Span, now: Mono, times: &LeaseTimes) -> Option<Mono> {
    let every = times.checkpoints?.every;
    (left > every).then(|| now + every)
}
