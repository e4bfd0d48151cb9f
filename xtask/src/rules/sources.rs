//! The files that rules are about.

use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result};

/// A file's path from the root of the clone, and its text.
pub(super) struct Source {
    pub(super) path: String,
    pub(super) text: String,
}

/// All files below `dir` (from `root`) with one of the extensions, in order. None, when there is no such directory.
pub(super) fn below(root: &Path, dir: &str, extensions: &[&str]) -> Result<Vec<Source>> {
    let mut found = Vec::new();
    collect(root, &root.join(dir), extensions, &mut found)?;
    found.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(found)
}

fn collect(root: &Path, dir: &Path, extensions: &[&str], found: &mut Vec<Source>) -> Result<()> {
    let Ok(entries) = fs::read_dir(dir) else {
        return Ok(());
    };
    for entry in entries {
        let path = entry?.path();
        if path.is_dir() {
            let name = path.file_name().unwrap_or_default();
            if name != "target" && name != "node_modules" {
                collect(root, &path, extensions, found)?;
            }
            continue;
        }
        let extension = path.extension().and_then(|extension| extension.to_str());
        if extension.is_some_and(|extension| extensions.contains(&extension)) {
            let text =
                fs::read_to_string(&path).with_context(|| format!("{} cannot be read", path.display()))?;
            let path = path.strip_prefix(root).unwrap_or(&path).display().to_string();
            found.push(Source { path, text });
        }
    }
    Ok(())
}
