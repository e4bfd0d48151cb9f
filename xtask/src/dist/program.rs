//! The headless program: compiled for size, with the JavaScript that calls it.

use std::path::Path;

use anyhow::{Context as _, Result};

use crate::process::{Output, Program};
use crate::project::Project;
use crate::say;
use crate::setup::{Need, Toolbox};

const TRIPLE: &str = "wasm32-unknown-unknown";
/// Both the name of the cargo profile and that of its folder.
const PROFILE: &str = "headless";

/// What compilers for wasm use of it, and so must be allowed; and where wasm-opt is not to inline: that makes the program
/// smaller as it is, and larger compressed.
const WASM_OPT: [&str; 15] = [
    "--enable-bulk-memory",
    "--enable-mutable-globals",
    "--enable-multivalue",
    "--enable-nontrapping-float-to-int",
    "--enable-reference-types",
    "--enable-sign-ext",
    "--always-inline-max-function-size",
    "0",
    "--flexible-inline-max-function-size",
    "0",
    "--one-caller-inline-max-function-size",
    "0",
    "--strip-debug",
    "--strip-producers",
    "-Os",
];

/// Puts `program.js` and `program_bg.wasm` into the folder.
pub(super) fn build(project: &Project, toolbox: &Toolbox, folder: &Path) -> Result<()> {
    toolbox
        .program(project, "cargo")
        .args(["build", "--package", "fencepost-headless", "--lib", "--target", TRIPLE, "--profile", PROFILE])
        .deadline_secs(3600)
        .output(Output::Heartbeat)
        .succeed()
        .context("the headless program could not be built")?;
    let built = project.wasm_target().join(TRIPLE).join(PROFILE).join("fencepost_headless.wasm");
    run(toolbox
        .program(project, "wasm-bindgen")
        .args(["--target", "web", "--no-typescript", "--omit-default-module-path", "--out-name", "program"])
        .arg("--out-dir")
        .arg(folder)
        .arg(built))?;
    if !toolbox.has(Need::WasmOpt) {
        say::line("      without wasm-opt: the program works, but is a little larger");
        return Ok(());
    }
    let wasm = folder.join("program_bg.wasm");
    run(toolbox.program(project, "wasm-opt").args(WASM_OPT).arg(&wasm).arg("-o").arg(&wasm))
}

fn run(program: Program) -> Result<()> {
    program.deadline_secs(600).output(Output::Heartbeat).succeed()?;
    Ok(())
}
