//! The stretch of a play that is in view, and how hands change it.

use kernel::{SimTime, Span};

use crate::Scale;

/// A stretch of true time, never empty.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct View {
    /// The first instant in view.
    pub from: SimTime,
    /// The last.
    pub to: SimTime,
}

/// No less than this is in view: below it nothing happens that a person could tell apart.
const LEAST: u64 = 1_000;

impl View {
    /// All of a play.
    pub fn whole(horizon: SimTime) -> Self {
        Self::of(0, horizon.as_micros(), horizon)
    }

    /// A stretch of a play: so many microseconds from an instant, moved into the play where it reaches out of it.
    fn of(from: u64, span: u64, horizon: SimTime) -> Self {
        let all = horizon.as_micros().max(1);
        let span = span.clamp(LEAST.min(all), all);
        let from = from.min(all - span);
        Self { from: SimTime::from_micros(from), to: SimTime::from_micros(from + span) }
    }

    fn span(self) -> u64 {
        self.to.since(self.from).as_micros()
    }

    /// Whether that is all of a play.
    pub fn is_whole(self, horizon: SimTime) -> bool {
        self == Self::whole(horizon)
    }

    /// As much of it as a play has: plays of other lengths come and go while a view stays.
    pub fn within(self, horizon: SimTime) -> Self {
        Self::of(self.from.as_micros(), self.span(), horizon)
    }

    /// `factor` times as much, with this instant where it is: half as much is closer.
    pub fn zoomed(self, horizon: SimTime, around: SimTime, factor: f64) -> Self {
        let around = around.clamp(self.from, self.to);
        let share = around.since(self.from).as_micros() as f64 / self.span() as f64;
        let span = (self.span() as f64 * factor).round().clamp(1.0, 1e18) as u64;
        let span = span.clamp(LEAST, horizon.as_micros().max(1));
        let before = (share * span as f64).round() as u64;
        Self::of(around.as_micros().saturating_sub(before), span, horizon)
    }

    /// As much, from so many microseconds later.
    pub fn panned(self, horizon: SimTime, micros: i64) -> Self {
        Self::of(self.from.as_micros().saturating_add_signed(micros), self.span(), horizon)
    }

    /// As much, moved no farther than is needed for this instant to be in view with a tenth of it on either side.
    pub fn showing(self, horizon: SimTime, at: SimTime) -> Self {
        let edge = Span::from_micros(self.span() / 10);
        let at = at.as_micros();
        let first = self.from.as_micros() + edge.as_micros();
        let last = self.to.as_micros() - edge.as_micros();
        let from = self.from.as_micros();
        let moved = if at < first { from.saturating_sub(first - at) } else { from + at.saturating_sub(last) };
        Self::of(moved, self.span(), horizon)
    }

    /// What two fingers make of it that were on two instants and are at two places now.
    pub fn pinched(self, horizon: SimTime, held: (SimTime, SimTime), scale: &Scale, now: (f64, f64)) -> Self {
        let apart = held.1.as_micros() as f64 - held.0.as_micros() as f64;
        let pixels = now.1 - now.0;
        if apart.abs() < 1.0 || pixels.abs() < 1.0 || apart.signum() != pixels.signum() {
            return self;
        }
        let micros_per_pixel = apart / pixels;
        let from = held.0.as_micros() as f64 - (now.0 - scale.left()) * micros_per_pixel;
        let span = (scale.right() - scale.left()) * micros_per_pixel;
        Self::of(from.round().max(0.0) as u64, span.round() as u64, horizon)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HORIZON: SimTime = SimTime::from_secs(60);

    const fn ms(millis: u64) -> SimTime {
        SimTime::from_millis(millis)
    }
    fn view(from: u64, to: u64) -> View {
        View { from: ms(from), to: ms(to) }
    }

    #[test]
    fn what_is_pointed_at_stays_where_it_is() {
        let whole = View::whole(HORIZON);
        assert_eq!(whole.zoomed(HORIZON, ms(15_000), 0.5), view(7_500, 37_500));
        assert_eq!(view(7_500, 37_500).zoomed(HORIZON, ms(15_000), 2.0), whole);
        assert_eq!(whole.zoomed(HORIZON, ms(0), 0.1), view(0, 6_000));
        assert_eq!(whole.zoomed(HORIZON, ms(60_000), 0.1), view(54_000, 60_000));
    }

    #[test]
    fn a_view_stays_within_the_play_and_is_never_empty() {
        assert_eq!(view(10_000, 20_000).zoomed(HORIZON, ms(10_000), 1e9), View::whole(HORIZON));
        assert_eq!(view(10_000, 20_000).zoomed(HORIZON, ms(10_000), 0.0), view(10_000, 10_001));
        assert_eq!(view(10_000, 20_000).panned(HORIZON, -90_000_000), view(0, 10_000));
        assert_eq!(view(10_000, 20_000).panned(HORIZON, i64::MAX), view(50_000, 60_000));
        assert_eq!(view(10_000, 20_000).within(SimTime::from_secs(5)), View::whole(SimTime::from_secs(5)));
        assert_eq!(view(50_000, 60_000).within(SimTime::from_secs(30)), view(20_000, 30_000));
    }

    #[test]
    fn it_follows_no_farther_than_it_must() {
        let now = view(10_000, 20_000);
        assert_eq!(now.showing(HORIZON, ms(12_000)), now);
        assert_eq!(now.showing(HORIZON, ms(19_500)), view(10_500, 20_500));
        assert_eq!(now.showing(HORIZON, ms(5_000)), view(4_000, 14_000));
        assert_eq!(now.showing(HORIZON, HORIZON), view(50_000, 60_000));
        assert_eq!(now.showing(HORIZON, ms(0)), view(0, 10_000));
    }

    #[test]
    fn fingers_keep_what_they_hold() {
        let whole = View::whole(HORIZON);
        let scale = Scale::new(whole.from, whole.to, 100.0, 600.0);
        // 20 s and 40 s are held, 200 pixels apart; drawn 400 apart, around the same middle.
        let held = (ms(20_000), ms(40_000));
        assert_eq!(whole.pinched(HORIZON, held, &scale, (200.0, 600.0)), view(15_000, 45_000));
        assert_eq!(whole.pinched(HORIZON, held, &scale, (400.0, 400.0)), whole, "both at one place");
        assert_eq!(whole.pinched(HORIZON, held, &scale, (600.0, 200.0)), whole, "crossed");
    }
}
