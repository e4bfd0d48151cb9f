//! What must come out.

use derive::Read;
#[cfg(feature = "schema")]
use schemars::JsonSchema;

use super::EventKind;
use crate::duration::Dur;

/// What must come out: a table with any of these keys. Instants and durations are compared to the millisecond.
#[derive(Clone, Debug, Default, PartialEq, Read)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct Expect {
    /// Numbers of the verdict.
    pub verdict: Option<ExpectVerdict>,
    /// A grant that must be among the grants.
    pub grant: Option<ExpectGrant>,
    /// A write that must be among the writes.
    pub write: Option<ExpectWrite>,
    /// An event that must be among the events.
    pub event: Option<ExpectEvent>,
}

/// Numbers of the verdict that must come out.
#[derive(Clone, Debug, Default, PartialEq, Read)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct ExpectVerdict {
    /// Time in which two workers both believed that they held the same lock.
    pub overlap: Option<Dur>,
    /// Writes accepted after a newer grant of that lock had been issued.
    pub stale_accepted: Option<u64>,
    /// Those of them accepted after the newer holder had first touched that store.
    pub corrupting: Option<u64>,
    /// Stale writes refused.
    pub stale_rejected: Option<u64>,
    /// Writes of the rightful newest holder refused.
    pub valid_rejected: Option<u64>,
    /// Effects applied twice.
    pub duplicates: Option<u64>,
    /// Grants whose token is not above every earlier token of that lock.
    pub token_regressions: Option<u64>,
    /// Acknowledged grants or writes that a later state forgot.
    pub lost_acks: Option<u64>,
    /// Reads answered with a value older than one already acknowledged.
    pub stale_reads: Option<u64>,
    /// Time with no holder while somebody wanted the lock.
    pub gap: Option<Dur>,
    /// The longest such stretch.
    pub longest_takeover: Option<Dur>,
    /// Live, connected holders that lost their lease.
    pub spurious_losses: Option<u64>,
    /// Claims left on a store with nobody to finish them.
    pub orphans: Option<u64>,
}

/// A grant that must be there; what is left out can be anything.
#[derive(Clone, Debug, Default, PartialEq, Read)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct ExpectGrant {
    /// To whom.
    pub worker: Option<String>,
    /// With which token.
    pub token: Option<u64>,
    /// When.
    pub at: Option<Dur>,
    /// Until when, as first granted.
    pub until: Option<Dur>,
}

/// A write that must be there; what is left out can be anything.
#[derive(Clone, Debug, Default, PartialEq, Read)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct ExpectWrite {
    /// To which store.
    pub store: Option<String>,
    /// Whose.
    pub worker: Option<String>,
    /// With which token.
    pub token: Option<u64>,
    /// When.
    pub at: Option<Dur>,
    /// Whether it was accepted.
    pub accepted: Option<bool>,
    /// Whether it was stale.
    pub stale: Option<bool>,
}

/// An event that must be there; what is left out can be anything.
#[derive(Clone, Debug, Default, PartialEq, Read)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct ExpectEvent {
    /// When.
    pub at: Option<Dur>,
    /// Whose.
    pub process: Option<String>,
    /// What it is.
    pub kind: Option<EventKind>,
    /// What its text must contain.
    pub contains: Option<String>,
}
