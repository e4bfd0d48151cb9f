//! Clients of every kind.

use crate::client::Recipe;
use crate::{
    chubby, claim, consul, etcd, felix, handover, hazelcast, no_lock, postgres_advisory, record, redlock,
    zookeeper,
};

/// For what kind of service a client is.
#[derive(Clone, Debug)]
pub enum ClientKind {
    /// An etcd.
    Etcd(etcd::Recipe),
    /// A service whose locks are claimed, renewed and released in one request each.
    Claim(claim::Recipe),
    /// Several servers of such a service, of which a majority counts.
    Redlock(redlock::Recipe),
    /// A flag in several copies.
    Handover(handover::Recipe),
    /// A service that keeps records, which clients watch.
    Record(record::Recipe),
    /// A Consul.
    Consul(consul::Recipe),
    /// A ZooKeeper.
    ZooKeeper(zookeeper::Recipe),
    /// A Felix.
    Felix(felix::Recipe),
    /// A PostgreSQL's advisory locks.
    Advisory(postgres_advisory::Recipe),
    /// A Hazelcast.
    Hazelcast(hazelcast::Recipe),
    /// A Chubby.
    Chubby(chubby::Recipe),
    /// No service.
    NoLock(no_lock::Recipe),
}

impl ClientKind {
    pub(crate) fn recipe(&mut self) -> &mut dyn Recipe {
        match self {
            Self::Etcd(recipe) => recipe,
            Self::Claim(recipe) => recipe,
            Self::Redlock(recipe) => recipe,
            Self::Handover(recipe) => recipe,
            Self::Record(recipe) => recipe,
            Self::Consul(recipe) => recipe,
            Self::ZooKeeper(recipe) => recipe,
            Self::Felix(recipe) => recipe,
            Self::Advisory(recipe) => recipe,
            Self::Hazelcast(recipe) => recipe,
            Self::Chubby(recipe) => recipe,
            Self::NoLock(recipe) => recipe,
        }
    }
}
