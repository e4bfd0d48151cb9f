//! Numbers and times as sentences have them.

use kernel::{SimTime, Span};

/// Seconds, to the millisecond, with at least so many decimals: "19.05", "−3".
pub fn seconds(micros: i64, decimals_min: usize) -> String {
    let millis = (micros.unsigned_abs() + 500) / 1_000;
    let mut text = format!("{}.{:03}", millis / 1_000, millis % 1_000);
    let shortest = text.len() - 3 + decimals_min;
    while text.len() > shortest && text.ends_with('0') {
        text.pop();
    }
    if text.ends_with('.') {
        text.pop();
    }
    if micros < 0 && millis > 0 { format!("−{text}") } else { text }
}

/// An instant: "19.05 s".
pub fn instant(at: SimTime) -> String {
    if at == SimTime::NEVER { "never".into() } else { reading(at.as_micros() as i64) }
}

/// What a clock reads, in microseconds: "−2.95 s".
pub fn reading(micros: i64) -> String {
    format!("{} s", seconds(micros, 0))
}

/// A length of time: "15 s", "250 ms".
pub fn length(span: Span) -> String {
    offset(span.as_micros() as i64)
}

/// A length of time with a direction, in microseconds: "−3 s". To the millisecond, below 10 ms exactly.
pub fn offset(micros: i64) -> String {
    let length = match micros.unsigned_abs() {
        short @ ..10_000 => short,
        long => (long + 500) / 1_000 * 1_000,
    };
    format!("{}{}", if micros < 0 { "−" } else { "" }, Span::from_micros(length))
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

/// A fencing token, or that there is none: "token 7".
pub fn token(token: Option<u64>) -> String {
    token.map_or_else(|| "no token".into(), |token| format!("token {token}"))
}

/// Whose: "A's", "workers'".
pub fn whose(name: &str) -> String {
    if name.ends_with('s') { format!("{name}'") } else { format!("{name}'s") }
}

/// What a text can be broken between: its words, a number and its unit as one ("19.05 s", not "19.05" and "s").
pub fn words(text: &str) -> Vec<&str> {
    let mut words = Vec::new();
    let mut from = 0;
    for (at, _) in text.char_indices().filter(|(_, c)| c.is_whitespace()) {
        let (before, after) = (&text[from..at], text[at..].trim_start());
        let unit = after.split(|c: char| !c.is_alphabetic()).next().unwrap_or_default();
        if before.ends_with(|c: char| c.is_ascii_digit()) && matches!(unit, "s" | "ms" | "µs") {
            continue;
        }
        words.push(before.trim());
        from = at;
    }
    words.push(text[from..].trim());
    words.retain(|word| !word.is_empty());
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instants_keep_their_milliseconds_and_no_more() {
        let text: Vec<String> =
            [0, 19_050_000, 13_000_240, 499, 500, 59_999_600, -3_000_000].map(reading).into();
        assert_eq!(text, ["0 s", "19.05 s", "13 s", "0 s", "0.001 s", "60 s", "−3 s"]);
        assert_eq!(instant(SimTime::NEVER), "never");
    }

    #[test]
    fn columns_have_decimals_to_line_up() {
        assert_eq!(
            [4_000_000, 1_234_567, 19_050_000].map(|micros| seconds(micros, 2)),
            ["4.00", "1.235", "19.05"]
        );
    }

    #[test]
    fn lengths_below_a_second_have_a_smaller_unit() {
        let text: Vec<String> =
            [0, 15_000_000, 5_499_760, 999_940, 250_080, 1_500, 50, -3_000_000, -2_000].map(offset).into();
        assert_eq!(text, ["0 s", "15 s", "5.5 s", "1 s", "250 ms", "1.5 ms", "50 µs", "−3 s", "−2 ms"]);
    }

    #[test]
    fn a_number_keeps_its_unit() {
        assert_eq!(words("from 4 s  to 19.05 s; 3 sheep"), ["from", "4 s", "to", "19.05 s;", "3", "sheep"]);
        assert_eq!(words("  "), [""; 0]);
        assert_eq!(words("250 ms"), ["250 ms"]);
    }

    #[test]
    fn counts_have_separators() {
        assert_eq!([0, 999, 5000, 1_000_015].map(count), ["0", "999", "5,000", "1,000,015"]);
    }
}
