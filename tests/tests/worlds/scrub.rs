//! What is seen at an instant is what was there: the state reached from a snapshot is that of a world that was stepped
//! from the beginning.

use kernel::{Rng, SimTime, Stream, Trace, World};
use scenario::actors::Actor;
use scenario::{Play, Scenario};

/// Compares at some instants of a play, drawn with its seed.
pub(crate) fn check(seed: u64, scenario: &Scenario, play: &Play) {
    let mut rng = Rng::new(Stream::new(seed, 7_002, 0));
    let (_, plan) = scenario::cast::cast(scenario);
    let mut fresh = World::new(plan);
    let horizon = play.horizon().as_micros();
    let mut instants: Vec<SimTime> = (0..4).map(|_| SimTime::from_micros(rng.below(horizon + 1))).collect();
    instants.sort();
    for at in instants {
        fresh.run_until(at, &mut Trace::off());
        let reached = play.world_at(at);
        assert_eq!(state(&reached, play), state(&fresh, play), "at {at}");
        assert_eq!(play.view(at), play.view(at));
    }
}

/// All of a world that a process could tell, as text.
fn state(world: &World<Actor>, play: &Play) -> String {
    let mut text = format!("{:?} {} inputs, next {:?}\n", world.now(), world.inputs_taken(), world.next_at());
    for member in &play.cast.members {
        let process = member.process;
        text.push_str(&format!(
            "{}: {:?} {:?} waiting {} disk {:?} machine {:?}\n",
            member.name,
            world.health(process),
            world.readings(process),
            world.inputs_waiting(process),
            world.disk(process),
            world.machine(process),
        ));
    }
    text
}
