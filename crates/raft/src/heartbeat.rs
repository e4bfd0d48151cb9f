//! Heartbeats, by which a leader is known to be alive and learns whether it still leads.

use kernel::{Mono, Outbox, ProcessId};

use crate::leader::State;
use crate::{App, Flow, Halt, Message, Note, Raft, Reads, Speech, Timer};

impl<A: App> Raft<A> {
    /// The heartbeat timer is due: the next round.
    pub(crate) fn heartbeat_due(&mut self, now: Mono, out: &mut impl Outbox<Speech<A>>) {
        if self.is_leader() {
            out.arm(Timer::Heartbeat, now + self.config.heartbeat);
            self.send_heartbeats(now, out);
        }
    }

    /// Sends a round of heartbeats and says which it is.
    pub(crate) fn send_heartbeats(&mut self, now: Mono, out: &mut impl Outbox<Speech<A>>) -> u64 {
        self.save(out);
        let State::Leader(leader) = &mut self.state else { return 0 };
        let round = leader.rounds.begin(now);
        for (position, (&to, progress)) in self.config.peers.iter().zip(&leader.progress).enumerate() {
            if position != self.position {
                let commit = progress.matched.min(self.commit);
                out.send(to, Message::Heartbeat { term: self.term, commit, round });
            }
        }
        round
    }

    pub(crate) fn on_heartbeat(
        &mut self,
        from: ProcessId,
        commit: u64,
        round: u64,
        out: &mut impl Outbox<Speech<A>>,
    ) {
        if commit > self.commit {
            let last = self.log.last().index;
            if commit > last {
                return self.halt(Halt::CommitBeyondLog { commit, last }, out);
            }
            self.commit = commit;
        }
        self.send(from, Message::HeartbeatAnswer { term: self.term, round }, out);
    }

    /// A follower lives. If it lacks something, what was sent may have been lost: send again.
    pub(crate) fn on_heartbeat_answer(
        &mut self,
        from: ProcessId,
        round: u64,
        now: Mono,
        out: &mut impl Outbox<Speech<A>>,
    ) {
        let State::Leader(leader) = &mut self.state else { return };
        let Some(position) = self.config.position(from) else { return };
        let progress = &mut leader.progress[position];
        progress.heard = Some(now);
        progress.acked_round = progress.acked_round.max(round);
        if matches!(self.config.reads, Reads::Lease { .. }) {
            leader.extend_lease(self.position);
        }
        let progress = &mut leader.progress[position];
        let probes = match &mut progress.flow {
            Flow::Probe { waits } => {
                *waits = false;
                true
            }
            Flow::Replicate | Flow::Snapshot { .. } => false,
        };
        let (lacks, reads_wait) = (progress.matched < self.log.last().index, !leader.reads.is_empty());
        if probes || lacks {
            self.send_append(position, now, out);
        }
        if reads_wait {
            self.confirm_reads(out);
        }
    }

    /// Once in each shortest election timeout, a leader steps down unless a majority was heard of since the last time,
    /// takes unanswered snapshots for lost, and gives up making way (etcd: `tickHeartbeat`).
    pub(crate) fn check_quorum(&mut self, now: Mono, out: &mut impl Outbox<Speech<A>>) {
        let State::Leader(leader) = &mut self.state else { return };
        if self.config.check_quorum && !leader.heard_majority_in_window(self.position) {
            return self.follow(self.term, None, now, out);
        }
        leader.window_began = now;
        for progress in &mut leader.progress {
            if let Flow::Snapshot { sent, .. } = progress.flow
                && now.since(sent) >= self.config.election.min
            {
                progress.probe();
            }
        }
        if let Some(to) = leader.transferee.take() {
            out.note(Note::TransferAborted { to });
        }
        out.arm(Timer::Election, now + self.config.election.min);
    }

    /// A message could not be delivered (etcd: `MsgUnreachable`, `MsgSnapStatus`).
    pub(crate) fn refused(&mut self, to: ProcessId, msg: &Message<A>) {
        let State::Leader(leader) = &mut self.state else { return };
        let Some(position) = self.config.position(to) else { return };
        let progress = &mut leader.progress[position];
        match (msg, progress.flow) {
            (Message::Append { .. } | Message::Heartbeat { .. }, Flow::Replicate)
            | (Message::Snapshot { .. }, Flow::Snapshot { .. }) => {
                progress.probe();
                // The next try waits until it is heard of again.
                progress.sent(progress.matched);
            }
            (
                Message::Append { .. } | Message::Heartbeat { .. },
                Flow::Probe { .. } | Flow::Snapshot { .. },
            )
            | (Message::Snapshot { .. }, Flow::Probe { .. } | Flow::Replicate)
            | (
                Message::PreVote { .. }
                | Message::PreVoteAnswer { .. }
                | Message::Vote { .. }
                | Message::VoteAnswer { .. }
                | Message::Accepted { .. }
                | Message::Rejected { .. }
                | Message::HeartbeatAnswer { .. }
                | Message::TimeoutNow { .. }
                | Message::Outdated { .. }
                | Message::Propose(_)
                | Message::Read { .. }
                | Message::ReadAnswer { .. }
                | Message::Transfer { .. },
                _,
            ) => {}
        }
    }
}
