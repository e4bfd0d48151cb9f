//! What a lock protects: a resource with a row of work in it, that decides about each write by what it checks.
//!
//! One module a kind. A kind is a [`Guard`]: it sees the row and the write, and no clock. [`Store`] is the process
//! around it: it answers requests, keeps the row on disk before it answers, and can be made to check and write in
//! two steps, which is the mistake that a fence must not make.

mod api;
mod fenced_row;
mod row;
mod server;
mod unfenced;

pub use api::{Admission, Answer, Claim, Guard, Item, Msg, Op, Refusal, Token};
pub use fenced_row::{Equal, FencedRow};
pub use row::{Row, RowState};
pub use server::{Decided, Kind, Note, Speech, Store, Timer};
pub use unfenced::Unfenced;
