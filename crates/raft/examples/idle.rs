//! How fast an idle cluster of five is simulated: `cargo run --release -p fencepost-raft --example idle [off|recorded]`.

#[path = "../tests/bare/mod.rs"]
mod bare;

#[allow(clippy::disallowed_methods, reason = "it measures")]
fn now() -> std::time::Instant {
    std::time::Instant::now()
}

fn main() {
    const SECONDS: u64 = 1_200;
    const SLICE: u64 = 10;
    let only = std::env::args().nth(1);
    let horizon = kernel::SimTime::from_secs(SECONDS);
    for (name, make) in
        [("off", kernel::Trace::off as fn() -> kernel::Trace<_>), ("recorded", kernel::Trace::recording)]
    {
        if only.as_deref().is_some_and(|only| only != name) {
            continue;
        }
        // The fastest slice of many: other people's work on the machine only ever makes one slower.
        let (mut fastest, mut inputs) = (std::time::Duration::MAX, 0);
        for _ in 0..10 {
            let mut trace = make();
            let mut world = kernel::World::new(bare::idle_cluster(horizon));
            for slice in 1..=SECONDS / SLICE {
                let (began, before) = (now(), world.inputs_taken());
                world.run_until(kernel::SimTime::from_secs(slice * SLICE), &mut trace);
                let took = began.elapsed();
                if took < fastest {
                    (fastest, inputs) = (took, world.inputs_taken() - before);
                }
            }
        }
        println!(
            "trace {name}: {:.0} simulated seconds a second, {:.1} ns an input",
            SLICE as f64 / fastest.as_secs_f64(),
            fastest.as_nanos() as f64 / inputs as f64
        );
    }
}
