//! Services whose locks are claimed, renewed and released in one request each.

use derive::Read;
use kernel::Span;
#[cfg(feature = "schema")]
use schemars::JsonSchema;

use super::{alone, five, three};
use crate::duration::Dur;

/// A Redis server.
#[derive(Clone, Debug, PartialEq, Read)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Redis {
    /// The server's name, alone in a list (default ["n1"]).
    #[serde(default = "alone")]
    pub nodes: Vec<String>,
    /// How long a key lives: at least "1ms" (default "30s").
    #[serde(default = "half_a_minute")]
    pub ttl: Dur,
    /// What stands for a fencing token (default "none").
    #[serde(default)]
    pub token: RedisToken,
    /// Where the counter stands when the play begins (default 0).
    #[serde(default)]
    pub counted: u64,
    /// What a crash leaves (default "none").
    #[serde(default)]
    pub persistence: Persistence,
    /// How long the disk takes to keep a write (default "0s").
    #[serde(default)]
    pub disk: Dur,
}

/// Redis with replicas that copy it.
#[derive(Clone, Debug, PartialEq, Read)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct RedisReplicated {
    /// The servers' names: 2 to 9, the primary first (default ["n1", "n2", "n3"]). The next in the list is promoted first.
    #[serde(default = "three")]
    pub nodes: Vec<String>,
    /// How long a key lives: at least "1ms" (default "30s").
    #[serde(default = "half_a_minute")]
    pub ttl: Dur,
    /// What stands for a fencing token (default "none").
    #[serde(default)]
    pub token: RedisToken,
    /// Where the counter stands when the play begins (default 0).
    #[serde(default)]
    pub counted: u64,
    /// How long the primary keeps a change to itself before it sends it on (default "100ms").
    #[serde(default = "a_tenth")]
    pub lag: Dur,
    /// For how long a replica hears nothing of its primary before it is promoted (default "30s", as Sentinel's
    /// down-after-milliseconds).
    #[serde(default = "half_a_minute")]
    pub down_after: Dur,
    /// For how long a primary that hears of a newer one goes on before it is made a replica (default "0s"; Sentinel takes
    /// "8s" at least, but its clients ask it for the primary).
    #[serde(default)]
    pub demoted_after: Dur,
    /// How many replicas must have been heard of lately for a write to be accepted (default 0, as Redis:
    /// min-replicas-to-write).
    #[serde(default)]
    pub min_replicas: u32,
    /// How lately (default "10s", as Redis: min-replicas-max-lag).
    #[serde(default = "ten_seconds")]
    pub max_lag: Dur,
    /// How many replicas must have a claim before it is answered (default 0: none; WAIT).
    #[serde(default)]
    pub wait: u32,
    /// For how long that is waited for (default "1s"): shorter than the claimers' `renew.timeout`, or they give up before.
    /// The key stays either way, until its claimer deletes it.
    #[serde(default = "a_second")]
    pub wait_for: Dur,
    /// What a crash leaves (default "none").
    #[serde(default)]
    pub persistence: Persistence,
    /// How long a disk takes to keep a write (default "0s").
    #[serde(default)]
    pub disk: Dur,
}

/// What stands for a fencing token where the service hands out none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Read)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum RedisToken {
    /// Nothing: the lock comes without one.
    #[default]
    None,
    /// A counter of the lock's own, incremented in the script that sets the key.
    Counter,
}

/// What of a server's memory is on its disk when it crashes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Read)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Persistence {
    /// Nothing that matters within minutes (Redis' default: a snapshot now and then).
    #[default]
    None,
    /// Everything up to a second ago (`appendfsync everysec`, and the machine goes with what its system had not written).
    Everysec,
    /// Everything that was answered (`appendfsync always`).
    Always,
}

