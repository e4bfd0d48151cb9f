//! etcd's two halves on the real kernel.
#![allow(clippy::wildcard_enum_match_arm, reason = "a test picks out the one note that it is about")]
#![allow(dead_code, reason = "the small world has what the tests of other kinds need as well")]

#[path = "../common/mod.rs"]
mod common;

mod acquire;
mod hold;
mod kv;
mod leases;
mod server;
mod twin;
mod worlds;
