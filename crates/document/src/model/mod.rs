//! The shape of a scenario document: what each word in it means, with its unit and its default.
//!
//! These comments are the JSON Schema's descriptions: they speak to whoever writes a document. The types are read by
//! `super::read`, which chooses faults and lock services by their `kind`, steps by their verb, and instants and names by
//! their shape. Attributes say only how words are spelled and what can be left out, in serde's words, which the schema's
//! derive knows; schemars' own say the rest to the schema.

mod event;
mod expect;
mod fault;
mod lesson;
mod lock;
mod network;
mod program;
mod store;
mod worker;

use derive::Read;
use kernel::Map;
#[cfg(feature = "schema")]
use schemars::JsonSchema;

pub use self::event::*;
pub use self::expect::*;
pub use self::fault::*;
pub use self::lesson::*;
pub use self::lock::*;
pub use self::network::*;
pub use self::program::*;
pub use self::store::*;
pub use self::worker::*;
use super::duration::Dur;

/// A scenario: a lock service, the workers that use it, the stores it protects, and what goes wrong. Durations and
/// instants are strings like "10s", "250ms", "50us" or "1m30s"; instants count from the beginning of the play.
#[derive(Clone, Debug, PartialEq, Read)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Scenario {
    /// The version of this format: 1.
    pub version: u32,
    /// What the story is called, in at most 200 characters.
    pub title: String,
    /// What it is about, in a few sentences.
    #[serde(default)]
    pub about: String,
    /// What one should take from it, in a sentence.
    #[serde(default)]
    pub moral: String,
    /// What stories it is filed with, in a few words.
    #[serde(default)]
    pub subject: String,
    /// How long it plays: more than nothing, at most "1h".
    pub horizon: Dur,
    /// The seed of everything that is drawn: jitter, losses, election timeouts. Below 2^53.
    #[serde(default = "one")]
    pub seed: u64,
    /// What links between hosts are like.
    #[serde(default)]
    pub network: Network,
    /// Hosts that are not like the others. Every process runs on a host of its own name unless it says `host`.
    #[serde(default)]
    pub host: Vec<Host>,
    /// The lock service.
    pub lock: Lock,
    /// What the locks protect.
    #[serde(default)]
    pub store: Vec<Store>,
    /// Who takes the locks.
    #[serde(default)]
    pub worker: Vec<Worker>,
    /// Who looks for claims that nobody will finish.
    #[serde(default)]
    pub sweeper: Vec<Sweeper>,
    /// What goes wrong.
    #[serde(default)]
    pub fault: Vec<Fault>,
    /// What must come out.
    #[serde(default)]
    pub expect: Vec<Expect>,
    /// The same scenario with something changed, by name.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schemars(with = "std::collections::BTreeMap<String, Variant>"))]
    pub variant: Map<String, Variant>,
    /// A lesson: instants to stop at, each with a sentence, some with a question.
    #[serde(default)]
    pub step: Vec<LessonStep>,
}

impl Scenario {
    /// The locks that workers acquire, in the order in which they are first named.
    pub fn locks(&self) -> Vec<&str> {
        let mut locks = Vec::new();
        for lock in self.worker.iter().flat_map(Worker::locks) {
            if !locks.contains(&lock) {
                locks.push(lock);
            }
        }
        locks
    }

    /// How a worker waits for a lock that somebody holds: as it says, or as is usual with this kind of service.
    pub fn wait(&self, worker: &Worker) -> Wait {
        worker.wait.unwrap_or(match (&self.lock, self.lock.kind().waits) {
            (Lock::Kubernetes(lease), _) => Wait::Poll(lease.retry),
            (_, Waits::InLine) => Wait::Queue,
            (_, Waits::Watching) => Wait::Watch,
            (_, Waits::ByTrying(every)) => Wait::Poll(every),
        })
    }

    /// Whether a worker waits in the line of those who want a lock, with a place of its own there.
    pub fn stands_in_line(&self, worker: &Worker) -> bool {
        self.wait(worker) == Wait::Queue
    }
}

const fn one() -> u64 {
    1
}
const fn yes() -> bool {
    true
}

/// The same scenario with something changed.
#[derive(Clone, Debug, Default, PartialEq, Read)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct Variant {
    /// What it is about, in a sentence.
    pub about: String,
    /// What is changed: paths like "store.billing.kind" or "fault.a-pause.for", with their new values.
    #[cfg_attr(feature = "schema", schemars(with = "std::collections::BTreeMap<String, serde_json::Value>", extend("default" = {})))]
    pub set: Map<String, crate::Value>,
    /// What must come out, in place of the scenario's own expectations.
    pub expect: Vec<Expect>,
}
