//! True time against pixels, and the ticks of the axis.

use kernel::{SimTime, Span};

/// A straight map from a stretch of true time to a stretch of pixels.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Scale {
    from: SimTime,
    span: Span,
    left: f64,
    width: f64,
}

/// A tick of the axis.
#[derive(Clone, PartialEq, Debug)]
pub struct Tick {
    /// Which instant.
    pub at: SimTime,
    /// Where.
    pub x: f64,
}

/// Steps between ticks that people count in, in microseconds.
#[rustfmt::skip]
const STEPS: [u64; 31] = [
    1, 2, 5, 10, 20, 50, 100, 200, 500,
    1_000, 2_000, 5_000, 10_000, 20_000, 50_000, 100_000, 200_000, 500_000,
    1_000_000, 2_000_000, 5_000_000, 10_000_000, 15_000_000, 30_000_000,
    60_000_000, 120_000_000, 300_000_000, 600_000_000, 900_000_000, 1_800_000_000, 3_600_000_000,
];

/// The shortest step that people count in, in microseconds, which is not below `least`.
pub fn round_step(least: f64) -> u64 {
    STEPS.iter().copied().find(|step| *step as f64 >= least).unwrap_or_else(|| {
        let hours = (least / 3.6e9).ceil() as u64;
        hours * 3_600_000_000
    })
}

impl Scale {
    /// Maps `from`..`to` to `left`..`left + width`. An empty stretch counts as a microsecond, an empty width as a pixel.
    pub fn new(from: SimTime, to: SimTime, left: f64, width: f64) -> Self {
        let span = Span::from_micros(to.since(from).as_micros().max(1));
        Self { from, span, left, width: width.max(1.0) }
    }
    /// The first instant in view.
    pub fn from(&self) -> SimTime {
        self.from
    }
    /// The last instant in view.
    pub fn to(&self) -> SimTime {
        self.from + self.span
    }
    /// The left edge of the view.
    pub fn left(&self) -> f64 {
        self.left
    }
    /// The right edge of the view.
    pub fn right(&self) -> f64 {
        self.left + self.width
    }
    /// Where an instant is; outside the view for one that is out of it.
    pub fn x(&self, at: SimTime) -> f64 {
        let from = self.from.as_micros() as f64;
        self.left + (at.as_micros() as f64 - from) / self.span.as_micros() as f64 * self.width
    }
    /// Where an instant is, held to the view.
    pub fn x_within(&self, at: SimTime) -> f64 {
        self.x(at).clamp(self.left, self.right())
    }
    /// Which instant is there, held to the view.
    pub fn at(&self, x: f64) -> SimTime {
        let share = ((x - self.left) / self.width).clamp(0.0, 1.0);
        self.from + Span::from_micros((share * self.span.as_micros() as f64).round() as u64)
    }
    /// How many microseconds of true time a distance in pixels is; negative to the left.
    pub fn micros_of(&self, dx: f64) -> i64 {
        (dx / self.width * self.span.as_micros() as f64).round() as i64
    }
    /// The step to which instants that a hand chose are rounded: no finer than a pixel shows, and at most 100 ms.
    pub fn grain(&self) -> Span {
        let pixel = self.span.as_micros() as f64 / self.width;
        let step = STEPS.iter().copied().find(|step| *step as f64 >= pixel).unwrap_or(100_000);
        Span::from_micros(step.clamp(1_000, 100_000))
    }
    /// An instant rounded to a multiple of `grain`.
    pub fn rounded(at: SimTime, grain: Span) -> SimTime {
        let grain = grain.as_micros().max(1);
        SimTime::from_micros((at.as_micros() + grain / 2) / grain * grain)
    }
    /// Which instant a hand chose that pointed there.
    pub fn chosen(&self, x: f64) -> SimTime {
        Self::rounded(self.at(x), self.grain())
    }
    /// Ticks at round instants, at least `apart` pixels from one another.
    pub fn ticks(&self, apart: f64) -> Vec<Tick> {
        let step = round_step(apart.max(1.0) / self.width * self.span.as_micros() as f64);
        let first = self.from.as_micros().div_ceil(step) * step;
        (first..=self.to().as_micros())
            .step_by(step as usize)
            .map(SimTime::from_micros)
            .map(|at| Tick { at, x: self.x(at) })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn minute() -> Scale {
        Scale::new(SimTime::ZERO, SimTime::from_secs(60), 100.0, 600.0)
    }

    #[test]
    fn pixels_and_instants_are_each_other_s_inverse() {
        let scale = minute();
        for millis in (0..=60_000).step_by(37) {
            let at = SimTime::from_millis(millis);
            assert_eq!(scale.at(scale.x(at)), at);
        }
        assert_eq!(scale.at(-5.0), SimTime::ZERO, "held to the view");
        assert_eq!(scale.at(5_000.0), SimTime::from_secs(60));
        assert_eq!(scale.micros_of(-10.0), -1_000_000);
    }

    #[test]
    fn ticks_are_round_and_far_enough_apart() {
        let at: Vec<u64> = minute().ticks(45.0).iter().map(|tick| tick.at.as_micros() / 1_000_000).collect();
        assert_eq!(at, [0, 5, 10, 15, 20, 25, 30, 35, 40, 45, 50, 55, 60]);
        let narrow = Scale::new(SimTime::ZERO, SimTime::from_secs(60), 0.0, 340.0);
        assert_eq!(narrow.ticks(45.0).len(), 7);
        let close = Scale::new(SimTime::from_millis(18_900), SimTime::from_millis(19_100), 0.0, 600.0);
        assert_eq!(close.ticks(45.0)[1].at, SimTime::from_millis(18_920));
        let days = Scale::new(SimTime::ZERO, SimTime::from_secs(864_000), 0.0, 300.0);
        assert!(days.ticks(45.0).len() <= 7);
    }

    #[test]
    fn a_hand_cannot_choose_finer_than_it_sees() {
        assert_eq!(minute().grain(), Span::from_millis(100), "600 px for a minute");
        let wide = Scale::new(SimTime::ZERO, SimTime::from_secs(60), 0.0, 1_300.0);
        assert_eq!(wide.grain(), Span::from_millis(50));
        assert_eq!(Scale::rounded(SimTime::from_millis(4_149), wide.grain()), SimTime::from_millis(4_150));
    }

    #[test]
    fn an_empty_view_divides_by_nothing() {
        let scale = Scale::new(SimTime::ZERO, SimTime::ZERO, 0.0, 0.0);
        assert!(scale.x(SimTime::from_secs(1)).is_finite());
        assert_eq!(scale.at(0.0), SimTime::ZERO);
    }
}
