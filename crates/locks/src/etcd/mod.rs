//! etcd: leases and keys in one replicated log.
//!
//! A grant, a transaction, a revoke and an expiry go through the log; a keep-alive never does: the leader moves the
//! deadline in its own memory. A new leader therefore restarts every lease at full length (plus an election timeout
//! in the real one), or with what the last checkpoint says is left. The fencing token is the revision at which the
//! lock's key was created.
//!
//! Left out: what only matters with hundreds of leases (at most 1,000 expire in a second, and a new leader spreads the
//! rest), `TimeToLive`, compaction, and the check by which a leader that was stalled notices before it renews
//! (`ensureLeadership`, from 3.4.31 and 3.5.13 on).
//!
//! Sources: `server/lease/lessor.go`, `server/etcdserver/v3_server.go`, `server/storage/mvcc/kvstore_txn.go`,
//! `client/v3/concurrency/{key,mutex,session}.go` of etcd.

mod api;
mod kv;
mod lessor;
mod recipe;
mod server;

pub use api::{Command, Compare, Fault, Field, Found, KvOp, Msg, Relation, Reply, Request, Txn, TxnReply};
pub use kv::{Action, Change, Effect, KeyValue, LeaseRecord, State};
pub use lessor::{Checkpoints, LeaseTimes};
pub use recipe::Recipe;
pub use server::{App, Opening, Server, ServerConfig, ServerDisk, ServerSpeech, ServerTimer, ServerWrite};
