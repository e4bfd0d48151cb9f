//! Eleventy builds one of the examples of figures in other people's pages.

use anyhow::{Context as _, Result};

use super::Step;
use super::npm::Package;
use super::toolbox::Found;
use crate::project::Project;

/// The same as in `npm/examples/eleventy/package.json`.
const ELEVENTY: Package = Package { name: "@11ty/eleventy", version: "3.1.8" };

/// Where its program is.
pub(crate) const ELEVENTY_VARIABLE: &str = "FENCEPOST_ELEVENTY";

pub(super) fn find(project: &Project) -> Option<Found> {
    let program = ELEVENTY.modules(project).join("@11ty/eleventy/cmd.cjs");
    program.is_file().then(|| Found::new(ELEVENTY.told()).with_env(ELEVENTY_VARIABLE, program))
}

pub(super) fn install(project: &Project, step: &Step) -> Result<Found> {
    ELEVENTY.install(project, step)?;
    find(project).context("npm installed it, but its program is not there")
}
