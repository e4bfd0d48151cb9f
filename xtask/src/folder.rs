//! Folders that are made anew.

use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result};

/// Makes a folder, with nothing in it.
pub(crate) fn empty(folder: &Path) -> Result<()> {
    if folder.exists() {
        fs::remove_dir_all(folder).with_context(|| format!("{} cannot be emptied", folder.display()))?;
    }
    fs::create_dir_all(folder).with_context(|| format!("{} cannot be made", folder.display()))
}

/// Copies a folder with all that is in it.
pub(crate) fn copy(from: &Path, into: &Path) -> Result<()> {
    fs::create_dir_all(into).with_context(|| format!("{} cannot be made", into.display()))?;
    for entry in fs::read_dir(from).with_context(|| format!("{} cannot be read", from.display()))? {
        let entry = entry?;
        let to = into.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy(&entry.path(), &to)?;
        } else {
            fs::copy(entry.path(), &to).with_context(|| format!("{} cannot be written", to.display()))?;
        }
    }
    Ok(())
}
