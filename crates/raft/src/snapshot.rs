//! Snapshots: what stands in for the log's beginning, on disk and for a follower that is too far behind.

use std::rc::Rc;

use kernel::{Mono, Outbox, ProcessId};

use crate::leader::State;
use crate::{App, Flow, Halt, Log, LogId, Message, Note, Raft, Speech, Write};

/// The state machine after an entry (Raft paper, section 7).
#[derive(Clone, Debug)]
pub struct Snapshot<A: App> {
    /// The last entry that is in it.
    pub last: LogId,
    /// What all entries up to there amount to.
    pub state: A::Snapshot,
}

impl<A: App> Raft<A> {
    /// The snapshot that the state machine has to load before it takes further entries: the one on disk at the
    /// start, or one that the leader sent since. Its index is now `applied`.
    pub fn take_snapshot(&mut self) -> Option<(u64, A::Snapshot)> {
        if !std::mem::take(&mut self.unloaded) {
            return None;
        }
        let snapshot = self.snapshot.as_ref()?;
        Some((snapshot.last.index, snapshot.state.clone()))
    }

    /// Keeps `state`, the state machine as it is after the entry `applied`, and drops the log behind it, but for
    /// [`Config::entries_kept_behind`](crate::Config::entries_kept_behind) entries. Nothing happens when
    /// nothing was applied since the last snapshot.
    pub fn compact(&mut self, state: A::Snapshot, out: &mut impl Outbox<Speech<A>>) {
        assert!(!self.unloaded, "a state machine that has not loaded its snapshot has nothing to keep");
        let newest = self.snapshot.as_ref().map_or(0, |snapshot| snapshot.last.index);
        if self.applied <= newest {
            return;
        }
        let term = self.log.term_at(self.applied).expect("what was applied since the last snapshot is held");
        let snapshot = Rc::new(Snapshot { last: LogId { term, index: self.applied }, state });
        let through = self.applied.saturating_sub(self.config.entries_kept_behind);
        self.log.compact(through);
        self.snapshot = Some(snapshot.clone());
        out.persist(Write::Compact { snapshot, through });
    }

    /// Makes the snapshot the beginning of the log, unless the log reaches as far (etcd: `restore`).
    pub(crate) fn on_snapshot(
        &mut self,
        from: ProcessId,
        snapshot: Rc<Snapshot<A>>,
        out: &mut impl Outbox<Speech<A>>,
    ) {
        let last = snapshot.last;
        if last.index > self.commit {
            if self.log.holds(last) {
                self.commit = last.index;
            } else {
                self.install(snapshot, out);
            }
        }
        self.send(from, Message::Accepted { term: self.term, through: self.commit }, out);
    }

    fn install(&mut self, snapshot: Rc<Snapshot<A>>, out: &mut impl Outbox<Speech<A>>) {
        let last = snapshot.last;
        self.log = Log::after(last);
        self.commit = last.index;
        self.applied = last.index;
        self.snapshot = Some(snapshot.clone());
        self.unloaded = true;
        out.persist(Write::Install { snapshot });
        out.note(Note::InstalledSnapshot { last });
    }

    /// Sends the newest snapshot to a follower whose next entry is compacted away, when it has been heard of.
    pub(crate) fn send_snapshot(&mut self, position: usize, now: Mono, out: &mut impl Outbox<Speech<A>>) {
        let State::Leader(leader) = &mut self.state else { return };
        let progress = &mut leader.progress[position];
        if !progress.heard_within(self.config.election.min, now) {
            return;
        }
        let snapshot = self.snapshot.clone().expect("a log is compacted behind a snapshot alone");
        progress.flow = Flow::Snapshot { index: snapshot.last.index, sent: now };
        out.note(Note::SentSnapshot { to: self.config.peers[position], last: snapshot.last });
        let message = Message::Snapshot { term: self.term, snapshot };
        self.send(self.config.peers[position], message, out);
    }

    /// Stops for good: the disk does not hold what was promised. etcd panics here.
    pub(crate) fn halt(&mut self, why: Halt, out: &mut impl Outbox<Speech<A>>) {
        self.halted = Some(why);
        self.state = State::Follower;
        self.leader = None;
        out.disarm(crate::Timer::Election);
        out.disarm(crate::Timer::Heartbeat);
        out.note(Note::Halted(why));
    }
}
