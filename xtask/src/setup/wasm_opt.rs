//! wasm-opt makes the page about a third smaller. It comes as an npm package.

use std::path::PathBuf;

use anyhow::{Context as _, Result};

use super::Step;
use super::toolbox::Found;
use crate::process::{Output, Program};
use crate::project::Project;

const PACKAGE: &str = "binaryen";
/// One version for everybody: another may make another page.
const VERSION: &str = "132.0.0";

pub(super) fn find(project: &Project) -> Option<Found> {
    let dir = home(project).join("node_modules/.bin");
    // A copy that cannot start (no Node) is as good as none.
    Program::new(dir.join("wasm-opt")).arg("--version").run().ok().filter(crate::process::Ended::success)?;
    Some(Found::new(format!("npm's {PACKAGE} {VERSION}")).on_path(dir))
}

pub(super) fn install(project: &Project, step: &Step) -> Result<Found> {
    step.say("installing with npm");
    let home = home(project);
    std::fs::create_dir_all(&home)?;
    Program::new(which::which("npm").context("it comes with npm, which is not here")?)
        .args(["install", "--prefix"])
        .arg(&home)
        .args(["--ignore-scripts", "--no-audit", "--no-fund", "--no-save"])
        .arg(format!("{PACKAGE}@{VERSION}"))
        .deadline_secs(120)
        .output(Output::Heartbeat)
        .succeed()?;
    find(project).context("npm installed it, but it does not start")
}

fn home(project: &Project) -> PathBuf {
    project.tools().join(format!("{PACKAGE}-{VERSION}"))
}
