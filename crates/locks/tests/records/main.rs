//! Services that keep one record a lock, which clients watch: their servers by scripts, and their clients on the real
//! kernel.
#![allow(clippy::wildcard_enum_match_arm, reason = "a test picks out the one note that it is about")]
#![allow(dead_code, reason = "the small world has what the tests of other kinds need as well")]

#[path = "../common/mod.rs"]
mod common;

mod dynamodb_lock_client;
mod kubernetes;
