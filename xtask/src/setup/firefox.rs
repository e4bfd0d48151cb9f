//! Firefox. The driver that tests steer it with is a Rust program: see `cargo_tool`.

use anyhow::{Context as _, Result};

use super::toolbox::Found;
use super::{Step, application, apt};

/// Where tests find the browser.
pub(crate) const FIREFOX_VARIABLE: &str = "FENCEPOST_FIREFOX";
const NAMES: [&str; 2] = ["firefox", "firefox-esr"];
const ON_MACOS: &str = "/Applications/Firefox.app/Contents/MacOS/firefox";

pub(super) fn find() -> Option<Found> {
    let browser = application::find(&NAMES, ON_MACOS)?;
    Some(Found::new(browser.display().to_string()).with_env(FIREFOX_VARIABLE, browser))
}

/// The one with long support is what Debian has.
pub(super) fn install(step: &Step) -> Result<Found> {
    apt::install(step, &["firefox-esr"]).context("install Firefox, so that it is on PATH")?;
    find().context("apt installed the package, but firefox-esr is not on PATH")
}
