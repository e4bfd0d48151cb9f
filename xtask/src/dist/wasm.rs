//! A program as wasm: compiled, made callable from JavaScript, made smaller.

use std::path::Path;

use anyhow::{Context as _, Result};

use crate::process::{Output, Program};
use crate::project::Project;
use crate::say;
use crate::setup::{Need, Toolbox};

const TRIPLE: &str = "wasm32-unknown-unknown";

/// What compilers for wasm use of it, and so must be allowed; the same as for the page (`index.html`).
const FEATURES: [&str; 7] = [
    "--enable-bulk-memory",
    "--enable-mutable-globals",
    "--enable-multivalue",
    "--enable-nontrapping-float-to-int",
    "--enable-reference-types",
    "--enable-sign-ext",
    "--enable-simd",
];

/// A program of the package.
pub(super) struct Wasm {
    /// Which crate, and what of it: arguments of cargo.
    pub(super) of: &'static [&'static str],
    /// Both the name of the cargo profile and that of its folder.
    pub(super) profile: &'static str,
    /// What cargo calls it.
    pub(super) built: &'static str,
    /// What the package calls it: `NAME.js` and `NAME_bg.wasm`.
    pub(super) name: &'static str,
    /// For wasm-bindgen.
    pub(super) bindgen: &'static [&'static str],
    /// For wasm-opt.
    pub(super) opt: &'static [&'static str],
}

impl Wasm {
    /// Puts it into the folder.
    pub(super) fn build(&self, project: &Project, toolbox: &Toolbox, folder: &Path) -> Result<()> {
        toolbox
            .program(project, "cargo")
            .args(["build", "--target", TRIPLE, "--profile", self.profile])
            .args(self.of)
            .deadline_secs(3600)
            .output(Output::Heartbeat)
            .succeed()
            .with_context(|| format!("{} could not be built", self.built))?;
        let built = project.wasm_target().join(TRIPLE).join(self.profile).join(self.built);
        run(toolbox
            .program(project, "wasm-bindgen")
            .args(["--target", "web", "--no-typescript", "--out-name", self.name])
            .args(self.bindgen)
            .arg("--out-dir")
            .arg(folder)
            .arg(built))?;
        if !toolbox.has(Need::WasmOpt) {
            say::line("      without wasm-opt: the program works, but is larger");
            return Ok(());
        }
        let wasm = folder.join(format!("{}_bg.wasm", self.name));
        let opt = toolbox.program(project, "wasm-opt").args(FEATURES).args(self.opt);
        run(opt.arg(&wasm).arg("-o").arg(&wasm))
    }
}

fn run(program: Program) -> Result<()> {
    program.deadline_secs(600).output(Output::Heartbeat).succeed()?;
    Ok(())
}
