//! What the log says is carried out, alike on every member; the one that was asked answers.

use std::rc::Rc;

use kernel::{Mono, Outbox};

use super::{Asker, Server, ServerSpeech};
use crate::etcd::{Action, Change, Command, Effect, Fault, KeyValue, Msg, Reply, State};
use crate::{Freed, Key};

impl Server {
    pub(super) fn apply(&mut self, command: &Command, now: Mono, out: &mut impl Outbox<ServerSpeech>) {
        let Command { origin, client, id, action } = command;
        let state = Rc::make_mut(&mut self.state);
        let effect = state.apply(action, *client, *id, self.config.leases.min_ttl);
        let reply = match effect {
            Effect::Granted(lease, Some(ttl)) => {
                self.lease_granted(lease, now, out);
                Some(Reply::Granted { lease, ttl })
            }
            Effect::Granted(_, None) => Some(Reply::Failed(Fault::LeaseExists)),
            Effect::Ended(lease, gone) => {
                let how = match action {
                    Action::Expire(_) => Freed::Expired,
                    Action::Client(_) | Action::Checkpoint(..) => Freed::Released,
                };
                for (key, value) in gone.iter().flatten() {
                    self.deleted(key, value, how, now, out);
                }
                self.lease_ended(lease, out);
                Some(Reply::Revoked(gone.is_some()))
            }
            Effect::Txn(result, changes) => {
                for change in &changes {
                    match change {
                        Change::Put(key, value) => self.record_put(key, value, *client, now, out),
                        Change::Deleted(key, value) => self.deleted(key, value, Freed::Released, now, out),
                    }
                }
                Some(result.map_or_else(Reply::Failed, Reply::Txn))
            }
            Effect::Checkpointed(lease, None) => {
                self.checkpoint_taken_back(lease, now, out);
                None
            }
            Effect::Checkpointed(_, Some(_)) => None,
        };
        let asked_here = *origin == self.config.raft.me && {
            let waiting = self.proposed.len();
            self.proposed.retain(|asked| (asked.client, asked.id) != (*client, *id));
            self.proposed.len() < waiting
        };
        if let (true, Some(reply)) = (asked_here, reply) {
            self.answer(Asker { client: *client, id: *id, via: None }, reply, out);
        }
    }

    /// A key is gone: watchers hear of it, and if it was a lock's, the record says so.
    fn deleted(
        &mut self,
        key: &Key,
        value: &KeyValue,
        how: Freed,
        now: Mono,
        out: &mut impl Outbox<ServerSpeech>,
    ) {
        self.tell_watchers(out);
        self.record_deletion(key, value, how, now, out);
    }

    /// Loads the leader's snapshot in place of the entries that this member lacks. What it lacked may have deleted keys
    /// that somebody watches (etcd: `watchableStore.Restore`).
    pub(super) fn load(&mut self, state: Rc<State>, out: &mut impl Outbox<ServerSpeech>) {
        self.state = state;
        self.tell_watchers(out);
    }

    /// Every watcher whose key was deleted hears of it, once.
    fn tell_watchers(&mut self, out: &mut impl Outbox<ServerSpeech>) {
        let state = &self.state;
        self.watches.retain(|watch| {
            let deleted = state.deleted_since(&watch.key, watch.from);
            if let Some(revision) = deleted {
                out.send(watch.client, Msg::Deleted { id: watch.id, revision });
            }
            deleted.is_none()
        });
    }
}
