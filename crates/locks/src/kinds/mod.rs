//! Every kind of lock service behind one face: what a play is cast with, and what the workers of a play embed.
//!
//! A new kind is a module beside `etcd` and a variant in each of the enums here; the compiler tells of every place that
//! has to know it. Nobody else matches on kinds but who shows a server's own state.

mod client;
mod message;
mod question;
mod replica;
mod server;
mod single;
mod speech;

pub use client::ClientKind;
pub(crate) use message::{Heard, Peer};
pub use message::{Msg, Reply, Request};
pub use question::{Answer, Question};
pub use replica::AnyReplica;
pub use server::{Server, ServerConfig};
pub use single::AnyService;
pub use speech::{Disk, ServerSpeech, ServerTimer, Write};
