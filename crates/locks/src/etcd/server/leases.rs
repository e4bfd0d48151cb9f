//! The leader's part: it alone times leases, and proposes their end.

use kernel::{Mono, Outbox};

use super::{Server, ServerSpeech, ServerTimer};
use crate::etcd::lessor::Lessor;
use crate::etcd::{Action, Fault, Reply};
use crate::{LeaseId, Note, Reading, Restart};

impl Server {
    /// A new leader takes over the leases when it applies the first entry of its term.
    pub(super) fn promote(&mut self, now: Mono, out: &mut impl Outbox<ServerSpeech>) {
        self.primary = true;
        let times = &self.config.leases;
        self.lessor.begin(now, times);
        let mut leases = Vec::new();
        for (&lease, record) in &self.state.leases {
            let deadline = self.lessor.track(lease, record, times.promote_extend, now, times);
            let from = if record.remaining.is_some() { Restart::Remaining } else { Restart::Full };
            leases.push((lease, Reading::Mono(deadline), from));
        }
        out.note(Note::TookOver { term: self.raft.term(), leases });
        self.arm_lessor(out);
    }

    pub(super) fn demote(&mut self, out: &mut impl Outbox<ServerSpeech>) {
        self.primary = false;
        self.lessor = Lessor::default();
        out.disarm(ServerTimer::Lessor);
        for (_, asker) in std::mem::take(&mut self.renewals) {
            self.answer(asker, Reply::Failed(Fault::NoLeader), out);
        }
    }

    pub(super) fn arm_lessor(&self, out: &mut impl Outbox<ServerSpeech>) {
        match self.lessor.next_due(&self.config.leases) {
            Some(due) => out.arm(ServerTimer::Lessor, due),
            None => out.disarm(ServerTimer::Lessor),
        }
    }

    pub(super) fn look_at_leases(&mut self, now: Mono, out: &mut impl Outbox<ServerSpeech>) {
        if !self.primary {
            return;
        }
        let me = self.config.raft.me;
        for lease in self.lessor.take_expired(now, &self.config.leases) {
            self.propose(me, 0, Action::Expire(lease), now, out);
        }
        for (lease, left) in self.lessor.take_checkpoints(now, &self.config.leases) {
            self.propose(me, 0, Action::Checkpoint(lease, Some(left)), now, out);
        }
        self.arm_lessor(out);
    }

    /// A lease was granted, by the log.
    pub(super) fn lease_granted(&mut self, lease: LeaseId, now: Mono, out: &mut impl Outbox<ServerSpeech>) {
        if self.primary {
            let times = &self.config.leases;
            self.lessor.track(lease, &self.state.leases[&lease], kernel::Span::ZERO, now, times);
            self.arm_lessor(out);
        }
    }

    /// A lease ended, by the log: whoever waited for that is told.
    pub(super) fn lease_ended(&mut self, lease: LeaseId, out: &mut impl Outbox<ServerSpeech>) {
        self.lessor.forget(lease);
        if self.primary {
            self.arm_lessor(out);
        }
        for asker in self.waiting_renewals(lease) {
            self.answer(asker, Reply::KeptAlive(None), out);
        }
    }

    /// A checkpoint was taken back, by the log: the renewals that waited for that count from now.
    pub(super) fn checkpoint_taken_back(
        &mut self,
        lease: LeaseId,
        now: Mono,
        out: &mut impl Outbox<ServerSpeech>,
    ) {
        self.lessor.taken_back(lease, now, &self.config.leases);
        for asker in self.waiting_renewals(lease) {
            self.renew(asker, lease, now, out);
        }
        if self.primary {
            self.arm_lessor(out);
        }
    }

    fn waiting_renewals(&mut self, lease: LeaseId) -> Vec<super::Asker> {
        let (of_this, of_others): (Vec<_>, Vec<_>) =
            std::mem::take(&mut self.renewals).into_iter().partition(|(waiting, _)| *waiting == lease);
        self.renewals = of_others;
        of_this.into_iter().map(|(_, asker)| asker).collect()
    }
}
