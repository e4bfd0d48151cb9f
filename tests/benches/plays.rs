//! How long plays take natively, in CPU time. `cargo xtask bench` prints this beside the same in wasm; nothing here is a
//! test.

use std::time::Duration;

use cpu_time::ThreadTime;
use criterion::Criterion;
use criterion::measurement::{Measurement, ValueFormatter, WallTime};
use fencepost_tests::{cluster, measures};
use kernel::SimTime;
use scenario::play;

/// That of the command line.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() {
    let mut criterion = Criterion::default()
        .with_measurement(CpuTime)
        .sample_size(50)
        .warm_up_time(Duration::from_secs(1))
        .measurement_time(Duration::from_secs(3))
        .configure_from_args();
    billing(&mut criterion);
    clusters(&mut criterion);
    criterion.final_summary();
}

fn billing(criterion: &mut Criterion<CpuTime>) {
    let scenario = measures::billing();
    criterion.bench_function("billing/play", |bencher| bencher.iter(|| play(&scenario)));
    criterion.bench_function("billing/play and layout", |bencher| {
        bencher.iter(|| measures::play_and_layout(&scenario));
    });

    let began = ThreadTime::now();
    let scrubs = measures::scrubs(&play(&scenario), || began.elapsed());
    println!("{}", measures::time_line("billing/scrub, median", scrubs.median));
    println!("{}", measures::time_line("billing/scrub, worst", scrubs.worst));
}

fn clusters(criterion: &mut Criterion<CpuTime>) {
    let horizon = SimTime::from_secs(measures::CLUSTER_SECS);
    let mut group = criterion.benchmark_group("cluster");
    group.sample_size(10);
    for (name, plan, trace) in measures::CLUSTERS {
        let name = name.trim_start_matches("cluster/");
        group.bench_function(name, |bencher| bencher.iter(|| cluster::run(plan(horizon), trace())));
    }
    group.finish();
}

/// What this thread computed: another build on the same computer does not count.
struct CpuTime;

impl Measurement for CpuTime {
    type Intermediate = ThreadTime;
    type Value = Duration;

    fn start(&self) -> ThreadTime {
        ThreadTime::now()
    }
    fn end(&self, began: ThreadTime) -> Duration {
        began.elapsed()
    }
    fn add(&self, one: &Duration, other: &Duration) -> Duration {
        *one + *other
    }
    fn zero(&self) -> Duration {
        Duration::ZERO
    }
    fn to_f64(&self, took: &Duration) -> f64 {
        WallTime.to_f64(took)
    }
    fn formatter(&self) -> &dyn ValueFormatter {
        WallTime.formatter()
    }
}
