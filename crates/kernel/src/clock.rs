//! A host's two clocks as straight lines over true time, and where they were bent.

use crate::{Mono, SimTime, Span, Wall};

/// How fast a clock runs: millionths of the true rate. The nominal rate is 1,000,000.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Rate(u32);

impl Rate {
    /// As true time runs.
    pub const NOMINAL: Self = Self(1_000_000);
    /// The fastest that is allowed: it keeps the arithmetic within 64 bits for a day.
    pub const FASTEST: Self = Self(100_000_000);

    /// So many millionths of the true rate. Panics outside 1 to [`Rate::FASTEST`].
    pub const fn from_millionths(millionths: u32) -> Self {
        assert!(millionths > 0 && millionths <= Self::FASTEST.0, "a clock's rate is above 0 and at most 100");
        Self(millionths)
    }
    /// So many parts in a million faster (or, negative, slower) than true time.
    pub const fn from_ppm(ppm: i32) -> Self {
        Self::from_millionths((1_000_000 + ppm as i64) as u32)
    }
    /// Millionths of the true rate.
    pub const fn millionths(self) -> u32 {
        self.0
    }

    /// What a clock at this rate counts in a span of true time.
    #[inline]
    const fn counts(self, truth: u64) -> u64 {
        if self.0 == 1_000_000 { truth } else { truth * self.0 as u64 / 1_000_000 }
    }
    /// The shortest true time in which a clock at this rate counts so much; what is too long for 64 bits is longer
    /// than any world, and for ever.
    #[inline]
    const fn takes(self, counted: u64) -> u64 {
        if self.0 == 1_000_000 {
            return counted;
        }
        match counted.checked_mul(1_000_000) {
            Some(scaled) => scaled.div_ceil(self.0 as u64),
            None => u64::MAX,
        }
    }
}

/// A stretch of true time over which a host's clocks ran straight: from `from` they read `mono` and `wall`, and went
/// on at `rate`, or not at all when it is `None` (the host was suspended).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ClockLine {
    /// Where the stretch begins, in true time.
    pub from: SimTime,
    /// The monotonic reading there.
    pub mono: Mono,
    /// The wall reading there.
    pub wall: Wall,
    /// How fast both run; `None` while the host is suspended.
    pub rate: Option<Rate>,
}

impl ClockLine {
    /// The monotonic reading at `at`, which is on this stretch.
    #[inline]
    pub fn mono_at(&self, at: SimTime) -> Mono {
        self.rate.map_or(self.mono, |rate| {
            self.mono + Span::from_micros(rate.counts(at.since(self.from).as_micros()))
        })
    }
    /// The wall reading at `at`, which is on this stretch.
    #[inline]
    pub fn wall_at(&self, at: SimTime) -> Wall {
        self.rate.map_or(self.wall, |rate| {
            self.wall + Span::from_micros(rate.counts(at.since(self.from).as_micros()))
        })
    }
    /// The first instant of true time at which the monotonic clock, going on like this, reads `reading` or more.
    #[inline]
    pub fn when_mono(&self, reading: Mono) -> SimTime {
        match self.rate {
            Some(rate) => self.from + Span::from_micros(rate.takes(reading.since(self.mono).as_micros())),
            None if reading <= self.mono => self.from,
            None => SimTime::NEVER,
        }
    }
    /// The first instant of true time at which the wall clock, going on like this, reads `reading` or more.
    pub fn when_wall(&self, reading: Wall) -> SimTime {
        match self.rate {
            Some(rate) => self.from + Span::from_micros(rate.takes(reading.since(self.wall).as_micros())),
            None if reading <= self.wall => self.from,
            None => SimTime::NEVER,
        }
    }
}

/// A host's clocks now, and the line they are on.
#[derive(Clone, Copy, Debug)]
pub struct Clock {
    line: ClockLine,
    /// The rate that the clock has when it is not suspended.
    rate: Rate,
    /// When it was suspended: what the wall clock lost since then may be given back at resume.
    asleep_since: Option<SimTime>,
}

