//! Durations as people write them.

use std::fmt;
use std::str::FromStr;

use kernel::Span;

use super::read::{Read, Reader, text};

/// No duration is longer: 10,000 hours, so that sums of a few never overflow anything.
const LONGEST: u64 = 10_000 * 3_600 * 1_000_000;

/// The units, from the longest, in microseconds. Unicode has two signs for micro.
const UNITS: [(&str, u64); 7] = [
    ("h", 3_600_000_000),
    ("m", 60_000_000),
    ("s", 1_000_000),
    ("ms", 1_000),
    ("us", 1),
    ("µs", 1),
    ("μs", 1),
];

/// A duration, or an instant counted from the beginning: "10s", "1.5s", "250ms", "50us", "1m30s", "1h".
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Dur(pub Span);

/// A duration with a direction, in microseconds: "3s", "+3s", "-3s".
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct SignedDur(pub i64);

impl Dur {
    /// So many seconds.
    pub const fn secs(secs: u64) -> Self {
        Self(Span::from_secs(secs))
    }
    /// A duration of so many microseconds.
    pub const fn from_micros(micros: u64) -> Self {
        Self(Span::from_micros(micros))
    }
    /// Its length in microseconds.
    pub const fn as_micros(self) -> u64 {
        self.0.as_micros()
    }
}

impl FromStr for Dur {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        micros(text.trim()).map(Self::from_micros)
    }
}

impl FromStr for SignedDur {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        let text = text.trim();
        let (sign, length) = match text.strip_prefix(['-', '−']) {
            Some(length) => (-1, length),
            None => (1, text.strip_prefix('+').unwrap_or(text)),
        };
        // At most `LONGEST`, which fits.
        micros(length).map(|micros| Self(sign * micros as i64))
    }
}

/// Reads a length of time without a sign.
fn micros(text: &str) -> Result<u64, String> {
    if text == "0" {
        return Ok(0);
    }
    if text.is_empty() {
        return Err("a duration like \"10s\" or \"250ms\" is wanted here, and the text is empty".to_owned());
    }
    if text.starts_with(['-', '−']) {
        return Err(format!("{text:?} is negative, and time runs forward here"));
    }
    let mut rest = text;
    let mut total: u64 = 0;
    let mut last = u64::MAX;
    while !rest.is_empty() {
        let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.').len();
        let (number, tail) = rest.split_at(digits);
        let letters = tail.len() - tail.trim_start_matches(char::is_alphabetic).len();
        let (unit, tail) = tail.split_at(letters);
        if number.is_empty() {
            return Err(format!(
                "{text:?} is not a duration: write one like \"10s\", \"250ms\" or \"1m30s\""
            ));
        }
        if unit.is_empty() {
            return Err(format!("{text:?} has no unit: write \"{number}s\" or \"{number}ms\""));
        }
        let Some((_, scale)) = UNITS.iter().find(|(name, _)| *name == unit) else {
            return Err(format!("{text:?} has an unknown unit `{unit}`: the units are h, m, s, ms and us"));
        };
        if *scale >= last {
            return Err(format!("{text:?} is out of order: longer units come first, each at most once"));
        }
        last = *scale;
        let part = scaled(number, *scale).map_err(|why| format!("{text:?} {why}"))?;
        total = total.saturating_add(part);
        rest = tail;
    }
    if total > LONGEST { Err(format!("{text:?} is longer than 10,000 hours")) } else { Ok(total) }
}

/// `number` times `scale`, exactly.
fn scaled(number: &str, scale: u64) -> Result<u64, String> {
    let (whole, decimals) = number.split_once('.').unwrap_or((number, ""));
    if whole.is_empty() || decimals.contains('.') || (decimals.is_empty() && number.contains('.')) {
        return Err(format!("has a part that is no number: {number:?}"));
    }
    let decimals = decimals.trim_end_matches('0');
    let whole: u64 = whole.parse().map_err(|_| "is longer than 10,000 hours".to_owned())?;
    let mut fraction: u64 = 0;
    let mut place = scale;
    for digit in decimals.bytes() {
        // A decimal can be had as long as the unit still divides by ten: "1.5h", but not "1.5us".
        if !place.is_multiple_of(10) {
            return Err("is finer than a microsecond".to_owned());
        }
        place /= 10;
        fraction += u64::from(digit - b'0') * place;
    }
    Ok(whole.saturating_mul(scale).saturating_add(fraction))
}

