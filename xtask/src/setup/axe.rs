//! axe looks over the page for what keeps people out: the browser tests run it in the page.

use anyhow::{Context as _, Result};

use super::Step;
use super::npm::Package;
use super::toolbox::Found;
use crate::project::Project;

const AXE: Package = Package { name: "axe-core", version: "4.11.0" };

/// Where its script is, for the tests.
pub(crate) const AXE_VARIABLE: &str = "FENCEPOST_AXE";

pub(super) fn find(project: &Project) -> Option<Found> {
    let script = AXE.modules(project).join("axe-core/axe.min.js");
    script.is_file().then(|| Found::new(AXE.told()).with_env(AXE_VARIABLE, script))
}

pub(super) fn install(project: &Project, step: &Step) -> Result<Found> {
    AXE.install(project, step)?;
    find(project).context("npm installed it, but its script is not there")
}
