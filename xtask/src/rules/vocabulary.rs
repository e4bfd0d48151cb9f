//! The kernel knows hosts, links and disks, and nothing of what is built on them: its sources, comments
//! included, must do without these words.

use std::path::Path;

use anyhow::Result;

use super::{Breach, sources};

const FORBIDDEN: [&str; 4] = ["lock", "lease", "raft", "store"];

pub(super) fn check(root: &Path) -> Result<Vec<Breach>> {
    let sources = sources::below(root, "crates/kernel/src", &["rs"])?;
    Ok(sources.iter().flat_map(|source| judge(&source.path, &source.text)).collect())
}

fn judge(file: &str, text: &str) -> Vec<Breach> {
    let mut breaches = Vec::new();
    for (i, line) in text.lines().enumerate() {
        for word in words(line) {
            if FORBIDDEN.contains(&word.as_str()) {
                breaches.push(Breach {
                    file: file.to_owned(),
                    line: Some(i + 1),
                    what: format!("the kernel has no word `{word}`"),
                });
            }
        }
    }
    breaches
}

/// The words of a line in lower case; `lease_ttl` and `LeaseTtl` are two words each.
fn words(line: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut previous = ' ';
    for letter in line.chars() {
        let starts_hump = letter.is_uppercase() && previous.is_lowercase();
        if !letter.is_alphabetic() || starts_hump {
            words.push(String::new());
        }
        if letter.is_alphabetic()
            && let Some(word) = words.last_mut()
        {
            word.extend(letter.to_lowercase());
        }
        previous = letter;
    }
    words.retain(|word| !word.is_empty());
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_found_in_names_and_comments_alike() {
        for line in ["// a lease", "let lease_ttl = 1;", "struct LeaseId;", "RAFT", "self.store()"] {
            assert_eq!(judge("k.rs", line).len(), 1, "{line}");
        }
    }

    #[test]
    fn other_words_that_contain_them_are_fine() {
        for line in ["block", "clock: Clock", "restored", "release", "unlocked", "aircraft", "BlockStored"] {
            assert_eq!(judge("k.rs", line), [], "{line}");
        }
    }

    #[test]
    fn a_breach_tells_where() {
        let breaches = judge("k.rs", "fine\nfine\n// the lock\n");
        assert_eq!(breaches[0].to_string(), "k.rs:3: the kernel has no word `lock`");
    }
}
