//! Chromium and the driver that tests steer it with.

use anyhow::{Context as _, Result};

use super::toolbox::Found;
use super::{Step, application, apt};

/// Where tests find the driver. wasm-pack's test runner reads it too.
pub(crate) const CHROMEDRIVER_VARIABLE: &str = "CHROMEDRIVER";
/// Where tests find the browser.
const CHROMIUM_VARIABLE: &str = "FENCEPOST_CHROMIUM";
const NAMES: [&str; 4] = ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome"];
const ON_MACOS: &str = "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome";

pub(super) fn find() -> Option<Found> {
    let driver = which::which("chromedriver").ok()?;
    let browser = application::find(&NAMES, ON_MACOS)?;
    Some(
        Found::new(format!("{}, {}", browser.display(), driver.display()))
            .with_env(CHROMEDRIVER_VARIABLE, driver)
            .with_env(CHROMIUM_VARIABLE, browser),
    )
}

pub(super) fn install(step: &Step) -> Result<Found> {
    apt::install(step, &["chromium", "chromium-driver"]).context(
        "install Chromium or Chrome, and the chromedriver of the same version, so that both are on PATH",
    )?;
    find().context("apt installed the packages, but chromium and chromedriver are not on PATH")
}
