//! The measures of `plays.rs` as wasm, in Node: `cargo xtask bench`.

#[cfg(not(target_arch = "wasm32"))]
fn main() {}

#[cfg(target_arch = "wasm32")]
mod plays {
    use std::alloc::System;

    use fencepost_tests::{cluster, measures};
    use kernel::SimTime;
    use scenario::play;
    use stats_alloc::{INSTRUMENTED_SYSTEM, StatsAlloc};
    use wasm_bindgen_test::{Criterion, Instant, console_log, wasm_bindgen_bench};

    #[global_allocator]
    static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

    #[wasm_bindgen_bench]
    fn billing(criterion: &mut Criterion) {
        let scenario = measures::billing();
        criterion.bench_function("billing/play", |bencher| bencher.iter(|| play(&scenario)));

        let began = Instant::now();
        let scrubs = measures::scrubs(&play(&scenario), || began.elapsed());
        console_log!("{}", measures::time_line("billing/scrub, median", scrubs.median));
        console_log!("{}", measures::time_line("billing/scrub, worst", scrubs.worst));
        let bytes = measures::bytes_held(&INSTRUMENTED_SYSTEM, &scenario);
        console_log!("{}", measures::bytes_line("billing/memory", bytes));
    }

    #[wasm_bindgen_bench]
    fn clusters(criterion: &mut Criterion) {
        let horizon = SimTime::from_secs(measures::CLUSTER_SECS);
        for (name, plan, trace) in measures::CLUSTERS {
            criterion.bench_function(name, |bencher| bencher.iter(|| cluster::run(plan(horizon), trace())));
        }
    }
}

#[cfg(target_arch = "wasm32")]
fn main() {}
