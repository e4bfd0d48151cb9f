//! The kinds of store.

use kernel::Span;

use crate::{
    Dynamodb, Effects, ExternalApi, FencedRow, Guard, IdGenerator, Item, Kafka, Op, Remember, S3Manifest,
    Sql, Stream, Token, Unfenced, VersionedRow,
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
}

/// What becomes of a request between its arrival and its decision, and how requests stand to each other meanwhile.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Course {
    /// It is checked, and written so much later without another look: in one step when that is no time at all.
    Gap(Span),
    /// It holds the row's lock for so long, and others wait for that.
    RowLock(Span),
    /// It uses the fence item for so long, and who comes meanwhile is told to try again.
    Exclusive(Span),
    /// It takes so long, and when another finished meanwhile it is told to try again.
    Upload(Span),
    /// It has its effect at once, and is answered so much later.
    Call(Span),
    /// It is produced at once and committed so much later, unless a raise aborts it.
    Transaction(Span),
}

impl Kind {
    pub(crate) fn guard(&self) -> &dyn Guard {
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
        }
    }

    /// The course of requests to a store that takes so long between its check and its write.
    pub(crate) fn course(&self, gap: Span) -> Course {
        match self {
            Self::Unfenced(_)
            | Self::FencedRow(_)
            | Self::VersionedRow(_)
            | Self::Stream(_)
            | Self::IdGenerator(_) => Course::Gap(gap),
            Self::S3Manifest(manifest) => Course::Upload(manifest.upload),
            Self::ExternalApi(api) => Course::Call(api.call),
            Self::Dynamodb(table) => Course::Exclusive(table.transaction),
            Self::Kafka(kafka) => Course::Transaction(kafka.transaction),
            Self::Sql(sql) => Course::RowLock(sql.transaction),
        }
    }

    /// What is kept when a call is over.
    pub(crate) fn result(&self, item: Item) -> Option<Remember> {
        match self {
            Self::ExternalApi(api) => api.result(item),
            Self::Unfenced(_)
            | Self::FencedRow(_)
            | Self::VersionedRow(_)
            | Self::S3Manifest(_)
            | Self::Dynamodb(_)
            | Self::Stream(_)
            | Self::IdGenerator(_)
            | Self::Kafka(_)
            | Self::Sql(_) => None,
        }
    }

    /// The partition that an item goes to.
    pub(crate) fn partition(&self, item: Item) -> Option<u32> {
        match self {
            Self::Kafka(kafka) => Some(kafka.partition(item)),
            Self::Unfenced(_)
            | Self::FencedRow(_)
            | Self::VersionedRow(_)
            | Self::S3Manifest(_)
            | Self::ExternalApi(_)
            | Self::Dynamodb(_)
            | Self::Stream(_)
            | Self::IdGenerator(_)
            | Self::Sql(_) => None,
        }
    }

    /// How many effects one request can have; `None`: any number.
    pub fn batch(&self) -> Option<u32> {
        match self {
            Self::Dynamodb(_) => Some(Dynamodb::PUTS_MAX),
            Self::Unfenced(_)
            | Self::FencedRow(_)
            | Self::VersionedRow(_)
            | Self::S3Manifest(_)
            | Self::ExternalApi(_)
            | Self::Stream(_)
            | Self::IdGenerator(_)
            | Self::Kafka(_)
            | Self::Sql(_) => None,
        }
    }

    /// Whether what a write carries is read from its worker's wall clock, and not what it last saw.
    pub fn is_stamped_by_clock(&self) -> bool {
        self.makes_ids().is_some()
    }

    fn makes_ids(&self) -> Option<&IdGenerator> {
        match self {
            Self::IdGenerator(generator) => Some(generator),
            Self::Unfenced(_)
            | Self::FencedRow(_)
            | Self::VersionedRow(_)
            | Self::S3Manifest(_)
            | Self::ExternalApi(_)
            | Self::Dynamodb(_)
            | Self::Stream(_)
            | Self::Kafka(_)
            | Self::Sql(_) => None,
        }
    }

    /// The effects of a write: who applies the same once more applies them twice.
    pub fn effects(&self, op: Op) -> Option<Effects> {
        if self.makes_ids().is_some() {
            return IdGenerator::ids(op);
        }
        op.item().map(|item| Effects { of: item.number, first: item.first, count: item.effects })
    }

    /// What a write carries that is compared, in words: "token 7".
    pub fn carries(&self, op: Op) -> Option<String> {
        self.guard().carries(op)
    }

    /// Why a write was let in, in words. `fence` is where the fence stood.
    pub fn grounds(&self, op: Op, fence: Option<Token>) -> String {
        self.guard().grounds(op, fence)
    }
}
