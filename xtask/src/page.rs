//! Builds the page with Trunk.

use anyhow::{Context as _, Result};

use crate::process::Output;
use crate::project::Project;
use crate::say::{self, Stopwatch};
use crate::setup::{Need, Toolbox};

/// Builds the page into `dist/`, in release.
pub(crate) fn build(project: &Project, toolbox: &Toolbox) -> Result<()> {
    say::line("Building the page (about two minutes the first time, seconds when little has changed)");
    let watch = Stopwatch::start();
    // Trunk runs wasm-opt in its release mode only; without wasm-opt the same cargo profile is built outside that mode.
    let release = toolbox.has(Need::WasmOpt);
    if !release {
        say::line("      without wasm-opt: the page works, but is larger");
    }
    toolbox
        .program(project, "trunk")
        .arg("build")
        .arg(format!("--release={release}"))
        .args(["--cargo-profile", "web"])
        .env("NO_COLOR", "true")
        // Trunk's own backtrace would hide the compiler's errors.
        .env("RUST_BACKTRACE", "0")
        .deadline_secs(3600)
        .output(Output::Heartbeat)
        .succeed()
        .context("the page could not be built")?;
    say::line(format!("      built in {}", say::duration(watch.elapsed())));
    Ok(())
}
