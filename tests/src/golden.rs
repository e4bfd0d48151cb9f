//! Golden files: what came out, kept as text that people read. `UPDATE=1` writes them anew.

use std::fs;
use std::path::PathBuf;

/// Holds `actual` to the golden file of this name, or with `UPDATE=1` makes it the golden file. The error says where
/// they part.
pub fn check(name: &str, actual: &str) -> Result<(), String> {
    let path = path(name);
    if std::env::var_os("UPDATE").is_some() {
        return fs::write(&path, actual).map_err(|error| format!("{}: {error}", path.display()));
    }
    let golden = fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    match first_difference(&golden, actual) {
        None => Ok(()),
        Some((line, golden, actual)) => Err(format!(
            "{}:{line}\n  golden: {golden}\n  actual: {actual}\n(if that is meant: UPDATE=1 cargo test -p fencepost-tests)",
            path.display()
        )),
    }
}

/// Where a golden file is.
pub fn path(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("golden").join(name)
}

/// The first line, from 1, in which two texts differ.
fn first_difference(golden: &str, actual: &str) -> Option<(usize, String, String)> {
    let mut lines = (golden.split('\n'), actual.split('\n'));
    for number in 1.. {
        match (lines.0.next(), lines.1.next()) {
            (None, None) => break,
            (golden, actual) if golden == actual => {}
            (golden, actual) => {
                let text = |line: Option<&str>| line.unwrap_or("(the end)").to_owned();
                return Some((number, text(golden), text(actual)));
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_difference_is_found() {
        assert_eq!(first_difference("a\nb", "a\nb"), None);
        assert_eq!(first_difference("a\nb", "a\nc"), Some((2, "b".into(), "c".into())));
        assert_eq!(first_difference("a", "a\nc"), Some((2, "(the end)".into(), "c".into())));
    }
}
