//! Every kind of store behind one face.

use crate::{
    Dynamodb, ExternalApi, FencedRow, Guard, IdGenerator, Kafka, S3Manifest, SessionChecked, Sql, Stream,
    Unfenced, VersionedRow, journal::Journal,
};

/// The kinds of store.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Checks nothing.
    Unfenced(Unfenced),
    /// A row with a fence.
    FencedRow(FencedRow),
    /// A row with a version.
    VersionedRow(VersionedRow),
    /// An object with an ETag.
    S3Manifest(S3Manifest),
    /// Somebody else's API.
    ExternalApi(ExternalApi),
    /// Items in DynamoDB.
    Dynamodb(Dynamodb),
    /// A stream with offsets.
    Stream(Stream),
    /// A machine number's ids.
    IdGenerator(IdGenerator),
    /// Kafka's partitions.
    Kafka(Kafka),
    /// A transaction with a fence row.
    Sql(Sql),
    /// Asks the lock service.
    SessionChecked(SessionChecked),
    /// A journal on several nodes.
    Journal(Journal),
}

impl Kind {
    /// What decides.
    pub fn guard(&self) -> &dyn Guard {
        match self {
            Self::Unfenced(guard) => guard,
            Self::FencedRow(guard) => guard,
            Self::VersionedRow(guard) => guard,
            Self::S3Manifest(guard) => guard,
            Self::ExternalApi(guard) => guard,
            Self::Dynamodb(guard) => guard,
            Self::Stream(guard) => guard,
            Self::IdGenerator(guard) => guard,
            Self::Kafka(guard) => guard,
            Self::Sql(guard) => guard,
            Self::SessionChecked(guard) => guard,
            Self::Journal(guard) => guard,
        }
    }
}
