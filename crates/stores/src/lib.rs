//! What a lock protects: a resource with a row of work in it, that decides about each write by what it checks.
//!
//! One module a kind. A kind is a [`Guard`]: it sees what is on the shelf and what the write carries, and no clock.
//! [`Store`] is the process around it: it answers requests, keeps the shelf on disk before it answers, lets what takes its
//! time take it, and can be made to check and write in two steps, which is the mistake that a fence must not make.

mod api;
#[cfg(test)]
mod bench;
mod course;
mod dynamodb;
mod external_api;
mod fenced_row;
mod guard;
mod id_generator;
pub mod journal;
mod kafka;
mod kind;
mod refusal;
mod row;
mod s3_manifest;
mod server;
mod session_checked;
mod shelf;
mod sql;
mod stamp;
mod stream;
mod unfenced;
mod versioned_row;

pub use api::{Answer, Claim, Item, Msg, Op, Owner, Seen, Token};
pub use course::Course;
pub use dynamodb::Dynamodb;
pub use external_api::{ExternalApi, Idempotency};
pub use fenced_row::{Equal, FencedRow};
pub use guard::{Admission, Effects, Guard};
pub use id_generator::IdGenerator;
pub use kafka::Kafka;
pub use kind::Kind;
pub use refusal::{Conflict, Refusal, RollBack};
pub use row::{Row, RowState};
pub use s3_manifest::S3Manifest;
pub use server::{Decided, Note, Speech, Store, Timer, Transaction};
pub use session_checked::SessionChecked;
pub use shelf::{Change, Key, Memory, Remember, Shelf};
pub use sql::{Claiming, Sql};
pub use stamp::Stamp;
pub use stream::Stream;
pub use unfenced::Unfenced;
pub use versioned_row::VersionedRow;
