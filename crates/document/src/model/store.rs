//! What locks protect, and who sweeps up after those that left it.

use derive::Read;
#[cfg(feature = "schema")]
use schemars::JsonSchema;

use crate::duration::Dur;

/// What a lock protects.
#[derive(Clone, Debug, PartialEq, Read)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Store {
    /// Its name.
    pub name: String,
    /// What it checks.
    pub kind: StoreKind,
    /// What becomes of a token that equals the fence, in a fenced row (default "accepted"; "rejected" is the fencepost
    /// error).
    #[serde(default)]
    pub equal: Equal,
    /// The lock that protects it (default: the only one that workers acquire). Staleness is judged by its grants.
    #[serde(default)]
    pub lock: Option<String>,
    /// How long after its check it writes, in a second step without another check (default "0s": one step).
    #[serde(default)]
    pub check_gap: Dur,
    /// How long its disk takes (default "0s").
    #[serde(default)]
    pub disk: Dur,
    /// The host it runs on (default: one of its own name).
    #[serde(default)]
    pub host: Option<String>,
    /// What one effect of a write is called, in the plural, and what happens when it is applied twice; for sentences.
    /// (default "effects", "applied")
    #[serde(default)]
    pub effect: Option<EffectWords>,
}

/// Words for a store's effects.
#[derive(Clone, Debug, PartialEq, Read)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct EffectWords {
    /// Plural: "invoices".
    pub many: String,
    /// Past participle: "charged".
    pub done: String,
    /// What one item of the work is called: "chunk" (default "item").
    #[serde(default)]
    pub item: Option<String>,
}

/// What a store checks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Read)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum StoreKind {
    /// Nothing.
    Unfenced,
    /// A fence in the row: a token below it is refused.
    FencedRow,
}

/// What becomes of a token that equals the fence.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Read)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Equal {
    /// It is accepted.
    #[default]
    Accepted,
    /// It is rejected.
    Rejected,
}

/// Looks for claims whose lock nobody holds, and puts their rows back in the queue.
#[derive(Clone, Debug, PartialEq, Read)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Sweeper {
    /// Its name.
    pub name: String,
    /// The store whose index it reads.
    pub store: String,
    /// The lock whose holder it asks for (default: the store's lock).
    #[serde(default)]
    pub lock: Option<String>,
    /// How often it looks.
    pub every: Dur,
    /// How long after the first sighting of an orphan it may act on another (default "0s": at the next look).
    #[serde(default)]
    pub again_after: Dur,
    /// The host it runs on (default: one of its own name).
    #[serde(default)]
    pub host: Option<String>,
}
