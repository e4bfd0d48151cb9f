//! One mutant against the test that should fail with it.

use std::collections::BTreeSet;
use std::fmt;
use std::fs;
use std::path::PathBuf;

use anyhow::{Context as _, Result, bail};

use super::list::{Arguments, Mutant};
use super::replace;
use super::together::{self, Together};
use crate::process::{Ended, Output, Program};
use crate::say;
use crate::test_report;

const BUILD_DEADLINE_SECS: u64 = 1200;
/// A mutant can loop for ever.
const TEST_DEADLINE_SECS: u64 = 300;

pub(super) enum Verdict {
    Caught,
    /// The test did not end any more: it noticed, in its way.
    Hung,
    Survived,
    /// The mutant itself is wrong: not found, or it does not compile.
    Broken(String),
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Caught => f.write_str("caught"),
            Self::Hung => f.write_str("caught (its test did not end)"),
            Self::Survived => f.write_str("SURVIVED"),
            Self::Broken(why) => write!(f, "IS NO MUTANT: {why}"),
        }
    }
}

/// Where mutants are tried.
pub(super) struct Trials {
    workspace: PathBuf,
    target: PathBuf,
    together: Together,
}

impl Trials {
    pub(super) fn new(workspace: PathBuf, target: PathBuf, mutants: &[Mutant]) -> Result<Self> {
        let together = Together::read(&workspace, mutants)?;
        Ok(Self { workspace, target, together })
    }

    /// Builds what can be built together, and runs every test without any mutant: one that fails anyway, or runs nothing, would
    /// prove nothing.
    pub(super) fn prepare(&mut self, mutants: &[Mutant]) -> Result<()> {
        let tests: BTreeSet<&Arguments> = mutants.iter().map(|mutant| &mutant.test).collect();
        self.together.write(&self.workspace)?;
        let build_all = |trials: &Self| tests.iter().try_for_each(|test| trials.build(test));
        if let Err(error) = build_all(self) {
            say::line(format!(
                "{error:#}\nThey do not build together: each is built alone, which takes long."
            ));
            self.together.take_apart(&self.workspace)?;
            build_all(self)?;
        }
        for test in tests {
            let line = test.words().join(" ");
            let ended = self.test(test, None)?;
            if !ended.success() {
                bail!("`cargo test {line}` fails without any mutant");
            }
            if test_report::passed(&ended.text) == 0 {
                bail!("`cargo test {line}` runs no test");
            }
        }
        Ok(())
    }

    /// Whether it needs no build of its own.
    pub(super) fn is_built(&self, number: usize) -> bool {
        self.together.has(number)
    }

    pub(super) fn judge(&self, number: usize, mutant: &Mutant) -> Result<Verdict> {
        if self.together.has(number) {
            return self.verdict(&mutant.test, Some(number));
        }
        let file = self.workspace.join(&mutant.file);
        let (original, between_trials) = self.together.texts(&mutant.file);
        let mutated = replace::once(original, &mutant.find, &mutant.replace)
            .with_context(|| format!("in {}", mutant.file))?;
        fs::write(&file, mutated)?;
        let verdict = self.build(&mutant.test).and_then(|()| self.verdict(&mutant.test, None));
        fs::write(&file, between_trials)?;
        verdict
    }

    fn verdict(&self, test: &Arguments, chosen: Option<usize>) -> Result<Verdict> {
        let ended = self.test(test, chosen)?;
        Ok(match ended.status {
            None => Verdict::Hung,
            Some(status) if status.success() => Verdict::Survived,
            Some(_) => Verdict::Caught,
        })
    }

    fn build(&self, test: &Arguments) -> Result<()> {
        self.cargo_test(test, true).deadline_secs(BUILD_DEADLINE_SECS).output(Output::Heartbeat).succeed()?;
        Ok(())
    }

    fn test(&self, test: &Arguments, chosen: Option<usize>) -> Result<Ended> {
        let mut program = self.cargo_test(test, false);
        if let Some(number) = chosen {
            program = program.env(together::CHOSEN, number.to_string());
        }
        program.deadline_secs(TEST_DEADLINE_SECS).output(Output::Heartbeat).run()
    }

    fn cargo_test(&self, test: &Arguments, only_build: bool) -> Program {
        let words = test.words();
        // What follows `--` is for the test program, which does not run in a build.
        let split = words.iter().position(|word| word == "--").unwrap_or(words.len());
        let (for_cargo, for_test) = words.split_at(split);
        let mut program = Program::new("cargo").arg("test").args(for_cargo);
        program = if only_build { program.arg("--no-run") } else { program.args(for_test) };
        program.dir(&self.workspace).env("CARGO_TARGET_DIR", &self.target)
    }
}
