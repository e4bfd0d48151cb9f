//! A file is one room with one subject; one that nears a thousand lines is a house.

use std::path::Path;

use anyhow::Result;

use super::{Breach, sources};

const LINES_MAX: usize = 1000;

pub(super) fn check(root: &Path) -> Result<Vec<Breach>> {
    let mut breaches = Vec::new();
    for dir in ["crates", "npm", "web", "xtask", "tests"] {
        for source in sources::below(root, dir, &["rs", "css", "js", "html", "toml"])? {
            breaches.extend(judge(source.path, &source.text));
        }
    }
    Ok(breaches)
}

fn judge(file: String, text: &str) -> Option<Breach> {
    let lines = text.lines().count();
    (lines > LINES_MAX).then(|| Breach {
        file,
        line: None,
        what: format!("{lines} lines, of at most {LINES_MAX}; it wants to be several files"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thousand_lines_are_enough() {
        assert_eq!(judge("a.rs".into(), &"x\n".repeat(1000)), None);
        assert!(judge("a.rs".into(), &"x\n".repeat(1001)).is_some());
    }
}
