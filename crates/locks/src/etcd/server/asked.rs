//! Clients' requests: what is answered at once, what waits for the log, and what only the leader can answer.

use std::rc::Rc;

use kernel::{Lift, Mono, Outbox, ProcessId};

use super::{Asker, Proposed, Server, ServerSpeech, WaitingRead, Watch};
use crate::etcd::lessor::Renewal;
use crate::etcd::{Action, Command, Fault, Msg, Reply, Request};
use crate::{Key, LeaseId, Note, Reading};

impl Server {
    pub(super) fn asked(
        &mut self,
        asker: Asker,
        request: &Rc<Request>,
        now: Mono,
        out: &mut impl Outbox<ServerSpeech>,
    ) {
        match &**request {
            Request::Txn(txn) if txn.changes_a_key_twice() => {
                self.answer(asker, Reply::Failed(Fault::DuplicateKey), out);
            }
            Request::Grant(_) | Request::Revoke(_) | Request::Txn(_) => {
                self.put_into_log(asker, request, now, out);
            }
            Request::KeepAlive(lease) => self.keep_alive(asker, *lease, now, out),
            Request::Get { key, serializable: true } => {
                let found = self.state.get(key);
                self.read_served(asker, found.revision, out);
                self.answer(asker, Reply::Got(found), out);
            }
            Request::Get { serializable: false, .. } | Request::LastCreatedBefore { .. } => {
                self.read(asker, request, now, out);
            }
            Request::WatchDelete { key, from } => self.watch(asker, key, *from, out),
        }
    }

    fn put_into_log(
        &mut self,
        asker: Asker,
        request: &Rc<Request>,
        now: Mono,
        out: &mut impl Outbox<ServerSpeech>,
    ) {
        let Asker { client, id, .. } = asker;
        if self.propose(client, id, Action::Client(request.clone()), now, out) {
            let patience = self.config.leases.revoke_retry;
            self.proposed.retain(|asked| asked.since + patience > now);
            self.proposed.push(Proposed { client, id, since: now });
        } else {
            self.answer(asker, Reply::Failed(Fault::NoLeader), out);
        }
    }

    /// Whether the log took it: what becomes of it then, the log tells.
    pub(super) fn propose(
        &mut self,
        client: ProcessId,
        id: u64,
        action: Action,
        now: Mono,
        out: &mut impl Outbox<ServerSpeech>,
    ) -> bool {
        let command = Rc::new(Command { origin: self.config.raft.me, client, id, action });
        self.raft.propose(command, now, &mut Lift::new(out)).is_ok()
    }

    /// A keep-alive never goes through the log: the leader moves the deadline in its memory, a follower passes it on.
    pub(super) fn keep_alive(
        &mut self,
        asker: Asker,
        lease: LeaseId,
        now: Mono,
        out: &mut impl Outbox<ServerSpeech>,
    ) {
        if !self.raft.is_leader() {
            match (self.raft.leader(), asker.via) {
                (Some(leader), None) => {
                    let Asker { client, id, .. } = asker;
                    let request = Rc::new(Request::KeepAlive(lease));
                    out.send(leader, Msg::Forward { client, id, request });
                }
                // Passed on once already: the follower that did so knew no better.
                (Some(_), Some(_)) | (None, _) => self.answer(asker, Reply::Failed(Fault::NoLeader), out),
            }
        } else if !self.primary {
            self.answer(asker, Reply::Failed(Fault::NotPrimary), out);
        } else {
            self.renew(asker, lease, now, out);
        }
    }

    /// The leader renews a lease, now or when the log has done what must come first.
    pub(super) fn renew(
        &mut self,
        asker: Asker,
        lease: LeaseId,
        now: Mono,
        out: &mut impl Outbox<ServerSpeech>,
    ) {
        match self.lessor.renew(lease, now) {
            Renewal::Until { deadline, ttl } => {
                out.note(Note::Renewed { lease, deadline: Reading::Mono(deadline) });
                self.answer(asker, Reply::KeptAlive(Some(ttl)), out);
            }
            Renewal::Checkpointed => {
                // Answered before the log has it, a new leader would free the lock under its holder.
                if self.propose(self.config.raft.me, 0, Action::Checkpoint(lease, None), now, out) {
                    self.lessor.taking_back(lease);
                    self.renewals.push((lease, asker));
                } else {
                    self.answer(asker, Reply::Failed(Fault::NoLeader), out);
                }
            }
            Renewal::Ending => self.renewals.push((lease, asker)),
            Renewal::Unknown => self.answer(asker, Reply::KeptAlive(None), out),
        }
    }

    fn read(&mut self, asker: Asker, request: &Rc<Request>, now: Mono, out: &mut impl Outbox<ServerSpeech>) {
        self.ctx += 1;
        let ctx = self.ctx;
        if self.raft.read(ctx, now, &mut Lift::new(out)).is_ok() {
            let patience = self.config.leases.revoke_retry;
            self.readings.retain(|reading| reading.since + patience > now);
            self.readings.push(WaitingRead { ctx, asker, request: request.clone(), since: now, index: None });
        } else {
            self.answer(asker, Reply::Failed(Fault::NoLeader), out);
        }
    }

    fn read_served(&self, asker: Asker, revision: u64, out: &mut impl Outbox<ServerSpeech>) {
        out.note(Note::ReadServed { to: asker.client, id: asker.id, revision });
    }

    /// Serves the reads for which enough is applied.
    pub(super) fn serve_reads(&mut self, out: &mut impl Outbox<ServerSpeech>) {
        while let Some(ready) = self.raft.next_read() {
            if let Some(reading) = self.readings.iter_mut().find(|reading| reading.ctx == ready.ctx) {
                reading.index = Some(ready.index);
            }
        }
        let applied = self.raft.applied();
        let ready = |reading: &WaitingRead| reading.index.is_some_and(|index| index <= applied);
        while let Some(place) = self.readings.iter().position(ready) {
            let WaitingRead { asker, request, .. } = self.readings.remove(place);
            let found = match &*request {
                Request::Get { key, .. } => self.state.get(key),
                Request::LastCreatedBefore { prefix, revision } => {
                    self.state.last_created_before(prefix, *revision)
                }
                Request::Grant(_)
                | Request::KeepAlive(_)
                | Request::Revoke(_)
                | Request::Txn(_)
                | Request::WatchDelete { .. } => unreachable!("only reads wait here"),
            };
            self.read_served(asker, found.revision, out);
            self.answer(asker, Reply::Got(found), out);
        }
    }

    /// The old leader will not say any more from where on a read is recent enough (etcd: `ErrLeaderChanged`).
    pub(super) fn leader_changed(&mut self, out: &mut impl Outbox<ServerSpeech>) {
        for reading in std::mem::take(&mut self.readings) {
            if reading.index.is_some() {
                self.readings.push(reading);
            } else {
                self.answer(reading.asker, Reply::Failed(Fault::NoLeader), out);
            }
        }
    }

    fn watch(&mut self, asker: Asker, key: &Key, from: u64, out: &mut impl Outbox<ServerSpeech>) {
        self.answer(asker, Reply::Watching, out);
        let Asker { client, id, .. } = asker;
        self.watches.retain(|watch| watch.client != client || watch.key != *key);
        match self.state.deleted_since(key, from) {
            Some(revision) => out.send(client, Msg::Deleted { id, revision }),
            None => self.watches.push(Watch { client, id, key: key.clone(), from }),
        }
    }
}
