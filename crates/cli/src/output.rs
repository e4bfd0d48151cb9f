//! What is printed, and where.

use std::fs;
use std::io::{self, ErrorKind, Write as _};
use std::path::Path;

use anyhow::{Context as _, Result};

/// Prints to standard output. That nobody reads on (`fencepost run .. | head`) is no error.
pub(crate) fn print(text: &str) -> Result<()> {
    print_bytes(text.as_bytes())
}

/// Writes to a file, or prints where there is none.
pub(crate) fn deliver(bytes: &[u8], file: Option<&Path>) -> Result<()> {
    match file {
        Some(file) => fs::write(file, bytes).with_context(|| format!("{} cannot be written", file.display())),
        None => print_bytes(bytes),
    }
}

fn print_bytes(bytes: &[u8]) -> Result<()> {
    let mut out = io::stdout().lock();
    match out.write_all(bytes).and_then(|()| out.flush()) {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        outcome => outcome.context("cannot write to standard output"),
    }
}

/// Tells on standard error what is wrong, each line of it an error of its own.
pub(crate) fn complain(error: &anyhow::Error) {
    let mut err = io::stderr().lock();
    for line in format!("{error:#}").lines() {
        // Where not even this can be written, there is nobody to tell.
        let _ = writeln!(err, "error: {line}");
    }
}
