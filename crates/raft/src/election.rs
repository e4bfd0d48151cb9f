//! Elections: timeouts, pre-votes, votes, and the change from one part to another.

use kernel::{Mono, Outbox, ProcessId};

use crate::leader::{Campaign, Leader, State};
use crate::quorum::{Outcome, Tally};
use crate::{App, LogId, Message, Note, Progress, Raft, Reads, Speech, StepDown, Timer};

/// What a campaign is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Cause {
    /// No leader was heard of.
    Timeout,
    /// The leader asked for it.
    Transfer,
}

impl<A: App> Raft<A> {
    /// The election timer is due.
    pub(crate) fn election_due(&mut self, now: Mono, out: &mut impl Outbox<Speech<A>>) {
        match self.state {
            State::Leader(_) => self.check_quorum(now, out),
            State::Follower | State::PreCandidate(_) | State::Candidate(_) => {
                if self.config.pre_vote {
                    self.ask_pre_votes(now, out);
                } else {
                    self.campaign(Cause::Timeout, now, out);
                }
            }
        }
    }

    /// Asks whether it could win; term, vote and timeout stay as they are (etcd: `becomePreCandidate`).
    fn ask_pre_votes(&mut self, now: Mono, out: &mut impl Outbox<Speech<A>>) {
        self.leader = None;
        self.state = State::PreCandidate(Campaign { began: now, tally: Tally::default() });
        out.note(Note::Campaigns { term: self.term + 1, pre: true });
        out.arm(Timer::Election, now + self.timeout);
        let last = self.log.last();
        self.send_to_others(|term| Message::PreVote { term: term + 1, last }, out);
        self.count_pre_vote(self.position, true, now, out);
    }

    /// Raises its term, votes for itself, and asks for votes (Raft paper, section 5.2).
    pub(crate) fn campaign(&mut self, cause: Cause, now: Mono, out: &mut impl Outbox<Speech<A>>) {
        self.enter(self.term + 1, Some(self.config.me), None);
        self.state = State::Candidate(Campaign { began: now, tally: Tally::default() });
        out.note(Note::Campaigns { term: self.term, pre: false });
        out.arm(Timer::Election, now + self.timeout);
        let (last, forced) = (self.log.last(), cause == Cause::Transfer);
        self.send_to_others(|term| Message::Vote { term, last, forced }, out);
        self.count_vote(self.position, true, now, out);
    }

    fn send_to_others(&mut self, message: impl Fn(u64) -> Message<A>, out: &mut impl Outbox<Speech<A>>) {
        for position in 0..self.config.peers.len() {
            if position != self.position {
                self.send(self.config.peers[position], message(self.term), out);
            }
        }
    }

    /// Whether it ignores candidates because it hears from a leader (thesis, section 4.2.3; etcd: `inLease`).
    fn protects_a_leader(&self, now: Mono) -> bool {
        if !self.config.check_quorum {
            return false;
        }
        match (&self.state, self.config.reads) {
            (State::Leader(_), _) => true,
            // etcd forgets its protection with its leader; a lease for reads needs it to last.
            (_, Reads::ReadIndex | Reads::CheckQuorum) => self.leader.is_some() && now < self.protects_until,
            (_, Reads::Lease { .. }) => now < self.protects_until,
        }
    }

    /// Answers whether it would vote. Its own term, vote and timer are left alone.
    pub(crate) fn on_pre_vote(
        &mut self,
        from: ProcessId,
        term: u64,
        last: LogId,
        now: Mono,
        out: &mut impl Outbox<Speech<A>>,
    ) {
        if term > self.term && self.protects_a_leader(now) {
            return;
        }
        let granted =
            (term > self.term || (term == self.term && self.can_vote_for(from))) && last >= self.log.last();
        let term = if granted { term } else { self.term };
        self.send(from, Message::PreVoteAnswer { term, granted }, out);
    }

    pub(crate) fn on_pre_vote_answer(
        &mut self,
        from: ProcessId,
        term: u64,
        granted: bool,
        now: Mono,
        out: &mut impl Outbox<Speech<A>>,
    ) {
        let counts = if granted { term == self.term + 1 } else { self.is_of_this_term(term, now, out) };
        if let (true, Some(position)) = (counts, self.config.position(from)) {
            self.count_pre_vote(position, granted, now, out);
        }
    }

    fn count_pre_vote(
        &mut self,
        position: usize,
        granted: bool,
        now: Mono,
        out: &mut impl Outbox<Speech<A>>,
    ) {
        let State::PreCandidate(Campaign { tally, .. }) = &mut self.state else { return };
        tally.count(position, granted);
        match tally.outcome(self.config.peers.len()) {
            Outcome::Won => self.campaign(Cause::Timeout, now, out),
            Outcome::Lost => self.follow(self.term, None, now, out),
            Outcome::Open => {}
        }
    }

