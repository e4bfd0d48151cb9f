//! The table: each measure natively and in wasm, and what is wanted of it. It states; it judges nothing.

use super::lines::Values;

/// How a value is told.
#[derive(Clone, Copy)]
enum Unit {
    Time,
    Bytes,
    /// Simulated seconds for each second of computing: this many are simulated in the measured time.
    SimulatedSecs(f64),
}

/// In the order of the table: the measure, its unit, and what is wanted of it.
const MEASURES: [(&str, Unit, &str); 9] = [
    ("billing/play", Unit::Time, "native at most 0.6 ms, wasm 1.6 times that"),
    ("billing/play and layout", Unit::Time, ""),
    ("billing/scrub, median", Unit::Time, ""),
    ("billing/scrub, worst", Unit::Time, "at most 0.2 ms"),
    ("billing/memory", Unit::Bytes, "at most 4 MB"),
    ("cluster/idle, trace off", Unit::SimulatedSecs(1200.0), "wasm at least 60,000"),
    ("cluster/idle, recorded", Unit::SimulatedSecs(1200.0), "wasm at least 30,000"),
    ("cluster/crashes, trace off", Unit::SimulatedSecs(1200.0), ""),
    ("cluster/crashes, recorded", Unit::SimulatedSecs(1200.0), ""),
];

/// The table's lines. What was measured and is not known here comes last, as a time.
pub(super) fn lines(native: &Values, wasm: &Values) -> Vec<String> {
    let mut lines = vec![line("measure", "native", "wasm in Node", "ratio", "wanted")];
    let known = MEASURES.iter().copied();
    let others = native.keys().chain(wasm.keys().filter(|name| !native.contains_key(*name)));
    let others = others.map(String::as_str).filter(|name| !MEASURES.iter().any(|(known, ..)| known == name));
    for (name, unit, wanted) in known.chain(others.map(|name| (name, Unit::Time, ""))) {
        let (native, wasm) = (native.get(name).copied(), wasm.get(name).copied());
        let cell = |value: Option<f64>| value.map_or_else(|| "-".to_owned(), |value| tell(unit, value));
        let ratio = match (native, wasm) {
            (Some(native), Some(wasm)) if native > 0.0 => format!("{:.2}", wasm / native),
            _ => "-".to_owned(),
        };
        let name = match unit {
            Unit::SimulatedSecs(_) => format!("{name}, simulated s/s"),
            Unit::Time | Unit::Bytes => name.to_owned(),
        };
        lines.push(line(&name, &cell(native), &cell(wasm), &ratio, wanted));
    }
    lines
}

fn line(name: &str, native: &str, wasm: &str, ratio: &str, wanted: &str) -> String {
    format!("{name:<44}{native:>12}{wasm:>14}{ratio:>8}  {wanted}").trim_end().to_owned()
}

fn tell(unit: Unit, value: f64) -> String {
    match unit {
        Unit::Bytes => format!("{:.2} MB", value / 1e6),
        Unit::SimulatedSecs(secs) => thousands((secs / value) as u64),
        Unit::Time if value >= 1.0 => format!("{value:.2} s"),
        Unit::Time if value >= 1e-3 => format!("{:.2} ms", value * 1e3),
        Unit::Time => format!("{:.1} µs", value * 1e6),
    }
}

fn thousands(number: u64) -> String {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_measure_has_a_line_with_its_unit_and_its_ratio() {
        let native = Values::from([
            ("billing/play".to_owned(), 0.5e-3),
            ("billing/memory".to_owned(), 1_500_000.0),
            ("cluster/idle, recorded".to_owned(), 0.01),
            ("something new".to_owned(), 2.0),
        ]);
        let wasm = Values::from([("billing/play".to_owned(), 0.75e-3)]);
        let lines = lines(&native, &wasm);
        let row = |name: &str| lines.iter().find(|line| line.starts_with(name)).unwrap().clone();
        assert!(row("billing/play ").contains("500.0 µs") && row("billing/play ").contains("1.50"));
        assert!(row("billing/memory").contains("1.50 MB"));
        assert!(row("cluster/idle, recorded").contains("120,000"));
        assert!(row("something new").contains("2.00 s"));
        assert_eq!(lines.len(), 1 + MEASURES.len() + 1);
    }
}
