//! Why a store does not do what it was asked.

use std::fmt;

use crate::s3_manifest::Etag;
use crate::{Seen, Token};

/// Why a store refused, for good.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Refusal {
    /// The fence stands higher than the token (or, by the fencepost error, as high).
    Fenced {
        /// What was sent.
        token: Token,
        /// Where the fence stood.
        fence: Token,
    },
    /// The store checks tokens and got none.
    NoToken,
    /// The lock service says that the grant is not there.
    NoGrant {
        /// The grant's number.
        token: Token,
    },
    /// The claim is not the one that was seen.
    ClaimChanged,
    /// The row is not queued: the conditional update found none.
    NotQueued,
    /// Somebody has inserted a claim with this key.
    DuplicateKey,
    /// The row is not claimed by whoever writes.
    NotClaimant,
    /// Whoever writes has no transaction: none was begun, or it was rolled back.
    NoTransaction,
    /// The row has another version than the one that was seen.
    VersionChanged {
        /// What was sent.
        sent: Seen,
        /// The row's.
        is: Seen,
    },
    /// The object has another ETag than the one that was seen: 412. Sent nothing: it was to be created, and is there.
    EtagChanged {
        /// What was sent.
        sent: Seen,
        /// The object's; nothing where there is none.
        is: Seen,
    },
    /// The stream does not end where the writer expected it to.
    Offset {
        /// Where it should have begun.
        expected: u32,
        /// Where the stream ends.
        tail: u32,
    },
    /// The clock that the ids were to be made of is behind the last timestamp that was used.
    ClockBehind {
        /// The timestamp, in milliseconds.
        timestamp: i32,
        /// The last one.
        last: i32,
    },
    /// A partition, or the coordinator, has seen a newer epoch of the producer.
    ProducerFenced {
        /// The producer's.
        epoch: u32,
        /// The newest.
        newest: u32,
        /// Which partition; `None`: the coordinator.
        partition: Option<u32>,
    },
    /// A majority of a journal's nodes has promised a newer epoch.
    Epoch {
        /// The writer's.
        epoch: u32,
        /// The one that was promised.
        promised: u32,
    },
    /// A node of a journal has missed what came before.
    OutOfSync {
        /// The entry's number.
        txid: u32,
        /// The last that it has.
        tail: u32,
    },
    /// The writer of a journal has raised no epoch.
    NoEpoch,
    /// The producer's transaction was aborted, because another took over its id.
    Aborted,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Fenced { token, fence } if token < fence => {
                write!(f, "token {token} is below the fence {fence}")
            }
            Self::Fenced { token, fence } => {
                write!(f, "token {token} is not above the fence {fence} (this store rejects an equal one)")
            }
            Self::NoToken => f.write_str("no token was sent"),
            Self::NoGrant { token } => write!(f, "the lock service has no grant with token {token} any more"),
            Self::ClaimChanged => f.write_str("the claim is no longer the one that was seen"),
            Self::NotQueued => f.write_str("the row is not queued any more: 0 rows were updated"),
            Self::DuplicateKey => {
                f.write_str("a claim with this key is there: duplicate key value violates unique constraint")
            }
            Self::NotClaimant => f.write_str("the row is not its claim: 0 rows were updated"),
            Self::NoTransaction => f.write_str("it has no transaction (any more) that holds the row lock"),
            Self::VersionChanged { sent: Seen::NOTHING, is: Seen(is) } => {
                write!(f, "no version was sent, and the row has version {is}")
            }
            Self::VersionChanged { sent: Seen(sent), is: Seen(is) } => {
                write!(f, "it carries version {sent}, and the row has version {is}")
            }
            Self::EtagChanged { sent: Seen::NOTHING, is } => {
                write!(f, "it was to be created, and is there with ETag {}: 412", Etag(is))
            }
            Self::EtagChanged { sent, is: Seen::NOTHING } => {
                write!(f, "If-Match {}, and nothing is there: 404", Etag(sent))
            }
            Self::EtagChanged { sent, is } => {
                write!(f, "If-Match {}, and the ETag is {}: 412", Etag(sent), Etag(is))
            }
            Self::Offset { expected, tail } => {
                write!(f, "it expected offset {expected}, and the tail is {tail}")
            }
            Self::ClockBehind { timestamp, last } => {
                write!(f, "timestamp {timestamp} ms is behind the last one used, {last} ms")
            }
            Self::ProducerFenced { epoch, newest, partition: Some(partition) } => {
                write!(f, "epoch {epoch} is below {newest}, the newest that partition {partition} has seen")
            }
            Self::ProducerFenced { epoch, newest, partition: None } => {
                write!(f, "epoch {epoch} is below {newest}, the coordinator's")
            }
            Self::Epoch { epoch, promised } => {
                write!(f, "epoch {epoch} is below {promised}, which a majority has promised")
            }
            Self::OutOfSync { txid, tail } => {
                write!(f, "entry {txid} does not follow {tail}, the last that is there")
            }
            Self::NoEpoch => f.write_str("it has raised no epoch"),
            Self::Aborted => f.write_str("its transaction was aborted: another producer took over its id"),
        }
    }
}

/// Why a transaction was rolled back that had not come to its end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RollBack {
    /// Its connection was closed.
    ConnectionClosed,
    /// It waited too long for its next statement.
    IdleInTransaction,
}

impl fmt::Display for RollBack {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::ConnectionClosed => "its connection is closed",
            Self::IdleInTransaction => "it was idle for too long (idle_in_transaction_session_timeout)",
        })
    }
}

/// Why a store did not do it now: the client library asks again.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Conflict {
    /// Another transaction is using an item of this one.
    Transaction,
    /// Another upload finished while this one was on its way: 409.
    Upload,
    /// A request with the same idempotency key is in progress: 409.
    InProgress,
    /// Ids of this very millisecond were made already.
    SameMillisecond,
    /// The producer's id had a transaction going on, which is aborted first.
    ConcurrentTransactions,
    /// The lock service cannot be asked.
    LockService,
    /// Another writer is raising its epoch.
    Epoch,
}

impl fmt::Display for Conflict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Transaction => "another transaction is using the fence item (TransactionConflict)",
            Self::Upload => "another upload finished meanwhile (409 ConditionalRequestConflict)",
            Self::LockService => "the lock service does not say whether the grant is there",
            Self::Epoch => "another writer is raising its epoch",
            Self::InProgress => "a request with the same key is in progress (409)",
            Self::SameMillisecond => "ids of this millisecond were made already",
            Self::ConcurrentTransactions => {
                "a transaction of this id was going on and is aborted (CONCURRENT_TRANSACTIONS)"
            }
        })
    }
}
