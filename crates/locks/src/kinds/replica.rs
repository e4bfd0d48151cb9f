//! Services that a replicated log keeps, of every kind but etcd.

use crate::chubby::Chubby;
use crate::consul::Consul;
use crate::felix::Broker;
use crate::hazelcast::Hazelcast;
use crate::raft_lock::RaftLock;
use crate::replicated::Replica;
use crate::zookeeper::ZooKeeper;

/// A service of any kind.
#[derive(Clone, Debug)]
pub enum AnyReplica {
    /// A Consul.
    Consul(Consul),
    /// A ZooKeeper.
    ZooKeeper(ZooKeeper),
    /// A Hazelcast.
    Hazelcast(Hazelcast),
    /// A Chubby.
    Chubby(Chubby),
    /// The log's leadership itself.
    Raft(RaftLock),
    /// A Felix whose cache is in a log.
    Felix(Broker),
}

impl AnyReplica {
    pub(crate) fn get(&self) -> &dyn Replica {
        match self {
            Self::Consul(service) => service,
            Self::ZooKeeper(service) => service,
            Self::Hazelcast(service) => service,
            Self::Chubby(service) => service,
            Self::Raft(service) => service,
            Self::Felix(service) => service,
        }
    }
    pub(crate) fn get_mut(&mut self) -> &mut dyn Replica {
        match self {
            Self::Consul(service) => service,
            Self::ZooKeeper(service) => service,
            Self::Hazelcast(service) => service,
            Self::Chubby(service) => service,
            Self::Raft(service) => service,
            Self::Felix(service) => service,
        }
    }
}
