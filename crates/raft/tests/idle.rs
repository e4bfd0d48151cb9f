//! What an idle cluster costs: steps, not time.

mod bare;

use kernel::{SimTime, Trace, World};

/// A leader's heartbeat to each of four followers and their answers, 20 times a second, and its look at the quorum
/// 10 times: 20 × (1 + 4 + 4) + 10 = 190 inputs. Nothing else happens, and no election timer comes due in vain.
#[test]
fn an_idle_cluster_takes_190_inputs_a_second() {
    let mut trace = Trace::off();
    let mut world = World::new(bare::idle_cluster(SimTime::from_secs(60)));
    world.run_until(SimTime::from_secs(10), &mut trace);
    let (before, mut steps) = (world.inputs_taken(), 0);
    while world.step(&mut trace) {
        steps += 1;
    }
    assert_eq!(world.inputs_taken() - before, 50 * 190);
    assert_eq!(steps, 50 * 190, "and every step is one of them");
}
