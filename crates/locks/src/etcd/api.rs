//! What clients ask of an etcd, and what it answers: the part of its API that locks are built from.

use std::rc::Rc;

use kernel::{ProcessId, Span};

use super::App;
use crate::{Key, LeaseId};

/// What servers and clients send each other.
#[derive(Clone, Debug)]
pub enum Msg {
    /// Between servers: the log.
    Peer(raft::Message<App>),
    /// A client asks. `id` is its own number for the request, never used twice.
    Request {
        /// The client's number.
        id: u64,
        /// What.
        request: Rc<Request>,
    },
    /// A server answers.
    Reply {
        /// The client's number.
        id: u64,
        /// How it went.
        reply: Rc<Reply>,
    },
    /// A follower passes on to the leader what only the leader can answer (keep-alives go over the peers' HTTP).
    Forward {
        /// The client.
        client: ProcessId,
        /// Its number.
        id: u64,
        /// What.
        request: Rc<Request>,
    },
    /// The leader answers to the follower, which answers its client.
    ForwardReply {
        /// The client.
        client: ProcessId,
        /// Its number.
        id: u64,
        /// How it went.
        reply: Rc<Reply>,
    },
    /// A watched key was deleted.
    Deleted {
        /// The number of the watch request.
        id: u64,
        /// The revision of the deletion.
        revision: u64,
    },
}

impl Msg {
    /// The number that a client gave to the request that this message is, or is about, when it is a client's to hear
    /// or to be refused.
    pub fn of_request(&self) -> Option<u64> {
        match self {
            Self::Reply { id, .. } | Self::Deleted { id, .. } | Self::Request { id, .. } => Some(*id),
            Self::Peer(_) | Self::Forward { .. } | Self::ForwardReply { .. } => None,
        }
    }
}

/// A request.
#[derive(Clone, Debug, PartialEq)]
pub enum Request {
    /// A lease of this length. Through the log.
    Grant(Span),
    /// More time for a lease. Never through the log.
    KeepAlive(LeaseId),
    /// The end of a lease and of the keys bound to it. Through the log.
    Revoke(LeaseId),
    /// Compare, then change. Through the log.
    Txn(Txn),
    /// Read one key, linearizably (after a round of the leader's heartbeats) or from the server's own state.
    Get {
        /// Which key.
        key: Key,
        /// From the server's own state, however old.
        serializable: bool,
    },
    /// The youngest key of a prefix that was created at this revision or before: the one just ahead in a queue.
    LastCreatedBefore {
        /// The prefix.
        prefix: Key,
        /// The revision.
        revision: u64,
    },
    /// Tell when this key is deleted at this revision or later.
    WatchDelete {
        /// Which key.
        key: Key,
        /// From which revision on.
        from: u64,
    },
}

/// Compare, then one list of changes or the other, in one step and at one revision.
#[derive(Clone, Debug, PartialEq)]
pub struct Txn {
    /// All must hold.
    pub compare: Compare,
    /// Done when they do.
    pub then: Vec<KvOp>,
    /// Done when one does not.
    pub otherwise: Vec<KvOp>,
}

/// One comparison with a key's current state. A key that is not there has 0 in every field but its value: that
/// compares with nothing, so the comparison fails whatever it asks (`server/etcdserver/txn/txn.go`, `applyCompare`).
#[derive(Clone, Debug, PartialEq)]
pub struct Compare {
    /// Which key.
    pub key: Key,
    /// Which field of it.
    pub field: Field,
    /// How.
    pub relation: Relation,
    /// With what.
    pub with: u64,
}

/// What of a key is compared.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Field {
    /// The revision at which it was created.
    CreateRevision,
    /// The revision at which it was last changed.
    ModRevision,
    /// How often it was changed since it was created.
    Version,
    /// What it holds.
    Value,
}

/// How two numbers are compared.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Relation {
    /// The same.
    Equal,
    /// Not the same.
    NotEqual,
    /// The key's is greater.
    Greater,
    /// The key's is less.
    Less,
}

