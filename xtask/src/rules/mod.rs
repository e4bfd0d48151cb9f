//! House rules that no compiler knows: who may depend on whom, which words have no place where, how long a file may be.

mod arrows;
mod banned;
mod length;
mod sources;
mod vocabulary;

use std::fmt;
use std::path::Path;

use anyhow::Result;

use crate::say;

/// A place where a rule is broken.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Breach {
    file: String,
    /// Counted from 1; `None` when the whole file is meant.
    line: Option<usize>,
    what: String,
}

impl fmt::Display for Breach {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            Some(line) => write!(f, "{}:{line}: {}", self.file, self.what),
            None => write!(f, "{}: {}", self.file, self.what),
        }
    }
}

/// Checks every rule; prints the breaches and answers whether there were none.
pub(crate) fn check(root: &Path) -> Result<bool> {
    let mut breaches = Vec::new();
    breaches.extend(arrows::check(root)?);
    breaches.extend(vocabulary::check(root)?);
    breaches.extend(banned::check(root)?);
    breaches.extend(length::check(root)?);
    for breach in &breaches {
        say::line(breach.to_string());
    }
    say::line(match breaches.len() {
        0 => "Every house rule is kept.".to_owned(),
        n => format!("{n} breaches of house rules."),
    });
    Ok(breaches.is_empty())
}
