//! Runs the idle cluster of the benches so many times, for profilers:
//! `cargo run --release -p fencepost-tests --example idle 10`.

use fencepost_tests::{cluster, measures};
use kernel::SimTime;

fn main() {
    let times: u32 = std::env::args().nth(1).map_or(1, |times| times.parse().expect("how many times"));
    let horizon = SimTime::from_secs(measures::CLUSTER_SECS);
    let (name, plan, trace) = measures::CLUSTERS[0];
    for _ in 0..times {
        std::hint::black_box(cluster::run(plan(horizon), trace()));
    }
    println!("{name}");
}
