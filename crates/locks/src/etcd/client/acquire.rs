//! The recipes for taking a lock: by one key that only one can create, or by a line of keys of which the oldest holds.

use kernel::{Mono, Now, Outbox, Span};

use super::calls::{Call, Purpose};
use super::{Client, ClientSpeech, ClientTimer};
use crate::etcd::{Compare, Field, Found, KeyValue, KvOp, Relation, Request, Txn, TxnReply};
use crate::{Gone, Key, LeaseId, Note, Token, Wait};

/// How far an acquisition is.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Stage {
    Idle,
    /// It looks whether the lock's key is there.
    Looking,
    /// It asks for a lease.
    Granting,
    /// It tries to create its key.
    Claiming,
    /// It looks who is just ahead.
    LookingAhead,
    /// It waits for a key to go; the number of the watch, when that is on.
    Waiting {
        key: Key,
        from: u64,
        watch: Option<u64>,
    },
    /// Nobody is ahead any more: it looks whether its own key is still there.
    Verifying,
    /// It waits for its next try.
    Resting,
    Holding,
    Releasing,
}

impl Stage {
    pub(super) fn wants(&self) -> bool {
        !matches!(self, Self::Idle | Self::Holding | Self::Releasing)
    }
    pub(super) fn text(&self) -> &'static str {
        match self {
            Self::Idle => "wants no lock",
            Self::Looking => "looks whether the lock is free",
            Self::Granting => "asks for a lease",
            Self::Claiming => "tries to create its key",
            Self::LookingAhead => "looks who is ahead in line",
            Self::Waiting { .. } => "waits for a key to go",
            Self::Verifying => "checks that its own key is still there",
            Self::Resting => "waits for its next try",
            Self::Holding => "holds the lock",
            Self::Releasing => "gives the lock back",
        }
    }
}

impl Txn {
    /// Writes a key, whatever it holds.
    pub fn put_always(key: Key, value: u64) -> Self {
        Self {
            compare: Compare {
                key: key.clone(),
                field: Field::Version,
                relation: Relation::NotEqual,
                with: u64::MAX,
            },
            then: vec![KvOp::Put { key, value, lease: None }],
            otherwise: Vec::new(),
        }
    }

    /// Creates a key bound to a lease, if it is not there.
    pub fn create(key: Key, value: u64, lease: LeaseId) -> Self {
        Self {
            compare: Compare {
                key: key.clone(),
                field: Field::CreateRevision,
                relation: Relation::Equal,
                with: 0,
            },
            then: vec![KvOp::Put { key: key.clone(), value, lease: Some(lease) }],
            otherwise: vec![KvOp::Get(key)],
        }
    }
}

impl Client {
    pub(super) fn begin_try(&mut self, now: Now, out: &mut impl Outbox<ClientSpeech>) {
        self.tried = now.mono;
        match self.waits_by() {
            Wait::Poll(_) | Wait::Watch => {
                self.stage = Stage::Looking;
                let key = self.config.lock.clone();
                self.call(Purpose::Look, Request::Get { key, serializable: false }, now, out);
            }
            Wait::Queue => self.ask_for_lease(now, out),
        }
    }

    fn ask_for_lease(&mut self, now: Now, out: &mut impl Outbox<ClientSpeech>) {
        self.stage = Stage::Granting;
        self.call(Purpose::Grant, Request::Grant(self.config.policy.ttl), now, out);
    }

    pub(super) fn granted(
        &mut self,
        call: &Call,
        lease: LeaseId,
        ttl: Span,
        now: Now,
        out: &mut impl Outbox<ClientSpeech>,
    ) {
        self.lease = Some(lease);
        self.ttl = ttl;
        self.counts_from = self.anchor_of(call.sent, now);
        out.arm(ClientTimer::Renew, call.sent.mono + self.config.policy.renew_every);
        self.stage = Stage::Claiming;
        let mut txn = Txn::create(self.own_key(lease), u64::from(self.config.me.0), lease);
        let purpose = match self.waits_by() {
            Wait::Poll(_) | Wait::Watch => Purpose::Claim,
            Wait::Queue => {
                // Who is at the head of the line comes with the answer: alone in it, that is all it takes.
                txn.then.push(KvOp::GetFirstCreated(self.line()));
                txn.otherwise.push(KvOp::GetFirstCreated(self.line()));
                Purpose::Enqueue
            }
        };
        self.call(purpose, Request::Txn(txn), now, out);
    }

