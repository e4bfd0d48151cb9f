//! What a play's candidates and holders ask of their lock service.

use kernel::Map;

use crate::facts::{Belief, MomentKind};
use crate::play::Play;
use document::text::{count, seconds};

/// The load of a play, in numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Load {
    /// How many candidates woke, at most, after one grant had ended and before the next did.
    pub woken_at_most: usize,
    /// Renewals that holders were told of.
    pub renewals: usize,
    /// Those in 1,000 s, as over the whole play.
    pub renewals_per_ks: u64,
}

impl Load {
    /// The numbers by their names, in words.
    pub(crate) fn rows(&self) -> [(&'static str, String); 3] {
        [
            ("woken_at_most", count(self.woken_at_most as u64)),
            ("renewals", count(self.renewals as u64)),
            ("renewals_per_second", seconds(self.renewals_per_ks.saturating_mul(1_000) as i64, 3)),
        ]
    }
}

/// Counts a play's load.
pub fn load(play: &Play) -> Load {
    let facts = &play.facts;
    // A belief begins with one stop time, and each renewal brings another.
    let told = |belief: &Belief| belief.stops.iter().filter(|stop| stop.put_off.is_none()).count();
    let renewals = facts.beliefs.iter().map(|belief| told(belief).saturating_sub(1)).sum();
    let micros = play.scenario.horizon.0.as_micros().max(1);
    Load {
        woken_at_most: woken_at_most(play),
        renewals,
        renewals_per_ks: (renewals as u64).saturating_mul(1_000_000_000) / micros,
    }
}

/// A candidate that wakes is put down to the last grant of its lock that had ended by then.
fn woken_at_most(play: &Play) -> usize {
    let mut woken: Map<_, Map<_, ()>> = Map::new();
    for moment in &play.facts.moments {
        let MomentKind::Woken { lock } = &moment.what else { continue };
        let ends = play.facts.leases.iter().filter(|lease| lease.lock == *lock);
        let ends = ends.filter_map(|lease| lease.ended.map(|(at, _)| at));
        let last = ends.filter(|at| *at <= moment.at).max();
        woken.entry((lock, last)).or_default().insert(moment.process, ());
    }
    woken.values().map(|processes| processes.len()).max().unwrap_or(0)
}
