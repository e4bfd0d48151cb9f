//! What locks protect, and who sweeps up after those that left it.

use derive::Read;
#[cfg(feature = "schema")]
use schemars::JsonSchema;

use super::Names;
use crate::chance::Chance;
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
    /// What becomes of a token that equals the fence (default "accepted"; "rejected" is the fencepost error). Of
    /// `fenced-row`, `sql` and `dynamodb`.
    #[serde(default)]
    pub equal: Option<Equal>,
    /// How long after the last accepted write the fence is forgotten, on the wall clock of the store's host (default:
    /// never). Of `fenced-row`.
    #[serde(default)]
    pub fence_lifetime: Option<Dur>,
    /// The lock that protects it (default: the only one that workers acquire). Staleness is judged by its grants.
    #[serde(default)]
    pub lock: Option<String>,
    /// How long after its check it writes, in a second step without another check (default "0s": one step). Of
    /// `fenced-row` and `versioned-row`.
    #[serde(default)]
    pub check_gap: Option<Dur>,
    /// The nodes that the journal has beside the one of the store's name, at most eight (default two: "NAME-b" and
    /// "NAME-c"). Of `journal`.
    #[serde(default)]
    pub nodes: Option<Vec<String>>,
    /// How a worker claims the row (default "fence": by its token). Of `sql`.
    #[serde(default)]
    pub claim: Option<Claim>,
    /// How long a transaction that holds the row lock may wait for its next statement before the server ends its session,
    /// as PostgreSQL's idle_in_transaction_session_timeout (default: for ever). Of `sql` with `claim = "row-lock"`.
    #[serde(default)]
    pub idle_timeout: Option<Dur>,
    /// How long a transaction takes (default "5ms" of `sql` and `dynamodb`, "0s" of `kafka`).
    #[serde(default)]
    pub transaction: Option<Dur>,
    /// How long an upload takes (default "0s"). Of `s3-manifest`.
    #[serde(default)]
    pub upload: Option<Dur>,
    /// Whether every manifest has something of its own in it, so that no two have the same ETag (default true). Of
    /// `s3-manifest`.
    #[serde(default)]
    pub nonce: Option<bool>,
    /// How it keeps idempotency keys (default: it has none). Of `external-api`.
    #[serde(default)]
    pub idempotency: Option<Idempotency>,
    /// How long after its effect a call is answered (default "0s"). Of `external-api`.
    #[serde(default)]
    pub call: Option<Dur>,
    /// Whether a put wants that its item is not there yet (default "overwrite"). Of `dynamodb`.
    #[serde(default)]
    pub puts: Option<Puts>,
    /// Whether the machine number's record keeps the timestamp that was used last (default true). Of `id-generator`.
    #[serde(default)]
    pub last_timestamp: Option<bool>,
    /// How many partitions there are, at most 100; item n goes to partition n modulo these (default 3). Of `kafka`.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schemars(range(min = 1, max = 100)))]
    pub partitions: Option<u32>,
    /// Whether a partition asks the coordinator before a transaction begins there, as KIP-890 has it (default false). Of
    /// `kafka`.
    #[serde(default)]
    pub verify: Option<bool>,
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
    /// Nothing. The keys of `fenced-row` can stay: it is one with the fence off.
    Unfenced,
    /// A fence in the row: a token below it is refused.
    FencedRow,
    /// The row's version: a write is refused when the row has changed since its worker saw it.
    VersionedRow,
    /// The ETag of an object in S3 that says how far the work is: a write is refused when that is another than its worker
    /// saw.
    S3Manifest,
    /// Nothing, or an idempotency key that is the item's own: a repeat is answered with the stored result.
    ExternalApi,
    /// A fence item, with a condition check in every transaction of at most 99 puts.
    Dynamodb,
    /// The offset at which a batch is expected to begin: it has to be the stream's end.
    Stream,
    /// The timestamp of ids: it has to be above the last that was used with this machine number.
    IdGenerator,
    /// The producer's epoch, in each partition as far as that has seen one.
    Kafka,
    /// A fence row that a transaction locks before it checks: others wait.
    Sql,
    /// Nothing by itself: it asks the lock service whether the writer's grant is still there, and then writes.
    SessionChecked,
    /// The writer's epoch, on each of several nodes: an entry is accepted when a majority has it.
    Journal,
}

impl StoreKind {
    /// All of them, in the order in which they are shown.
    pub const ALL: [Self; 12] = [
        Self::Unfenced,
        Self::FencedRow,
        Self::VersionedRow,
        Self::Sql,
        Self::Dynamodb,
        Self::S3Manifest,
        Self::Stream,
        Self::Kafka,
        Self::Journal,
        Self::SessionChecked,
        Self::ExternalApi,
        Self::IdGenerator,
    ];

