//! The recipes of `client/v3/concurrency`: by one key that only one can create, or by a line of keys of which the oldest
//! holds.

use std::rc::Rc;

use super::{Compare, Fault, Field, Found, KeyValue, KvOp, Msg, Relation, Reply, Txn, TxnReply};
use crate::client::{Context, Part, Purpose, Step};
use crate::{GrantId, Key, LeaseId, Request, Token, Wait};

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

/// How far a try is.
#[derive(Clone, Debug, PartialEq)]
pub struct Recipe {
    /// Whether it sees, when its turn has come in line, that its own key is still there.
    rechecks: bool,
    lease: Option<LeaseId>,
    /// The revision at which its own key was created: its place in line.
    place: u64,
}

fn request(request: super::Request) -> Request {
    Request::Etcd(Rc::new(request))
}

fn get(key: Key) -> Request {
    request(super::Request::Get { key, serializable: false })
}

fn watch(key: Key, from: u64) -> Step {
    Step::Watch(request(super::Request::WatchDelete { key, from }))
}

fn line(lock: &Key) -> Key {
    format!("{lock}/").into()
}

/// The key that a client creates: the lock's own, or one in the line below it.
fn own_key(lease: LeaseId, cx: Context<'_>) -> Key {
    match cx.policy.wait {
        Wait::Poll(_) | Wait::Watch => cx.lock.clone(),
        Wait::Queue => format!("{}/{:x}", cx.lock, lease.0).into(),
    }
}

impl Recipe {
    /// One that looks for its own key when its turn has come, as `Mutex` does, or takes its turn for granted, as
    /// `Election.Campaign` does, and `Mutex` before 3.5.
    pub fn new(rechecks: bool) -> Self {
        Self { rechecks, lease: None, place: 0 }
    }
}

/// The revision of its key names a grant, and is its token.
fn hold(revision: u64) -> Step {
    Step::Hold { grant: GrantId(revision), token: Some(Token(revision)), lease: None }
}

impl crate::client::Recipe for Recipe {
    fn begin(&mut self, cx: Context<'_>) -> Step {
        match cx.policy.wait {
            Wait::Poll(_) | Wait::Watch => Step::Ask(Part::Look, get(cx.lock.clone())),
            Wait::Queue => ask_for_lease(cx),
        }
    }

    fn answered(&mut self, purpose: Purpose, msg: &crate::Msg, cx: Context<'_>) -> Step {
        let crate::Msg::Etcd(Msg::Reply { reply, .. }) = msg else { return Step::Nothing };
        match &**reply {
            Reply::Failed(Fault::LeaseNotFound) if purpose != Purpose::Put => Step::Gone,
            Reply::Failed(fault) => Step::Failed(fault.text()),
            Reply::KeptAlive(left) => left.map_or(Step::Gone, Step::Renewed),
            Reply::Revoked(_) => Step::Released,
            Reply::Granted { lease, ttl } => {
                self.lease = Some(*lease);
                let (part, claim) = claim(*lease, cx);
                Step::Opened(*ttl, part, claim)
            }
            Reply::Txn(reply) => self.txn_done(purpose, reply, cx),
            Reply::Got(found) => self.found(purpose, found, cx),
            Reply::Watching => Step::Nothing,
        }
    }

    fn told(&mut self, cx: Context<'_>) -> Step {
        match cx.policy.wait {
            Wait::Queue => self.look_ahead(cx),
            Wait::Watch | Wait::Poll(_) => Step::Again,
        }
    }

    fn keep_alive(&mut self, _cx: Context<'_>) -> Option<Request> {
        self.lease.map(|lease| request(super::Request::KeepAlive(lease)))
    }

    /// The key goes with its lease.
    fn give_back(&mut self, _cx: Context<'_>) -> Option<Request> {
        self.lease.take().map(|lease| request(super::Request::Revoke(lease)))
    }

    fn put(&self, key: Key, value: u64) -> Option<Request> {
        Some(request(super::Request::Txn(Txn::put_always(key, value))))
    }

    fn forget(&mut self) {
        self.lease = None;
    }
}

fn ask_for_lease(cx: Context<'_>) -> Step {
    Step::Ask(Part::Open, request(super::Request::Grant(cx.policy.ttl)))
}

fn claim(lease: LeaseId, cx: Context<'_>) -> (Part, Request) {
    let mut txn = Txn::create(own_key(lease, cx), u64::from(cx.me.0), lease);
    let part = match cx.policy.wait {
        Wait::Poll(_) | Wait::Watch => Part::Claim,
        Wait::Queue => {
            // Who is at the head of the line comes with the answer: alone in it, that is all it takes.
            txn.then.push(KvOp::GetFirstCreated(line(cx.lock)));
            txn.otherwise.push(KvOp::GetFirstCreated(line(cx.lock)));
            Part::Enqueue
        }
    };
    (part, request(super::Request::Txn(txn)))
}

impl Recipe {
    fn txn_done(&mut self, purpose: Purpose, reply: &TxnReply, cx: Context<'_>) -> Step {
        match purpose {
            Purpose::Try(Part::Claim) if reply.succeeded => hold(reply.revision),
            // Somebody was quicker. The lease of this try is not needed.
            Purpose::Try(Part::Claim) => Step::Yield,
            Purpose::Try(Part::Enqueue) => {
                let created =
                    |found: &Option<(Key, KeyValue)>| found.as_ref().map(|(_, kv)| kv.create_revision);
                let own = if reply.succeeded { None } else { reply.found.first().and_then(created) };
                self.place = own.unwrap_or(reply.revision);
                if reply.found.last().and_then(created) == Some(self.place) {
                    hold(self.place)
                } else {
                    self.look_ahead(cx)
                }
            }
            Purpose::Put => Step::Written,
            Purpose::Try(Part::Look | Part::Open | Part::LookAhead | Part::Verify)
            | Purpose::Watch
            | Purpose::KeepAlive
            | Purpose::CleanUp
            | Purpose::Release => unreachable!("this is no transaction"),
        }
    }

    fn look_ahead(&self, cx: Context<'_>) -> Step {
        let ahead = super::Request::LastCreatedBefore { prefix: line(cx.lock), revision: self.place - 1 };
        Step::Ask(Part::LookAhead, request(ahead))
    }

    fn found(&mut self, purpose: Purpose, found: &Found, cx: Context<'_>) -> Step {
        match (purpose, &found.key) {
            (Purpose::Try(Part::Look), None) => ask_for_lease(cx),
            (Purpose::Try(Part::Look), Some(_)) if cx.policy.wait == Wait::Watch => {
                watch(cx.lock.clone(), found.revision + 1)
            }
            (Purpose::Try(Part::Look), Some(_)) => Step::Rest,
            (Purpose::Try(Part::LookAhead), Some((key, _))) => watch(key.clone(), found.revision + 1),
            (Purpose::Try(Part::LookAhead), None) if self.rechecks => self.verify(cx),
            (Purpose::Try(Part::LookAhead), None) => hold(self.place),
            (Purpose::Try(Part::Verify), Some((_, value))) => hold(value.create_revision),
            (Purpose::Try(Part::Verify), None) => Step::Gone,
            (
                Purpose::Try(Part::Open | Part::Claim | Part::Enqueue)
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
    fn verify(&self, cx: Context<'_>) -> Step {
        self.lease.map_or(Step::Gone, |lease| Step::Ask(Part::Verify, get(own_key(lease, cx))))
    }
}