    /// The key that it creates: the lock's own, or one in the line below it.
    fn own_key(&self, lease: LeaseId) -> Key {
        match self.waits_by() {
            Wait::Poll(_) | Wait::Watch => self.config.lock.clone(),
            Wait::Queue => format!("{}/{:x}", self.config.lock, lease.0).into(),
        }
    }

    fn line(&self) -> Key {
        format!("{}/", self.config.lock).into()
    }

    pub(super) fn txn_done(
        &mut self,
        purpose: Purpose,
        reply: &TxnReply,
        now: Now,
        out: &mut impl Outbox<ClientSpeech>,
    ) {
        match purpose {
            Purpose::Claim if reply.succeeded => self.hold(Token(reply.revision), now, out),
            Purpose::Claim => {
                // Somebody was quicker. The lease of this try is not needed.
                self.end_try(now, out);
                self.rest_until(self.tried + self.poll_interval(), now, out);
            }
            Purpose::Enqueue => {
                let created =
                    |found: &Option<(Key, KeyValue)>| found.as_ref().map(|(_, kv)| kv.create_revision);
                let own = if reply.succeeded { None } else { reply.found.first().and_then(created) };
                self.place = own.unwrap_or(reply.revision);
                if reply.found.last().and_then(created) == Some(self.place) {
                    self.hold(Token(self.place), now, out);
                } else {
                    self.look_ahead(now, out);
                }
            }
            Purpose::Put => self.words.push_back(crate::Word::PutDone),
            Purpose::Look
            | Purpose::Grant
            | Purpose::LookAhead
            | Purpose::Watch
            | Purpose::Verify
            | Purpose::KeepAlive
            | Purpose::CleanUp
            | Purpose::Release => unreachable!("this is no transaction"),
        }
    }

    fn look_ahead(&mut self, now: Now, out: &mut impl Outbox<ClientSpeech>) {
        self.stage = Stage::LookingAhead;
        let request = Request::LastCreatedBefore { prefix: self.line(), revision: self.place - 1 };
        self.call(Purpose::LookAhead, request, now, out);
    }

    pub(super) fn found(
        &mut self,
        purpose: Purpose,
        found: &Found,
        now: Now,
        out: &mut impl Outbox<ClientSpeech>,
    ) {
        match (purpose, &found.key) {
            (Purpose::Look, None) => self.ask_for_lease(now, out),
            (Purpose::Look, Some(_)) if self.waits_by() == Wait::Watch => {
                self.watch(self.config.lock.clone(), found.revision + 1, now, out);
            }
            (Purpose::Look, Some(_)) => self.rest_until(self.tried + self.poll_interval(), now, out),
            (Purpose::LookAhead, Some((key, _))) => self.watch(key.clone(), found.revision + 1, now, out),
            (Purpose::LookAhead, None) => self.verify(now, out),
            (Purpose::Verify, Some((_, value))) => self.hold(Token(value.create_revision), now, out),
            (Purpose::Verify, None) => self.lease_is_gone(now, out),
            (
                Purpose::Grant
                | Purpose::Claim
                | Purpose::Enqueue
                | Purpose::Watch
                | Purpose::KeepAlive
                | Purpose::CleanUp
                | Purpose::Release
                | Purpose::Put,
                _,
            ) => unreachable!("this reads nothing"),
        }
    }

    /// After waiting, a candidate must see that its own key is still there: its lease may have run out meanwhile.
    fn verify(&mut self, now: Now, out: &mut impl Outbox<ClientSpeech>) {
        let Some(lease) = self.lease else { return self.lease_is_gone(now, out) };
        self.stage = Stage::Verifying;
        let key = self.own_key(lease);
        self.call(Purpose::Verify, Request::Get { key, serializable: false }, now, out);
    }

