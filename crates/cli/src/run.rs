//! `fencepost run`: play a scenario and report what came out.

use std::fmt::Write as _;
use std::io::{self, IsTerminal as _};

use anyhow::{Result, anyhow, bail};
use scenario::document::{Document, Value};
use scenario::why::otherwise;
use scenario::{Play, play, report};
use timeline::svg::{Picture, Theme, WIDTH, svg};

use crate::Outcome;
use crate::args::{RunArgs, RunFormat, ThemeWord};
use crate::output::deliver;
use crate::png;
use crate::scenarios::{Found, complaint, one};

pub(crate) fn run(args: &RunArgs) -> Result<Outcome> {
    fits(args)?;
    let Found { name, document } = one(&args.scenario)?;
    let document = changed(&name, document, args)?;
    let scenario = document.scenario().map_err(|problems| complaint(&name, &problems))?;
    let report = told(&document, &play(&scenario), args)?;
    deliver(&report, args.output.as_deref())?;
    Ok(Outcome::Done)
}

/// A play in the format that is asked for.
fn told(document: &Document, play: &Play, args: &RunArgs) -> Result<Vec<u8>> {
    let text = match args.format {
        RunFormat::Toml => document.to_toml(),
        RunFormat::Json => report::json_text(play, &otherwise(document, play), args.trace),
        RunFormat::Table => report::table(play) + &trace(play, args.trace, "\nTrace, SHA-256 ", "", ""),
        RunFormat::Markdown => {
            report::markdown(play, &otherwise(document, play))
                + &trace(play, args.trace, "\n## Trace\n\nSHA-256 ", "\n```text", "```\n")
        }
        RunFormat::Mermaid => report::mermaid(play),
        RunFormat::Svg => svg(play, &picture(args)),
        RunFormat::Png => return png::rendered(&svg(play, &picture(args))),
    };
    Ok(text.into_bytes())
}

fn picture(args: &RunArgs) -> Picture {
    let theme = match args.theme {
        Some(ThemeWord::Light) => Theme::Light,
        Some(ThemeWord::Dark) => Theme::Dark,
        Some(ThemeWord::Both) => Theme::Both,
        None if args.format == RunFormat::Png => Theme::Light,
        None => Theme::Both,
    };
    Picture { width: args.width.map_or(WIDTH, f64::from), theme, view: None }
}

/// Whether what is asked for goes together.
fn fits(args: &RunArgs) -> Result<()> {
    let (is_picture, has_trace) = match args.format {
        RunFormat::Svg | RunFormat::Png => (true, false),
        RunFormat::Table | RunFormat::Json | RunFormat::Markdown => (false, true),
        RunFormat::Mermaid | RunFormat::Toml => (false, false),
    };
    if !is_picture && args.theme.is_some() {
        bail!("--theme is for pictures: --format svg or --format png");
    }
    if !is_picture && args.width.is_some() {
        bail!("--width is for pictures: --format svg or --format png");
    }
    if !has_trace && args.trace {
        bail!("--trace is for reports: --format table, json or markdown");
    }
    if args.format == RunFormat::Png && args.theme == Some(ThemeWord::Both) {
        bail!("--theme both: a PNG has one set of colours, light or dark; an SVG can have both");
    }
    if args.format == RunFormat::Png && args.output.is_none() && io::stdout().is_terminal() {
        bail!("a PNG is nothing to read in a terminal: name a file with --output");
    }
    Ok(())
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
