//! Three kinds of time, each a type of its own, and the length of time between two readings of one kind.

use std::fmt;
use std::ops::{Add, AddAssign, Sub};

/// True time in microseconds since the world began. The audience's clock: no machine ever receives one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default, Hash)]
pub struct SimTime(u64);

/// A host's monotonic clock in microseconds since that host's clock began: it drifts, and never steps.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default, Hash)]
pub struct Mono(u64);

/// A host's calendar in microseconds: it drifts and steps, and can read anything at all.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default, Hash)]
pub struct Wall(i64);

/// A length of time in microseconds.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default, Hash)]
pub struct Span(u64);

impl SimTime {
    /// The beginning.
    pub const ZERO: Self = Self(0);
    /// Later than everything.
    pub const NEVER: Self = Self(u64::MAX);

    /// So many microseconds after the beginning.
    pub const fn from_micros(micros: u64) -> Self {
        Self(micros)
    }
    /// So many milliseconds after the beginning.
    pub const fn from_millis(millis: u64) -> Self {
        Self(millis * 1_000)
    }
    /// So many seconds after the beginning.
    pub const fn from_secs(secs: u64) -> Self {
        Self(secs * 1_000_000)
    }
    /// Microseconds since the beginning.
    pub const fn as_micros(self) -> u64 {
        self.0
    }
    /// How long after `earlier` this is; nothing when it is not after.
    pub const fn since(self, earlier: Self) -> Span {
        Span(self.0.saturating_sub(earlier.0))
    }
}

impl Mono {
    /// A reading of so many microseconds.
    pub const fn from_micros(micros: u64) -> Self {
        Self(micros)
    }
    /// The reading in microseconds.
    pub const fn as_micros(self) -> u64 {
        self.0
    }
    /// How long after `earlier` this reading is; nothing when it is not after.
    pub const fn since(self, earlier: Self) -> Span {
        Span(self.0.saturating_sub(earlier.0))
    }
}

impl Wall {
    /// A reading of so many microseconds.
    pub const fn from_micros(micros: i64) -> Self {
        Self(micros)
    }
    /// The reading in microseconds.
    pub const fn as_micros(self) -> i64 {
        self.0
    }
    /// How long after `earlier` this reading is; nothing when it is not after.
    pub fn since(self, earlier: Self) -> Span {
        Span(self.0.saturating_sub(earlier.0).max(0) as u64)
    }
    /// This reading moved by so many microseconds, either way.
    pub const fn moved(self, micros: i64) -> Self {
        Self(self.0.saturating_add(micros))
    }
}

impl Span {
    /// No time at all.
    pub const ZERO: Self = Self(0);
    /// Longer than everything.
    pub const FOREVER: Self = Self(u64::MAX);

    /// So many microseconds.
    pub const fn from_micros(micros: u64) -> Self {
        Self(micros)
    }
    /// So many milliseconds.
    pub const fn from_millis(millis: u64) -> Self {
        Self(millis * 1_000)
    }
    /// So many seconds.
    pub const fn from_secs(secs: u64) -> Self {
        Self(secs * 1_000_000)
    }
    /// Length in microseconds.
    pub const fn as_micros(self) -> u64 {
        self.0
    }
    /// This less `other`; nothing when `other` is longer.
    pub const fn less(self, other: Self) -> Self {
        Self(self.0.saturating_sub(other.0))
    }
    /// So many times this.
    pub const fn times(self, count: u64) -> Self {
        Self(self.0.saturating_mul(count))
    }
    /// Rounded up to a whole number of `unit`; unchanged when `unit` is nothing.
    pub const fn rounded_up_to(self, unit: Self) -> Self {
        if unit.0 == 0 { self } else { Self(self.0.div_ceil(unit.0).saturating_mul(unit.0)) }
    }
}

impl Add<Span> for SimTime {
    type Output = Self;
    fn add(self, span: Span) -> Self {
        Self(self.0.saturating_add(span.0))
    }
}
impl Add<Span> for Mono {
    type Output = Self;
    fn add(self, span: Span) -> Self {
        Self(self.0.saturating_add(span.0))
    }
}
impl Add<Span> for Wall {
    type Output = Self;
    fn add(self, span: Span) -> Self {
        Self(self.0.saturating_add_unsigned(span.0))
    }
}
impl Add for Span {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }
}
impl AddAssign for Span {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}
impl Sub<SimTime> for SimTime {
    type Output = Span;
    fn sub(self, earlier: SimTime) -> Span {
        self.since(earlier)
    }
}

/// Seconds with as many decimals as are needed, at least `least`.
fn seconds(micros: u64, least: usize) -> String {
    let mut text = format!("{}.{:06}", micros / 1_000_000, micros % 1_000_000);
    let shortest = text.len() - 6 + least;
    while text.len() > shortest && text.ends_with('0') {
        text.pop();
    }
    text.trim_end_matches('.').to_string()
}

impl fmt::Display for SimTime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} s", seconds(self.0, 0))
    }
}
impl fmt::Display for Mono {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} s", seconds(self.0, 0))
    }
}
impl fmt::Display for Wall {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{} s", if self.0 < 0 { "−" } else { "" }, seconds(self.0.unsigned_abs(), 0))
    }
}
impl fmt::Display for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            micros if micros >= 1_000_000 || micros == 0 => write!(f, "{} s", seconds(micros, 0)),
            micros if micros >= 1_000 => {
                write!(f, "{} ms", seconds(micros * 1_000, 0))
            }
            micros => write!(f, "{micros} µs"),
        }
    }
}
