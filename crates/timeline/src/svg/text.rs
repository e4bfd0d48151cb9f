//! Text in a file: escaped, and broken into lines; numbers as short as they can be.

use scenario::document::text::words;

use crate::labels::width;

/// Text as XML has it. What XML cannot have at all is replaced.
pub(super) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\t' | '\n' | '\r' => out.push(' '),
            '\u{0}'..='\u{1f}' | '\u{fffe}' | '\u{ffff}' => out.push(char::REPLACEMENT_CHARACTER),
            _ => out.push(c),
        }
    }
    out
}

/// Pixels to the hundredth: "12.5", "-3", "0". Whole numbers within: floats are the same everywhere, and their formatting is large.
pub(super) fn number(pixels: f64) -> String {
    let hundredths = (pixels * 100.0).round() as i64;
    let sign = if hundredths < 0 { "-" } else { "" };
    let (whole, rest) = (hundredths.unsigned_abs() / 100, hundredths.unsigned_abs() % 100);
    match (rest, rest % 10) {
        (0, _) => format!("{sign}{whole}"),
        (_, 0) => format!("{sign}{whole}.{}", rest / 10),
        (_, _) => format!("{sign}{whole}.{rest:02}"),
    }
}

/// A text in lines of at most this width, broken at spaces; a word that is wider than a line, anywhere.
pub(super) fn lines(text: &str, size: f64, bold: bool, most: f64) -> Vec<String> {
    let fits = |line: &str| width(line, size, bold) <= most;
    let mut lines = Vec::new();
    let mut line = String::new();
    for word in words(text) {
        let longer = if line.is_empty() { word.to_string() } else { format!("{line} {word}") };
        if fits(&longer) {
            line = longer;
            continue;
        }
        if !line.is_empty() {
            lines.push(std::mem::take(&mut line));
        }
        for c in word.chars() {
            line.push(c);
            if !fits(&line) && line.chars().nth(1).is_some() {
                line.pop();
                lines.push(std::mem::replace(&mut line, c.to_string()));
            }
        }
    }
    if !line.is_empty() {
        lines.push(line);
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_markup_stays_text() {
        assert_eq!(escaped("a <b> & \"c\"\u{1}\n"), "a &lt;b&gt; &amp; &quot;c&quot;\u{fffd} ");
    }

    #[test]
    fn numbers_are_short() {
        let texts = [0.0, -0.001, 12.5, -3.0, 7.006, 0.05, -0.25].map(number);
        assert_eq!(texts, ["0", "0", "12.5", "-3", "7.01", "0.05", "-0.25"]);
    }

    #[test]
    fn lines_hold_and_lose_nothing() {
        let text = "No invoice was charged twice, and anextraordinarilylongwordhasnoplacetobreakat does";
        let broken = lines(text, 12.0, false, 120.0);
        assert!(broken.iter().all(|line| width(line, 12.0, false) <= 120.0), "{broken:?}");
        let letters = |text: &str| text.replace(' ', "");
        assert_eq!(letters(&broken.concat()), letters(text));
        assert_eq!(broken[0], "No invoice was");
        assert_eq!(lines("W", 12.0, false, 1.0), ["W"], "a letter stays whole");
        assert_eq!(lines("", 12.0, false, 100.0), [""; 0]);
    }
}
