//! etcd.

use derive::Read;
use kernel::Span;
#[cfg(feature = "schema")]
use schemars::JsonSchema;

use super::super::{one, yes};
use super::three;
use crate::duration::Dur;

/// An etcd cluster.
#[derive(Clone, Debug, PartialEq, Read)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Etcd {
    /// The members' names: 1 to 9, an odd number is usual (default ["n1", "n2", "n3"]). Clients try them in this order.
    #[serde(default = "three")]
    pub nodes: Vec<String>,
    /// How long a lease is: at least "1ms", and longer than any worker's margin (default "60s", as a session of etcd's
    /// client).
    #[serde(default = "session")]
    pub ttl: Dur,
    /// Who leads when the play begins (default: the first node). "none": nobody; the members elect a leader, which takes
    /// an election timeout or so.
    #[serde(default)]
    pub leader: Option<String>,
    /// The term in which it leads (default 1).
    #[serde(default = "one")]
    pub term: u64,
    /// The store's revision when the play begins (default 1, a fresh store). The next key is created at the next one.
    #[serde(default = "one")]
    pub revision: u64,
    /// How often the leader sends heartbeats (default "100ms", as etcd; at least "1ms").
    #[serde(default)]
    pub heartbeat: Option<Dur>,
    /// The election timeout (default "1s", as etcd; at least two heartbeats). A member waits for one to nearly two of these, drawn in steps of
    /// the heartbeat interval.
    #[serde(default)]
    pub election_timeout: Option<Dur>,
    /// Whether members ask for pre-votes before they campaign (default true, as etcd since 3.5).
    #[serde(default = "yes")]
    pub pre_vote: bool,
    /// Whether a leader that hears from no majority for an election timeout steps down (default true, as etcd).
    #[serde(default = "yes")]
    pub check_quorum: bool,
    /// How reads are made safe (default "read-index", as etcd).
    #[serde(default)]
    pub reads: Reads,
    /// How often the leader looks for leases that have run out (default "500ms", as etcd; "0s": at the very instant).
    #[serde(default)]
    pub expiry_check: Option<Dur>,
    /// What a new leader adds to every lease beside its full length (default: one election timeout, as etcd).
    #[serde(default)]
    pub promote_extend: Option<Dur>,
    /// Shorter leases are granted this long (default: one and a half election timeouts in whole seconds, as etcd).
    #[serde(default)]
    pub min_ttl: Option<Dur>,
    /// Lease checkpoints (default: none, as etcd).
    #[serde(default)]
    pub checkpoint: Option<Checkpoint>,
    /// What a restore from a backup adds to the revision (default 0; `etcdutl snapshot restore --bump-revision` with
    /// `--mark-compacted`). Above all that may have been handed out since the backup, or a token is granted twice.
    #[serde(default)]
    pub restore_bump: u64,
    /// Whether somebody whose turn has come in line sees that its own key is still there (default true, as `Mutex` of 3.5).
    /// `Election.Campaign`, and `Mutex` before, do not: whose lease ran out in line holds all the same.
    #[serde(default = "yes")]
    pub recheck: bool,
    /// How long a member's disk takes to keep a write (default "0s").
    #[serde(default)]
    pub disk: Dur,
    /// After how many entries a member takes a snapshot (default 10000, as etcd).
    #[serde(default = "ten_thousand")]
    pub snapshot_every: u64,
    /// When other users of the service write a key of theirs: each takes one revision. At most 1000.
    #[serde(default)]
    pub other_writes: Vec<Dur>,
}

impl Etcd {
    /// Leases that are asked for shorter are granted this long: one and a half election timeouts in whole seconds, unless the
    /// document says otherwise.
    pub fn least_ttl(&self) -> Dur {
        self.min_ttl.unwrap_or_else(|| {
            let election_timeout = self.election_timeout.unwrap_or(Dur::secs(1));
            Dur(Span::from_micros(election_timeout.as_micros() * 3 / 2).rounded_up_to(Span::from_secs(1)))
        })
    }
}

const fn session() -> Dur {
    Dur::secs(60)
}
const fn ten_thousand() -> u64 {
    10_000
}

/// How a linearizable read is made safe.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Read)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Reads {
    /// By a round of heartbeats.
    #[default]
    ReadIndex,
    /// By the leader's lease, one heartbeat interval shorter than an election timeout: quicker, and only as good as the
    /// members' clocks.
    Lease,
    /// At once, trusting check-quorum to end a leader's belief in time (etcd-io/raft's `ReadOnlyLeaseBased`).
    CheckQuorum,
}

/// Lease checkpoints: the leader writes down what is left of each lease.
#[derive(Clone, Debug, PartialEq, Read)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Checkpoint {
    /// How often (etcd: "5m").
    pub every: Dur,
    /// What is left is rounded up to this (default "1s", as etcd).
    #[serde(default)]
    pub unit: Option<Dur>,
}
