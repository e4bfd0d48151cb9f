//! A play's world, stepped. What the kernel and the machines have that is generic is compiled here, for speed: that is why
//! these are functions of their own.

use kernel::{SimTime, Trace, World};

use crate::Actor;
use crate::story::Story;

/// Lets the next thing happen; false when the play is at its end.
#[inline(never)]
pub fn step(world: &mut World<Actor>, trace: &mut Trace<Story>) -> bool {
    world.step(trace)
}

/// Lets everything happen up to an instant, and what is due then as well.
#[inline(never)]
pub fn run_until(world: &mut World<Actor>, until: SimTime, trace: &mut Trace<Story>) {
    world.run_until(until, trace);
}
