//! The npm package: the simulation without a page, and figures for other people's pages, as wasm with types. `npm/` has what is
//! written by hand; the rest is made here.

mod figure;
mod headless;
mod package;
mod size;
mod stories;
mod trial;
mod wasm;

use std::path::Path;

use anyhow::Result;

use crate::project::Project;
use crate::say::{self, Stopwatch};
use crate::setup::Toolbox;

/// Builds `target/npm/fencepost/` and packs it beside itself; then tries what was packed, as somebody has it who installs it.
pub(crate) fn run(project: &Project, toolbox: &Toolbox) -> Result<()> {
    let folder = package::empty(project)?;
    say::line("Building the headless program (about two minutes the first time)");
    let watch = Stopwatch::start();
    headless::HEADLESS.build(project, toolbox, &folder)?;
    say::line(format!("      built in {}", say::duration(watch.elapsed())));
    figure(project, toolbox, &folder)?;
    package::fill(project, &folder)?;
    let packed = package::pack(project, &folder)?;
    size::report(&folder)?;
    say::line(format!("Packed: {}", packed.display()));
    trial::run(project, &packed)
}

/// Builds what a page with figures asks for into a folder.
pub(crate) fn figure(project: &Project, toolbox: &Toolbox, into: &Path) -> Result<()> {
    say::line("Building the figure that other pages embed (about two minutes the first time)");
    let watch = Stopwatch::start();
    figure::build(project, toolbox, into)?;
    say::line(format!("      built in {}", say::duration(watch.elapsed())));
    Ok(())
}
