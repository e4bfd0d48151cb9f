//! What a leader knows of a follower.

use kernel::{Mono, Span};

use crate::Rejection;

/// How far a follower is, as its leader sees it (etcd: `tracker.Progress`).
#[derive(Clone, Debug)]
pub struct Progress {
    /// Up to and including this entry, the follower's log is known to be the leader's.
    pub matched: u64,
    /// The next entry to send.
    pub next: u64,
    /// When it was last heard of.
    pub heard: Option<Mono>,
    /// The latest round of heartbeats that it has answered.
    pub acked_round: u64,
    /// How entries are sent to it.
    pub flow: Flow,
    /// The number of the last append that was made before it was last found to lack something. Rejections of those are
    /// old news: on links that reorder, many come for each append that is lost or late.
    pub(crate) probed_at: u64,
}

/// How entries are sent to a follower.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Flow {
    /// It is not known where its log agrees: one append at a time.
    Probe {
        /// One is on its way; the next waits for an answer to it or to a heartbeat.
        waits: bool,
    },
    /// Its log agrees: entries are sent as they come, without waiting.
    Replicate,
    /// It was sent a snapshot: nothing until that is answered, refused, or taken for lost.
    Snapshot {
        /// The last entry in it.
        index: u64,
        /// When it was sent.
        sent: Mono,
    },
}

impl Progress {
    /// A follower of which a new leader, whose log ends at `last`, knows nothing.
    pub(crate) fn unknown(last: u64) -> Self {
        Self {
            matched: 0,
            next: last + 1,
            heard: None,
            acked_round: 0,
            flow: Flow::Probe { waits: false },
            probed_at: 0,
        }
    }

    /// A follower whose log is the leader's up to and including `last`.
    pub(crate) fn caught_up(last: u64) -> Self {
        Self { matched: last, flow: Flow::Replicate, ..Self::unknown(last) }
    }

    /// Whether it was heard of less than `span` ago.
    pub fn heard_within(&self, span: Span, now: Mono) -> bool {
        self.heard.is_some_and(|heard| now.since(heard) < span)
    }

    /// Whether an append has to wait.
    pub(crate) fn waits(&self) -> bool {
        match self.flow {
            Flow::Probe { waits } => waits,
            Flow::Replicate => false,
            Flow::Snapshot { .. } => true,
        }
    }

    /// Entries were sent, up to and including `last`.
    pub(crate) fn sent(&mut self, last: u64) {
        match &mut self.flow {
            Flow::Probe { waits } => *waits = true,
            Flow::Replicate => self.next = last + 1,
            Flow::Snapshot { .. } => {}
        }
    }

    /// The follower's log agrees up to and including `through`. Says whether that was news.
    pub(crate) fn accepted(&mut self, through: u64) -> bool {
        let news = through > self.matched;
        self.matched = self.matched.max(through);
        let agrees = match self.flow {
            // An old answer, below what is matched, says nothing of what was sent since.
            Flow::Probe { .. } => through == self.matched,
            Flow::Replicate => false,
            Flow::Snapshot { index, .. } => self.matched >= index,
        };
        if agrees {
            self.flow = Flow::Replicate;
            self.next = self.matched + 1;
        }
        self.next = self.next.max(self.matched + 1);
        news
    }

    /// The follower rejected an append and can agree at `hint` at the latest; so many were `made` by now. Says whether
    /// that was news (etcd: `MaybeDecrTo`). It is not when it came late, or when the follower's disk forgot what it had
    /// accepted: then trying again at once would go on for ever.
    pub(crate) fn rejected(&mut self, rejection: Rejection, hint: u64, made: u64) -> bool {
        let Rejection { number, rejected, .. } = rejection;
        if rejected <= self.matched || number <= self.probed_at {
            return false;
        }
        match self.flow {
            Flow::Replicate => self.probe(),
            Flow::Probe { .. } => {
                if self.next - 1 != rejected {
                    return false;
                }
                self.next = rejected.min(hint + 1).max(self.matched + 1);
                self.flow = Flow::Probe { waits: false };
            }
            // What it lacks is on its way.
            Flow::Snapshot { .. } => return false,
        }
        self.probed_at = made;
        true
    }

    /// Something that was sent is taken for lost: begin again behind what is known to agree.
    pub(crate) fn probe(&mut self) {
        self.next = self.matched + 1;
        self.flow = Flow::Probe { waits: false };
    }
}
