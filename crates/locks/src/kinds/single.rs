//! Services that one server keeps by itself, of every kind.

use crate::dynamodb_item::DynamodbItem;
use crate::lab::Lab;
use crate::postgres_row::PostgresRow;
use crate::record::Records;
use crate::redis::Redis;
use crate::service::Service;

/// A service of any kind.
#[derive(Clone, Debug)]
pub enum AnyService {
    /// A Redis.
    Redis(Redis),
    /// Rows in a PostgreSQL.
    PostgresRow(PostgresRow),
    /// Items in a DynamoDB.
    DynamodbItem(DynamodbItem),
    /// Records that clients watch: of a Kubernetes, or of the DynamoDB Lock Client.
    Records(Records),
    /// The lock of a laboratory.
    Lab(Lab),
}

impl AnyService {
    pub(crate) fn service(&mut self) -> &mut dyn Service {
        match self {
            Self::Redis(service) => service,
            Self::PostgresRow(service) => service,
            Self::DynamodbItem(service) => service,
            Self::Records(service) => service,
            Self::Lab(service) => service,
        }
    }
}
