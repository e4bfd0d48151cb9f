//! A play as Markdown, for issues and post-mortems.

use std::fmt::Write as _;

use super::column;
use super::numbers::numbers;
use crate::play::Play;
use crate::why::{Otherwise, why};
use document::text::{count, length};

/// The title, what came out in words and in numbers, why, what would have come out otherwise, and the events.
pub fn markdown(play: &Play, otherwise: &[Otherwise]) -> String {
    let mut out = format!("# {}\n\n", escaped(&play.scenario.title));
    let headline = &play.headline;
    let _ = writeln!(out, "**{}**", escaped(&headline.sentence));
    if !headline.because.is_empty() {
        let _ = writeln!(out, "\n{}", escaped(&headline.because));
    }
    let _ = writeln!(out, "\nSeed {}, {}.", play.scenario.seed, length(play.scenario.horizon.0));
    out.push_str("\n## Verdict\n\n| number | value |\n|---|---:|\n");
    for (name, number) in numbers(&play.verdict) {
        let _ = writeln!(out, "| `{name}` | {} |", number.text());
    }
    out.push_str("\n## Load\n\n| number | value |\n|---|---:|\n");
    for (name, value) in super::load(play).rows() {
        let _ = writeln!(out, "| `{name}` | {value} |");
    }
    because(&mut out, play);
    alternatives(&mut out, otherwise);
    out.push_str("\n## Events\n\n| # | at (s) | who | what |\n|---:|---:|---|---|\n");
    for event in &play.tale {
        let who = escaped(play.name(event.process));
        let _ = writeln!(out, "| {} | {} | {who} | {} |", event.n, column(event.at), escaped(&event.text));
    }
    out
}

/// For each line of the verdict that is not zero, what led to it.
fn because(out: &mut String, play: &Play) {
    for (nth, why) in why(play).iter().enumerate() {
        if nth == 0 {
            out.push_str("\n## Why\n");
        }
        let others = match why.others {
            0 => String::new(),
            others => format!(" (the first of {})", count(others + 1)),
        };
        let _ = writeln!(out, "\nWhy {}{others} (`{}`):\n", why.question(), why.lines.join("`, `"));
        for link in &why.chain {
            let Some(event) = link.told_in(play) else { continue };
            let unknown = if link.known == Some(false) { " *(which it could not know)*" } else { "" };
            let _ = writeln!(out, "1. {} s: {}{unknown}", column(event.at), escaped(&event.text));
        }
    }
}

fn alternatives(out: &mut String, otherwise: &[Otherwise]) {
    for (nth, other) in otherwise.iter().enumerate() {
        if nth == 0 {
            out.push_str("\n## Otherwise\n\n| what if | what comes out | what differs |\n|---|---|---|\n");
        }
        let differs: Vec<String> = other
            .differs
            .iter()
            .map(|differs| format!("`{}` {}, not {}", differs.name, differs.then.text(), differs.now.text()))
            .collect();
        let differs = if differs.is_empty() { "nothing".to_owned() } else { differs.join("; ") };
        let _ =
            writeln!(out, "| {} | {} | {differs} |", escaped(&other.what), escaped(&other.headline.sentence));
    }
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