/// Redlock: several Redis servers that know nothing of each other.
#[derive(Clone, Debug, PartialEq, Read)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Redlock {
    /// The servers' names: 1 to 9 (default ["n1", "n2", "n3", "n4", "n5"]).
    #[serde(default = "five")]
    pub nodes: Vec<String>,
    /// How long a key lives: at least "1ms" (default "30s").
    #[serde(default = "half_a_minute")]
    pub ttl: Dur,
    /// How much of the lease is given up for clocks that run apart (default: a hundredth of it and "2ms", as the
    /// algorithm says).
    #[serde(default)]
    pub drift: Option<Dur>,
    /// What a crash leaves (default "none").
    #[serde(default)]
    pub persistence: Persistence,
    /// How long the disk takes to keep a write (default "0s").
    #[serde(default)]
    pub disk: Dur,
}

/// A row in PostgreSQL.
#[derive(Clone, Debug, PartialEq, Read)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct PostgresRow {
    /// The server's name, alone in a list (default ["n1"]).
    #[serde(default = "alone")]
    pub nodes: Vec<String>,
    /// How long a lease is: at least "1ms" (default "10s").
    #[serde(default = "ten_seconds")]
    pub ttl: Dur,
    /// The row's token when the play begins (default 0: there is no row).
    #[serde(default)]
    pub token: u64,
    /// What a release does (default "keep").
    #[serde(default)]
    pub release: RowRelease,
    /// How long the disk takes to commit (default "0s").
    #[serde(default)]
    pub disk: Dur,
}

/// What releasing does to the row.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Read)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum RowRelease {
    /// The row stays, and its token with it.
    #[default]
    Keep,
    /// The row is deleted: the next token is 1 again.
    Delete,
}

/// An item in DynamoDB with an expiry.
#[derive(Clone, Debug, PartialEq, Read)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct DynamodbItem {
    /// The table's name, alone in a list (default ["n1"]).
    #[serde(default = "alone")]
    pub nodes: Vec<String>,
    /// How long a lease is: at least "1ms" (default "10s").
    #[serde(default = "ten_seconds")]
    pub ttl: Dur,
    /// How far behind an expiry must be, on the claimer's own wall clock, before it claims (default "0s"). Above the worst
    /// offset between two clocks, or holders overlap.
    #[serde(default)]
    pub clock_margin: Dur,
    /// The item's epoch when the play begins (default 0: there is no item).
    #[serde(default)]
    pub epoch: u64,
    /// How long after its expiry DynamoDB's TTL deletes the item (default: not within the play; the real one takes up to
    /// two days). The next epoch is 1 then.
    #[serde(default)]
    pub deleted_after: Option<Dur>,
    /// How long the service takes to keep a write (default "0s").
    #[serde(default)]
    pub disk: Dur,
}

/// A flag that says who the single writer is, in several copies.
#[derive(Clone, Debug, PartialEq, Read)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Handover {
    /// The copies' names: 1 to 9 (default ["n1", "n2", "n3"]).
    #[serde(default = "three")]
    pub nodes: Vec<String>,
    /// For how long a writer may go on that has seen a majority say that it writes: at least "1ms" (default "10s").
    #[serde(default = "ten_seconds")]
    pub ttl: Dur,
    /// How long the next writer waits before it begins (default: the lease and "5s"). Longer than the lease, or two
    /// writers overlap.
    #[serde(default)]
    pub wait: Option<Dur>,
    /// The last epoch before the play begins (default 0).
    #[serde(default)]
    pub epoch: u64,
    /// How long a copy's disk takes to keep a write (default "0s").
    #[serde(default)]
    pub disk: Dur,
}

/// A lock in one process.
#[derive(Clone, Debug, PartialEq, Read)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Lab {
    /// The process's name, alone in a list (default ["n1"]).
    #[serde(default = "alone")]
    pub nodes: Vec<String>,
    /// How long a lease is: at least "1ms" (default "10s").
    #[serde(default = "ten_seconds")]
    pub ttl: Dur,
    /// The last token that was handed out before the play begins (default 0).
    #[serde(default)]
    pub token: u64,
}

/// No lock.
#[derive(Clone, Debug, PartialEq, Read)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct NoLock {}

const fn a_tenth() -> Dur {
    Dur(Span::from_millis(100))
}
const fn a_second() -> Dur {
    Dur::secs(1)
}
const fn half_a_minute() -> Dur {
    Dur::secs(30)
}
pub(super) const fn ten_seconds() -> Dur {
    Dur::secs(10)
}
