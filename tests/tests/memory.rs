//! How much memory a played story holds. Counted, not timed: the number is the same on every run.
#![cfg(not(target_arch = "wasm32"))]

use std::alloc::System;

use fencepost_tests::measures;
use stats_alloc::{INSTRUMENTED_SYSTEM, StatsAlloc};

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

/// One test alone: another beside it would be counted with it.
#[test]
fn the_played_billing_story_holds_less_than_4_mb() {
    let bytes = measures::bytes_held(&INSTRUMENTED_SYSTEM, &measures::billing());
    println!("{bytes} bytes");
    assert!(bytes < 4_000_000, "{bytes} bytes");
    assert!(bytes > 100_000, "{bytes} bytes: nothing was counted");
}
