//! Felix: a cache whose keys are leases.

use derive::Read;
use kernel::Span;
#[cfg(feature = "schema")]
use schemars::JsonSchema;

use super::super::one;
use super::three;
use crate::duration::Dur;

/// A Felix cache with one shard.
#[derive(Clone, Debug, PartialEq, Read)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Felix {
    /// The brokers' names: 1 to 9, one with consistency "memory" (default ["n1", "n2", "n3"]).
    #[serde(default = "three")]
    pub nodes: Vec<String>,
    /// How long a key lives: at least "1ms" (default "30s").
    #[serde(default = "half_a_minute")]
    pub ttl: Dur,
    /// When a write is answered, and what keeps it (default "quorum"; Felix' own default is "leader").
    #[serde(default)]
    pub consistency: Consistency,
    /// With "leader", how long after its answer the owner sends a write to its replicas (default "100ms").
    #[serde(default = "a_tenth")]
    pub lag: Dur,
    /// With "quorum", an owner confirms that it leads by a round that a majority answers before it answers a read (default
    /// false: by its lease, which is as safe as the brokers' clocks).
    #[serde(default)]
    pub lease_free_reads: bool,
    /// Who owns the shard when the play begins (default: the first broker). "none": nobody; the brokers elect an owner.
    #[serde(default)]
    pub leader: Option<String>,
    /// The term in which it does (default 1).
    #[serde(default = "one")]
    pub term: u64,
    /// How often the owner sends heartbeats (default "100ms").
    #[serde(default = "a_tenth")]
    pub heartbeat: Dur,
    /// The election timeout: at least two heartbeats (default "1s"). The owner's lease is one heartbeat shorter.
    #[serde(default = "a_second")]
    pub election_timeout: Dur,
    /// How long a broker's disk takes to keep a write (default "0s").
    #[serde(default)]
    pub disk: Dur,
}

/// When a Felix answers a write, and what keeps it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Read)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Consistency {
    /// When a majority of the replicas has it.
    #[default]
    Quorum,
    /// At once, by the key's owner; replicas catch up.
    Leader,
    /// At once, by one process that has no log: a restart forgets all, and versions start from the clock.
    Memory,
}

const fn a_tenth() -> Dur {
    Dur(Span::from_millis(100))
}
const fn a_second() -> Dur {
    Dur::secs(1)
}
const fn half_a_minute() -> Dur {
    Dur::secs(30)
}
