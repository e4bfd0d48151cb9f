//! How fast an idle cluster of five is simulated: `cargo run --release -p fencepost-raft --example idle [off|recorded]`.

#[path = "../tests/bare/mod.rs"]
mod bare;

#[allow(clippy::disallowed_methods, reason = "it measures")]
fn now() -> std::time::Instant {
    std::time::Instant::now()
}

fn main() {
    const SECONDS: u64 = 1_200;
    let only = std::env::args().nth(1);
    let horizon = kernel::SimTime::from_secs(SECONDS);
    for (name, make) in
        [("off", kernel::Trace::off as fn() -> kernel::Trace<_>), ("recorded", kernel::Trace::recording)]
    {
        if only.as_deref().is_some_and(|only| only != name) {
            continue;
        }
        let best = (0..10)
            .map(|_| {
                let began = now();
                let mut trace = make();
                let mut world = kernel::World::new(bare::idle_cluster(horizon));
                while world.step(&mut trace) {}
                (began.elapsed(), world.inputs_taken())
            })
            .min()
            .expect("it ran");
        let (took, inputs) = best;
        println!(
            "trace {name}: {:.0} simulated seconds a second, {:.1} ns an input",
            SECONDS as f64 / took.as_secs_f64(),
            took.as_nanos() as f64 / inputs as f64
        );
    }
}
