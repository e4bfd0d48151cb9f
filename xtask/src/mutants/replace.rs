//! The textual change that makes a mutant.

use anyhow::{Result, bail};

/// `text` with `find`, which must occur exactly once, replaced: a mutant that could be in two places is not one mutant.
pub(super) fn once(text: &str, find: &str, replace: &str) -> Result<String> {
    if find.is_empty() {
        bail!("`find` is empty");
    }
    if find == replace {
        bail!("`find` and `replace` are the same");
    }
    match text.matches(find).count() {
        1 => Ok(text.replacen(find, replace, 1)),
        0 => bail!("`find` does not occur: the source has changed; write the mutant anew"),
        n => bail!("`find` occurs {n} times; make it longer"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exactly_one_place_is_changed() {
        assert_eq!(once("a <= b", "<=", "<").unwrap(), "a < b");
        assert!(once("a < b", "<=", "<").is_err());
        assert!(once("a <= b <= c", "<=", "<").is_err());
        assert!(once("a", "", "b").is_err());
        assert!(once("a", "a", "a").is_err());
    }
}
