//! `cargo xtask test`: everything that CI does, as named steps. One that fails does not stop the others.

mod list;
mod native;
mod summary;
mod wasm;

use std::thread::{self, ScopedJoinHandle};
use std::time::Duration;

use anyhow::{Result, bail};

use crate::project::Project;
use crate::say::{self, Stopwatch};
use crate::setup::{self, Need, Setup, Toolbox};
use list::STEPS;
use summary::{Outcome, Row};

/// A named part of `cargo xtask test`.
struct Step {
    name: &'static str,
    needs: &'static [Need],
    /// Steps that have to have passed before.
    after: &'static [&'static str],
    /// Whether it goes on beside those that follow, until one of them steers a browser: that has the computer for itself.
    beside: bool,
    run: fn(&Context<'_>) -> Result<()>,
}

impl Step {
    const fn new(name: &'static str, run: fn(&Context<'_>) -> Result<()>) -> Self {
        Self { name, needs: &[], after: &[], beside: false, run }
    }
    const fn needs(self, needs: &'static [Need]) -> Self {
        Self { needs, ..self }
    }
    const fn after(self, after: &'static [&'static str]) -> Self {
        Self { after, ..self }
    }
    const fn beside(self) -> Self {
        Self { beside: true, ..self }
    }

    fn steers_a_browser(&self) -> bool {
        [Need::Chromium, Need::Firefox].iter().any(|browser| self.needs.contains(browser))
    }

    /// Runs it, and says why when it fails.
    fn attempt(&self, context: &Context<'_>) -> Row {
        let watch = Stopwatch::start();
        let outcome = match (self.run)(context) {
            Ok(()) => Outcome::Passed,
            Err(error) => {
                say::line(format!("--- {} FAILED: {error:#}", self.name));
                Outcome::Failed(format!("{error:#}"))
            }
        };
        Row { step: self.name, outcome, took: watch.elapsed() }
    }
}

/// What steps work with.
struct Context<'a> {
    project: &'a Project,
    toolbox: &'a Toolbox,
}

/// Runs the steps named in `wanted` (all, when none is), without those in `skip`; answers whether none failed.
///
/// # Errors
/// When a name is not one of a step.
pub(crate) fn run(project: &Project, wanted: &[String], skip: &[String]) -> Result<bool> {
    let steps = choose(wanted)?;
    let skipped = |step: &Step| skip.iter().any(|name| names(name, step));
    if let Some(unknown) = skip.iter().find(|name| !STEPS.iter().any(|step| names(name, step))) {
        bail!("no step is named `{unknown}`; there are: browser, {}", all_names());
    }

    let whole = Stopwatch::start();
    let needs: Vec<Need> =
        steps.iter().filter(|step| !skipped(step)).flat_map(|step| step.needs).copied().collect();
    let Setup { toolbox, failed } = setup::prepare(project, &needs);
    let context = Context { project, toolbox: &toolbox };

    let stopped = |step: &Step, rows: &[Row]| {
        if skipped(step) {
            return Some(Outcome::Skipped);
        }
        let missing = step.needs.iter().find_map(|need| Some((need, failed.get(need)?)));
        let missing = missing.map(|(need, why)| format!("set-up of {} failed: {why}", need.subject()));
        let before = step.after.iter().find(|name| summary::failed(rows, name));
        let why = missing.or_else(|| before.map(|before| format!("needs step `{before}`, which failed")))?;
        say::line(format!("--- {} FAILED: {why}", step.name));
        Some(Outcome::Failed(why))
    };

    let mut rows: Vec<Row> = Vec::new();
    thread::scope(|scope| {
        let mut beside: Vec<Beside<'_>> = Vec::new();
        for step in &steps {
            if step.steers_a_browser() {
                rows.extend(ended(&mut beside));
            }
            if let Some(outcome) = stopped(step, &rows) {
                rows.push(Row { step: step.name, outcome, took: Duration::ZERO });
            } else if step.beside {
                say::line(format!("\n=== {}, beside what follows ===", step.name));
                let attempt = scope.spawn(|| {
                    say::speak_as(step.name);
                    step.attempt(&context)
                });
                beside.push((step.name, attempt));
            } else {
                say::line(format!("\n=== {} ===", step.name));
                rows.push(step.attempt(&context));
            }
        }
        rows.extend(ended(&mut beside));
    });
    rows.sort_by_key(|row| steps.iter().position(|step| step.name == row.step));
    summary::print(&rows, skip, whole.elapsed());
    Ok(!rows.iter().any(|row| matches!(row.outcome, Outcome::Failed(_))))
}

/// A step that runs beside others.
type Beside<'scope> = (&'static str, ScopedJoinHandle<'scope, Row>);

/// Waits for them.
fn ended(beside: &mut Vec<Beside<'_>>) -> Vec<Row> {
    let broke_off =
        |step| Row { step, outcome: Outcome::Failed("it broke off".into()), took: Duration::ZERO };
    beside.drain(..).map(|(name, step)| step.join().unwrap_or_else(|_| broke_off(name))).collect()
}

/// The wanted steps in their order, with those that they come after.
fn choose(wanted: &[String]) -> Result<Vec<&'static Step>> {
    if let Some(unknown) = wanted.iter().find(|name| !STEPS.iter().any(|step| names(name, step))) {
        bail!("no step is named `{unknown}`; there are: browser, {}", all_names());
    }
    let is_wanted = |step: &Step| wanted.is_empty() || wanted.iter().any(|name| names(name, step));
    // Those that a step comes after stand before it in the list.
    let mut chosen: Vec<&Step> = Vec::new();
    for step in STEPS.iter().rev() {
        if is_wanted(step) || chosen.iter().any(|later| later.after.contains(&step.name)) {
            chosen.insert(0, step);
        }
    }
    Ok(chosen)
}

/// A step goes by its own name, and one that needs a browser by `browser` too.
fn names(name: &str, step: &Step) -> bool {
    step.name == name || (name == "browser" && step.steers_a_browser())
}

fn all_names() -> String {
    STEPS.iter().map(|step| step.name).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chosen(wanted: &[&str]) -> Vec<&'static str> {
        let wanted: Vec<String> = wanted.iter().map(|name| (*name).to_owned()).collect();
        choose(&wanted).unwrap().iter().map(|step| step.name).collect()
    }

    #[test]
    fn a_step_brings_those_before_it() {
        assert_eq!(chosen(&["e2e"]), ["dist", "book", "page", "e2e"]);
        assert_eq!(chosen(&["rules", "fmt"]), ["fmt", "rules"]);
        assert_eq!(chosen(&[]).len(), STEPS.len());
        assert!(choose(&["no-such-step".into()]).is_err());
    }

    #[test]
    fn a_step_beside_others_that_breaks_off_has_failed() {
        let rows = thread::scope(|scope| {
            let mut beside = vec![
                (
                    "good",
                    scope.spawn(|| Row { step: "good", outcome: Outcome::Passed, took: Duration::ZERO }),
                ),
                ("bad", scope.spawn(|| panic!("this is a test"))),
            ];
            ended(&mut beside)
        });
        assert!(!summary::failed(&rows, "good") && summary::failed(&rows, "bad"));
    }

    #[test]
    fn browser_means_every_step_that_needs_one() {
        let of_browser: Vec<_> =
            STEPS.iter().filter(|step| names("browser", step)).map(|step| step.name).collect();
        assert_eq!(of_browser, ["wasm-chrome", "wasm-firefox", "e2e", "firefox"]);
    }
}
