//! Brings what is needed beyond a Rust toolchain: looks for it first, then takes the usual way,
//! then one that needs nothing but the package registries.

mod application;
mod apt;
mod axe;
mod cargo_tool;
mod chromium;
mod debian_rust;
mod eleventy;
mod firefox;
mod need;
mod npm;
mod toolbox;
mod wasm_opt;
mod wasm_target;

use std::collections::BTreeMap;

use anyhow::{Result, bail};

use crate::project::Project;
use crate::say::{self, Stopwatch};

pub(crate) use axe::AXE_VARIABLE;
pub(crate) use chromium::CHROMEDRIVER_VARIABLE;
pub(crate) use eleventy::ELEVENTY_VARIABLE;
pub(crate) use firefox::FIREFOX_VARIABLE;
pub(crate) use need::Need;
use toolbox::Found;
pub(crate) use toolbox::Toolbox;

/// What set-up came to.
pub(crate) struct Setup {
    pub(crate) toolbox: Toolbox,
    /// Why a need could not be met.
    pub(crate) failed: BTreeMap<Need, String>,
}

/// Meets the needs, or fails.
pub(crate) fn ensure(project: &Project, needs: &[Need]) -> Result<Toolbox> {
    let setup = prepare(project, needs);
    match setup.failed.values().next() {
        None => Ok(setup.toolbox),
        Some(_) => bail!(
            "set-up is incomplete:\n{}",
            setup
                .failed
                .iter()
                .map(|(need, why)| format!("- {}: {why}", need.subject()))
                .collect::<Vec<_>>()
                .join("\n")
        ),
    }
}

/// Meets the needs as far as it can. What is there beyond them is in the toolbox too.
pub(crate) fn prepare(project: &Project, needs: &[Need]) -> Setup {
    let mut found: BTreeMap<Need, Found> = BTreeMap::new();
    let mut missing = Vec::new();
    for need in Need::ALL {
        match need.find(project) {
            Some(tool) => {
                found.insert(need, tool);
            }
            None if needs.contains(&need) => missing.push(need),
            None => {}
        }
    }

    let mut failed = BTreeMap::new();
    for (need, outcome) in install_all(project, &missing) {
        match outcome {
            Ok(tool) => {
                found.insert(need, tool);
            }
            Err(error) if need.is_optional() => {
                say::line(format!("      going on without {}: {error:#}", need.subject()));
            }
            Err(error) => {
                failed.insert(need, format!("{error:#}"));
            }
        }
    }
    Setup { toolbox: Toolbox::new(project, found), failed }
}

/// One thing that is being set up, as it is told to a person.
struct Step {
    need: Need,
    n: usize,
    of: usize,
}

impl Step {
    fn say(&self, text: &str) {
        let Self { need, n, of } = self;
        say::line(format!("[{n}/{of}] {}: {text}", need.subject()));
    }
}

fn install_all(project: &Project, missing: &[Need]) -> Vec<(Need, Result<Found>)> {
    if missing.is_empty() {
        return Vec::new();
    }
    let names: Vec<_> = missing.iter().map(|need| need.subject()).collect();
    say::line(format!(
        "Setting up: {}. At the most about {} min on two cores; tools are kept in {}.",
        names.join(", "),
        missing.iter().map(|need| need.seconds_at_most()).sum::<u64>().div_ceil(60),
        project.tools().display(),
    ));
    // What downloads and what compiles go on side by side; within a lane, one after the other.
    let (downloads, compiles): (Vec<_>, Vec<_>) = missing
        .iter()
        .enumerate()
        .map(|(i, need)| Step { need: *need, n: i + 1, of: missing.len() })
        .partition(|step| step.need.mostly_downloads());
    std::thread::scope(|scope| {
        let other = scope.spawn(|| install_lane(project, &downloads));
        let mut outcomes = install_lane(project, &compiles);
        if let Ok(others) = other.join() {
            outcomes.extend(others);
        }
        outcomes
    })
}

fn install_lane(project: &Project, steps: &[Step]) -> Vec<(Need, Result<Found>)> {
    steps
        .iter()
        .map(|step| {
            let watch = Stopwatch::start();
            let outcome = step.need.install(project, step);
            let took = say::duration(watch.elapsed());
            match &outcome {
                Ok(found) => step.say(&format!("ready after {took}: {}", found.told)),
                Err(error) => step.say(&format!("FAILED after {took}: {error:#}")),
            }
            (step.need, outcome)
        })
        .collect()
}
