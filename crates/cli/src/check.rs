//! `fencepost check`: plays scenarios with all their variants and holds them to their expectations and their lessons.
//!
//! All documents are read before anything is played: bad input is told at once and prints nothing else.

use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::Write as _;
use std::path::Path;

use anyhow::{Context as _, Result, anyhow};
use scenario::check::{Case, cases};
use scenario::expect;

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
        full_name(&self.document, self.variant.as_deref())
    }
}

pub(crate) fn check(args: &CheckArgs) -> Result<Outcome> {
    let due = due(&args.scenarios)?;
    let junit = args.junit.as_deref().map(created).transpose()?;
    let mut all_checked = Vec::new();
    for (document, case) in due {
        let outcomes = case.hold();
        let checked = Checked { document, variant: case.variant, outcomes };
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

/// Everything that is to be played, each with its document's name; or everything that is wrong with any of it.
fn due(words: &[String]) -> Result<Vec<(String, Case)>> {
    let (mut due, mut complaints) = (Vec::new(), Vec::new());
    for word in words {
        match all(word) {
            Ok(found) => found.into_iter().for_each(|found| enlist(found, &mut due, &mut complaints)),
            Err(complaint) => complaints.push(format!("{complaint:#}")),
        }
    }
    if complaints.is_empty() { Ok(due) } else { Err(anyhow!("{}", complaints.join("\n"))) }
}

fn enlist(found: Found, due: &mut Vec<(String, Case)>, complaints: &mut Vec<String>) {
    let Found { name, document } = found;
    match cases(&document) {
        Ok(cases) => due.extend(cases.into_iter().map(|case| (name.clone(), case))),
        Err(unplayable) => complaints.extend(unplayable.into_iter().map(|(variant, problems)| {
            let name = full_name(&name, variant.as_deref());
            format!("{:#}", complaint(&name, &problems))
        })),
    }
}

/// A document's name, with that of the variant.
fn full_name(document: &str, variant: Option<&str>) -> String {
    match variant {
        Some(variant) => format!("{document} [{variant}]"),
        None => document.to_owned(),
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
