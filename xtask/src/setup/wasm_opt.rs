//! wasm-opt makes the page about a third smaller.

use anyhow::{Context as _, Result};

use super::Step;
use super::npm::Package;
use super::toolbox::Found;
use crate::process::Program;
use crate::project::Project;

/// Another version may make another page.
const BINARYEN: Package = Package { name: "binaryen", version: "132.0.0" };

pub(super) fn find(project: &Project) -> Option<Found> {
    let dir = BINARYEN.modules(project).join(".bin");
    // A copy that cannot start (no Node) is as good as none.
    Program::new(dir.join("wasm-opt")).arg("--version").run().ok().filter(crate::process::Ended::success)?;
    Some(Found::new(BINARYEN.told()).on_path(dir))
}

pub(super) fn install(project: &Project, step: &Step) -> Result<Found> {
    BINARYEN.install(project, step)?;
    find(project).context("npm installed it, but it does not start")
}
