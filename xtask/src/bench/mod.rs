//! `cargo xtask bench`: the same benches natively and as wasm under Node, in one table.

mod times;

use std::collections::BTreeMap;

use anyhow::Result;

use crate::process::{Output, Program};
use crate::project::Project;
use crate::say;
use crate::setup::{self, Need};

const DEADLINE_SECS: u64 = 3600;
const WASM_BENCH: &str = "tests/benches/wasm.rs";
const NATIVE_BENCHES: &str = "tests/benches";

pub(crate) fn run(project: &Project) -> Result<()> {
    let native = native(project)?;
    let wasm = wasm(project)?;
    let names: BTreeMap<&String, ()> = native.keys().chain(wasm.keys()).map(|name| (name, ())).collect();
    if names.is_empty() {
        say::line("No bench was found; there is nothing to tell.");
        return Ok(());
    }
    say::line(format!("\n{:<48}{:>16}{:>16}", "bench", "native", "wasm in Node"));
    for name in names.keys() {
        let cell = |times: &BTreeMap<String, String>| times.get(*name).cloned().unwrap_or_else(|| "-".into());
        say::line(format!("{name:<48}{:>16}{:>16}", cell(&native), cell(&wasm)));
    }
    Ok(())
}

/// Criterion's benches of the tests crate.
fn native(project: &Project) -> Result<BTreeMap<String, String>> {
    if !project.root.join(NATIVE_BENCHES).is_dir() {
        say::line(format!("No native benches: {NATIVE_BENCHES} is not there."));
        return Ok(BTreeMap::new());
    }
    say::line("Native benches");
    let text = Program::new("cargo")
        .args(["bench", "--package", "fencepost-tests"])
        .dir(&project.root)
        .deadline_secs(DEADLINE_SECS)
        .output(Output::Heartbeat)
        .succeed()?;
    Ok(times::of_criterion(&text))
}

/// The bench for wasm, which prints lines of criterion's form.
fn wasm(project: &Project) -> Result<BTreeMap<String, String>> {
    if !project.root.join(WASM_BENCH).exists() {
        say::line(format!("No wasm bench: {WASM_BENCH} is not there."));
        return Ok(BTreeMap::new());
    }
    say::line("The wasm bench, in Node");
    let toolbox = setup::ensure(project, &[Need::WasmTarget, Need::WasmBindgen])?;
    let text = toolbox
        .program(project, "cargo")
        .args(["bench", "--package", "fencepost-tests", "--bench", "wasm"])
        .args(["--target", "wasm32-unknown-unknown"])
        .env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUNNER", "wasm-bindgen-test-runner")
        .env("WASM_BINDGEN_TEST_ONLY_NODE", "1")
        .deadline_secs(DEADLINE_SECS)
        .output(Output::Heartbeat)
        .succeed()?;
    Ok(times::of_criterion(&text))
}
