//! Workers and the client libraries that they embed.

use derive::Read;
#[cfg(feature = "schema")]
use schemars::JsonSchema;

use super::{Step, visit};
use crate::duration::Dur;

/// An application that takes a lock and works.
#[derive(Clone, Debug, PartialEq, Read)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Worker {
    /// Its name.
    pub name: String,
    /// Another worker whose settings and program this one has, where it does not say otherwise.
    #[serde(default)]
    pub like: Option<String>,
    /// When it begins its program (default "0s").
    #[serde(default)]
    pub start: Option<Dur>,
    /// The host it runs on (default: one of its own name).
    #[serde(default)]
    pub host: Option<String>,
    /// The name of a process beside it, on its host, that takes its locks for it and renews them: it goes on when the worker is
    /// paused (default: the worker does that itself).
    #[serde(default)]
    pub sidecar: Option<String>,
    /// How long before its lease ends it stops itself (default "0s"; with Kubernetes what RetryPeriod and
    /// RenewDeadline, two thirds of the lease, leave of it; with Chubby a fiftieth). Shorter than the lease.
    #[serde(default)]
    pub margin: Option<Dur>,
    /// How it renews.
    #[serde(default)]
    pub renew: Option<Renew>,
    /// How it waits for a lock that somebody holds (default: as is usual with the kind of service; with etcd "queue", as its
    /// Mutex).
    #[serde(default)]
    pub wait: Option<Wait>,
    /// Whether its writes carry its token (default true).
    #[serde(default)]
    pub attach_token: Option<bool>,
    /// How long it waits for a store's answer (default "1s"). Then it does not know whether its request was carried out.
    #[serde(default)]
    pub store_timeout: Option<Dur>,
    /// What it does then (default "resend").
    #[serde(default)]
    pub when_unanswered: Option<Unanswered>,
    /// What it does when a store refuses its token (default "stop").
    #[serde(default)]
    pub when_refused: Option<Then>,
    /// What it does when its client says that the lock is lost (default "stop").
    #[serde(default)]
    pub when_lost: Option<Then>,
    /// What it does, step by step: at most 256 steps, repetitions at most 8 deep, on at most 4 locks. Required, unless it is
    /// `like` another.
    #[serde(default)]
    pub program: Option<Vec<Step>>,
}

impl Worker {
    /// The locks that its program acquires, in order, each once.
    pub fn locks(&self) -> Vec<&str> {
        let mut locks = Vec::new();
        visit(self.program.as_deref().unwrap_or_default(), &mut |step| {
            if let Step::Acquire(step) = step
                && !locks.contains(&step.acquire.as_str())
            {
                locks.push(step.acquire.as_str());
            }
        });
        locks
    }
}

/// How a worker's client library renews.
#[derive(Clone, Debug, Default, PartialEq, Read)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct Renew {
    /// How often, counted from when it sent the last renewal (default: a third of the lease as it is granted; with ZooKeeper
    /// at most 10 s, with Consul half of it, with Hazelcast its session_heartbeat, with
    /// Kubernetes its RetryPeriod, with the DynamoDB Lock Client a quarter). With Chubby a renewal follows the answer to the
    /// last.
    pub every: Option<Dur>,
    /// How long it waits for an answer before it asks another member (default "1s").
    pub timeout: Option<Dur>,
    /// How long it rests when every member has failed it (default "500ms"; with Consul "1s", with
    /// Kubernetes its RetryPeriod).
    pub retry: Option<Dur>,
    /// From when it counts its lease (default "sent").
    pub anchor: Option<Anchor>,
    /// On which of its host's clocks it times its lease (default "monotonic").
    pub clock: Option<HolderClock>,
    /// When it gives up by itself (default "stop-time"; with Kubernetes that is put off when a renewal begins late).
    pub give_up: Option<GiveUp>,
}

/// From when a holder counts its lease.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Read)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Anchor {
    /// From before it sent the request.
    Sent,
    /// From when it received the reply: up to a round trip too late.
    Received,
}

/// Which clock a holder times its lease on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Read)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum HolderClock {
    /// The one that never steps.
    Monotonic,
    /// The calendar.
    Wall,
}

/// When a holder that cannot renew gives up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Read)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum GiveUp {
    /// At its stop time: lease − margin after its anchor.
    StopTime,
    /// At its deadline: the lease after its anchor.
    Deadline,
    /// When the first renewal fails.
    FirstError,
    /// Never.
    Never,
}

/// How a worker waits for a lock.
#[derive(Clone, Copy, Debug, PartialEq, Read)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Wait {
    /// It tries again so long after it began its last try: `{ poll = "1s" }`.
    Poll(Dur),
    /// It watches the lock's key and tries when that goes.
    Watch,
    /// It stands in line.
    Queue,
}

/// What a worker does when a store does not answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Read)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Unanswered {
    /// It sends its request again. To a store that compares what a worker last saw, its own write can be in its way.
    Resend,
    /// It reads the row, and sends its request again only if that does not show it done.
    Look,
}

/// What a worker does when something is taken from it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Read)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Then {
    /// It stops its program.
    Stop,
    /// It begins its program again.
    Restart,
    /// It goes on as if nothing had happened.
    Ignore,
}
