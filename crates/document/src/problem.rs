//! What is wrong with a document: where, what, and what would be right.

use std::fmt;

/// One thing that is wrong with a document. It always has a path or a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The path of what is wrong, as `--set` would write it: "worker.A.margin". Empty when only the line is known.
    pub path: String,
    /// Its line in the document's text, from 1; `None` when it is not in there (it was set, or left out).
    pub line: Option<u32>,
    /// What is wrong.
    pub message: String,
    /// What would be right, when that can be guessed.
    pub hint: Option<String>,
}

impl Problem {
    /// A problem of a path that is in no text.
    pub(crate) fn of_path(path: &str, message: impl Into<String>, hint: Option<String>) -> Self {
        Self { path: path.to_owned(), line: None, message: message.into(), hint }
    }
    /// A problem of a line of which no path is known.
    pub(crate) fn of_line(line: u32, message: impl Into<String>) -> Self {
        Self { path: String::new(), line: Some(line), message: message.into(), hint: None }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.line, self.path.as_str()) {
            (Some(line), "") => write!(f, "line {line}: ")?,
            (Some(line), path) => write!(f, "line {line}, {path}: ")?,
            (None, "") => {}
            (None, path) => write!(f, "{path}: ")?,
        }
        f.write_str(&self.message)?;
        match &self.hint {
            Some(hint) => write!(f, "; {hint}"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for Problem {}

/// All that is wrong with a document, in the order of its lines. Never empty. Displayed one a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problems(pub Vec<Problem>);

impl fmt::Display for Problems {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, problem) in self.0.iter().enumerate() {
            if i > 0 {
                writeln!(f)?;
            }
            problem.fmt(f)?;
        }
        Ok(())
    }
}

impl std::error::Error for Problems {}

impl From<Problem> for Problems {
    fn from(problem: Problem) -> Self {
        Self(vec![problem])
    }
}
