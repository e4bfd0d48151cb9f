//! A play as Markdown, for issues and post-mortems.

use std::fmt::Write as _;

use super::column;
use super::numbers::{Number, numbers};
use crate::play::Play;
use document::text::{count, length};

/// The title, what came out in words and in numbers, and the events.
pub fn markdown(play: &Play) -> String {
    let mut out = format!("# {}\n\n", escaped(&play.scenario.title));
    let headline = &play.headline;
    let _ = writeln!(out, "**{}**", escaped(&headline.sentence));
    if !headline.because.is_empty() {
        let _ = writeln!(out, "\n{}", escaped(&headline.because));
    }
    let _ = writeln!(out, "\nSeed {}, {}.", play.scenario.seed, length(play.scenario.horizon.0));
    out.push_str("\n## Verdict\n\n| number | value |\n|---|---:|\n");
    for (name, number) in numbers(&play.verdict) {
        let value = match number {
            Number::Count(number) => count(number),
            Number::Time(span) => length(span),
        };
        let _ = writeln!(out, "| `{name}` | {value} |");
    }
    out.push_str("\n## Events\n\n| # | at (s) | who | what |\n|---:|---:|---|---|\n");
    for event in &play.tale {
        let who = escaped(play.name(event.process));
        let _ = writeln!(out, "| {} | {} | {who} | {} |", event.n, column(event.at), escaped(&event.text));
    }
    out
}

/// Text that stays text in a table.
fn escaped(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '|' | '\\' | '*' | '_' | '`' | '<' | '#' | '[' => out.extend(['\\', c]),
            '\n' | '\r' => out.push(' '),
            _ => out.push(c),
        }
    }
    out
}
