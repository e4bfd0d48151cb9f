//! Reads times out of what criterion prints.

use std::collections::BTreeMap;

/// The middle one of the three estimates in `name   time:   [1.0 µs 1.1 µs 1.2 µs]`, by name.
/// A long name stands on the line before.
pub(super) fn of_criterion(text: &str) -> BTreeMap<String, String> {
    let mut times = BTreeMap::new();
    let mut line_before = "";
    for line in text.lines() {
        if let Some((name, rest)) = line.split_once("time:")
            && let Some(estimate) = middle(rest)
        {
            let name = if name.trim().is_empty() { line_before.trim() } else { name.trim() };
            times.insert(name.to_owned(), estimate);
        }
        line_before = line;
    }
    times
}

fn middle(rest: &str) -> Option<String> {
    let inside = rest.trim().strip_prefix('[')?.split(']').next()?;
    let words: Vec<&str> = inside.split_whitespace().collect();
    match words[..] {
        [_, _, time, unit, _, _] => Some(format!("{time} {unit}")),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_forms_are_read() {
        let text = "play/etcd               time:   [1.0 ms 1.1 ms 1.2 ms]\n\
                    a name that is too long for its column\n\
                    \x20                       time:   [3.0 ns 3.5 ns 4.0 ns]\n\
                    \x20                       change: [-1% +0% +1%]\n";
        let times = of_criterion(text);
        assert_eq!(times["play/etcd"], "1.1 ms");
        assert_eq!(times["a name that is too long for its column"], "3.5 ns");
        assert_eq!(times.len(), 2);
    }
}
