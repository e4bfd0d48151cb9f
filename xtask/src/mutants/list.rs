//! The lists in tests/mutants: one for each subject.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};
use serde::Deserialize;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct List {
    #[serde(default, alias = "mutants")]
    mutant: Vec<Mutant>,
}

/// One broken rule.
#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub(super) struct Mutant {
    pub(super) name: String,
    /// What the rule is for.
    pub(super) why: String,
    /// From the root of the clone.
    pub(super) file: String,
    /// Occurs once in the file.
    pub(super) find: String,
    pub(super) replace: String,
    /// Arguments of `cargo test` that run what guards the rule.
    pub(super) test: Arguments,
}

/// `"-p fencepost-locks fence"` or `["-p", "fencepost-locks", "fence"]`.
#[derive(Deserialize, Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
#[serde(untagged)]
pub(super) enum Arguments {
    Line(String),
    List(Vec<String>),
}

impl Arguments {
    pub(super) fn words(&self) -> Vec<String> {
        match self {
            Self::Line(line) => line.split_whitespace().map(str::to_owned).collect(),
            Self::List(words) => words.clone(),
        }
    }
}

/// All of them, in the order of their files.
pub(super) fn read(folder: &Path) -> Result<Vec<Mutant>> {
    let entries = fs::read_dir(folder).with_context(|| format!("{} cannot be read", folder.display()))?;
    let mut files: Vec<PathBuf> = entries.map(|entry| Ok(entry?.path())).collect::<Result<_>>()?;
    files.sort();
    let mut mutants = Vec::new();
    for file in files.iter().filter(|file| file.extension().is_some_and(|kind| kind == "toml")) {
        mutants.extend(parse(&fs::read_to_string(file)?).with_context(|| file.display().to_string())?);
    }
    differ(&mutants)?;
    Ok(mutants)
}

fn parse(text: &str) -> Result<Vec<Mutant>> {
    let list: List = toml::from_str(text)?;
    Ok(list.mutant)
}

fn differ(mutants: &[Mutant]) -> Result<()> {
    let mut names = BTreeSet::new();
    for mutant in mutants {
        if !names.insert(&mutant.name) {
            bail!("two mutants are named `{}`", mutant.name);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tests_are_a_line_or_a_list() {
        let common = "name = \"n\"\nwhy = \"w\"\nfile = \"f\"\nfind = \"a\"\nreplace = \"b\"\n";
        for test in ["\"-p x  y\"", "[\"-p\", \"x\", \"y\"]"] {
            let mutants = parse(&format!("[[mutant]]\n{common}test = {test}\n")).unwrap();
            assert_eq!(mutants[0].test.words(), ["-p", "x", "y"]);
        }
        let twice = format!("[[mutant]]\n{common}test = \"y\"\n").repeat(2);
        assert!(differ(&parse(&twice).unwrap()).unwrap_err().to_string().contains("two mutants"));
    }
}
