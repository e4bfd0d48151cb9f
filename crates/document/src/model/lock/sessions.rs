//! Services of a replicated log that know their clients by sessions.

use derive::Read;
use kernel::Span;
#[cfg(feature = "schema")]
use schemars::JsonSchema;

use super::super::one;
use super::{Reads, five, three};
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

/// A Chubby cell.
#[derive(Clone, Debug, PartialEq, Read)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Chubby {
    /// The replicas' names: 1 to 9 (default ["n1", "n2", "n3", "n4", "n5"]).
    #[serde(default = "five")]
    pub nodes: Vec<String>,
    /// How long a session's lease is, and each extension of it: "1s" to "60s" (default "12s"; a master under load gives up
    /// to 60 s).
    #[serde(default = "twelve_seconds")]
    pub ttl: Dur,
    /// How long before a lease ends the master answers the KeepAlive that it holds back: less than the lease (default: a
    /// quarter of it). A worker's margin is shorter.
    #[serde(default)]
    pub answer_before: Option<Dur>,
    /// For how long a client whose lease is over waits to hear of a master, in jeopardy, before its session counts as expired
    /// (default "45s").
    #[serde(default = "forty_five_seconds")]
    pub grace: Dur,
    /// For how long nobody gets a lock whose holder's session has expired: at most "60s" (default "60s").
    #[serde(default = "a_minute")]
    pub lock_delay: Dur,
    /// Who is the master when the play begins (default: the first replica). "none": nobody; the replicas elect one.
    #[serde(default)]
    pub leader: Option<String>,
    /// The master's epoch then (default 1).
    #[serde(default = "one")]
    pub epoch: u64,
    /// How often the master sends heartbeats to the replicas (default "100ms").
    #[serde(default = "a_tenth")]
    pub heartbeat: Dur,
    /// The election timeout: at least two heartbeats (default "1s"). The master's own lease is a heartbeat shorter.
    #[serde(default = "a_second")]
    pub election_timeout: Dur,
    /// How long a replica's disk takes to keep a write (default "0s").
    #[serde(default)]
    pub disk: Dur,
}

impl Chubby {
    /// How long before a lease ends the master answers.
    pub fn answers_before(&self) -> Dur {
        self.answer_before.unwrap_or(Dur(Span::from_micros(self.ttl.as_micros() / 4)))
    }
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
const fn twelve_seconds() -> Dur {
    Dur::secs(12)
}
const fn forty_five_seconds() -> Dur {
    Dur::secs(45)
}
const fn a_minute() -> Dur {
    Dur::secs(60)
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
