//! The part that a server plays, and what a leader keeps in mind.

use std::collections::VecDeque;

use kernel::{Mono, ProcessId, Span};

use crate::quorum::{Tally, majority, reached_by_majority};
use crate::read::{Asked, Waiting};
use crate::{Config, Progress};

/// The part that a server plays.
#[derive(Clone, Debug)]
pub(crate) enum State {
    Follower,
    PreCandidate(Campaign),
    Candidate(Campaign),
    Leader(Box<Leader>),
}

/// A campaign, or the question whether one could be won.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Campaign {
    pub(crate) began: Mono,
    pub(crate) tally: Tally,
}

/// What a leader keeps in mind for its term.
#[derive(Clone, Debug)]
pub(crate) struct Leader {
    /// Of each peer, by its place; its own matches its log.
    pub(crate) progress: Vec<Progress>,
    pub(crate) rounds: Rounds,
    /// When the latest round was sent that a majority has answered, if the lease is asked for.
    leased_since: Option<Mono>,
    /// How many appends were made.
    pub(crate) appends: u64,
    /// Since when answers count for the next check of the quorum.
    pub(crate) window_began: Mono,
    /// Reads that wait for the first commit of the term.
    pub(crate) early_reads: Vec<Asked>,
    /// Reads that wait for a majority to answer their round, in the order of their rounds.
    pub(crate) reads: VecDeque<Waiting>,
    /// Whom it makes way for.
    pub(crate) transferee: Option<ProcessId>,
    /// It has told somebody to take over, and cannot take that back: voters protect it no longer.
    pub(crate) gave_lease_away: bool,
}

impl Leader {
    pub(crate) fn new(progress: Vec<Progress>, now: Mono) -> Self {
        Self {
            progress,
            rounds: Rounds::default(),
            leased_since: None,
            appends: 0,
            window_began: now,
            early_reads: Vec::new(),
            reads: VecDeque::new(),
            transferee: None,
            gave_lease_away: false,
        }
    }

    /// Whether a majority, the leader at `me` among it, satisfies this.
    fn majority_of(&self, me: usize, satisfies: impl Fn(&Progress) -> bool) -> bool {
        let others = self.progress.iter().enumerate();
        let count = others.filter(|&(position, progress)| position == me || satisfies(progress)).count();
        count >= majority(self.progress.len())
    }

    /// Whether a majority was heard of since the window began.
    pub(crate) fn heard_majority_in_window(&self, me: usize) -> bool {
        self.majority_of(me, |progress| progress.heard >= Some(self.window_began))
    }

    /// Whether a majority was heard of less than `span` ago.
    pub(crate) fn heard_majority_within(&self, me: usize, span: Span, now: Mono) -> bool {
        self.majority_of(me, |progress| progress.heard_within(span, now))
    }

    /// The latest round of heartbeats that a majority has answered; the leader at `me` answers all of them.
    pub(crate) fn round_reached(&self, me: usize) -> u64 {
        let acked = self.progress.iter().enumerate();
        reached_by_majority(acked.map(
            |(position, progress)| {
                if position == me { self.rounds.last } else { progress.acked_round }
            },
        ))
    }

    /// Its lease counts from the sending of the latest round that a majority has answered: now, while that is remembered.
    pub(crate) fn extend_lease(&mut self, me: usize) {
        self.leased_since = self.rounds.sent(self.round_reached(me)).or(self.leased_since);
    }

    /// Until when nobody else can have been elected, if voters protect a leader for longer than `span`.
    pub(crate) fn lease_end(&self, config: &Config, span: Span) -> Option<Mono> {
        if self.gave_lease_away {
            return None;
        }
        if config.peers.len() == 1 {
            return Some(Mono::from_micros(u64::MAX));
        }
        Some(self.leased_since? + span)
    }
}

/// The rounds of heartbeats of a term, and when the latest of them were sent.
#[derive(Clone, Debug, Default)]
pub(crate) struct Rounds {
    pub(crate) last: u64,
    sent: [Mono; Self::REMEMBERED],
}

impl Rounds {
    const REMEMBERED: usize = 8;

    pub(crate) fn begin(&mut self, now: Mono) -> u64 {
        self.last += 1;
        self.sent[self.last as usize % Self::REMEMBERED] = now;
        self.last
    }

    /// When a round was sent, unless that is forgotten. Round 0 never was.
    fn sent(&self, round: u64) -> Option<Mono> {
        let remembered = round > 0 && self.last - round < Self::REMEMBERED as u64;
        remembered.then(|| self.sent[round as usize % Self::REMEMBERED])
    }
}
