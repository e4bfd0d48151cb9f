//! `cargo xtask bench`: the same measures natively and as wasm under Node, in one table; then the page's frames in Chromium.

mod lines;
mod table;

use anyhow::{Context as _, Result};

use crate::page;
use crate::process::{Output, Program};
use crate::project::Project;
use crate::say;
use crate::setup::{self, CHROMEDRIVER_VARIABLE, Need};
use lines::Values;

const DEADLINE_SECS: u64 = 3600;

pub(crate) fn run(project: &Project) -> Result<()> {
    let native = native(project)?;
    let wasm = wasm(project)?;
    let frames = frames(project)?;
    say::line("");
    table::lines(&native, &wasm).iter().for_each(say::line);
    say::line(
        "\nThe page in Chromium; for a frame, play, layout and paint are wanted within 8 ms at the 95th percentile",
    );
    frames.iter().for_each(say::line);
    if let Some(load) = load() {
        say::line(format!("\nAll in CPU time. Load of this computer when it was done: {load}."));
    }
    Ok(())
}

/// Criterion's benches of the tests crate.
fn native(project: &Project) -> Result<Values> {
    say::line("Native (criterion), about a minute after it is built");
    let text = Program::new("cargo")
        .args(["bench", "--package", "fencepost-tests", "--bench", "plays", "--bench", "memory"])
        .dir(&project.root)
        .deadline_secs(DEADLINE_SECS)
        .output(Output::Heartbeat)
        .succeed()?;
    Ok(lines::read(&text))
}

/// The same as wasm, built as the page is: with its profile, but for what is generic and made here.
fn wasm(project: &Project) -> Result<Values> {
    say::line("As wasm, in Node, about two minutes after it is built");
    let toolbox = setup::ensure(project, &[Need::WasmTarget, Need::WasmBindgen])?;
    let text = toolbox
        .program(project, "cargo")
        .args(["bench", "--package", "fencepost-tests", "--bench", "wasm"])
        .args(["--target", "wasm32-unknown-unknown", "--profile", "web"])
        .args(["--config", "profile.web.package.fencepost-tests.opt-level=3"])
        .env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUNNER", "wasm-bindgen-test-runner")
        .env("WASM_BINDGEN_TEST_ONLY_NODE", "1")
        .env("WASM_BINDGEN_BENCH_RESULT", project.root.join("target/wasm-bench.json"))
        .deadline_secs(DEADLINE_SECS)
        .output(Output::Heartbeat)
        .succeed()?;
    Ok(lines::read(&text))
}

/// A drag of five seconds and ten thousand edits on the built page.
fn frames(project: &Project) -> Result<Vec<String>> {
    let needs = [Need::PAGE.as_slice(), &[Need::Chromium]].concat();
    let toolbox = setup::ensure(project, &needs)?;
    page::build(project, &toolbox)?;
    say::line("The page in Chromium, about two minutes");
    let driver = toolbox.var(CHROMEDRIVER_VARIABLE).context("chromedriver was not found")?;
    let text = Program::new("cargo")
        .args(["test", "--package", "fencepost-tests", "--features", "browser", "--test", "page"])
        .args(["--", "--ignored", "--nocapture", "--test-threads=1", "measured"])
        .dir(&project.root)
        .env("FENCEPOST_DIST", project.dist())
        .env("FENCEPOST_CHROMEDRIVER", driver)
        .deadline_secs(DEADLINE_SECS)
        .output(Output::Heartbeat)
        .succeed()?;
    Ok(text
        .lines()
        .filter_map(|line| line.split_once("measured: "))
        .map(|(_, line)| line.to_owned())
        .collect())
}

/// The load averages, where the system tells them.
fn load() -> Option<String> {
    let text = std::fs::read_to_string("/proc/loadavg").ok()?;
    Some(text.split_whitespace().take(3).collect::<Vec<_>>().join(", "))
}
