//! The package's folder, and its archive.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};

use super::stories;
use crate::folder;
use crate::process::Program;
use crate::project::Project;

/// The package has the workspace's version, as everything here.
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Files of other folders that are in the package, too.
const FROM_ELSEWHERE: [&str; 3] = ["LICENSE-APACHE", "LICENSE-MIT", "assets/schema/scenario.schema.json"];

/// Where the package is put together: empty, and in a folder that can hold its archive.
pub(super) fn empty(project: &Project) -> Result<PathBuf> {
    let folder = project.package();
    folder::empty(&folder)?;
    Ok(folder)
}

/// What is written by hand, what comes from elsewhere, the stories, and the version.
pub(super) fn fill(project: &Project, folder: &Path) -> Result<()> {
    for entry in fs::read_dir(project.root.join("npm"))? {
        let path = entry?.path();
        if path.is_file() {
            copy(&path, folder)?;
        }
    }
    for file in FROM_ELSEWHERE {
        copy(&project.root.join(file), folder)?;
    }
    fs::write(folder.join("stories.js"), stories::module(&project.root.join("crates/scenario/stories"))?)?;
    npm(folder)?.args(["pkg", "set"]).arg(format!("version={VERSION}")).succeed()?;
    Ok(())
}

/// The archive, as `npm publish` would send it.
pub(super) fn pack(project: &Project, folder: &Path) -> Result<PathBuf> {
    npm(folder)?.args(["pack", "--silent", "--pack-destination"]).arg(project.npm()).succeed()?;
    let packed = project.npm().join(format!("fencepost-{VERSION}.tgz"));
    packed.exists().then_some(packed).context("npm packed nothing")
}

/// npm, in a folder. It is to do what it is asked for, and to ask nobody.
pub(super) fn npm(folder: &Path) -> Result<Program> {
    let npm = which::which("npm").context("npm is not here; install Node.js")?;
    Ok(Program::new(npm).dir(folder).env("npm_config_update_notifier", "false").deadline_secs(120))
}

fn copy(file: &Path, folder: &Path) -> Result<()> {
    let name = file.file_name().context("a file has a name")?;
    fs::copy(file, folder.join(name)).with_context(|| format!("{} cannot be copied", file.display()))?;
    Ok(())
}
