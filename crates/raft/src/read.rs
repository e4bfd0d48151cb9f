//! Linearizable reads: from which entry on a server's state is recent enough to answer.

use kernel::{Mono, Outbox, ProcessId};

use crate::leader::State;
use crate::{App, Dropped, Message, Raft, Reads, Speech};

/// A read that can be served by this server's state machine once it has applied `index`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ReadState {
    /// The word that the read was asked with.
    pub ctx: u64,
    /// What has to be applied first.
    pub index: u64,
}

/// Who asked for a read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Asked {
    by: ProcessId,
    life: u64,
    ctx: u64,
}

/// A read that waits for a majority to answer a round of heartbeats.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Waiting {
    asked: Asked,
    index: u64,
    round: u64,
}

impl<A: App> Raft<A> {
    /// Asks from where on a read is linearizable; [`Raft::next_read`] answers with the same `ctx`, sooner or later or
    /// never: questions are lost with messages and leaders, so whoever asks tries again in time. An answer can come
    /// twice. In one life of a server, a `ctx` must not be used twice.
    ///
    /// # Errors
    /// Nothing comes of it, for certain.
    pub fn read(&mut self, ctx: u64, now: Mono, out: &mut impl Outbox<Speech<A>>) -> Result<(), Dropped> {
        if self.halted.is_some() {
            return Err(Dropped::Halted);
        }
        match (&self.state, self.leader) {
            (State::Leader(_), _) => {
                self.ask(Asked { by: self.config.me, life: self.life, ctx }, now, out);
                Ok(())
            }
            (State::Follower, Some(leader)) => {
                self.send(leader, Message::Read { life: self.life, ctx }, out);
                Ok(())
            }
            (State::Follower | State::PreCandidate(_) | State::Candidate(_), _) => Err(Dropped::NoLeader),
        }
    }

    /// The next read that has been answered.
    pub fn next_read(&mut self) -> Option<ReadState> {
        self.reads_ready.pop_front()
    }

    /// A follower passes on a read. When this server does not lead, it is forgotten.
    pub(crate) fn on_read(
        &mut self,
        from: ProcessId,
        life: u64,
        ctx: u64,
        now: Mono,
        out: &mut impl Outbox<Speech<A>>,
    ) {
        if self.is_leader() {
            self.ask(Asked { by: from, life, ctx }, now, out);
        }
    }

    pub(crate) fn on_read_answer(&mut self, life: u64, ctx: u64, index: u64) {
        // An answer to an earlier life could be older than the read that has the same word now.
        if life == self.life {
            self.reads_ready.push_back(ReadState { ctx, index });
        }
    }

    /// Until an entry of its own term is committed, a leader does not know what is (thesis, section 6.4, step 1).
    fn knows_what_is_committed(&self) -> bool {
        self.log.term_at(self.commit) == Some(self.term)
    }

    fn ask(&mut self, asked: Asked, now: Mono, out: &mut impl Outbox<Speech<A>>) {
        let knows = self.knows_what_is_committed();
        let State::Leader(leader) = &mut self.state else { return };
        if !knows {
            leader.early_reads.push(asked);
            return;
        }
        let at_once = match self.config.reads {
            Reads::ReadIndex => false,
            Reads::CheckQuorum => true,
            Reads::Lease { .. } => self.lease_until().is_some_and(|end| now < end),
        };
        if at_once {
            self.answer_read(asked, self.commit, out);
        } else {
            self.begin_round_for([asked], now, out);
        }
    }

    /// Sends one round of heartbeats for these reads.
    fn begin_round_for(
        &mut self,
        reads: impl IntoIterator<Item = Asked>,
        now: Mono,
        out: &mut impl Outbox<Speech<A>>,
    ) {
        let (index, round) = (self.commit, self.send_heartbeats(now, out));
        if let State::Leader(leader) = &mut self.state {
            leader.reads.extend(reads.into_iter().map(|asked| Waiting { asked, index, round }));
        }
        self.confirm_reads(out);
    }

    /// The reads that came before the leader knew what is committed.
    pub(crate) fn begin_early_reads(&mut self, now: Mono, out: &mut impl Outbox<Speech<A>>) {
        let State::Leader(leader) = &mut self.state else { return };
        if !leader.early_reads.is_empty() {
            let early = std::mem::take(&mut leader.early_reads);
            self.begin_round_for(early, now, out);
        }
    }

    /// Answers the reads whose round a majority has answered.
    pub(crate) fn confirm_reads(&mut self, out: &mut impl Outbox<Speech<A>>) {
        let State::Leader(leader) = &self.state else { return };
        let reached = leader.round_reached(self.position);
        while let State::Leader(leader) = &mut self.state
            && let Some(&Waiting { asked, index, round }) = leader.reads.front()
            && round <= reached
        {
            leader.reads.pop_front();
            self.answer_read(asked, index, out);
        }
    }

    fn answer_read(&mut self, asked: Asked, index: u64, out: &mut impl Outbox<Speech<A>>) {
        let Asked { by, life, ctx } = asked;
        if by == self.config.me {
            self.reads_ready.push_back(ReadState { ctx, index });
        } else {
            self.send(by, Message::ReadAnswer { life, ctx, index }, out);
        }
    }
}
