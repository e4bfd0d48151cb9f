//! `cargo run` tells its program (this one) about itself through the environment. Programs started from here
//! may use another cargo, which must not take that for its own.

use std::env;
use std::ffi::{OsStr, OsString};

/// Changes to the environment that every started program gets.
pub(super) fn corrections() -> Vec<(OsString, Option<OsString>)> {
    let mut corrections: Vec<_> = env::vars_os()
        .map(|(name, _)| name)
        .filter(|name| is_cargos_word(name))
        .map(|name| (name, None))
        .collect();
    if let Some(paths) = env::var_os("LD_LIBRARY_PATH") {
        let kept = env::join_paths(env::split_paths(&paths).filter(|dir| {
            !dir.components().any(|part| {
                part.as_os_str() == OsStr::new("toolchains") || part.as_os_str() == OsStr::new("target")
            })
        }));
        let kept = kept.ok().filter(|kept| !kept.is_empty());
        corrections.push(("LD_LIBRARY_PATH".into(), kept));
    }
    corrections
}

fn is_cargos_word(name: &OsStr) -> bool {
    let name = name.to_string_lossy();
    name == "CARGO"
        || name == "OUT_DIR"
        || name == "CARGO_BIN_NAME"
        || name == "CARGO_CRATE_NAME"
        || name == "CARGO_PRIMARY_PACKAGE"
        || name.starts_with("CARGO_PKG_")
        || name.starts_with("CARGO_MANIFEST_")
}
