//! The copy that mutants are made in, so that the sources that people work on are never touched.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};

use crate::process::Program;

/// Brings `to` up to date with the files of the clone at `from` that git knows or would know.
/// Files that are the same stay untouched, so that cargo does not build them again.
pub(super) fn copy(from: &Path, to: &Path) -> Result<PathBuf> {
    let listed = Program::new("git")
        .args(["ls-files", "--cached", "--others", "--exclude-standard", "-z"])
        .dir(from)
        .succeed()
        .context("git cannot list the files of the clone")?;
    let names: BTreeSet<PathBuf> =
        listed.split('\0').filter(|name| !name.is_empty()).map(PathBuf::from).collect();
    for name in &names {
        let source = from.join(name);
        // Deleted in the work tree, or a directory that is a repository of its own.
        if source.is_file() {
            copy_if_different(&source, &to.join(name))?;
        }
    }
    remove_others(from, to, Path::new(""), &names)?;
    Ok(to.to_owned())
}

fn copy_if_different(source: &Path, target: &Path) -> Result<()> {
    let bytes = fs::read(source)?;
    if fs::read(target).is_ok_and(|old| old == bytes) {
        return Ok(());
    }
    if let Some(dir) = target.parent() {
        fs::create_dir_all(dir)?;
    }
    fs::write(target, bytes).with_context(|| format!("{} cannot be written", target.display()))
}

fn remove_others(from: &Path, to: &Path, dir: &Path, names: &BTreeSet<PathBuf>) -> Result<()> {
    for entry in fs::read_dir(to.join(dir))? {
        let name = dir.join(entry?.file_name());
        let path = to.join(&name);
        if path.is_dir() {
            remove_others(from, to, &name, names)?;
        } else if !names.contains(&name) || !from.join(&name).is_file() {
            fs::remove_file(path)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_copy_follows_the_clone_and_leaves_what_is_the_same() {
        let dir = tempfile::tempdir().unwrap();
        let (from, to) = (dir.path().join("from"), dir.path().join("to"));
        fs::create_dir_all(from.join("src")).unwrap();
        Program::new("git").args(["init", "-q"]).dir(&from).succeed().unwrap();
        fs::write(from.join(".gitignore"), "ignored\n").unwrap();
        fs::write(from.join("ignored"), "").unwrap();
        fs::write(from.join("src/same"), "same").unwrap();
        fs::write(from.join("src/goes"), "goes").unwrap();
        copy(&from, &to).unwrap();
        assert!(to.join("src/goes").exists() && !to.join("ignored").exists());

        let before = fs::metadata(to.join("src/same")).unwrap().modified().unwrap();
        fs::remove_file(from.join("src/goes")).unwrap();
        fs::write(from.join("src/comes"), "comes").unwrap();
        fs::write(to.join("src/same.left-by-a-mutant"), "").unwrap();
        copy(&from, &to).unwrap();
        assert!(to.join("src/comes").exists());
        assert!(!to.join("src/goes").exists() && !to.join("src/same.left-by-a-mutant").exists());
        assert_eq!(fs::metadata(to.join("src/same")).unwrap().modified().unwrap(), before);
    }
}
