//! What each kind keeps of a lock, and what becomes of it.

use super::Lock;
use crate::duration::Dur;

/// What a service keeps of a lock, in sentences about it.
#[derive(Debug, PartialEq, Eq)]
pub struct Keeps {
    /// What it does when a lease runs out.
    pub ends: &'static str,
    /// What comes of a release.
    pub released: &'static str,
    /// What somebody is told who waits.
    pub told: &'static str,
}

pub(super) static KEY: Keeps = Keeps {
    ends: "the service deletes its key",
    released: "its key is deleted at once",
    told: "the key that it waited for is gone",
};
pub(super) static NODE: Keeps = Keeps {
    ends: "the service closes its session and deletes its node",
    released: "its node is deleted at once",
    told: "the node that it waited for is gone",
};
pub(super) static SESSIONS_KEY: Keeps = Keeps {
    ends: "the service destroys its session and releases its key",
    released: "its key is released at once",
    told: "the key that it waited for has changed",
};
pub(super) static SESSIONS_DELETED_KEY: Keeps =
    Keeps { ends: "the service destroys its session and deletes its key", ..SESSIONS_KEY };
pub(super) static LINE: Keeps = Keeps {
    ends: "the service closes its session",
    released: "it is free at once",
    told: "its request waits no more",
};
pub(super) static LOCK: Keeps = Keeps {
    ends: "the service frees it",
    released: "it is free at once",
    told: "the lock that it waited for can be had",
};

impl Lock {
    /// For how long nobody gets a lock whose lease ran out.
    pub fn delay(&self) -> Dur {
        match self {
            Self::Consul(consul) => consul.lock_delay,
            Self::Chubby(cell) => cell.lock_delay,
            Self::Etcd(_)
            | Self::Zookeeper(_)
            | Self::Hazelcast(_)
            | Self::Raft(_)
            | Self::Redis(_)
            | Self::RedisReplicated(_)
            | Self::Redlock(_)
            | Self::PostgresAdvisory(_)
            | Self::PostgresRow(_)
            | Self::DynamodbItem(_)
            | Self::DynamodbLockClient(_)
            | Self::Kubernetes(_)
            | Self::Felix(_)
            | Self::Handover(_)
            | Self::Lab(_)
            | Self::None(_) => Dur::default(),
        }
    }
}
