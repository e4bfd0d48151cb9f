//! Leadership handed over (thesis, section 3.10).

use kernel::{Mono, Outbox, ProcessId};

use crate::election::Cause;
use crate::leader::State;
use crate::{App, Message, Note, Raft, Speech, Timer};

/// Whether the follower at `position` is whom the leader makes way for, and has all of its log.
pub(crate) fn caught_up(state: &State, from: ProcessId, position: usize, last: u64) -> bool {
    match state {
        State::Leader(leader) => leader.transferee == Some(from) && leader.progress[position].matched == last,
        State::Follower | State::PreCandidate(_) | State::Candidate(_) => false,
    }
}

impl<A: App> Raft<A> {
    /// Has the leader make way for `to`: as soon as its log is complete it is told to campaign at once. Proposals are
    /// refused meanwhile. A leader that still leads after an election timeout gives up; a follower passes the
    /// request on. Nothing happens when `to` leads, is no peer, or no leader is known.
    pub fn transfer_leadership(&mut self, to: ProcessId, now: Mono, out: &mut impl Outbox<Speech<A>>) {
        let last = self.log.last().index;
        let Some(position) = self.config.position(to) else { return };
        match &mut self.state {
            State::Leader(leader) => {
                if to == self.config.me || leader.transferee == Some(to) {
                    return;
                }
                leader.transferee = Some(to);
                out.note(Note::TransferBegan { to });
                out.arm(Timer::Election, now + self.config.election.min);
                if leader.progress[position].matched == last {
                    self.send_timeout_now(to, out);
                } else {
                    self.send_append(position, now, out);
                }
            }
            State::Follower => {
                if let Some(leader) = self.leader
                    && leader != to
                {
                    self.send(leader, Message::Transfer { to }, out);
                }
            }
            State::PreCandidate(_) | State::Candidate(_) => {}
        }
    }

    pub(crate) fn send_timeout_now(&mut self, to: ProcessId, out: &mut impl Outbox<Speech<A>>) {
        if let State::Leader(leader) = &mut self.state {
            leader.gave_lease_away = true;
        }
        self.send(to, Message::TimeoutNow { term: self.term }, out);
    }

    /// The leader makes way for this server: it campaigns at once and without a pre-vote.
    pub(crate) fn on_timeout_now(&mut self, now: Mono, out: &mut impl Outbox<Speech<A>>) {
        if let State::Follower = self.state {
            self.campaign(Cause::Transfer, now, out);
        }
    }
}
