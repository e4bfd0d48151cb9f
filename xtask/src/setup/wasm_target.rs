//! A compiler that can target wasm.

use std::env;
use std::path::PathBuf;

use anyhow::{Context as _, Result};

use super::toolbox::Found;
use super::{Step, debian_rust};
use crate::process::{Output, Program};
use crate::project::Project;

pub(super) const TRIPLE: &str = "wasm32-unknown-unknown";
/// `rustup` or `debian` keeps to that way; anything else tries them in this order.
const CHOICE_VARIABLE: &str = "FENCEPOST_WASM";

pub(super) fn find(project: &Project) -> Option<Found> {
    let of_the_toolchain = || has_standard_library().then(|| Found::new("the Rust toolchain's"));
    match choice().as_str() {
        "debian" => debian_rust::find(project),
        "rustup" => of_the_toolchain(),
        _ => of_the_toolchain().or_else(|| debian_rust::find(project)),
    }
}

pub(super) fn install(project: &Project, step: &Step) -> Result<Found> {
    let choice = choice();
    if choice == "debian" {
        return debian_rust::install(project, step);
    }
    let rustup = add_with_rustup(step);
    match rustup {
        Ok(found) => Ok(found),
        Err(error) if choice == "rustup" => Err(error),
        Err(error) => {
            let first = format!("{error:#}");
            step.say(&format!("rustup cannot add it: {first}"));
            debian_rust::install(project, step).with_context(|| {
                format!(
                    "`rustup target add {TRIPLE}` failed, and so did the other way (a compiler of Debian's)"
                )
            })
        }
    }
}

/// The server of rustup's components can be slow, or out of reach without saying so.
fn add_with_rustup(step: &Step) -> Result<Found> {
    step.say("asking rustup for it (a minute and a half at the most)");
    Program::new("rustup")
        .args(["target", "add", TRIPLE])
        .deadline_secs(90)
        .output(Output::Heartbeat)
        .succeed()?;
    has_standard_library()
        .then(|| Found::new("added with rustup"))
        .context("rustup added it, but the compiler does not find it")
}

fn choice() -> String {
    env::var(CHOICE_VARIABLE).unwrap_or_default()
}

/// The compiler knows every target; it can build for those whose standard library is there.
fn has_standard_library() -> bool {
    Program::new("rustc")
        .args(["--print", "target-libdir", "--target", TRIPLE])
        .run()
        .ok()
        .filter(crate::process::Ended::success)
        .is_some_and(|ended| holds_std(&PathBuf::from(ended.text.trim())))
}

pub(super) fn holds_std(dir: &std::path::Path) -> bool {
    let Ok(entries) = std::fs::read_dir(dir) else {
        return false;
    };
    entries.flatten().any(|entry| {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        name.starts_with("libstd-") && name.ends_with(".rlib")
    })
}