    /// Votes at most once in a term, for a candidate whose log is at least as up to date (Raft paper, sections 5.2
    /// and 5.4.1).
    pub(crate) fn on_vote(
        &mut self,
        from: ProcessId,
        term: u64,
        last: LogId,
        forced: bool,
        now: Mono,
        out: &mut impl Outbox<Speech<A>>,
    ) {
        if term > self.term {
            if !forced && self.protects_a_leader(now) {
                return;
            }
            self.follow(term, None, now, out);
        }
        let granted = term == self.term && self.can_vote_for(from) && last >= self.log.last();
        if granted {
            if self.vote != Some(from) {
                self.vote = Some(from);
                self.unsaved = true;
                out.note(Note::Voted { term, candidate: from });
            }
            out.arm(Timer::Election, now + self.timeout);
        }
        self.send(from, Message::VoteAnswer { term: self.term, granted }, out);
    }

    /// Whether its vote in this term is still free, or that candidate's already.
    fn can_vote_for(&self, candidate: ProcessId) -> bool {
        self.vote == Some(candidate) || (self.vote.is_none() && self.leader.is_none())
    }

    pub(crate) fn on_vote_answer(
        &mut self,
        from: ProcessId,
        granted: bool,
        now: Mono,
        out: &mut impl Outbox<Speech<A>>,
    ) {
        if let Some(position) = self.config.position(from) {
            self.count_vote(position, granted, now, out);
        }
    }

    fn count_vote(&mut self, position: usize, granted: bool, now: Mono, out: &mut impl Outbox<Speech<A>>) {
        let State::Candidate(campaign) = &mut self.state else { return };
        campaign.tally.count(position, granted);
        let campaign = *campaign;
        match campaign.tally.outcome(self.config.peers.len()) {
            Outcome::Won => self.lead(campaign, now, out),
            Outcome::Lost => self.follow(self.term, None, now, out),
            Outcome::Open => {}
        }
    }

    /// Takes over: knows nothing of the others' logs, and begins its term with an empty entry (Raft paper, section 8).
    fn lead(&mut self, campaign: Campaign, now: Mono, out: &mut impl Outbox<Speech<A>>) {
        let last = self.log.last().index;
        let progress = (0..self.config.peers.len())
            .map(|position| Progress {
                heard: campaign.tally.granted(position).then_some(campaign.began),
                ..Progress::unknown(last)
            })
            .collect();
        self.state = State::Leader(Box::new(Leader::new(progress, now)));
        self.leader = Some(self.config.me);
        self.timeout = self.config.election.draw(&mut self.rng);
        out.note(Note::BecameLeader { term: self.term });
        out.arm(Timer::Heartbeat, now + self.config.heartbeat);
        out.arm(Timer::Election, now + self.config.election.min);
        self.append(crate::Payload::Empty, now, out);
    }

    /// Becomes a follower in `term`, of `leader` or for now of nobody (etcd: `becomeFollower`).
    pub(crate) fn follow(
        &mut self,
        term: u64,
        leader: Option<ProcessId>,
        now: Mono,
        out: &mut impl Outbox<Speech<A>>,
    ) {
        if let State::Leader(_) = self.state {
            let why = if term > self.term { StepDown::HigherTerm { term } } else { StepDown::LostQuorum };
            out.note(Note::SteppedDown { term: self.term, why });
            out.disarm(Timer::Heartbeat);
        }
        let vote = if term > self.term { None } else { self.vote };
        self.enter(term, vote, leader);
        self.state = State::Follower;
        out.arm(Timer::Election, now + self.timeout);
        out.note(Note::BecameFollower { term, leader });
    }

    /// Draws a new timeout, as each change of role or term does (etcd: `reset`).
    fn enter(&mut self, term: u64, vote: Option<ProcessId>, leader: Option<ProcessId>) {
        assert!(term >= self.term, "terms never go back");
        self.unsaved |= (term, vote) != (self.term, self.vote);
        self.term = term;
        self.vote = vote;
        self.leader = leader;
        self.timeout = self.config.election.draw(&mut self.rng);
    }

    /// Whether an answer is about this term. A higher one makes it a follower there; an older one is forgotten.
    pub(crate) fn is_of_this_term(&mut self, term: u64, now: Mono, out: &mut impl Outbox<Speech<A>>) -> bool {
        if term > self.term {
            self.follow(term, None, now, out);
            return false;
        }
        term == self.term
    }

    /// Whether `from`, who speaks as the leader of `term`, is to be heard. If so, it is followed, protected, and given
    /// a whole election timeout for its next word.
    #[inline]
    pub(crate) fn follows(
        &mut self,
        from: ProcessId,
        term: u64,
        now: Mono,
        out: &mut impl Outbox<Speech<A>>,
    ) -> bool {
        if (term != self.term || self.leader != Some(from)) && !self.takes_as_leader(from, term, now, out) {
            return false;
        }
        self.protects_until = now + self.config.election.min;
        out.arm(Timer::Election, now + self.timeout);
        true
    }

    #[cold]
    fn takes_as_leader(
        &mut self,
        from: ProcessId,
        term: u64,
        now: Mono,
        out: &mut impl Outbox<Speech<A>>,
    ) -> bool {
        if term < self.term {
            self.send(from, Message::Outdated { term: self.term }, out);
            return false;
        }
        // Two leaders of one term: only a disk that forgot a vote makes them.
        if term == self.term && self.is_leader() {
            return false;
        }
        self.follow(term, Some(from), now, out);
        true
    }
}
