//! Services whose locks are claimed, renewed and released in one request each: their servers by scripts, and their clients
//! on the real kernel. And no service at all.
#![allow(clippy::wildcard_enum_match_arm, reason = "a test picks out the one note that it is about")]
#![allow(dead_code, reason = "the small world has what the tests of other kinds need as well")]

#[path = "../common/mod.rs"]
mod common;

mod dynamodb_item;
mod handover;
mod lab;
mod none;
mod postgres_advisory;
mod postgres_row;
mod redis;
mod redlock;