impl Clock {
    /// A clock that begins with these readings.
    pub(crate) fn new(mono: Mono, wall: Wall, rate: Rate) -> Self {
        let line = ClockLine { from: SimTime::ZERO, mono, wall, rate: Some(rate) };
        Self { line, rate, asleep_since: None }
    }

    /// The stretch that the clocks are on.
    #[inline]
    pub fn line(&self) -> &ClockLine {
        &self.line
    }

    fn bend(&mut self, at: SimTime) {
        let (mono, wall) = (self.line.mono_at(at), self.line.wall_at(at));
        self.line.from = at;
        self.line.mono = mono;
        self.line.wall = wall;
    }

    pub(crate) fn set_rate(&mut self, at: SimTime, rate: Rate) {
        self.bend(at);
        self.rate = rate;
        if self.asleep_since.is_none() {
            self.line.rate = Some(rate);
        }
    }

    pub(crate) fn step_wall(&mut self, at: SimTime, micros: i64) {
        self.bend(at);
        self.line.wall = self.line.wall.moved(micros);
    }

    pub(crate) fn suspend(&mut self, at: SimTime) {
        self.bend(at);
        self.line.rate = None;
        self.asleep_since = Some(at);
    }

    /// Goes on after a suspension; the wall clock is set to the true time that passed when it `catches_up`.
    pub(crate) fn resume(&mut self, at: SimTime, catches_up: bool) {
        self.bend(at);
        self.line.rate = Some(self.rate);
        if let (Some(since), true) = (self.asleep_since.take(), catches_up) {
            self.line.wall = self.line.wall + at.since(since);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn s(secs: u64) -> SimTime {
        SimTime::from_secs(secs)
    }

    #[test]
    fn a_step_moves_the_wall_clock_alone() {
        let mut clock = Clock::new(Mono::default(), Wall::default(), Rate::NOMINAL);
        clock.step_wall(s(16), -3_000_000);
        assert_eq!(clock.line().mono_at(s(20)), Mono::from_micros(20_000_000));
        assert_eq!(clock.line().wall_at(s(20)), Wall::from_micros(17_000_000));
        assert_eq!(clock.line().when_wall(Wall::from_micros(21_500_000)), SimTime::from_millis(24_500));
        assert_eq!(clock.line().when_mono(Mono::from_micros(21_500_000)), SimTime::from_millis(21_500));
    }

    #[test]
    fn a_rate_bends_both_clocks_and_its_inverse_rounds_up() {
        let mut clock = Clock::new(Mono::default(), Wall::default(), Rate::NOMINAL);
        clock.set_rate(s(10), Rate::from_millionths(1_500_000));
        assert_eq!(clock.line().mono_at(s(12)), Mono::from_micros(13_000_000));
        for reading in 10_000_000..10_000_100 {
            let due = clock.line().when_mono(Mono::from_micros(reading));
            assert!(clock.line().mono_at(due) >= Mono::from_micros(reading), "due at or after the reading");
            let before = SimTime::from_micros(due.as_micros() - 1);
            assert!(
                due == s(10) || clock.line().mono_at(before) < Mono::from_micros(reading),
                "and not later than needed"
            );
        }
    }

    #[test]
    fn suspension_freezes_the_monotonic_clock_and_the_wall_may_catch_up() {
        for (catches_up, wall) in [(true, 10_000_000), (false, 6_000_000)] {
            let mut clock = Clock::new(Mono::default(), Wall::default(), Rate::NOMINAL);
            clock.suspend(s(4));
            assert_eq!(clock.line().mono_at(s(7)), Mono::from_micros(4_000_000));
            assert_eq!(clock.line().when_mono(Mono::from_micros(5_000_000)), SimTime::NEVER);
            clock.resume(s(8), catches_up);
            assert_eq!(clock.line().mono_at(s(10)), Mono::from_micros(6_000_000));
            assert_eq!(clock.line().wall_at(s(10)), Wall::from_micros(wall));
        }
    }
}
