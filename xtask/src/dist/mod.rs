//! The npm package: Fencepost without a page, as wasm with types. `npm/` has what is written by hand; the rest is made here.

mod package;
mod program;
mod size;
mod stories;
mod trial;

use anyhow::Result;

use crate::project::Project;
use crate::say::{self, Stopwatch};
use crate::setup::Toolbox;

/// Builds `target/npm/fencepost/` and packs it beside itself; then tries what was packed, as somebody has it who installs it.
pub(crate) fn run(project: &Project, toolbox: &Toolbox) -> Result<()> {
    say::line("Building the headless program (about two minutes the first time)");
    let watch = Stopwatch::start();
    let folder = package::empty(project)?;
    program::build(project, toolbox, &folder)?;
    say::line(format!("      built in {}", say::duration(watch.elapsed())));
    package::fill(project, &folder)?;
    let packed = package::pack(project, &folder)?;
    size::report(&folder)?;
    say::line(format!("Packed: {}", packed.display()));
    trial::run(project, &packed)
}
