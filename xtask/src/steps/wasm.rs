//! Steps about what runs in a browser.

use anyhow::{Context as _, Result, bail};

use super::{Context, native};
use crate::process::{Output, Program};
use crate::setup::{AXE_VARIABLE, CHROMEDRIVER_VARIABLE, FIREFOX_VARIABLE};
use crate::{book, dist, page, payload, say, test_report};

/// The crate whose `#[wasm_bindgen_test]`s are run, and the file that holds them.
const TESTS_CRATE: &str = "tests";
const TESTS: &str = "wasm";
/// Firefox' driver.
const GECKODRIVER: &str = "geckodriver";

pub(super) fn in_node(context: &Context<'_>) -> Result<()> {
    which::which("node").context("node is not here; install Node.js")?;
    some_passed(&wasm_pack(context, &["--node"])?.succeed()?)
}

pub(super) fn in_chrome(context: &Context<'_>) -> Result<()> {
    let driver = context.toolbox.var(CHROMEDRIVER_VARIABLE).context("chromedriver was not found")?;
    in_browser(
        wasm_pack(context, &["--headless", "--chrome", "--chromedriver", &driver.to_string_lossy()])?
            .env("WASM_BINDGEN_TEST_WEBDRIVER_JSON", context.project.root.join("web/webdriver.json")),
    )
}

pub(super) fn in_firefox(context: &Context<'_>) -> Result<()> {
    let driver = context.toolbox.path(context.project, GECKODRIVER).context("geckodriver was not found")?;
    let browser = context.toolbox.var(FIREFOX_VARIABLE).context("Firefox was not found")?;
    in_browser(
        wasm_pack(context, &["--headless", "--firefox", "--geckodriver", &driver.to_string_lossy()])?
            .env("GECKODRIVER_ARGS", format!("--binary '{}'", browser.to_string_lossy())),
    )
}

fn in_browser(wasm_pack: Program) -> Result<()> {
    let text = wasm_pack
        // Tests that do not say where they run, run in Node; these are to run in both.
        .env("WASM_BINDGEN_USE_BROWSER", "1")
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
    let driver = context.toolbox.var(CHROMEDRIVER_VARIABLE).context("chromedriver was not found")?;
    page_tests(context, &[])?.env("FENCEPOST_CHROMEDRIVER", driver).succeed()?;
    Ok(())
}

/// In Firefox they take more than twice as long as in Chromium. What is left out there is about what is played more than about
/// the browser: step `wasm-firefox` plays every story. `FENCEPOST_BROWSER=firefox` runs them as well, one by one or all.
const NOT_IN_FIREFOX: [&str; 4] = ["stories::", "frames::", "lesson::", "gallery::every_story_is_a_card"];

/// The same in Firefox: drags, touch and keys, the palette, undo, links, exports, figures, looks and axe.
pub(super) fn e2e_firefox(context: &Context<'_>) -> Result<()> {
    let driver = context.toolbox.path(context.project, GECKODRIVER).context("geckodriver was not found")?;
    let browser = context.toolbox.var(FIREFOX_VARIABLE).context("Firefox was not found")?;
    say::line(format!("Not run in Firefox, to save time: {}", NOT_IN_FIREFOX.join(", ")));
    let skip = NOT_IN_FIREFOX.iter().flat_map(|tests| ["--skip", tests]);
    page_tests(context, &std::iter::once("--").chain(skip).collect::<Vec<_>>())?
        .env("FENCEPOST_BROWSER", "firefox")
        .env("FENCEPOST_GECKODRIVER", driver)
        .env(FIREFOX_VARIABLE, browser)
        .succeed()?;
    Ok(())
}

fn page_tests(context: &Context<'_>, more: &[&str]) -> Result<Program> {
    let axe = context.toolbox.var(AXE_VARIABLE).context("axe was not found")?;
    let test = ["test", "--package", "fencepost-tests", "--features", "browser", "--test", "page"];
    Ok(native::cargo_program(context, &[&test, more].concat())
        .env("FENCEPOST_DIST", context.project.dist())
        .env("FENCEPOST_EXAMPLES", context.project.examples())
        .env("FENCEPOST_BOOK", context.project.book())
        .env(AXE_VARIABLE, axe))
}
