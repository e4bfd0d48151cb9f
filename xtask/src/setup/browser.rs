//! Chromium and the driver that tests steer it with.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};

use super::toolbox::Found;
use super::{Step, apt};

/// Where tests find the driver. wasm-pack's test runner reads it too.
pub(crate) const DRIVER_VARIABLE: &str = "CHROMEDRIVER";
/// Where tests find the browser.
const BROWSER_VARIABLE: &str = "FENCEPOST_CHROMIUM";
const BROWSERS: [&str; 4] = ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome"];
const BROWSER_ON_MACOS: &str = "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome";

pub(super) fn find() -> Option<Found> {
    let driver = which::which("chromedriver").ok()?;
    let browser = find_browser()?;
    Some(
        Found::new(format!("{}, {}", browser.display(), driver.display()))
            .with_env(DRIVER_VARIABLE, driver)
            .with_env(BROWSER_VARIABLE, browser),
    )
}

fn find_browser() -> Option<PathBuf> {
    BROWSERS.iter().find_map(|name| which::which(name).ok()).or_else(|| {
        let app = Path::new(BROWSER_ON_MACOS);
        app.exists().then(|| app.to_owned())
    })
}

pub(super) fn install(step: &Step) -> Result<Found> {
    apt::install(step, &["chromium", "chromium-driver"]).context(
        "install Chromium or Chrome, and the chromedriver of the same version, so that both are on PATH",
    )?;
    find().context("apt installed the packages, but chromium and chromedriver are not on PATH")
}
