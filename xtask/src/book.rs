//! Builds the project's book, and the examples of figures in other people's pages.

use std::path::Path;

use anyhow::{Context as _, Result};

use crate::folder::{self, copy};
use crate::process::{Output, Program};
use crate::project::Project;
use crate::say::{self, Stopwatch};
use crate::setup::{ELEVENTY_VARIABLE, Toolbox};

/// What the package is called in a site.
const PACKAGE: &str = "fencepost";

/// Builds the book into `target/book`, with the package beside its pages.
pub(crate) fn build(project: &Project, toolbox: &Toolbox, package: &Path) -> Result<()> {
    say::line("Building the book");
    let watch = Stopwatch::start();
    command(project)?;
    mdbook(project, toolbox, &project.root, &project.book())?;
    copy(package, &project.book().join(PACKAGE))?;
    say::line(format!("      built in {}", say::duration(watch.elapsed())));
    Ok(())
}

/// Builds each example of `npm/examples` into a folder of its own in `target/examples`, ready to be served.
pub(crate) fn examples(project: &Project, toolbox: &Toolbox, package: &Path) -> Result<()> {
    say::line("Building the examples of figures in pages: plain HTML, mdBook, Eleventy");
    let (from, into) = (project.root.join("npm/examples"), project.examples());
    folder::empty(&into)?;
    copy(&from.join("html"), &into.join("html"))?;
    copy(package, &into.join("html").join(PACKAGE))?;
    command(project)?;
    Program::new(project.root.join("target/debug/fencepost"))
        .args(["run", "billing", "--format", "svg", "--output"])
        .arg(into.join("html/billing.svg"))
        .succeed()
        .context("the static picture of the example could not be made")?;

    mdbook(project, toolbox, &from.join("mdbook"), &into.join("mdbook"))?;
    copy(package, &into.join("mdbook").join(PACKAGE))?;

    let eleventy = toolbox.var(ELEVENTY_VARIABLE).context("Eleventy was not found")?;
    toolbox
        .program(project, "node")
        .arg(eleventy)
        .dir(&from.join("eleventy"))
        // It takes paths from its own folder only.
        .env("FENCEPOST", Path::new("../../../target/npm/fencepost"))
        .env("OUTPUT", Path::new("../../../target/examples/eleventy"))
        .deadline_secs(120)
        .output(Output::Kept)
        .succeed()
        .context("Eleventy could not build its example")?;
    Ok(())
}

/// The command line, which books call to draw their figures.
fn command(project: &Project) -> Result<()> {
    Program::new("cargo")
        .args(["build", "--quiet", "--package", "fencepost-cli"])
        .dir(&project.root)
        .deadline_secs(1800)
        .output(Output::Heartbeat)
        .succeed()
        .context("the command line could not be built")?;
    Ok(())
}

fn mdbook(project: &Project, toolbox: &Toolbox, book: &Path, into: &Path) -> Result<()> {
    let command = project.root.join("target/debug");
    let path = toolbox.var("PATH").cloned().unwrap_or_default();
    let path = std::env::join_paths(std::iter::once(command).chain(std::env::split_paths(&path)))?;
    toolbox
        .program(project, "mdbook")
        .arg("build")
        .arg(book)
        .arg("--dest-dir")
        .arg(into)
        .env("PATH", path)
        .deadline_secs(300)
        .output(Output::Kept)
        .succeed()
        .context("mdBook could not build the book")?;
    Ok(())
}
