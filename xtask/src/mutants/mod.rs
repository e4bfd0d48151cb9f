//! Protocol mutants: rules that the project teaches, each broken on purpose in a copy of the workspace.
//! A mutant is caught when the test that guards the rule fails; one that survives shows that nothing guards it.

mod list;
mod replace;
mod trial;
mod workspace;

use anyhow::{Result, bail};

use crate::project::Project;
use crate::say::{self, Stopwatch};
use list::Mutant;
use trial::{Trials, Verdict};

/// Tries the mutants whose name contains one of `wanted` (all, when none is given); answers whether each was caught.
pub(crate) fn run(project: &Project, wanted: &[String]) -> Result<bool> {
    let mutants: Vec<Mutant> = list::read(&project.root.join("tests/mutants"))?
        .into_iter()
        .filter(|mutant| wanted.is_empty() || wanted.iter().any(|name| mutant.name.contains(name.as_str())))
        .collect();
    if mutants.is_empty() {
        bail!("no mutant to try: tests/mutants has none of that name");
    }

    let home = project.root.join("target/mutants");
    let copy = workspace::copy(&project.root, &home.join("work"))?;
    let trials = Trials::new(copy, home.join("target"));
    say::line(format!("{} mutants; first the same tests without any", mutants.len()));
    trials.check_tests_pass(&mutants)?;

    let mut caught = 0;
    for (i, mutant) in mutants.iter().enumerate() {
        let watch = Stopwatch::start();
        let verdict = trials.judge(mutant).unwrap_or_else(|error| Verdict::Broken(format!("{error:#}")));
        let n = i + 1;
        let of = mutants.len();
        let took = say::duration(watch.elapsed());
        say::line(format!("[{n}/{of}] {} {verdict} ({took})", mutant.name));
        match verdict {
            Verdict::Caught | Verdict::Hung => caught += 1,
            Verdict::Survived => say::line(format!("      nothing guards it: {}", mutant.why)),
            Verdict::Broken(_) => {}
        }
    }
    say::line(format!("{caught} of {} mutants caught", mutants.len()));
    Ok(caught == mutants.len())
}
