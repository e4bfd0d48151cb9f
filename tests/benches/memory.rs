//! How much memory a played story holds; apart from `plays.rs`, where counting would cost time.

use std::alloc::System;

use fencepost_tests::measures;
use stats_alloc::{INSTRUMENTED_SYSTEM, StatsAlloc};

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

fn main() {
    let bytes = measures::bytes_held(&INSTRUMENTED_SYSTEM, &measures::billing());
    println!("{}", measures::bytes_line("billing/memory", bytes));
}
