//! What somebody who uses the package downloads.

use std::path::Path;

use anyhow::{Context as _, Result, bail};

use crate::{payload, say};

/// What the program is meant to be, compressed.
const BUDGET_BYTES: usize = 90_000;
/// What it must not grow beyond until it is there: a little above what it is. To be lowered with every cut. (The simulation
/// alone, of all kinds of lock service and store, is more than the budget; then come the document's model and the reports.)
const RATCHET_BYTES: usize = 352_000;

/// Prints sizes by kind of file, says when the program is over its budget, and fails when it has grown beyond the ratchet.
pub(super) fn report(folder: &Path) -> Result<()> {
    let kinds = payload::table(folder)?;
    let program = kinds.get("wasm").context("there is no program in the package")?.brotli;
    let (size, budget) = (say::bytes(program), say::bytes(BUDGET_BYTES));
    if program > RATCHET_BYTES {
        let most = say::bytes(RATCHET_BYTES);
        bail!(
            "the headless program is {size} compressed; it must not grow beyond {most} (its budget is {budget})"
        );
    }
    if program > BUDGET_BYTES {
        say::line(format!(
            "OVER BUDGET: the headless program is {size} compressed, and is meant to be at most {budget}"
        ));
    }
    Ok(())
}