    /// What it is, in a line.
    pub const fn about(self) -> &'static str {
        match self {
            Self::Unfenced => "It takes every write, whoever sends it.",
            Self::FencedRow => "A row that keeps the highest token it has seen and refuses lower ones.",
            Self::VersionedRow => "A row with a version: a write that saw another version is refused.",
            Self::S3Manifest => {
                "An object in S3, put with If-Match: another ETag than the one seen is answered with 412."
            }
            Self::ExternalApi => "Somebody else's API: no fence, at best idempotency keys.",
            Self::Dynamodb => {
                "Items in DynamoDB: a condition check on the fence in each transaction of at most 100 actions."
            }
            Self::Stream => "A log to append to, at an expected offset.",
            Self::IdGenerator => "Ids from a leased machine number, whose fence is the last timestamp.",
            Self::Kafka => "Partitions that know a producer's epoch, each as far as it has seen one.",
            Self::Journal => {
                "Several nodes that each promise an epoch: an entry is accepted when a majority has it."
            }
            Self::Sql => "A database that locks a fence row first in each transaction; others wait.",
            Self::SessionChecked => {
                "It asks the lock service whether the writer's grant is still there, and then writes."
            }
        }
    }

    /// Its name in a document.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Unfenced => "unfenced",
            Self::FencedRow => "fenced-row",
            Self::VersionedRow => "versioned-row",
            Self::S3Manifest => "s3-manifest",
            Self::ExternalApi => "external-api",
            Self::Dynamodb => "dynamodb",
            Self::Stream => "stream",
            Self::IdGenerator => "id-generator",
            Self::Kafka => "kafka",
            Self::Sql => "sql",
            Self::SessionChecked => "session-checked",
            Self::Journal => "journal",
        }
    }
}

impl Store {
    /// The nodes that a journal has beside the one of its own name; none in a document that is not resolved and does not say.
    pub fn journal_nodes(&self) -> &[String] {
        let nodes = self.nodes.as_deref().unwrap_or_default();
        if self.kind == StoreKind::Journal { nodes } else { &[] }
    }

    /// Whether workers claim its row without any token.
    pub fn is_claimed_without_token(&self) -> bool {
        match self.claim {
            Some(Claim::RowLock | Claim::ConditionalUpdate | Claim::UniqueKey) => true,
            Some(Claim::Fence) | None => false,
        }
    }
}

/// How a worker claims a row in a database.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Read)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Claim {
    /// By its token: it raises the fence.
    Fence,
    /// In a transaction on its connection that locks the row until it is finished (SELECT … FOR UPDATE): others wait, and
    /// nothing is written before that commits.
    RowLock,
    /// By an update that holds only while the row is queued: one finds it. Writes are of the row that names it as owner.
    ConditionalUpdate,
    /// By inserting a row of its own with a unique key: the second gets an error. Writes are compared with nothing.
    UniqueKey,
}

/// How an external API keeps idempotency keys, on its own wall clock.
#[derive(Clone, Debug, PartialEq, Read)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Idempotency {
    /// How long a result is kept, at most "10000h".
    pub keep: Dur,
    /// How long a call counts as in progress: if it has no result by then, a repeat is done again (default "60s").
    #[serde(default)]
    pub marker: Option<Dur>,
}

/// What a put does to an item that is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Read)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Puts {
    /// It is put again.
    Overwrite,
    /// Nothing: the put is for one that is not there.
    IfAbsent,
}

/// What becomes of a token that equals the fence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Read)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Equal {
    /// It is accepted.
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
    /// The store whose index it reads, or several.
    pub store: Names,
    /// The lock whose holder it asks for (default: each store's lock).
    #[serde(default)]
    pub lock: Option<String>,
    /// How often it looks.
    pub every: Dur,
    /// How long after the first sighting of an orphan it may act on another (default "0s": at the next look).
    #[serde(default)]
    pub again_after: Dur,
    /// For how long it re-queues nothing after the lock service, which had not answered by its next look, answers again:
    /// holders get time to come back (default "0s").
    #[serde(default)]
    pub grace: Dur,
    /// How many rows it re-queues at most in one look: 1 to 1000 (default: all that are orphaned).
    #[serde(default)]
    #[cfg_attr(feature = "schema", schemars(range(min = 1, max = 1000)))]
    pub requeues_max: Option<u32>,
    /// A brake: it re-queues nothing when more than this share of the claims that it found, if they are several, looks
    /// orphaned, like "50%" (default: none).
    #[serde(default)]
    pub brake: Option<Chance>,
    /// The host it runs on (default: one of its own name).
    #[serde(default)]
    pub host: Option<String>,
}
