//! All mutants in one build: the bodies of a function, sound and broken, stand side by side, and a variable of the environment
//! says which one a run of a test takes. What cannot stand like that is built alone.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result};

use super::functions;
use super::list::Mutant;
use super::replace;

/// The number of the mutant that a run takes.
pub(super) const CHOSEN: &str = "FENCEPOST_MUTANT";

/// The files that have mutants, and those of them that can stand together.
pub(super) struct Together {
    originals: BTreeMap<String, String>,
    woven: BTreeMap<String, String>,
    /// By the mutant's place in the list.
    is_woven: Vec<bool>,
}

impl Together {
    pub(super) fn read(workspace: &Path, mutants: &[Mutant]) -> Result<Self> {
        let mut together =
            Self { originals: BTreeMap::new(), woven: BTreeMap::new(), is_woven: vec![false; mutants.len()] };
        let mut by_file: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        for (number, mutant) in mutants.iter().enumerate() {
            by_file.entry(&mutant.file).or_default().push(number);
        }
        for (file, numbers) in by_file {
            let original = fs::read_to_string(workspace.join(file))
                .with_context(|| format!("{file}, which has mutants, cannot be read"))?;
            let (woven, taken) = weave(&original, mutants, &numbers).with_context(|| file.to_owned())?;
            for number in taken {
                together.is_woven[number] = true;
            }
            together.woven.insert(file.to_owned(), woven);
            together.originals.insert(file.to_owned(), original);
        }
        Ok(together)
    }

    pub(super) fn write(&self, workspace: &Path) -> Result<()> {
        write(workspace, &self.woven)
    }

    /// Gives up: every mutant is built alone.
    pub(super) fn take_apart(&mut self, workspace: &Path) -> Result<()> {
        self.is_woven.fill(false);
        self.woven.clone_from(&self.originals);
        write(workspace, &self.originals)
    }

    pub(super) fn has(&self, number: usize) -> bool {
        self.is_woven[number]
    }

    /// The file as the clone has it, and as it lies in the workspace between trials.
    pub(super) fn texts(&self, file: &str) -> (&str, &str) {
        (&self.originals[file], &self.woven[file])
    }
}

fn write(workspace: &Path, texts: &BTreeMap<String, String>) -> Result<()> {
    for (file, text) in texts {
        fs::write(workspace.join(file), text).with_context(|| format!("{file} cannot be written"))?;
    }
    Ok(())
}

/// `original` with the mutants of these numbers, and the numbers of those that it took.
fn weave(original: &str, mutants: &[Mutant], numbers: &[usize]) -> Result<(String, Vec<usize>)> {
    let mut woven = original.to_owned();
    let mut taken = Vec::new();
    // From the last to the first: what is written does not move what comes before it.
    for range in functions::bodies(original)?.into_iter().rev() {
        let body = &original[range.clone()];
        let broken: Vec<(usize, String)> = numbers
            .iter()
            .filter(|&&number| original.matches(&mutants[number].find).count() == 1)
            .filter_map(|&number| {
                let Mutant { find, replace, .. } = &mutants[number];
                Some((number, replace::once(body, find, replace).ok()?))
            })
            .collect();
        if broken.is_empty() {
            continue;
        }
        let arms: String =
            broken.iter().map(|(number, body)| format!("Some({number}) => {body}\n")).collect();
        woven.replace_range(
            range,
            &format!(
                "{{\nstatic CHOSEN: std::sync::LazyLock<Option<u32>> = std::sync::LazyLock::new(|| \
                 std::env::var(\"{CHOSEN}\").ok().and_then(|number| number.parse().ok()));\n\
                 match *CHOSEN {{\n{arms}_ => {body}\n}}\n}}"
            ),
        );
        taken.extend(broken.into_iter().map(|(number, _)| number));
    }
    Ok((woven, taken))
}

#[cfg(test)]
mod tests {
    use super::super::list::Arguments;
    use super::*;

    fn mutant(find: &str, replace: &str) -> Mutant {
        Mutant {
            name: String::new(),
            why: String::new(),
            file: String::new(),
            find: find.to_owned(),
            replace: replace.to_owned(),
            test: Arguments::Line(String::new()),
        }
    }

    #[test]
    fn bodies_stand_side_by_side_and_the_rest_is_left() {
        let source = "const N: u32 = 3;\nfn a(x: u32) -> u32 { x + N }\nfn b() -> u32 { 4 }\n";
        let mutants =
            [mutant("x + N", "x - N"), mutant("= 3", "= 5"), mutant("x + N }", "N }"), mutant("{ 4", "{ 5")];
        let (woven, mut taken) = weave(source, &mutants, &[0, 1, 2, 3]).unwrap();
        taken.sort_unstable();
        assert_eq!(taken, [0, 2, 3], "a constant has one value in a build");
        assert!(woven.starts_with("const N: u32 = 3;\nfn a(x: u32) -> u32 {\nstatic CHOSEN"));
        assert!(
            woven.contains("Some(0) => { x - N }\nSome(2) => { N }\n_ => { x + N }\n}\n}\nfn b() -> u32 {")
        );
        assert!(woven.contains("Some(3) => { 5 }\n_ => { 4 }"));
    }

    #[test]
    fn what_occurs_twice_in_the_file_is_no_mutant_here_either() {
        let (_, taken) = weave("fn a() { 1 }\nfn b() { 1 }\n", &[mutant("{ 1 }", "{ 2 }")], &[0]).unwrap();
        assert!(taken.is_empty());
    }
}