/// One operation of a transaction.
#[derive(Clone, Debug, PartialEq)]
pub enum KvOp {
    /// Write a key, bound to a lease or to none.
    Put {
        /// Which.
        key: Key,
        /// What.
        value: u64,
        /// Bound to which lease.
        lease: Option<LeaseId>,
    },
    /// Delete a key.
    Delete(Key),
    /// Read a key.
    Get(Key),
    /// Read the oldest key of a prefix.
    GetFirstCreated(Key),
}

/// An answer.
#[derive(Clone, Debug, PartialEq)]
pub enum Reply {
    /// A lease was granted.
    Granted {
        /// Its number.
        lease: LeaseId,
        /// How long it is: longer than asked for, where that was too short for the service.
        ttl: Span,
    },
    /// The lease was renewed for this long from when it was answered; nothing when there is no such lease.
    KeptAlive(Option<Span>),
    /// The lease is gone; false when it was not there.
    Revoked(bool),
    /// How a transaction went.
    Txn(TxnReply),
    /// A read.
    Got(Found),
    /// The watch is on.
    Watching,
    /// It could not be done now, or what was done is not known.
    Failed(Fault),
}

/// What a transaction did.
#[derive(Clone, Debug, PartialEq)]
pub struct TxnReply {
    /// Whether the comparison held.
    pub succeeded: bool,
    /// The store's revision afterwards.
    pub revision: u64,
    /// What its reads read, in order.
    pub found: Vec<Option<(Key, super::KeyValue)>>,
}

/// What a read found, and the revision that it is as of.
#[derive(Clone, Debug, PartialEq)]
pub struct Found {
    /// The store's revision.
    pub revision: u64,
    /// The key, if it is there.
    pub key: Option<(Key, super::KeyValue)>,
}

/// Why a server could not answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fault {
    /// It knows no leader.
    NoLeader,
    /// It leads, and has not yet taken over the leases.
    NotPrimary,
    /// The transaction binds a key to a lease that is not there.
    LeaseNotFound,
    /// There is a lease with this number already: the grant was carried out before (gRPC code 9).
    LeaseExists,
    /// The transaction changes a key twice (gRPC code 3).
    DuplicateKey,
}

impl Txn {
    /// Whether one of its lists puts a key that it puts or deletes as well (`server/etcdserver/api/v3rpc/key.go`,
    /// `checkTxnRequest`). Deleting a key twice is allowed.
    pub fn changes_a_key_twice(&self) -> bool {
        [&self.then, &self.otherwise].into_iter().any(|ops| {
            ops.iter().enumerate().any(|(place, op)| {
                let KvOp::Put { key, .. } = op else { return false };
                ops.iter().enumerate().any(|(other, op)| other != place && op.changes() == Some(key))
            })
        })
    }
}

impl KvOp {
    /// The key that it changes.
    fn changes(&self) -> Option<&Key> {
        match self {
            Self::Put { key, .. } | Self::Delete(key) => Some(key),
            Self::Get(_) | Self::GetFirstCreated(_) => None,
        }
    }
}

impl Fault {
    /// In words.
    pub fn text(self) -> &'static str {
        match self {
            Self::NoLeader => "no leader",
            Self::NotPrimary => "the leader has not taken over the leases yet",
            Self::LeaseNotFound => "no such lease",
            Self::LeaseExists => "there is such a lease already",
            Self::DuplicateKey => "a key is changed twice in one transaction",
        }
    }
}

/// What goes through the log.
#[derive(Clone, Debug)]
pub struct Command {
    /// The server that proposed it, and answers when it applies it.
    pub origin: ProcessId,
    /// The client that asked; the server itself for an expiry or a checkpoint.
    pub client: ProcessId,
    /// The asker's number.
    pub id: u64,
    /// What to do.
    pub action: super::Action,
}