/// So much, in the units that people write.
fn write_micros(f: &mut fmt::Formatter<'_>, micros: u64) -> fmt::Result {
    let (name, scale) = match micros {
        0 => return f.write_str("0s"),
        1..1_000 => ("us", 1),
        1_000..1_000_000 => ("ms", 1_000),
        _ => ("s", 1_000_000),
    };
    write!(f, "{}", micros / scale)?;
    let decimals = format!("{:06}", (micros % scale) * (1_000_000 / scale));
    match decimals.trim_end_matches('0') {
        "" => {}
        decimals => write!(f, ".{decimals}")?,
    }
    f.write_str(name)
}

impl fmt::Display for Dur {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_micros(f, self.as_micros())
    }
}

impl fmt::Display for SignedDur {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0 < 0 {
            f.write_str("-")?;
        }
        write_micros(f, self.0.unsigned_abs())
    }
}

fn without_unit<T: Default>(number: i64) -> Result<T, String> {
    match number {
        0 => Ok(T::default()),
        number => Err(format!("{number} has no unit: write \"{number}s\" or \"{number}ms\"")),
    }
}

impl Read for Dur {
    fn read(from: &Reader<'_>) -> Self {
        text(from, "a duration like \"10s\"", without_unit)
    }
}

impl Read for SignedDur {
    fn read(from: &Reader<'_>) -> Self {
        text(from, "a duration like \"3s\" or \"-3s\"", without_unit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_read_and_written() {
        for (text, micros, written) in [
            ("10s", 10_000_000, "10s"),
            ("1.5s", 1_500_000, "1.5s"),
            ("250ms", 250_000, "250ms"),
            ("50us", 50, "50us"),
            ("50µs", 50, "50us"),
            ("50μs", 50, "50us"),
            ("1m30s", 90_000_000, "90s"),
            ("1h", 3_600_000_000, "3600s"),
            ("1.5h", 5_400_000_000, "5400s"),
            ("0s", 0, "0s"),
            ("0", 0, "0s"),
            ("1.000001s", 1_000_001, "1.000001s"),
            ("1.0s", 1_000_000, "1s"),
            ("1s500ms", 1_500_000, "1.5s"),
            (" 2s ", 2_000_000, "2s"),
            ("10000h", LONGEST, "36000000s"),
        ] {
            let read: Dur = text.parse().unwrap_or_else(|why| panic!("{why}"));
            assert_eq!((read.as_micros(), read.to_string().as_str()), (micros, written), "{text}");
            assert_eq!(written.parse(), Ok(read));
        }
    }

    #[test]
    fn what_is_no_duration_says_why() {
        for (text, why) in [
            ("10", "\"10\" has no unit: write \"10s\" or \"10ms\""),
            ("", "empty"),
            ("s", "not a duration"),
            ("ten seconds", "not a duration"),
            ("10 s", "no unit"),
            ("10sec", "unknown unit `sec`"),
            ("1s1m", "out of order"),
            ("1s1s", "out of order"),
            ("-1s", "negative"),
            ("1.2.3s", "no number"),
            (".5s", "no number"),
            ("5.s", "no number"),
            ("1.5us", "finer than a microsecond"),
            ("0.0000001s", "finer than a microsecond"),
            ("99999999999999999999s", "longer than"),
            ("18446744073709551615h", "longer than"),
            ("10001h", "longer than"),
            ("1s\u{301}", "not a duration"),
        ] {
            let error = text.parse::<Dur>().expect_err(text);
            assert!(error.contains(why), "{text:?}: {error}");
        }
    }

    #[test]
    fn directions_are_read_and_written() {
        for (text, micros, written) in
            [("-3s", -3_000_000, "-3s"), ("−3s", -3_000_000, "-3s"), ("+3s", 3_000_000, "3s"), ("0", 0, "0s")]
        {
            let read: SignedDur = text.parse().unwrap_or_else(|why| panic!("{why}"));
            assert_eq!((read.0, read.to_string().as_str()), (micros, written), "{text}");
        }
        assert!("--3s".parse::<SignedDur>().is_err());
        assert!("-10001h".parse::<SignedDur>().is_err());
    }
}
