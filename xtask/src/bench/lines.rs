//! Reads values out of what criterion prints, and out of lines of the same form.

use std::collections::BTreeMap;

/// Measured values by the names of their measures: seconds, or bytes.
pub(super) type Values = BTreeMap<String, f64>;

/// The middle one of the three estimates in `name   time:   [1.0 µs 1.1 µs 1.2 µs]`, by name.
/// A long name stands on the line before.
pub(super) fn read(text: &str) -> Values {
    let mut values = Values::new();
    let text = without_colours(text);
    let mut line_before = "";
    for line in text.lines() {
        for word in ["time:", "bytes:"] {
            if let Some((name, rest)) = line.split_once(word)
                && let Some(value) = middle(rest)
            {
                let name = if name.trim().is_empty() { line_before.trim() } else { name.trim() };
                values.insert(name.to_owned(), value);
            }
        }
        line_before = line;
    }
    values
}

/// The text without `ESC [ … m`, which the benches in Node print wherever they write to.
fn without_colours(text: &str) -> String {
    let mut pieces = text.split("\u{1b}[");
    let mut plain = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        plain.push_str(piece.split_once('m').map_or(piece, |(_, after)| after));
    }
    plain
}

fn middle(rest: &str) -> Option<f64> {
    let inside = rest.trim().strip_prefix('[')?.split(']').next()?;
    let words: Vec<&str> = inside.split_whitespace().collect();
    let [_, _, number, unit, _, _] = words[..] else { return None };
    let factor = match unit {
        "ns" => 1e-9,
        "µs" | "us" => 1e-6,
        "ms" => 1e-3,
        "s" | "B" => 1.0,
        _ => return None,
    };
    Some(number.parse::<f64>().ok()? * factor)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_form_is_read() {
        let text = "play/etcd               time:   [1.0 ms 1.1 ms 1.2 ms]\n\
                    a name that is too long for its column\n\
                    \x20                       time:   [3.0 ns 3.5 ns 4.0 ns]\n\
                    \x20                       change: [-1% +0% +1%]\n\
                    \u{1b}[32mcluster/idle\u{1b}[0m  time:   [\u{1b}[2m1.0 ms\u{1b}[0m \u{1b}[1m2.0 ms\u{1b}[0m \u{1b}[2m3.0 ms\u{1b}[0m]\n\
                    memory                  bytes:  [10 B 10 B 10 B]\n";
        let in_picos: Vec<(String, u64)> =
            read(text).into_iter().map(|(name, value)| (name, (value * 1e12).round() as u64)).collect();
        let expected = [
            ("a name that is too long for its column", 3_500),
            ("cluster/idle", 2_000_000_000),
            ("memory", 10_000_000_000_000),
            ("play/etcd", 1_100_000_000),
        ];
        assert_eq!(in_picos, expected.map(|(name, picos)| (name.to_owned(), picos)));
    }
}
