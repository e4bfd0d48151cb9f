//! `fencepost check`: plays scenarios with all their variants and holds them to their expectations and their lessons.
//!
//! All documents are read before anything is played: bad input is told at once and prints nothing else.

use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::Write as _;
use std::path::Path;

use anyhow::{Context as _, Result, anyhow};
use scenario::expect::{self, hold};
use scenario::{Scenario, lesson, play};

use crate::Outcome;
use crate::args::CheckArgs;
use crate::junit;
use crate::output::print;
use crate::scenarios::{Found, all, complaint};

/// A document as it was played: by itself, or as one of its variants.
pub(crate) struct Checked {
    pub(crate) document: String,
    pub(crate) variant: Option<String>,
    pub(crate) outcomes: Vec<expect::Outcome>,
}

/// What a check says of one play.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Says {
    /// All is as expected.
    Holds,
    /// Something is not.
    Fails,
    /// Nothing is expected, so that nothing was checked.
    ExpectsNothing,
}

impl Checked {
    pub(crate) fn says(&self) -> Says {
        if self.outcomes.is_empty() {
            Says::ExpectsNothing
        } else if self.outcomes.iter().all(|outcome| outcome.ok) {
            Says::Holds
        } else {
            Says::Fails
        }
    }

    /// What is not as expected.
    pub(crate) fn failures(&self) -> impl Iterator<Item = &expect::Outcome> {
        self.outcomes.iter().filter(|outcome| !outcome.ok)
    }

    fn name(&self) -> String {
        match &self.variant {
            Some(variant) => format!("{} [{variant}]", self.document),
            None => self.document.clone(),
        }
    }
}

/// A play to be.
struct Due {
    document: String,
    variant: Option<String>,
    scenario: Scenario,
}

pub(crate) fn check(args: &CheckArgs) -> Result<Outcome> {
    let due = due(&args.scenarios)?;
    let junit = args.junit.as_deref().map(created).transpose()?;
    let mut all_checked = Vec::new();
    for Due { document, variant, scenario } in due {
        let play = play(&scenario);
        let mut outcomes = hold(&play);
        outcomes.extend(lesson::hold(&play, variant.as_deref()));
        let checked = Checked { document, variant, outcomes };
        print(&line(&checked))?;
        all_checked.push(checked);
    }
    print(&summary(&all_checked))?;
    if let Some(mut file) = junit {
        file.write_all(junit::xml(&all_checked)?.as_bytes()).context("the JUnit file cannot be written")?;
    }
    let failed = all_checked.iter().any(|checked| checked.says() == Says::Fails);
    Ok(if failed { Outcome::Failed } else { Outcome::Done })
}

/// The file for the results. Whether it can be written shows before anything is played.
fn created(path: &Path) -> Result<File> {
    if let Some(parent) = path.parent() {
        fs::create_dir_all(parent)
            .map_err(|error| anyhow!("{} cannot be made: {error}", parent.display()))?;
    }
    File::create(path).map_err(|error| anyhow!("{} cannot be written: {error}", path.display()))
}

/// Everything that is to be played; or everything that is wrong with any of it.
fn due(words: &[String]) -> Result<Vec<Due>> {
    let (mut due, mut complaints) = (Vec::new(), Vec::new());
    for word in words {
        match all(word) {
            Ok(found) => found.into_iter().for_each(|found| enlist(found, &mut due, &mut complaints)),
            Err(complaint) => complaints.push(format!("{complaint:#}")),
        }
    }
    if complaints.is_empty() { Ok(due) } else { Err(anyhow!("{}", complaints.join("\n"))) }
}

fn enlist(found: Found, due: &mut Vec<Due>, complaints: &mut Vec<String>) {
    let Found { name, document } = found;
    match document.scenario() {
        Ok(scenario) => due.push(Due { document: name.clone(), variant: None, scenario }),
        // A variant of it would be told to be wrong in the same way.
        Err(problems) => return complaints.push(format!("{:#}", complaint(&name, &problems))),
    }
    for (variant, _) in document.variants() {
        match document.with_variant(&variant).and_then(|document| document.scenario()) {
            Ok(scenario) => due.push(Due { document: name.clone(), variant: Some(variant), scenario }),
            Err(problems) => {
                complaints.push(format!("{:#}", complaint(&format!("{name} [{variant}]"), &problems)))
            }
        }
    }
}

fn line(checked: &Checked) -> String {
    let (name, count) = (checked.name(), checked.outcomes.len());
    let mut out = String::new();
    let _ = match checked.says() {
        Says::Holds if count == 1 => writeln!(out, "ok      {name}: as expected"),
        Says::Holds => writeln!(out, "ok      {name}: all {count} expectations hold"),
        Says::Fails => writeln!(out, "FAILED  {name}: {} of {count} do not hold", checked.failures().count()),
        Says::ExpectsNothing => {
            writeln!(out, "nothing {name}: it expects nothing, so that nothing was checked")
        }
    };
    for failure in checked.failures() {
        let _ = writeln!(out, "        expected {}\n        got      {}", failure.what, failure.got);
    }
    out
}

fn summary(all: &[Checked]) -> String {
    let count = |says: Says| all.iter().filter(|checked| checked.says() == says).count();
    let mut out =
        format!("{} played: {} as expected, {} not", all.len(), count(Says::Holds), count(Says::Fails));
    if count(Says::ExpectsNothing) > 0 {
        let _ = write!(out, ", {} without expectations", count(Says::ExpectsNothing));
    }
    out + "\n"
}
