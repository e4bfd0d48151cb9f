//! Services that one server keeps by itself, of every kind.

use crate::dynamodb_item::DynamodbItem;
use crate::felix::Memory;
use crate::handover;
use crate::lab::Lab;
use crate::postgres_advisory::Postgres;
use crate::postgres_row::PostgresRow;
use crate::record::Records;
use crate::redis::Redis;
use crate::redis_replicated::RedisReplicated;
use crate::service::Service;

/// A service of any kind.
#[derive(Clone, Debug)]
pub enum AnyService {
    /// A Redis.
    Redis(Redis),
    /// A Redis with others that copy it.
    RedisReplicated(RedisReplicated),
    /// A PostgreSQL's advisory locks.
    PostgresAdvisory(Postgres),
    /// Rows in a PostgreSQL.
    PostgresRow(PostgresRow),
    /// Items in a DynamoDB.
    DynamodbItem(DynamodbItem),
    /// Records that clients watch: of a Kubernetes, or of the DynamoDB Lock Client.
    Records(Records),
    /// A copy of the flags of single writers.
    Handover(handover::Copy),
    /// The lock of a laboratory.
    Lab(Lab),
    /// A Felix whose cache is in memory.
    Felix(Memory),
}

macro_rules! each {
    ($self:expr, $service:ident => $what:expr) => {
        match $self {
            AnyService::Redis($service) => $what,
            AnyService::RedisReplicated($service) => $what,
            AnyService::PostgresAdvisory($service) => $what,
            AnyService::PostgresRow($service) => $what,
            AnyService::DynamodbItem($service) => $what,
            AnyService::Records($service) => $what,
            AnyService::Handover($service) => $what,
            AnyService::Lab($service) => $what,
            AnyService::Felix($service) => $what,
        }
    };
}

impl AnyService {
    pub(crate) fn get(&self) -> &dyn Service {
        each!(self, service => service)
    }
    pub(crate) fn get_mut(&mut self) -> &mut dyn Service {
        each!(self, service => service)
    }
}
