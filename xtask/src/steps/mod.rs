//! `cargo xtask test`: everything that CI does, as named steps. One that fails does not stop the others.

mod list;
mod native;
mod summary;
mod wasm;

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
    run: fn(&Context<'_>) -> Result<()>,
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

    let mut rows: Vec<Row> = Vec::new();
    for step in &steps {
        let watch = Stopwatch::start();
        let outcome = if skipped(step) {
            Outcome::Skipped
        } else if let Some(need) = step.needs.iter().find(|need| failed.contains_key(need)) {
            Outcome::Failed(format!("set-up of {} failed: {}", need.subject(), failed[need]))
        } else if let Some(before) = step.after.iter().find(|name| summary::failed(&rows, name)) {
            Outcome::Failed(format!("needs step `{before}`, which failed"))
        } else {
            say::line(format!("\n=== {} ===", step.name));
            match (step.run)(&context) {
                Ok(()) => Outcome::Passed,
                Err(error) => Outcome::Failed(format!("{error:#}")),
            }
        };
        if let Outcome::Failed(why) = &outcome {
            say::line(format!("--- {} FAILED: {why}", step.name));
        }
        rows.push(Row { step: step.name, outcome, took: watch.elapsed() });
    }
    summary::print(&rows, skip, whole.elapsed());
    Ok(!rows.iter().any(|row| matches!(row.outcome, Outcome::Failed(_))))
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
    let needs_browser = [Need::Chromium, Need::Firefox].iter().any(|browser| step.needs.contains(browser));
    step.name == name || (name == "browser" && needs_browser)
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
    fn browser_means_every_step_that_needs_one() {
        let of_browser: Vec<_> =
            STEPS.iter().filter(|step| names("browser", step)).map(|step| step.name).collect();
        assert_eq!(of_browser, ["wasm-chrome", "wasm-firefox", "e2e", "firefox"]);
    }
}
