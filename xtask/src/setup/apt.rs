//! Debian's package manager, for root only: nobody's system is changed through a password prompt.

use std::sync::OnceLock;

use anyhow::{Result, bail};

use super::Step;
use crate::process::{Output, Program};

/// Installs packages, or says what the person should run.
pub(super) fn install(step: &Step, packages: &[&str]) -> Result<()> {
    let names = packages.join(" ");
    if which::which("apt-get").is_err() {
        bail!("there is no apt here to install it with (on Debian: {names})");
    }
    if !nix::unistd::Uid::effective().is_root() {
        bail!(
            "apt needs root; run this, then try again:\n    sudo apt-get update && sudo apt-get install --no-install-recommends {names}"
        );
    }
    update()?;
    step.say(&format!("installing with apt: {names}"));
    apt(&["install", "--yes", "--no-install-recommends"])
        .args(packages)
        .deadline_secs(420)
        .output(Output::Heartbeat)
        .succeed()?;
    Ok(())
}

/// The lists of packages of a fresh machine are empty or old. Once a run is enough.
fn update() -> Result<()> {
    static UPDATED: OnceLock<std::result::Result<(), String>> = OnceLock::new();
    let updated = UPDATED.get_or_init(|| {
        apt(&["update"]).deadline_secs(120).succeed().map(drop).map_err(|error| error.to_string())
    });
    match updated {
        Ok(()) => Ok(()),
        Err(error) => bail!("{error}"),
    }
}

fn apt(words: &[&str]) -> Program {
    Program::new("apt-get")
        .env("DEBIAN_FRONTEND", "noninteractive")
        .args([
            "-o",
            "Acquire::http::Timeout=20",
            "-o",
            "Acquire::Retries=1",
            // Somebody else's apt may be at work.
            "-o",
            "DPkg::Lock::Timeout=120",
        ])
        .args(words)
}
