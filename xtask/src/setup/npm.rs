//! Tools that come as npm packages: one version of each for everybody.

use std::path::PathBuf;

use anyhow::{Context as _, Result};

use super::Step;
use crate::process::{Output, Program};
use crate::project::Project;

/// A package in the folder of tools.
pub(super) struct Package {
    pub(super) name: &'static str,
    pub(super) version: &'static str,
}

impl Package {
    /// Where it is, or would be.
    pub(super) fn modules(&self, project: &Project) -> PathBuf {
        self.home(project).join("node_modules")
    }

    pub(super) fn told(&self) -> String {
        format!("npm's {} {}", self.name, self.version)
    }

    pub(super) fn install(&self, project: &Project, step: &Step) -> Result<()> {
        step.say("installing with npm");
        let home = self.home(project);
        std::fs::create_dir_all(&home)?;
        Program::new(which::which("npm").context("it comes with npm, which is not here")?)
            .args(["install", "--prefix"])
            .arg(&home)
            .args(["--ignore-scripts", "--no-audit", "--no-fund", "--no-save"])
            .arg(format!("{}@{}", self.name, self.version))
            .deadline_secs(120)
            .output(Output::Heartbeat)
            .succeed()?;
        Ok(())
    }

    fn home(&self, project: &Project) -> PathBuf {
        project.tools().join(format!("{}-{}", self.name, self.version))
    }
}
