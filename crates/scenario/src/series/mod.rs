//! How clocks and leases went on over true time, as lines that are straight between their corners: what charts are drawn of.
//!
//! Folded from the trace and the facts. What a holder believed and what the authority had on record are measured each on
//! the clock that it was set on, and stay apart.

mod clocks;
mod leases;
mod words;

use kernel::{ClockLine, SimTime};

pub use self::clocks::{HostClocks, clocks};
pub use self::leases::{Apart, LeaseLines, Limit, Side, leases};
pub use self::words::{said_of_clocks, said_of_lease};

/// A corner of a line: it is straight from one to the next. Two at one instant are a jump.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Corner {
    /// The instant of true time.
    pub at: SimTime,
    /// The value there, in microseconds.
    pub micros: i64,
}

impl Corner {
    /// A reading's offset from true time: above 0 where the clock is ahead.
    pub fn off_true(self) -> Self {
        Self { at: self.at, micros: self.micros - self.at.as_micros() as i64 }
    }
}

/// One of a host's clocks from `from` to `to`.
fn readings(lines: &[&ClockLine], on_wall: bool, from: SimTime, to: SimTime) -> Vec<Corner> {
    let mut corners: Vec<Corner> = Vec::new();
    for (index, line) in lines.iter().enumerate() {
        if line.from >= to && line.from > from {
            break;
        }
        let next = lines.get(index + 1).map_or(SimTime::NEVER, |next| next.from);
        let (begin, end) = (line.from.max(from), next.min(to));
        if next <= begin {
            continue;
        }
        for at in [begin, end] {
            let micros = match on_wall {
                true => line.wall_at(at).as_micros(),
                false => line.mono_at(at).as_micros() as i64,
            };
            let corner = Corner { at, micros };
            if corners.last() != Some(&corner) {
                corners.push(corner);
            }
        }
    }
    corners
}
