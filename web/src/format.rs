//! Times and lengths as text: for people and for styles. Whole numbers only; no float formatting.

use kernel::SimTime;

/// Seconds with at least so many decimals, and as many more as are needed, to the millisecond.
fn seconds(micros: u64, least: usize) -> String {
    let millis = (micros + 500) / 1_000;
    let mut text = format!("{}.{:03}", millis / 1_000, millis % 1_000);
    let shortest = text.len() - 3 + least;
    while text.len() > shortest && text.ends_with('0') {
        text.pop();
    }
    if text.ends_with('.') {
        text.pop();
    }
    text
}

/// An instant for a heading: "19.05 s", "4.00 s".
pub(crate) fn instant(at: SimTime) -> String {
    format!("{} s", seconds(at.as_micros(), 2))
}

/// An instant for a column of instants: "19.05".
pub(crate) fn column(at: SimTime) -> String {
    seconds(at.as_micros(), 2)
}

/// An instant in a sentence: "4 s", "19.05 s".
pub(crate) fn plain(at: SimTime) -> String {
    format!("{} s", seconds(at.as_micros(), 0))
}

/// A clock's reading, which can be below zero: "−2.95 s".
pub(crate) fn reading(micros: i64) -> String {
    format!("{}{} s", if micros < 0 { "−" } else { "" }, seconds(micros.unsigned_abs(), 2))
}

/// What a hand typed into a field for a time: a bare number counts as seconds.
pub(crate) fn typed(text: &str) -> String {
    let text = text.trim();
    let bare = !text.is_empty() && text.chars().all(|c| c.is_ascii_digit() || c == '.');
    if bare { format!("{text}s") } else { text.replace(' ', "") }
}

/// Pixels, to the tenth, for a style.
pub(crate) fn px(pixels: f64) -> String {
    let tenths = (pixels * 10.0).round() as i64;
    let sign = if tenths < 0 { "-" } else { "" };
    format!("{sign}{}.{}px", tenths.abs() / 10, tenths.abs() % 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instants_have_as_many_decimals_as_they_need() {
        assert_eq!(instant(SimTime::from_millis(19_050)), "19.05 s");
        assert_eq!(instant(SimTime::from_millis(4_000)), "4.00 s");
        assert_eq!(instant(SimTime::from_micros(1_234_567)), "1.235 s");
        assert_eq!(plain(SimTime::from_millis(4_000)), "4 s");
        assert_eq!(reading(-2_950_000), "−2.95 s");
    }

    #[test]
    fn a_bare_number_is_seconds() {
        for (text, value) in
            [("4.2", "4.2s"), (" 4.2s ", "4.2s"), ("250 ms", "250ms"), ("soon", "soon"), ("", "")]
        {
            assert_eq!(typed(text), value);
        }
    }

    #[test]
    fn pixels_are_rounded_to_the_tenth() {
        for (pixels, text) in [(0.0, "0.0px"), (12.34, "12.3px"), (-0.26, "-0.3px"), (7.96, "8.0px")] {
            assert_eq!(px(pixels), text);
        }
    }
}
