//! Numbers and times as sentences have them.

use kernel::{SimTime, Span};

/// An instant in seconds, to the millisecond, with at least one decimal: "19.05".
pub fn secs(at: SimTime) -> String {
    if at == SimTime::NEVER { "never".into() } else { secs_of_micros(at.as_micros() as i64) }
}

/// A length of time in seconds, likewise.
pub fn secs_of(span: Span) -> String {
    secs_of_micros(span.as_micros() as i64)
}

/// Microseconds as seconds, likewise.
pub fn secs_of_micros(micros: i64) -> String {
    let millis = (micros.unsigned_abs() + 500) / 1_000;
    let mut text = format!("{}.{:03}", millis / 1_000, millis % 1_000);
    while text.ends_with('0') && !text.ends_with(".0") {
        text.pop();
    }
    if micros < 0 && millis > 0 { format!("−{text}") } else { text }
}

/// A count with separators: "5,000".
pub fn count(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Whose: "A's", "workers'".
pub fn whose(name: &str) -> String {
    if name.ends_with('s') { format!("{name}'") } else { format!("{name}'s") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seconds_keep_their_milliseconds_and_no_more() {
        let text: Vec<String> = [0, 19_050_000, 13_000_240, 499, 500, 59_999_600].map(secs_of_micros).into();
        assert_eq!(text, ["0.0", "19.05", "13.0", "0.0", "0.001", "60.0"]);
        assert_eq!(secs_of_micros(-3_000_000), "−3.0");
    }

    #[test]
    fn counts_have_separators() {
        assert_eq!([0, 999, 5000, 1_000_015].map(count), ["0", "999", "5,000", "1,000,015"]);
    }
}
