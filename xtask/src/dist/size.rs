//! What somebody who uses the package downloads.

use std::path::Path;

use anyhow::{Result, bail};

use crate::{payload, say};

/// A file of the package, and how large it may be, compressed.
struct Limit {
    file: &'static str,
    /// What it is meant to be at most.
    budget: usize,
    /// What it must not grow beyond until it is there: a little above what it is. To be lowered with every cut.
    ratchet: usize,
}

const LIMITS: [Limit; 3] = [
    // The simulation alone, of all kinds of lock service and store, is more than the budget; then come the document's model and
    // the reports.
    Limit { file: "headless_bg.wasm", budget: 90_000, ratchet: 354_000 },
    // All that a page loads for a figure that is not seen.
    Limit { file: "fence-post.js", budget: 15_000, ratchet: 15_000 },
    // No budget of its own: it has most of what the page has, and comes when a figure is seen.
    Limit { file: "figure_bg.wasm", budget: 510_000, ratchet: 510_000 },
];

/// Prints sizes by kind of file, says what is over its budget, and fails when something has grown beyond its ratchet.
pub(super) fn report(folder: &Path) -> Result<()> {
    payload::table(folder)?;
    for Limit { file, budget, ratchet } in LIMITS {
        let found = payload::compressed(&folder.join(file))?;
        let [size, most, meant] = [found, ratchet, budget].map(say::bytes);
        if found > ratchet {
            bail!("{file} is {size} compressed; it must not grow beyond {most} (its budget is {meant})");
        }
        let over = if found > budget { "OVER BUDGET: " } else { "" };
        say::line(format!("{over}{file} is {size} compressed, and is meant to be at most {meant}"));
    }
    Ok(())
}
