//! What is known of each kind of lock service before anything is played.

use kernel::Span;

use super::keeps::{KEY, Keeps, LINE, LOCK, NODE, SESSIONS_DELETED_KEY, SESSIONS_KEY};
use crate::duration::Dur;

/// How a client can wait for a lock that somebody holds, by kind of service.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Waits {
    /// It can stand in line, watch, or try again and again; usually it stands in line.
    InLine,
    /// It can watch, or try again and again: usually it watches.
    Watching,
    /// It can only try again and again: usually so often.
    ByTrying(Dur),
}

/// A kind of lock service.
#[derive(Debug, PartialEq, Eq)]
pub struct Kind {
    /// Its name in documents.
    pub name: &'static str,
    /// What it is, in a line.
    pub about: &'static str,
    /// How many servers it has at least.
    pub nodes_min: usize,
    /// How many servers it has at most.
    pub nodes_max: usize,
    /// The shortest lease; zero where there are none.
    pub ttl_min: Dur,
    /// The longest lease, where the real one has such a limit.
    pub ttl_max: Option<Dur>,
    /// How clients wait.
    pub waits: Waits,
    /// What the numbers are called that the service gives to its changes, where it numbers them.
    pub numbers: &'static str,
    /// What it keeps of a lock.
    pub keeps: &'static Keeps,
}

const MILLI: Dur = Dur(Span::from_millis(1));
const SECOND: Dur = Dur(Span::from_secs(1));

/// Every kind, in the order in which they are shown.
pub const KINDS: [&Kind; 18] = [
    &ETCD,
    &ZOOKEEPER,
    &CONSUL,
    &HAZELCAST,
    &CHUBBY,
    &RAFT,
    &REDIS,
    &REDIS_REPLICATED,
    &REDLOCK,
    &KUBERNETES,
    &DYNAMODB_ITEM,
    &DYNAMODB_LOCK_CLIENT,
    &POSTGRES_ROW,
    &FELIX,
    &POSTGRES_ADVISORY,
    &HANDOVER,
    &LAB,
    &NONE,
];