    fn watch(&mut self, key: Key, from: u64, now: Now, out: &mut impl Outbox<ClientSpeech>) {
        self.stage = Stage::Waiting { key: key.clone(), from, watch: None };
        self.call(Purpose::Watch, Request::WatchDelete { key, from }, now, out);
    }

    pub(super) fn watch_is_on(&mut self, id: u64, now: Now, out: &mut impl Outbox<ClientSpeech>) {
        let known = self.calls.iter().any(|call| call.id == id && call.purpose == Purpose::Watch);
        if let (true, Stage::Waiting { watch, .. }) = (known, &mut self.stage) {
            let old = watch.replace(id).filter(|old| *old != id);
            self.calls.retain(|call| Some(call.id) != old);
            // The member that has it may die, and nothing would ever come: the watch is renewed now and then.
            out.arm(ClientTimer::Try, now.mono + self.config.policy.renew_every);
        }
    }

    fn refresh_watch(&mut self, now: Now, out: &mut impl Outbox<ClientSpeech>) {
        if let Stage::Waiting { key, from, .. } = &self.stage {
            let request = Request::WatchDelete { key: key.clone(), from: *from };
            self.call(Purpose::Watch, request, now, out);
        }
    }

    pub(super) fn watched_key_deleted(&mut self, id: u64, now: Now, out: &mut impl Outbox<ClientSpeech>) {
        let known = self.calls.iter().any(|call| call.id == id && call.purpose == Purpose::Watch);
        if !known || !matches!(self.stage, Stage::Waiting { .. }) {
            return;
        }
        self.calls.retain(|call| call.purpose != Purpose::Watch);
        self.parked.retain(|parked| parked.purpose != Purpose::Watch);
        self.arm_overdue(out);
        out.disarm(ClientTimer::Try);
        out.note(Note::Woken { lock: self.config.lock.clone() });
        match self.waits_by() {
            Wait::Queue => self.look_ahead(now, out),
            Wait::Watch | Wait::Poll(_) => self.begin_try(now, out),
        }
    }

    /// Waits for the next try.
    fn rest_until(&mut self, due: Mono, now: Now, out: &mut impl Outbox<ClientSpeech>) {
        self.stage = Stage::Resting;
        out.arm(ClientTimer::Try, due.max(now.mono));
    }

    /// Ends a try that came to nothing. Its lease is ended as well, and with it the key that may be there; nobody waits
    /// for the answer.
    fn end_try(&mut self, now: Now, out: &mut impl Outbox<ClientSpeech>) {
        self.drop_calls(out);
        if let Some(lease) = self.lease.take() {
            self.call(Purpose::CleanUp, Request::Revoke(lease), now, out);
        }
    }

    /// Ends a try of which nobody knows what it came to, and begins another after a rest.
    pub(super) fn abandon_try(&mut self, now: Now, out: &mut impl Outbox<ClientSpeech>) {
        self.end_try(now, out);
        self.rest_until(now.mono + self.config.policy.retry, now, out);
    }

    /// The next try is due, or the watch is to be renewed.
    pub(super) fn try_due(&mut self, now: Now, out: &mut impl Outbox<ClientSpeech>) {
        match self.stage {
            Stage::Resting => self.begin_try(now, out),
            Stage::Waiting { .. } => self.refresh_watch(now, out),
            Stage::Idle
            | Stage::Looking
            | Stage::Granting
            | Stage::Claiming
            | Stage::LookingAhead
            | Stage::Verifying
            | Stage::Holding
            | Stage::Releasing => {}
        }
    }

    /// The service does not know the lease: a holder has lost the lock, a candidate its place in line.
    pub(super) fn lease_is_gone(&mut self, now: Now, out: &mut impl Outbox<ClientSpeech>) {
        if self.held.is_some() {
            self.lose(Gone::ToldGone, out);
        } else if self.stage.wants() {
            self.lease = None;
            self.drop_calls(out);
            self.begin_try(now, out);
        }
    }
}
