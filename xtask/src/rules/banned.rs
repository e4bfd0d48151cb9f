//! What would make two plays of one scenario differ. Clippy bans these too (clippy.toml), but can be
//! silenced beside the code; this cannot.

use std::path::Path;

use anyhow::Result;

use super::{Breach, sources};

const CRATES: [&str; 8] = ["kernel", "raft", "locks", "stores", "actors", "document", "scenario", "timeline"];
const BANNED: [&str; 4] = ["HashMap", "HashSet", "Instant::now", "SystemTime"];

pub(super) fn check(root: &Path) -> Result<Vec<Breach>> {
    let mut breaches = Vec::new();
    for name in CRATES {
        for source in sources::below(root, &format!("crates/{name}/src"), &["rs"])? {
            breaches.extend(judge(&source.path, &source.text));
        }
    }
    Ok(breaches)
}

fn judge(file: &str, text: &str) -> Vec<Breach> {
    let mut breaches = Vec::new();
    for (i, line) in text.lines().enumerate() {
        // A comment may say why something is not used.
        let code = line.split("//").next().unwrap_or_default();
        for banned in BANNED.iter().filter(|banned| code.contains(**banned)) {
            breaches.push(Breach {
                file: file.to_owned(),
                line: Some(i + 1),
                what: format!("`{banned}` would make plays differ"),
            });
        }
    }
    breaches
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_is_judged_and_comments_are_not() {
        assert_eq!(judge("a.rs", "use std::collections::HashMap;").len(), 1);
        assert_eq!(judge("a.rs", "let t = Instant::now();").len(), 1);
        assert_eq!(judge("a.rs", "// no HashMap: its order differs"), []);
        assert_eq!(judge("a.rs", "let m = BTreeMap::new(); // not HashMap"), []);
    }
}
