//! Steps about what runs in a browser.

use anyhow::{Context as _, Result, bail};

use super::{Context, native};
use crate::process::{Output, Program};
use crate::setup::{AXE_VARIABLE, DRIVER_VARIABLE};
use crate::{book, dist, page, payload, test_report};

/// The crate whose `#[wasm_bindgen_test]`s are run, and the file that holds them.
const TESTS_CRATE: &str = "tests";
const TESTS: &str = "wasm";

pub(super) fn in_node(context: &Context<'_>) -> Result<()> {
    which::which("node").context("node is not here; install Node.js")?;
    some_passed(&wasm_pack(context, &["--node"])?.succeed()?)
}

pub(super) fn in_chrome(context: &Context<'_>) -> Result<()> {
    let driver = context.toolbox.var(DRIVER_VARIABLE).context("chromedriver was not found")?;
    let text = wasm_pack(context, &["--headless", "--chrome", "--chromedriver", &driver.to_string_lossy()])?
        // Tests that do not say where they run, run in Node; these are to run in both.
        .env("WASM_BINDGEN_USE_BROWSER", "1")
        .env("WASM_BINDGEN_TEST_WEBDRIVER_JSON", context.project.root.join("web/webdriver.json"))
        .env("WASM_BINDGEN_TEST_TIMEOUT", "300")
        .succeed()?;
    some_passed(&text)
}

fn some_passed(text: &str) -> Result<()> {
    match test_report::passed(text) {
        0 => bail!("no test ran"),
        _ => Ok(()),
    }
}

fn wasm_pack(context: &Context<'_>, how: &[&str]) -> Result<Program> {
    let file = format!("{TESTS_CRATE}/tests/{TESTS}.rs");
    if !context.project.root.join(&file).exists() {
        bail!("{file} is not there: nothing was tested");
    }
    Ok(context
        .toolbox
        .program(context.project, "wasm-pack")
        .arg("test")
        .args(how)
        // Set-up has brought what wasm-pack would look for in other places.
        .args(["--mode", "no-install", TESTS_CRATE, "--test", TESTS])
        // The runner's own backtrace tells nothing about a failed test.
        .env("RUST_BACKTRACE", "0")
        .deadline_secs(1800)
        .output(Output::Echoed))
}

/// The npm package, as somebody has it who installs it.
pub(super) fn dist(context: &Context<'_>) -> Result<()> {
    dist::run(context.project, context.toolbox)
}

pub(super) fn page(context: &Context<'_>) -> Result<()> {
    page::build(context.project, context.toolbox)?;
    payload::report(&context.project.dist())
}

/// The book, and the examples of figures in other people's pages.
pub(super) fn book(context: &Context<'_>) -> Result<()> {
    let package = context.project.package();
    book::build(context.project, context.toolbox, &package)?;
    book::examples(context.project, context.toolbox, &package)
}

/// Native tests that steer a real browser through the built page.
pub(super) fn e2e(context: &Context<'_>) -> Result<()> {
    let driver = context.toolbox.var(DRIVER_VARIABLE).context("chromedriver was not found")?;
    let axe = context.toolbox.var(AXE_VARIABLE).context("axe was not found")?;
    let test = ["test", "--package", "fencepost-tests", "--features", "browser", "--test", "page"];
    native::cargo_program(context, &test)
        .env("FENCEPOST_DIST", context.project.dist())
        .env("FENCEPOST_EXAMPLES", context.project.examples())
        .env("FENCEPOST_BOOK", context.project.book())
        .env("FENCEPOST_CHROMEDRIVER", driver)
        .env(AXE_VARIABLE, axe)
        .succeed()?;
    Ok(())
}