pub(super) static ETCD: Kind = Kind {
    name: "etcd",
    about: "Leases and keys in one replicated log. The leader times leases on its monotonic clock; the token is the key's create revision.",
    nodes_min: 1,
    nodes_max: 9,
    ttl_min: MILLI,
    ttl_max: None,
    waits: Waits::InLine,
    numbers: "revision",
    keeps: &KEY,
};
pub(super) static ZOOKEEPER: Kind = Kind {
    name: "zookeeper",
    about: "Sessions and ephemeral sequential nodes in one replicated log. The leader lets sessions expire by the tick; the token is the node's czxid.",
    nodes_min: 1,
    nodes_max: 9,
    ttl_min: MILLI,
    ttl_max: None,
    waits: Waits::InLine,
    numbers: "zxid",
    keeps: &NODE,
};
pub(super) static HAZELCAST: Kind = Kind {
    name: "hazelcast",
    about: "Sessions and a FencedLock in one replicated log. The leader lets sessions expire by its wall clock; the fence is the index of the owner's request.",
    nodes_min: 1,
    nodes_max: 9,
    ttl_min: SECOND,
    ttl_max: None,
    waits: Waits::InLine,
    numbers: "index",
    keeps: &LINE,
};
pub(super) static CHUBBY: Kind = Kind {
    name: "chubby",
    about: "Sessions that the master keeps alive with answers that it holds back, and a grace period for their clients. The token is the lock's generation; a holder's failure delays the next.",
    nodes_min: 1,
    nodes_max: 9,
    ttl_min: SECOND,
    ttl_max: Some(Dur(Span::from_secs(60))),
    waits: Waits::Watching,
    numbers: "",
    keeps: &LOCK,
};
pub(super) static CONSUL: Kind = Kind {
    name: "consul",
    about: "Sessions that live twice their time to live, and keys that nobody gets for a lock-delay after a session's end. The token is the LockIndex.",
    nodes_min: 1,
    nodes_max: 9,
    ttl_min: Dur(Span::from_secs(10)),
    ttl_max: Some(Dur(Span::from_secs(86_400))),
    waits: Waits::Watching,
    numbers: "index",
    keeps: &SESSIONS_KEY,
};
/// The same with sessions whose keys go with them.
pub(super) static CONSUL_DELETING: Kind = Kind { keeps: &SESSIONS_DELETED_KEY, ..CONSUL };
pub(super) static RAFT: Kind = Kind {
    name: "raft",
    about: "Whoever leads holds: each worker asks the node beside it, and the term is the token. How a node knows that it leads is the question.",
    nodes_min: 1,
    nodes_max: 9,
    ttl_min: MILLI,
    ttl_max: None,
    waits: Waits::ByTrying(Dur(Span::from_millis(500))),
    numbers: "index",
    keeps: &LOCK,
};
pub(super) static REDIS: Kind = Kind {
    name: "redis",
    about: "One server: SET NX PX, with a deadline on its wall clock. No token, unless a counter stands for one; a crash forgets what was not on disk.",
    nodes_min: 1,
    nodes_max: 1,
    ttl_min: MILLI,
    ttl_max: None,
    waits: Waits::ByTrying(Dur(Span::from_millis(200))),
    numbers: "",
    keeps: &KEY,
};
pub(super) static REDIS_REPLICATED: Kind = Kind {
    name: "redis-replicated",
    about: "A primary that answers before its replicas know, and a failover that promotes one of them: it forgets what had not reached it.",
    nodes_min: 2,
    nodes_max: 9,
    ttl_min: MILLI,
    ttl_max: None,
    waits: Waits::ByTrying(Dur(Span::from_millis(200))),
    numbers: "",
    keeps: &KEY,
};
pub(super) static REDLOCK: Kind = Kind {
    name: "redlock",
    about: "Several Redis servers that know nothing of each other; who has a majority of them holds. Each times by its wall clock; no token.",
    nodes_min: 1,
    nodes_max: 9,
    ttl_min: MILLI,
    ttl_max: None,
    waits: Waits::ByTrying(Dur(Span::from_millis(200))),
    numbers: "",
    keeps: &KEY,
};
pub(super) static POSTGRES_ROW: Kind = Kind {
    name: "postgres-row",
    about: "A row with holder, deadline and a token that it counts. The server's wall clock decides; the row keeps the token when it is released.",
    nodes_min: 1,
    nodes_max: 1,
    ttl_min: MILLI,
    ttl_max: None,
    waits: Waits::ByTrying(SECOND),
    numbers: "",
    keeps: &KEY,
};
pub(super) static POSTGRES_ADVISORY: Kind = Kind {
    name: "postgres-advisory",
    about: "A lock that lives as long as a connection: no lease, no token. The server learns that a holder is gone when TCP does; a restart frees all.",
    nodes_min: 1,
    nodes_max: 1,
    ttl_min: Dur(Span::ZERO),
    ttl_max: None,
    waits: Waits::InLine,
    numbers: "",
    keeps: &KEY,
};
pub(super) static DYNAMODB_ITEM: Kind = Kind {
    name: "dynamodb-item",
    about: "An item with a deadline that every client compares with its own wall clock, and an epoch. Clocks that disagree by more than the margin overlap.",
    nodes_min: 1,
    nodes_max: 1,
    ttl_min: MILLI,
    ttl_max: None,
    waits: Waits::ByTrying(SECOND),
    numbers: "",
    keeps: &KEY,
};
pub(super) static DYNAMODB_LOCK_CLIENT: Kind = Kind {
    name: "dynamodb-lock-client",
    about: "A waiter takes over when it has seen the same record version for one lease on its own monotonic clock. The version is no token: it has no order.",
    nodes_min: 1,
    nodes_max: 1,
    ttl_min: MILLI,
    ttl_max: None,
    waits: Waits::ByTrying(SECOND),
    numbers: "",
    keeps: &KEY,
};
pub(super) static KUBERNETES: Kind = Kind {
    name: "kubernetes",
    about: "client-go's leader election on a Lease: a candidate takes over when it has not seen the record change for one lease on its own monotonic clock.",
    nodes_min: 1,
    nodes_max: 1,
    ttl_min: SECOND,
    ttl_max: None,
    waits: Waits::ByTrying(Dur(Span::from_secs(2))),
    numbers: "",
    keeps: &KEY,
};
pub(super) static FELIX: Kind = Kind {
    name: "felix",
    about: "A cache key with a time to live, written by conditional puts. The owner's wall clock decides; the token is the log offset of the last put, and moves on with each renewal.",
    nodes_min: 1,
    nodes_max: 9,
    ttl_min: MILLI,
    ttl_max: None,
    waits: Waits::Watching,
    numbers: "offset",
    keeps: &KEY,
};
/// The same without a log: one process, and nothing to watch.
pub(super) static FELIX_MEMORY: Kind =
    Kind { nodes_max: 1, waits: Waits::ByTrying(SECOND), numbers: "version", ..FELIX };
pub(super) static HANDOVER: Kind = Kind {
    name: "handover",
    about: "A flag in several copies says who writes. The next writer waits out the lease and a margin on its own monotonic clock; the token is the epoch.",
    nodes_min: 1,
    nodes_max: 9,
    ttl_min: MILLI,
    ttl_max: None,
    waits: Waits::ByTrying(SECOND),
    numbers: "",
    keeps: &KEY,
};
pub(super) static LAB: Kind = Kind {
    name: "lab",
    about: "Holder, expiry and token under a mutex in one process, with one clock. It forgets everything when the process ends.",
    nodes_min: 1,
    nodes_max: 1,
    ttl_min: MILLI,
    ttl_max: None,
    waits: Waits::ByTrying(SECOND),
    numbers: "",
    keeps: &KEY,
};
pub(super) static NONE: Kind = Kind {
    name: "none",
    about: "No lock: everybody goes on at once. What protects is the store: a version, a unique key, an idempotency key.",
    nodes_min: 0,
    nodes_max: 0,
    ttl_min: Dur(Span::ZERO),
    ttl_max: None,
    waits: Waits::ByTrying(SECOND),
    numbers: "",
    keeps: &KEY,
};
