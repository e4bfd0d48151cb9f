//! How long plays take, natively. `cargo xtask bench` prints this beside the same in wasm; nothing here is a test.

use std::alloc::System;
use std::time::Duration;

use criterion::Criterion;
use fencepost_tests::{cluster, measures};
use kernel::SimTime;
use scenario::play;
use stats_alloc::{INSTRUMENTED_SYSTEM, StatsAlloc};

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

fn main() {
    let mut criterion = Criterion::default()
        .sample_size(50)
        .warm_up_time(Duration::from_millis(500))
        .measurement_time(Duration::from_secs(2))
        .configure_from_args();
    billing(&mut criterion);
    clusters(&mut criterion);
    criterion.final_summary();
}

fn billing(criterion: &mut Criterion) {
    let scenario = measures::billing();
    criterion.bench_function("billing/play", |bencher| bencher.iter(|| play(&scenario)));

    let began = now();
    let scrubs = measures::scrubs(&play(&scenario), || now().duration_since(began));
    println!("{}", measures::time_line("billing/scrub, median", scrubs.median));
    println!("{}", measures::time_line("billing/scrub, worst", scrubs.worst));
    println!(
        "{}",
        measures::bytes_line("billing/memory", measures::bytes_held(&INSTRUMENTED_SYSTEM, &scenario))
    );
}

fn clusters(criterion: &mut Criterion) {
    let horizon = SimTime::from_secs(measures::CLUSTER_SECS);
    let mut group = criterion.benchmark_group("cluster");
    group.sample_size(10);
    for (name, plan, trace) in measures::CLUSTERS {
        let name = name.trim_start_matches("cluster/");
        group.bench_function(name, |bencher| bencher.iter(|| cluster::run(plan(horizon), trace())));
    }
    group.finish();
}

#[expect(clippy::disallowed_methods, reason = "it measures")]
fn now() -> std::time::Instant {
    std::time::Instant::now()
}
