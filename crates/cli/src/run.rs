//! `fencepost run`: play a scenario and report what came out.

use std::fmt::Write as _;

use anyhow::{Result, anyhow};
use scenario::document::{Document, Value};
use scenario::why::otherwise;
use scenario::{Play, play, report};

use crate::Outcome;
use crate::args::{RunArgs, RunFormat};
use crate::output::print;
use crate::scenarios::{Found, complaint, one};

pub(crate) fn run(args: &RunArgs) -> Result<Outcome> {
    let Found { name, document } = one(&args.scenario)?;
    let document = changed(&name, document, args)?;
    let scenario = document.scenario().map_err(|problems| complaint(&name, &problems))?;
    let play = play(&scenario);
    let text = match args.format {
        RunFormat::Json => format!("{:#}\n", report::json(&play, &otherwise(&document, &play), args.trace)),
        RunFormat::Table => report::table(&play) + &trace(&play, args.trace, "\nTrace, SHA-256 ", "", ""),
        RunFormat::Markdown => {
            report::markdown(&play, &otherwise(&document, &play))
                + &trace(&play, args.trace, "\n## Trace\n\nSHA-256 ", "\n```text", "```\n")
        }
    };
    print(&text)?;
    Ok(Outcome::Done)
}

/// The document with the variant first, then what is set, then the seed.
fn changed(name: &str, document: Document, args: &RunArgs) -> Result<Document> {
    let mut document = match &args.variant {
        Some(variant) => document.with_variant(variant).map_err(|problems| complaint(name, &problems))?,
        None => document,
    };
    for setting in &args.sets {
        let told = document.set(&setting.path, &setting.value);
        told.map_err(|problem| anyhow!("--set {}={}: {problem}", setting.path, setting.value))?;
    }
    if let Some(seed) = args.seed {
        let seed = i64::try_from(seed).map_err(|_| anyhow!("--seed {seed} is too large"))?;
        let told = document.set_value("seed", Value::Integer(seed));
        told.map_err(|problem| anyhow!("--seed {seed}: {problem}"))?;
    }
    Ok(document)
}

fn trace(play: &Play, wanted: bool, title: &str, open: &str, close: &str) -> String {
    if !wanted {
        return String::new();
    }
    let mut out = format!("{title}{}\n", play.digest());
    if !open.is_empty() {
        let _ = writeln!(out, "{open}");
    }
    for line in play.trace_lines() {
        let _ = writeln!(out, "{line}");
    }
    out + close
}
