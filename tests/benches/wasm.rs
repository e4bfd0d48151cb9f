//! The measures of `plays.rs` as wasm, in Node, in CPU time as well: `cargo xtask bench`.

#[cfg(not(target_arch = "wasm32"))]
fn main() {}

#[cfg(target_arch = "wasm32")]
mod plays {
    use std::alloc::System;
    use std::hint::black_box;
    use std::time::Duration;

    use fencepost_tests::{cluster, measures};
    use kernel::SimTime;
    use scenario::play;
    use stats_alloc::{INSTRUMENTED_SYSTEM, StatsAlloc};
    use wasm_bindgen::prelude::wasm_bindgen;
    use wasm_bindgen_test::{Criterion, Instant, console_log, wasm_bindgen_bench};

    /// Some seconds' worth.
    const WARM_UP_PLAYS: u32 = 6_000;

    #[global_allocator]
    static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

    #[wasm_bindgen]
    extern "C" {
        type CpuUsage;
        #[wasm_bindgen(js_namespace = process, js_name = cpuUsage)]
        fn cpu_usage() -> CpuUsage;
        #[wasm_bindgen(method, getter)]
        fn user(this: &CpuUsage) -> f64;
        #[wasm_bindgen(method, getter)]
        fn system(this: &CpuUsage) -> f64;
    }

    /// What Node computed since it began, in this thread and those that compile for it.
    fn computed() -> Duration {
        let usage = cpu_usage();
        Duration::from_micros((usage.user() + usage.system()) as u64)
    }

    fn bench<R>(criterion: &mut Criterion, name: &str, mut act: impl FnMut() -> R) {
        criterion.bench_function(name, |bencher| {
            bencher.iter_custom(|times| {
                let began = computed();
                for _ in 0..times {
                    black_box(act());
                }
                computed() - began
            });
        });
    }

    #[wasm_bindgen_bench]
    fn billing(criterion: &mut Criterion) {
        let scenario = measures::billing();
        // Node compiles what runs often once more, beside what runs: what is measured is what comes of that, not the compiling.
        for _ in 0..WARM_UP_PLAYS {
            black_box(play(&scenario));
        }
        bench(criterion, "billing/play", || play(&scenario));
        bench(criterion, "billing/play and layout", || measures::play_and_layout(&scenario));

        // One scrub is too short for Node's count of what it computed.
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
            bench(criterion, name, || cluster::run(plan(horizon), trace()));
        }
    }
}

#[cfg(target_arch = "wasm32")]
fn main() {}
