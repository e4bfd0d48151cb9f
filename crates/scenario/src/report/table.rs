//! A play as plain text for a terminal.

use std::fmt::Write as _;

use super::numbers::numbers;
use super::{column, writes};
use crate::play::Play;
use document::text::length;

/// What came out in words and in numbers, the grants, the writes and the events, in columns. Columns of instants are
/// in seconds, to the millisecond.
pub fn table(play: &Play) -> String {
    let scenario = &play.scenario;
    let mut out = format!("{} (seed {}, {})\n\n", scenario.title, scenario.seed, length(scenario.horizon.0));
    let _ = writeln!(out, "{}", play.headline.sentence);
    if !play.headline.because.is_empty() {
        let _ = writeln!(out, "{}", play.headline.because);
    }
    let mut verdict = Columns::new("Verdict", &[]);
    for (name, number) in numbers(&play.verdict) {
        verdict.row([name.to_owned(), number.text()]);
    }
    verdict.write(&mut out);
    let mut load = Columns::new("Load", &[]);
    for (name, value) in super::load(play).rows() {
        load.row([name.to_owned(), value]);
    }
    load.write(&mut out);
    grants(play).write(&mut out);
    written(play).write(&mut out);
    let mut events = Columns::new("Events", &["#", "at", "who", "what"]);
    for event in &play.tale {
        let who = play.name(event.process).to_owned();
        events.row([event.n.to_string(), column(event.at), who, event.text.clone()]);
    }
    events.write(&mut out);
    out
}

fn grants(play: &Play) -> Columns {
    let mut grants = Columns::new("Grants", &["at", "until", "token", "worker", "lock"]);
    for lease in &play.facts.leases {
        let until = lease.deadlines.first().map_or_else(String::new, |deadline| column(deadline.until));
        let worker = play.name(lease.worker).to_owned();
        grants.row([
            column(lease.granted),
            until,
            lease.token.map_or_else(|| "none".to_owned(), |token| token.to_string()),
            worker,
            lease.lock.to_string(),
        ]);
    }
    grants
}

fn written(play: &Play) -> Columns {
    let mut columns = Columns::new("Writes", &["at", "token", "worker", "store", "", "why"]);
    for write in writes(play) {
        let verdict = match (write.accepted, write.stale) {
            (true, false) => "accepted",
            (true, true) => "ACCEPTED, stale",
            (false, true) => "refused, stale",
            (false, false) => "REFUSED",
        };
        columns.row([
            column(write.at),
            write.token.map_or_else(|| "none".to_owned(), |token| token.to_string()),
            play.name(write.worker).to_owned(),
            play.name(write.store).to_owned(),
            verdict.to_owned(),
            write.reason.clone(),
        ]);
    }
    columns
}

/// Aligned text: numbers to the right, words to the left.
struct Columns {
    title: &'static str,
    head: Vec<String>,
    rows: Vec<Vec<String>>,
}

impl Columns {
    fn new(title: &'static str, head: &[&str]) -> Self {
        Self { title, head: head.iter().map(|&word| word.to_owned()).collect(), rows: Vec::new() }
    }

    fn row<const N: usize>(&mut self, cells: [String; N]) {
        self.rows.push(cells.into());
    }

    fn write(&self, out: &mut String) {
        let _ = writeln!(out, "\n{}", self.title);
        if self.rows.is_empty() {
            out.push_str("  none\n");
            return;
        }
        let count = self.rows.iter().map(Vec::len).max().unwrap_or(0);
        let all = || std::iter::once(&self.head).filter(|head| !head.is_empty()).chain(&self.rows);
        let cell = |row: &Vec<String>, column: usize| row.get(column).cloned().unwrap_or_default();
        let widths: Vec<usize> = (0..count)
            .map(|column| all().map(|row| cell(row, column).chars().count()).max().unwrap_or(0))
            .collect();
        let are_numbers: Vec<bool> = (0..count)
            .map(|column| self.rows.iter().all(|row| starts_with_digit(&cell(row, column))))
            .collect();
        for row in all() {
            let mut line = String::new();
            for (column, (width, is_number)) in widths.iter().zip(&are_numbers).enumerate() {
                let text = cell(row, column);
                let _ = if *is_number {
                    write!(line, "  {text:>width$}")
                } else {
                    write!(line, "  {text:<width$}")
                };
            }
            let _ = writeln!(out, "{}", line.trim_end());
        }
    }
}

fn starts_with_digit(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_digit()) || matches!(text, "" | "none" | "never")
}
