//! Microseconds against pixels, with ticks where people count: one kind of axis for both directions, so that plotters is compiled once,
//! and without the formatting of floats.

use std::ops::Range;

use plotters::coord::ranged1d::{KeyPointHint, NoDefaultFormatting, Ranged, ValueFormatter};
use timeline::round_step;

/// From a value to another.
pub(super) struct Axis {
    from: i64,
    to: i64,
    step: i64,
    said: fn(i64) -> String,
}

impl Axis {
    /// An axis that is so many CSS pixels long, with ticks at least `apart` of them from one another.
    pub(super) fn new((from, to): (i64, i64), length: f64, apart: f64, said: fn(i64) -> String) -> Self {
        let to = to.max(from + 1);
        let step = round_step((to - from) as f64 / length.max(1.0) * apart);
        Self { from, to, step: step.max(1) as i64, said }
    }

    fn ticks(&self) -> Vec<i64> {
        let first = self.from.div_euclid(self.step) * self.step;
        let all = std::iter::successors(Some(first), |tick| tick.checked_add(self.step));
        all.skip_while(|tick| *tick < self.from).take_while(|tick| *tick <= self.to).collect()
    }
}

impl Ranged for Axis {
    type FormatOption = NoDefaultFormatting;
    type ValueType = i64;

    fn map(&self, value: &i64, (begin, end): (i32, i32)) -> i32 {
        let share = (value - self.from) as f64 / (self.to - self.from) as f64;
        begin + (share * f64::from(end - begin)).round() as i32
    }

    fn key_points<Hint: KeyPointHint>(&self, hint: Hint) -> Vec<i64> {
        // Plotters asks twice, the first time for finer lines that have no labels: there are none.
        if hint.weight().allow_light_points() { Vec::new() } else { self.ticks() }
    }

    fn range(&self) -> Range<i64> {
        self.from..self.to
    }
}

impl ValueFormatter<i64> for Axis {
    fn format_ext(&self, value: &i64) -> String {
        (self.said)(*value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_within_and_far_enough_apart() {
        let said = |micros: i64| micros.to_string();
        let axis = Axis::new((-3_250_000, 250_000), 200.0, 28.0, said);
        assert_eq!(axis.ticks(), [-3_000_000, -2_500_000, -2_000_000, -1_500_000, -1_000_000, -500_000, 0]);
        assert_eq!(axis.map(&-3_250_000, (200, 0)), 200, "the least is at the bottom");
        assert_eq!(axis.map(&250_000, (200, 0)), 0);
        let empty = Axis::new((0, 0), 0.0, 28.0, said);
        assert_eq!(empty.ticks(), [0], "nothing is divided by nothing");
    }
}
