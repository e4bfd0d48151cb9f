//! Services that keep one record a lock, and let clients judge by watching it change.

use derive::Read;
#[cfg(feature = "schema")]
use schemars::JsonSchema;

use super::alone;
use crate::duration::Dur;

/// A Kubernetes Lease object, and client-go's leader election.
#[derive(Clone, Debug, PartialEq, Read)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Kubernetes {
    /// The API server's name, alone in a list (default ["n1"]).
    #[serde(default = "alone")]
    pub nodes: Vec<String>,
    /// LeaseDuration: at least "1s", and in whole seconds (default "15s").
    #[serde(default = "fifteen_seconds")]
    pub ttl: Dur,
    /// RetryPeriod: a leader renews so often; a candidate looks after one to 2.2 of these (default "2s").
    #[serde(default = "two_seconds")]
    pub retry: Dur,
    /// How many transitions the Lease has seen when the play begins (default 0).
    #[serde(default)]
    pub transitions: u64,
    /// How long the API server takes to keep a write (default "0s").
    #[serde(default)]
    pub disk: Dur,
}

/// Amazon's DynamoDB Lock Client.
#[derive(Clone, Debug, PartialEq, Read)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct DynamodbLockClient {
    /// The table's name, alone in a list (default ["n1"]).
    #[serde(default = "alone")]
    pub nodes: Vec<String>,
    /// leaseDuration: at least "1ms" (default "20s").
    #[serde(default = "twenty_seconds")]
    pub ttl: Dur,
    /// How long the service takes to keep a write (default "0s").
    #[serde(default)]
    pub disk: Dur,
}

const fn two_seconds() -> Dur {
    Dur::secs(2)
}
const fn fifteen_seconds() -> Dur {
    Dur::secs(15)
}
const fn twenty_seconds() -> Dur {
    Dur::secs(20)
}
