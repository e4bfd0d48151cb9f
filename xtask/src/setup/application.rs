//! A program that a person has anyway: on PATH, or where macOS keeps its applications.

use std::path::{Path, PathBuf};

pub(super) fn find(names: &[&str], on_macos: &str) -> Option<PathBuf> {
    names.iter().find_map(|name| which::which(name).ok()).or_else(|| {
        let app = Path::new(on_macos);
        app.exists().then(|| app.to_owned())
    })
}
