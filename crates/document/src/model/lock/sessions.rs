//! Services of a replicated log that know their clients by sessions.

use derive::Read;
use kernel::Span;
#[cfg(feature = "schema")]
use schemars::JsonSchema;

use super::super::one;
use super::{Reads, three};
use crate::duration::Dur;

/// A Consul datacenter's servers.
#[derive(Clone, Debug, PartialEq, Read)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Consul {
    /// The servers' names: 1 to 9 (default ["n1", "n2", "n3"]).
    #[serde(default = "three")]
    pub nodes: Vec<String>,
    /// A session's time to live: "10s" to "24h" (default "15s", as api/lock.go). The leader lets it run twice as long.
    #[serde(default = "fifteen_seconds")]
    pub ttl: Dur,
    /// For how long nobody gets a lock whose session ended: at most "60s" (default "15s").
    #[serde(default = "fifteen_seconds")]
    pub lock_delay: Dur,
    /// What becomes of a session's locks when it ends (default "release").
    #[serde(default)]
    pub behavior: Behavior,
    /// Which number stands for a fencing token (default "lock-index", as the sequencer).
    #[serde(default)]
    pub token: ConsulToken,
    /// Who leads when the play begins (default: the first server). "none": nobody; the servers elect a leader.
    #[serde(default)]
    pub leader: Option<String>,
    /// The term in which it leads (default 1).
    #[serde(default = "one")]
    pub term: u64,
    /// How often the leader sends heartbeats (default "100ms").
    #[serde(default = "a_tenth")]
    pub heartbeat: Dur,
    /// The election timeout: at least two heartbeats (default "1s").
    #[serde(default = "a_second")]
    pub election_timeout: Dur,
    /// How long a server's disk takes to keep a write (default "0s").
    #[serde(default)]
    pub disk: Dur,
}

/// A CP group of Hazelcast's members.
#[derive(Clone, Debug, PartialEq, Read)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Hazelcast {
    /// The members' names: 1 to 9 (default ["n1", "n2", "n3"]).
    #[serde(default = "three")]
    pub nodes: Vec<String>,
    /// A session's time to live: at least "1s" (default "300s").
    #[serde(default = "three_hundred_seconds")]
    pub ttl: Dur,
    /// How often a session is heard of: less than its time to live (default "5s").
    #[serde(default = "five_seconds")]
    pub session_heartbeat: Dur,
    /// Who leads when the play begins (default: the first member). "none": nobody; the members elect a leader.
    #[serde(default)]
    pub leader: Option<String>,
    /// The term in which it leads (default 1).
    #[serde(default = "one")]
    pub term: u64,
    /// How often the leader sends heartbeats (default "100ms").
    #[serde(default = "a_tenth")]
    pub heartbeat: Dur,
    /// The election timeout: at least two heartbeats (default "1s").
    #[serde(default = "a_second")]
    pub election_timeout: Dur,
    /// How long a member's disk takes to keep a write (default "0s").
    #[serde(default)]
    pub disk: Dur,
}

/// What becomes of a session's locks when it ends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Read)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Behavior {
    /// They are released.
    #[default]
    Release,
    /// Their keys are deleted: the LockIndex begins at 1 again.
    Delete,
}

/// Which number of Consul's stands for a fencing token.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Read)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum ConsulToken {
    /// The key's LockIndex.
    #[default]
    LockIndex,
    /// The ModifyIndex at which it was acquired.
    ModifyIndex,
}

/// A ZooKeeper ensemble.
#[derive(Clone, Debug, PartialEq, Read)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Zookeeper {
    /// The servers' names: 1 to 9 (default ["n1", "n2", "n3"]).
    #[serde(default = "three")]
    pub nodes: Vec<String>,
    /// The session timeout that clients ask for (default "10s"). They get 2 to 20 ticks.
    #[serde(default = "ten_seconds")]
    pub ttl: Dur,
    /// tickTime: at least "1ms" (default "2s", as the sample configuration).
    #[serde(default = "two_seconds")]
    pub tick: Dur,
    /// Which number stands for a fencing token (default "czxid").
    #[serde(default)]
    pub token: ZookeeperToken,
    /// Who leads when the play begins (default: the first server). "none": nobody; the servers elect a leader.
    #[serde(default)]
    pub leader: Option<String>,
    /// The epoch in which it leads (default 1).
    #[serde(default = "one")]
    pub epoch: u64,
    /// How often the leader sends heartbeats (default "100ms").
    #[serde(default = "a_tenth")]
    pub heartbeat: Dur,
    /// The election timeout: at least two heartbeats (default "1s").
    #[serde(default = "a_second")]
    pub election_timeout: Dur,
    /// How long a server's disk takes to keep a write (default "0s").
    #[serde(default)]
    pub disk: Dur,
}

/// Raft's leadership as the lock. Each worker asks the node beside it: the first worker the first node, and so on.
#[derive(Clone, Debug, PartialEq, Read)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct RaftLock {
    /// The members' names: 1 to 9 (default ["n1", "n2", "n3"]).
    #[serde(default = "three")]
    pub nodes: Vec<String>,
    /// For how long a worker goes on whose node has said that it leads: at least "1ms" (default "1s", an election timeout).
    #[serde(default = "a_second")]
    pub ttl: Dur,
    /// How a node makes sure that it leads (default "read-index").
    #[serde(default)]
    pub reads: Reads,
    /// Who leads when the play begins (default: the first node). "none": nobody; the nodes elect a leader.
    #[serde(default)]
    pub leader: Option<String>,
    /// The term in which it leads (default 1).
    #[serde(default = "one")]
    pub term: u64,
    /// How often the leader sends heartbeats (default "100ms").
    #[serde(default = "a_tenth")]
    pub heartbeat: Dur,
    /// The election timeout: at least two heartbeats (default "1s").
    #[serde(default = "a_second")]
    pub election_timeout: Dur,
    /// How long a node's disk takes to keep a write (default "0s").
    #[serde(default)]
    pub disk: Dur,
}

/// Which number of ZooKeeper's stands for a fencing token.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Read)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum ZookeeperToken {
    /// The transaction that created the node: epoch and counter.
    #[default]
    Czxid,
    /// The node's sequence number, from 0.
    Sequence,
}

const fn a_tenth() -> Dur {
    Dur(Span::from_millis(100))
}
const fn a_second() -> Dur {
    Dur::secs(1)
}
const fn two_seconds() -> Dur {
    Dur::secs(2)
}
const fn five_seconds() -> Dur {
    Dur::secs(5)
}
const fn three_hundred_seconds() -> Dur {
    Dur::secs(300)
}
const fn ten_seconds() -> Dur {
    Dur::secs(10)
}
const fn fifteen_seconds() -> Dur {
    Dur::secs(15)
}
