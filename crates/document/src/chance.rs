//! Chances as people write them.

use std::fmt;
use std::str::FromStr;

use kernel::Ratio;

use super::read::{Read, Reader, text};

/// A probability: "1/100", "1%", "0.5%", "0".
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chance(pub Ratio);

impl Default for Chance {
    fn default() -> Self {
        Self(Ratio::NEVER)
    }
}

impl FromStr for Chance {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        let text = text.trim();
        let wrong = || format!("{text:?} is not a probability: write one like \"1/100\", \"10%\" or \"0\"");
        let (times, of) = if let Some((times, of)) = text.split_once('/') {
            (whole(times).ok_or_else(wrong)?, whole(of).ok_or_else(wrong)?)
        } else {
            let (number, hundred) = match text.strip_suffix('%') {
                Some(number) => (number.trim(), 100),
                None => (text, 1),
            };
            let (before, decimals) = number.split_once('.').unwrap_or((number, "0"));
            let scale = 10_u64.checked_pow(decimals.len().min(9) as u32).ok_or_else(wrong)?;
            if decimals.is_empty() || decimals.len() > 6 {
                return Err(wrong());
            }
            let before = whole(before).filter(|before| *before <= 1_000).ok_or_else(wrong)?;
            (before * scale + whole(decimals).ok_or_else(wrong)?, hundred * scale)
        };
        if of == 0 || times > of {
            return Err(format!("{text:?} is not between 0 and 1"));
        }
        let common = common_divisor(times, of);
        match (u32::try_from(times / common), u32::try_from(of / common)) {
            (Ok(times), Ok(of)) => Ok(Self(Ratio::new(times, of))),
            _ => Err(format!("{text:?} is too fine: at most 4,294,967,295 parts")),
        }
    }
}

fn whole(text: &str) -> Option<u64> {
    let text = text.trim();
    if text.bytes().all(|byte| byte.is_ascii_digit()) { text.parse().ok() } else { None }
}

/// So that "10%" and "1/10" draw alike.
fn common_divisor(mut a: u64, mut b: u64) -> u64 {
    while b > 0 {
        (a, b) = (b, a % b);
    }
    a.max(1)
}

impl fmt::Display for Chance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Ratio { times: 0, .. } => f.write_str("0"),
            Ratio { times, of } => write!(f, "{times}/{of}"),
        }
    }
}

impl Read for Chance {
    fn read(from: &Reader<'_>) -> Self {
        text(from, "a probability like \"1/100\" or \"10%\"", |number| number.to_string().parse())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chances_are_read_and_written_in_lowest_terms() {
        for (text, written) in [
            ("1/100", "1/100"),
            ("10%", "1/10"),
            ("0.5%", "1/200"),
            ("0.05", "1/20"),
            ("100%", "1/1"),
            ("1", "1/1"),
            ("0", "0"),
            ("0%", "0"),
            ("2/4", "1/2"),
        ] {
            let read: Chance = text.parse().unwrap_or_else(|why| panic!("{why}"));
            assert_eq!(read.to_string(), written, "{text}");
            assert_eq!(written.parse(), Ok(read));
        }
        for text in [
            "",
            "%",
            "/",
            "1/0",
            "3/2",
            "101%",
            "2",
            "-1%",
            "often",
            "1/2/3",
            "0.",
            "99999999999%",
            "1.00000001%",
        ] {
            assert!(text.parse::<Chance>().is_err(), "{text}");
        }
        assert!("1/99999999999".parse::<Chance>().is_err());
    }
}
