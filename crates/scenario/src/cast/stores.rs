//! Stores, with what their kinds take by default.

use std::rc::Rc;

use ::stores::{
    Claiming, Dynamodb, ExternalApi, FencedRow, IdGenerator, Idempotency, Kafka, Kind, S3Manifest,
    SessionChecked, Sql, Stream, Unfenced, VersionedRow, journal::Journal,
};
use kernel::{ProcessId, Span};

use document::Dur;
use document::model::{self, Equal, Puts, Scenario, Store, StoreKind};

use super::Cast;
use super::service::Service;
use super::workers::question;
use crate::actors::{Doorman, DoormanConfig};

/// How long a transaction takes, unless a document says otherwise.
const TRANSACTION: Span = Span::from_millis(5);
/// How many partitions a topic has.
const PARTITIONS: u32 = 3;
/// How long a call counts as in progress.
const MARKER: Span = Span::from_secs(60);

fn span(length: Option<Dur>) -> Span {
    length.map_or(Span::ZERO, |length| length.0)
}

pub(super) fn machine(store: &Store) -> ::stores::Store {
    ::stores::Store::new(kind(store), span(store.check_gap))
}

/// Who asks the lock service in front of a store of a kind that wants that.
pub(super) fn doorman(
    scenario: &Scenario,
    cast: &Cast,
    me: ProcessId,
    service: &Service<'_>,
) -> Option<Doorman> {
    let (Kind::SessionChecked(_), lock) = (cast.kind_of(me)?, cast.lock_of(me)?) else { return None };
    let question = question(scenario, lock, service);
    Some(Doorman::new(Rc::new(DoormanConfig { members: service.members(), question })))
}

pub(super) fn kind(store: &Store) -> Kind {
    let transaction = store.transaction.map_or(TRANSACTION, |transaction| transaction.0);
    match store.kind {
        StoreKind::Unfenced => Kind::Unfenced(Unfenced),
        StoreKind::FencedRow => Kind::FencedRow(fence(store)),
        StoreKind::VersionedRow => Kind::VersionedRow(VersionedRow),
        StoreKind::S3Manifest => {
            Kind::S3Manifest(S3Manifest { nonce: store.nonce.unwrap_or(true), upload: span(store.upload) })
        }
        StoreKind::ExternalApi => Kind::ExternalApi(ExternalApi {
            idempotency: store.idempotency.as_ref().map(|keys| Idempotency {
                keep: keys.keep.0,
                marker: keys.marker.map_or(MARKER, |marker| marker.0),
            }),
            call: span(store.call),
        }),
        StoreKind::Dynamodb => Kind::Dynamodb(Dynamodb {
            fence: fence(store),
            if_absent: store.puts == Some(Puts::IfAbsent),
            transaction,
        }),
        StoreKind::Stream => Kind::Stream(Stream),
        StoreKind::IdGenerator => {
            Kind::IdGenerator(IdGenerator { keeps_timestamp: store.last_timestamp.unwrap_or(true) })
        }
        StoreKind::Kafka => Kind::Kafka(Kafka {
            partitions: store.partitions.unwrap_or(PARTITIONS),
            verifies: store.verify.unwrap_or(false),
            transaction: span(store.transaction),
        }),
        StoreKind::SessionChecked => Kind::SessionChecked(SessionChecked),
        StoreKind::Journal => Kind::Journal(Journal { nodes: store.journal_nodes().len() + 1 }),
        StoreKind::Sql => Kind::Sql(Sql { claiming: claiming(store), fence: fence(store), transaction }),
    }
}

fn claiming(store: &Store) -> Claiming {
    match store.claim {
        Some(model::Claim::RowLock) => {
            Claiming::RowLock { idle: store.idle_timeout.map(|timeout| timeout.0) }
        }
        Some(model::Claim::ConditionalUpdate) => Claiming::ConditionalUpdate,
        Some(model::Claim::UniqueKey) => Claiming::UniqueKey,
        Some(model::Claim::Fence) | None => Claiming::Fence,
    }
}

fn fence(store: &Store) -> FencedRow {
    FencedRow {
        equal: match store.equal {
            Some(Equal::Rejected) => ::stores::Equal::Rejected,
            Some(Equal::Accepted) | None => ::stores::Equal::Accepted,
        },
        lifetime: store.fence_lifetime.map(|lifetime| lifetime.0),
    }
}
