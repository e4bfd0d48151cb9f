//! Times as the page has them in columns and fields, and lengths for styles. Whole numbers only; no float formatting.

use kernel::SimTime;
use scenario::document::text::seconds;

/// An instant where it changes in place, with as many decimals always: "19.05 s", "4.00 s".
pub(crate) fn steady(at: SimTime) -> String {
    reading(at.as_micros() as i64)
}

/// What a clock reads, likewise: "−2.95 s".
pub(crate) fn reading(micros: i64) -> String {
    format!("{} s", seconds(micros, 2))
}

/// An instant for a column of instants: "19.05".
pub(crate) fn column(at: SimTime) -> String {
    seconds(at.as_micros() as i64, 2)
}

/// What the page shows of an instant: its milliseconds.
pub(crate) fn millis(at: SimTime) -> u64 {
    (at.as_micros() + 500) / 1_000
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
    fn instants_that_change_in_place_keep_their_decimals() {
        assert_eq!(steady(SimTime::from_millis(19_050)), "19.05 s");
        assert_eq!(steady(SimTime::from_millis(4_000)), "4.00 s");
        assert_eq!(steady(SimTime::from_micros(1_234_567)), "1.235 s");
        assert_eq!(reading(-2_950_000), "−2.95 s");
        assert_eq!(millis(SimTime::from_micros(1_234_567)), 1_235);
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
