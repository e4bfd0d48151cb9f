//! Every fault at exact instants, and random worlds. One binary for all subjects, so that it links once:
//! `cargo test -p fencepost-kernel --test all pause::` runs one.

mod common;

mod clocks;
mod connections;
mod crash;
mod disk;
mod draws;
mod links;
mod operator;
mod pause;
mod random;
mod restore;
mod snapshots;
mod suspend;
mod targets;
mod ties;
mod timers;
mod traces;
mod words;
