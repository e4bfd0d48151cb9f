//! Fencepost without a page: functions over text for JavaScript, documents in and JSON out.
//!
//! The npm package (`npm/core.js`) wraps them: there they take and give JavaScript values, and what is wrong is thrown. The JSON
//! Schema and the built-in stories are files of that package, so that the program does not carry them.

mod check;
mod options;
mod problems;

use scenario::why::otherwise;
use scenario::{Document, play as played, report};
use wasm_bindgen::prelude::wasm_bindgen;

use crate::options::{Format, Options};

/// Plays a document (TOML or JSON) and reports what came out, as `fencepost run` does. `options` is a JSON object; all in it
/// can be left out: `variant`, `set` (an object of paths with their values), `seed`, `format` (`json`, `markdown` or `table`)
/// and `trace`.
///
/// # Errors
/// Everything that is wrong with the document or the options, as JSON: a list of problems as [`lint`] gives them.
#[wasm_bindgen]
pub fn play(document: &str, options: &str) -> Result<String, String> {
    played_as(document, options).map_err(|wrong| problems::json(&wrong).to_string())
}

fn played_as(document: &str, options: &str) -> Result<String, problems::Wrong> {
    let options = Options::read(options)?;
    let document = options.changed(Document::parse(document)?)?;
    let play = played(&document.scenario()?);
    Ok(match options.format {
        Format::Json => report::json(&play, &otherwise(&document, &play), options.trace).to_string(),
        Format::Markdown => report::markdown(&play, &otherwise(&document, &play)),
        Format::Table => report::table(&play),
    })
}

/// Plays a document and each of its variants, and holds them to what they expect, as `fencepost check` does.
///
/// # Errors
/// As in [`play`].
#[wasm_bindgen]
pub fn check(document: &str) -> Result<String, String> {
    match check::check(document) {
        Ok(checked) => Ok(checked.to_string()),
        Err(wrong) => Err(problems::json(&wrong).to_string()),
    }
}

/// Everything that is wrong with a document and its variants, without playing them: a JSON list, empty when all is good. Each
/// problem has the `variant` that it is in (or null), its `path` and `line` (null where it has none), a `message` and, where
/// it can be guessed, what would be right, as `hint`.
#[wasm_bindgen]
pub fn lint(document: &str) -> String {
    problems::json(&check::cases(document).err().unwrap_or_default()).to_string()
}
