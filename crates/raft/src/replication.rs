//! The log's way from the leader to the others, and the commit index's.

use std::fmt;
use std::rc::Rc;

use kernel::{Mono, Outbox, ProcessId};

use crate::leader::State;
use crate::transfer::caught_up;
use crate::{
    App, Append, Entry, Halt, LogId, Message, Payload, Raft, Rejection, Speech, Write, reached_by_majority,
};

/// Why nothing comes of a proposal or a read. It can be tried again.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Dropped {
    /// No leader is known.
    NoLeader,
    /// The leader is making way for another, and takes no proposals meanwhile.
    Transferring,
    /// This server has stopped for good.
    Halted,
}

impl fmt::Display for Dropped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NoLeader => "no leader is known",
            Self::Transferring => "the leader is making way for another",
            Self::Halted => "the server has stopped for good",
        })
    }
}

impl std::error::Error for Dropped {}

impl<A: App> Raft<A> {
    /// Proposes a command. A leader appends it, puts it on disk and sends it at once; a follower passes it on to the
    /// leader that it knows. That is no promise: only [`Raft::next_committed`] tells what was committed, here or on
    /// any other server, and a command that was passed on can be lost, or committed twice.
    ///
    /// # Errors
    /// Nothing comes of it, for certain.
    pub fn propose(
        &mut self,
        command: A::Command,
        now: Mono,
        out: &mut impl Outbox<Speech<A>>,
    ) -> Result<(), Dropped> {
        if self.halted.is_some() {
            return Err(Dropped::Halted);
        }
        match (&self.state, self.leader) {
            (State::Leader(leader), _) if leader.transferee.is_some() => Err(Dropped::Transferring),
            (State::Leader(_), _) => {
                self.append(Payload::Command(command), now, out);
                Ok(())
            }
            (State::Follower, Some(leader)) => {
                self.send(leader, Message::Propose(Rc::new(command)), out);
                Ok(())
            }
            (State::Follower | State::PreCandidate(_) | State::Candidate(_), _) => Err(Dropped::NoLeader),
        }
    }

    /// Appends one entry as the leader. It counts itself among those that hold it at once: its sends, and so all
    /// answers to them, wait for its own disk.
    pub(crate) fn append(&mut self, payload: Payload<A>, now: Mono, out: &mut impl Outbox<Speech<A>>) {
        let index = self.log.last().index + 1;
        let entries: Rc<[Entry<A>]> = [Entry { id: LogId { term: self.term, index }, payload }].into();
        self.save(out);
        self.log.graft(&entries);
        out.persist(Write::Append { entries });
        if let State::Leader(leader) = &mut self.state {
            leader.progress[self.position].accepted(index);
        }
        self.broadcast_append(now, out);
        // Only a cluster of one commits here. What its state machine is given can be lost with a crash, but nobody has
        // been told of it, for the same reason.
        self.advance_commit(now, out);
    }

    /// Sends each follower what it lacks, or else the commit index.
    fn broadcast_append(&mut self, now: Mono, out: &mut impl Outbox<Speech<A>>) {
        let mut shared = None;
        for position in 0..self.config.peers.len() {
            if position != self.position {
                self.send_append_sharing(position, &mut shared, now, out);
            }
        }
    }

    /// Sends one follower what it lacks, or else the commit index, unless it has to wait.
    pub(crate) fn send_append(&mut self, position: usize, now: Mono, out: &mut impl Outbox<Speech<A>>) {
        self.send_append_sharing(position, &mut None, now, out);
    }

    fn send_append_sharing(
        &mut self,
        position: usize,
        shared: &mut Option<Rc<Append<A>>>,
        now: Mono,
        out: &mut impl Outbox<Speech<A>>,
    ) {
        let State::Leader(leader) = &mut self.state else { return };
        let progress = &mut leader.progress[position];
        if progress.waits() {
            return;
        }
        let prev = progress.next - 1;
        let append = match shared {
            Some(append) if append.prev.index == prev => append.clone(),
            Some(_) | None => {
                let Some(term) = self.log.term_at(prev) else {
                    return self.send_snapshot(position, now, out);
                };
                let entries = self.log.slice(progress.next, self.config.entries_per_append_max).into();
                let prev = LogId { term, index: prev };
                leader.appends += 1;
                Rc::new(Append { number: leader.appends, prev, commit: self.commit, entries })
            }
        };
        *shared = Some(append.clone());
        progress.sent(prev + append.entries.len() as u64);
        self.send(self.config.peers[position], Message::Append { term: self.term, append }, out);
    }

