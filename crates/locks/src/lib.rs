//! Lock services. Each is a module with two halves: the *server half* is what the real system does; the *client
//! half* is the library that a worker embeds: its renew loop, what it measures its stop time from, when it gives up,
//! how it waits and how it releases. Most real bugs live in the client half, so its policy is data: [`Policy`].
//!
//! What both halves announce is the same for every service ([`Note`]): the authority's record and the holder's
//! belief, kept apart.

pub mod chubby;
pub mod claim;
mod client;
pub mod consul;
pub mod dynamodb_item;
pub mod dynamodb_lock_client;
pub mod etcd;
pub mod felix;
pub mod handover;
pub mod hazelcast;
mod kinds;
pub mod kubernetes;
pub mod lab;
pub mod no_lock;
mod note;
mod policy;
pub mod postgres_advisory;
pub mod postgres_row;
pub mod raft_lock;
pub mod record;
pub mod redis;
pub mod redis_replicated;
pub mod redlock;
pub mod replicated;
pub mod service;
pub mod zookeeper;

pub use client::{Client, ClientConfig, ClientSpeech, ClientTimer, majority};
pub use kinds::{
    Answer, AnyReplica, AnyService, ClientKind, Disk, Msg, Question, Reply, Request, Server, ServerConfig,
    ServerSpeech, ServerTimer, Write,
};
pub use note::{Freed, Gone, Granted, Holds, Note, Reading, Restart, ServerNote};
pub use policy::{Anchor, GiveUp, HolderClock, Policy, Wait};

use std::fmt;
use std::rc::Rc;

/// The name of a lock, or of a key in a service that keeps keys.
pub type Key = Rc<str>;

/// A fencing token: what a service numbers a grant with. A later grant of the same lock has a higher one, or the service
/// is not fit to hand out tokens. Some hand out none.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default, Hash)]
pub struct Token(pub u64);

impl fmt::Display for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Which grant of a lock: a name, not a fencing token, though a service that numbers its grants may use the same number.
/// Nothing follows from which of two is greater.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default, Hash)]
pub struct GrantId(pub u64);

/// A lease's number in its service.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default, Hash)]
pub struct LeaseId(pub u64);

/// What a client library tells the worker that embeds it.
#[derive(Clone, Debug, PartialEq)]
pub enum Word {
    /// The lock is held.
    Acquired {
        /// By this grant.
        grant: GrantId,
        /// With this token, where the service hands out any.
        token: Option<Token>,
    },
    /// It is held still, and the service has given it a newer token.
    Renumbered(Token),
    /// It was in jeopardy, and is held still.
    Safe,
    /// The lock is held no more, for this reason.
    Lost(Gone),
    /// The lock has been given back, as far as the client could tell the service.
    Released,
    /// A write of a plain key was applied.
    PutDone,
}
