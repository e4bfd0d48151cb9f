//! Services whose locks are bound to a connection.

use derive::Read;
#[cfg(feature = "schema")]
use schemars::JsonSchema;

use super::alone;
use crate::duration::Dur;

/// Advisory locks of a PostgreSQL. There is no `ttl`: a lock lives as long as its connection.
#[derive(Clone, Debug, PartialEq, Read)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct PostgresAdvisory {
    /// The server's name, alone in a list (default ["n1"]).
    #[serde(default = "alone")]
    pub nodes: Vec<String>,
    /// What a lock is bound to (default "session").
    #[serde(default)]
    pub scope: AdvisoryScope,
    /// What is between clients and the server (default "none").
    #[serde(default)]
    pub pooler: Pooler,
    /// How many connections a pooler in transaction mode has: 1 to 100 (default 2; PgBouncer's default_pool_size is 20).
    #[serde(default = "two")]
    pub pool_size: u64,
    /// How old one of them gets before it is closed, when it is free (default "1h", as PgBouncer's server_lifetime).
    #[serde(default = "an_hour")]
    pub server_lifetime: Dur,
    /// Whether the pooler lends the connection that was free for longest (default false, as PgBouncer's
    /// server_round_robin: the one that was used last).
    #[serde(default)]
    pub round_robin: bool,
    /// After how long a silence the server asks a client's host whether the connection stands (default "2h",
    /// tcp_keepalives_idle).
    #[serde(default = "two_hours")]
    pub keepalives_idle: Dur,
    /// How often it asks again when nobody answers (default "75s", tcp_keepalives_interval).
    #[serde(default = "seventy_five_seconds")]
    pub keepalives_interval: Dur,
    /// After how many questions that nobody answered the connection counts as broken: 1 to 100 (default 9,
    /// tcp_keepalives_count).
    #[serde(default = "nine")]
    pub keepalives_count: u64,
}

impl PostgresAdvisory {
    /// There are no leases.
    pub(super) fn no_ttl(&self) -> Dur {
        Dur::default()
    }
}

/// What an advisory lock is bound to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Read)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum AdvisoryScope {
    /// The session: until it unlocks, or its connection is closed.
    #[default]
    Session,
    /// The transaction: until that ends, or its connection is closed.
    Transaction,
}

/// What pools connections to a PostgreSQL.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Read)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Pooler {
    /// Nothing: each client has a backend of its own.
    #[default]
    None,
    /// A pooler that lends a connection for as long as a client is connected, and cleans it up behind that.
    Session,
    /// A pooler that lends a connection for one transaction at a time.
    Transaction,
}

const fn two() -> u64 {
    2
}
const fn nine() -> u64 {
    9
}
const fn an_hour() -> Dur {
    Dur::secs(3_600)
}
const fn two_hours() -> Dur {
    Dur::secs(7_200)
}
const fn seventy_five_seconds() -> Dur {
    Dur::secs(75)
}
