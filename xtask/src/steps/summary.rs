//! The closing table.

use std::time::Duration;

use crate::say;

pub(super) enum Outcome {
    Passed,
    Failed(String),
    Skipped,
}

pub(super) struct Row {
    pub(super) step: &'static str,
    pub(super) outcome: Outcome,
    pub(super) took: Duration,
}

/// Whether a step of that name has failed, or was not run.
pub(super) fn failed(rows: &[Row], name: &str) -> bool {
    rows.iter().any(|row| row.step == name && !matches!(row.outcome, Outcome::Passed))
}

pub(super) fn print(rows: &[Row], skip: &[String], whole: Duration) {
    say::line("");
    for row in rows {
        let (word, note) = match &row.outcome {
            Outcome::Passed => ("passed", ""),
            Outcome::Failed(why) => ("FAILED", why.lines().next().unwrap_or_default()),
            Outcome::Skipped => ("skipped", "asked for with --skip"),
        };
        say::line(format!("{:<12} {word:<8} {:>12}  {note}", row.step, say::duration(row.took)).trim_end());
    }
    say::line(format!("{:<12} {:<8} {:>12}", "", "", say::duration(whole)).trim_end());
    if !skip.is_empty() {
        say::line(format!("Not everything was tested: --skip {}", skip.join(" --skip ")));
    }
    say::line(closing(rows));
}

fn closing(rows: &[Row]) -> String {
    let count = |is: fn(&Outcome) -> bool| rows.iter().filter(|row| is(&row.outcome)).count();
    format!(
        "{} passed, {} failed, {} skipped",
        count(|outcome| matches!(outcome, Outcome::Passed)),
        count(|outcome| matches!(outcome, Outcome::Failed(_))),
        count(|outcome| matches!(outcome, Outcome::Skipped)),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(step: &'static str, outcome: Outcome) -> Row {
        Row { step, outcome, took: Duration::ZERO }
    }

    #[test]
    fn every_step_is_counted_once() {
        let rows = [
            row("a", Outcome::Passed),
            row("b", Outcome::Failed("why".into())),
            row("c", Outcome::Skipped),
            row("d", Outcome::Passed),
        ];
        assert_eq!(closing(&rows), "2 passed, 1 failed, 1 skipped");
        assert!(failed(&rows, "b") && failed(&rows, "c") && !failed(&rows, "a"));
    }
}
