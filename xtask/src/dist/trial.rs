//! Tries the packed package where it is installed, with Node's own test runner.

use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result};

use super::package::npm;
use crate::folder;
use crate::process::{Output, Program};
use crate::project::Project;

/// Installs the archive into a project of its own and runs `npm/test` there.
pub(super) fn run(project: &Project, packed: &Path) -> Result<()> {
    let node = which::which("node").context("node is not here; install Node.js")?;
    let folder = project.npm().join("trial");
    folder::empty(&folder)?;
    fs::write(folder.join("package.json"), "{ \"type\": \"module\", \"private\": true }\n")?;
    npm(&folder)?.args(["install", "--offline", "--no-audit", "--no-fund"]).arg(packed).succeed()?;
    for entry in fs::read_dir(project.root.join("npm/test"))? {
        let path = entry?.path();
        let name = path.file_name().context("a file has a name")?;
        fs::copy(&path, folder.join(name))?;
    }
    Program::new(node)
        .args(["--test", "--test-reporter=spec"])
        .dir(&folder)
        .env("FENCEPOST_ROOT", &project.root)
        .deadline_secs(1800)
        .output(Output::Shown)
        .succeed()
        .context("the package does not do what it should")?;
    Ok(())
}
