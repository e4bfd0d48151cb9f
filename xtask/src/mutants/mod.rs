//! Protocol mutants: rules that the project teaches, each broken on purpose in a copy of the workspace.
//! A mutant is caught when the test that guards the rule fails; one that survives shows that nothing guards it.

mod functions;
mod list;
mod replace;
mod together;
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
    let mut trials = Trials::new(copy, home.join("target"), &mutants)?;
    say::line(format!("{} mutants; first the same tests without any", mutants.len()));
    trials.prepare(&mutants)?;

    let mut caught = 0;
    // Those that change a source come last: after them the others would be built again.
    let (built, alone): (Vec<_>, Vec<_>) =
        mutants.iter().enumerate().partition(|(number, _)| trials.is_built(*number));
    for (i, (number, mutant)) in built.into_iter().chain(alone).enumerate() {
        let watch = Stopwatch::start();
        let verdict =
            trials.judge(number, mutant).unwrap_or_else(|error| Verdict::Broken(format!("{error:#}")));
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