    /// Takes the leader's entries, or tells it where the logs part (Raft paper, figure 2, AppendEntries).
    pub(crate) fn on_append(
        &mut self,
        from: ProcessId,
        append: &Append<A>,
        out: &mut impl Outbox<Speech<A>>,
    ) {
        let Append { number, prev, commit, entries } = append;
        if prev.index < self.commit {
            // A late message, or one from a leader that does not know how far this log agrees.
            return self.send(from, Message::Accepted { term: self.term, through: self.commit }, out);
        }
        if !self.log.holds(*prev) {
            let hint = self.log.agrees_at_most(prev.index.min(self.log.last().index), prev.term);
            let rejection = Rc::new(Rejection { number: *number, rejected: prev.index, hint });
            return self.send(from, Message::Rejected { term: self.term, rejection }, out);
        }
        let fresh = &entries[self.log.known(entries)..];
        if let Some(first) = fresh.first() {
            if first.id.index <= self.commit {
                return self.halt(Halt::CommittedConflict { index: first.id.index }, out);
            }
            self.log.graft(fresh);
            self.save(out);
            out.persist(Write::Append { entries: fresh.into() });
        }
        let through = prev.index + entries.len() as u64;
        self.commit = self.commit.max((*commit).min(through));
        self.send(from, Message::Accepted { term: self.term, through }, out);
    }

    /// A follower's log agrees up to there: commit what that allows, send on what it lacks, let it take over.
    pub(crate) fn on_accepted(
        &mut self,
        from: ProcessId,
        through: u64,
        now: Mono,
        out: &mut impl Outbox<Speech<A>>,
    ) {
        let last = self.log.last().index;
        let State::Leader(leader) = &mut self.state else { return };
        let Some(position) = self.config.position(from) else { return };
        let progress = &mut leader.progress[position];
        progress.heard = Some(now);
        if through > last {
            // Meant for an earlier life of this leader in the same term: only a disk that forgot the term makes one.
            return;
        }
        let waited = progress.waits();
        let news = progress.accepted(through);
        if news && self.advance_commit(now, out) {
            self.broadcast_append(now, out);
        } else if waited {
            self.send_append(position, now, out);
        }
        self.send_rest(position, now, out);
        if news && caught_up(&self.state, from, position, last) {
            self.send_timeout_now(from, out);
        }
    }

    /// More appends, while one does not carry all that a follower lacks.
    fn send_rest(&mut self, position: usize, now: Mono, out: &mut impl Outbox<Speech<A>>) {
        let last = self.log.last().index;
        while let State::Leader(leader) = &self.state
            && !leader.progress[position].waits()
            && leader.progress[position].next <= last
        {
            let next = leader.progress[position].next;
            self.send_append(position, now, out);
            let State::Leader(leader) = &self.state else { return };
            if leader.progress[position].next == next {
                return;
            }
        }
    }

    /// A follower's log does not hold what an append goes on from: go back to where it can.
    pub(crate) fn on_rejected(
        &mut self,
        from: ProcessId,
        rejection: Rejection,
        now: Mono,
        out: &mut impl Outbox<Speech<A>>,
    ) {
        let State::Leader(leader) = &mut self.state else { return };
        let Some(position) = self.config.position(from) else { return };
        let progress = &mut leader.progress[position];
        progress.heard = Some(now);
        let hint = rejection.hint;
        // Term 0 says that the follower cannot tell; its index is still the last that can agree.
        let agrees =
            if hint.term > 0 { self.log.agrees_at_most(hint.index, hint.term).index } else { hint.index };
        if progress.rejected(rejection, agrees, leader.appends) {
            self.send_append(position, now, out);
        }
    }

    /// Commits what a majority holds, but counts only for entries of the leader's own term: those before them are
    /// committed with them (Raft paper, section 5.4.2). Says whether that was news.
    fn advance_commit(&mut self, now: Mono, out: &mut impl Outbox<Speech<A>>) -> bool {
        let State::Leader(leader) = &self.state else { return false };
        let reached = reached_by_majority(leader.progress.iter().map(|progress| progress.matched));
        if reached <= self.commit || self.log.term_at(reached) != Some(self.term) {
            return false;
        }
        self.commit = reached;
        self.begin_early_reads(now, out);
        true
    }
}
