//! One mutant against the test that should fail with it.

use std::collections::BTreeSet;
use std::fmt;
use std::fs;
use std::path::PathBuf;

use anyhow::{Context as _, Result, bail};

use super::list::{Arguments, Mutant};
use super::replace;
use crate::process::{Ended, Output, Program};
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
}

impl Trials {
    pub(super) fn new(workspace: PathBuf, target: PathBuf) -> Self {
        Self { workspace, target }
    }

    /// A test that fails anyway, or runs nothing, would prove nothing.
    pub(super) fn check_tests_pass(&self, mutants: &[Mutant]) -> Result<()> {
        let tests: BTreeSet<&Arguments> = mutants.iter().map(|mutant| &mutant.test).collect();
        for test in tests {
            let line = test.words().join(" ");
            self.build(test)?;
            let ended = self.test(test)?;
            if !ended.success() {
                bail!("`cargo test {line}` fails without any mutant");
            }
            if test_report::passed(&ended.text) == 0 {
                bail!("`cargo test {line}` runs no test");
            }
        }
        Ok(())
    }

    pub(super) fn judge(&self, mutant: &Mutant) -> Result<Verdict> {
        let file = self.workspace.join(&mutant.file);
        let original =
            fs::read_to_string(&file).with_context(|| format!("{} cannot be read", mutant.file))?;
        let mutated = replace::once(&original, &mutant.find, &mutant.replace)
            .with_context(|| format!("in {}", mutant.file))?;
        fs::write(&file, mutated)?;
        let verdict = self.verdict(mutant);
        fs::write(&file, original)?;
        verdict
    }

    fn verdict(&self, mutant: &Mutant) -> Result<Verdict> {
        self.build(&mutant.test)?;
        let ended = self.test(&mutant.test)?;
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

    fn test(&self, test: &Arguments) -> Result<Ended> {
        self.cargo_test(test, false).deadline_secs(TEST_DEADLINE_SECS).output(Output::Heartbeat).run()
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
