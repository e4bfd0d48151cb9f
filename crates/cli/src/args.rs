//! The command line's words.

use std::path::PathBuf;

use clap::{Args as Arguments, Parser, Subcommand, ValueEnum};
use timeline::svg::{WIDTH_MAX, WIDTH_MIN};

/// Seeds stay below 2^53, where JavaScript's numbers stop being exact.
const SEED_END: u64 = scenario::document::limits::EXACT_MAX;

/// How wide a picture can be.
const WIDTHS: std::ops::RangeInclusive<i64> = WIDTH_MIN as i64..=WIDTH_MAX as i64;

/// A laboratory for leases, locks and fencing tokens: plays scenarios, and says which stale writes were accepted,
/// which were refused, and why.
#[derive(Debug, Parser)]
#[command(
    name = "fencepost",
    version,
    after_help = "Exit codes: 0 done, 1 an expectation failed, 2 bad input."
)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// List the built-in stories
    Stories(StoriesArgs),
    /// Play a scenario and report what came out
    Run(RunArgs),
    /// Play scenarios, each with each of its variants, and hold them to their expectations
    Check(CheckArgs),
    /// Print the JSON Schema of scenario documents
    Schema,
    /// Turn blocks of code in a book into figures: a preprocessor, which mdBook calls
    Book(BookArgs),
}

#[derive(Clone, Copy, Debug, Arguments)]
pub(crate) struct StoriesArgs {
    /// How to print them
    #[arg(long, value_enum, default_value_t = ListFormat::Table)]
    pub(crate) format: ListFormat,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ListFormat {
    /// For people
    Table,
    /// For machines
    Json,
}

#[derive(Debug, Arguments)]
pub(crate) struct RunArgs {
    /// A built-in story, a file (TOML or JSON), or `-` for standard input
    #[arg(value_name = "STORY|FILE|-")]
    pub(crate) scenario: String,
    /// Play this variant of it
    #[arg(long, value_name = "NAME")]
    pub(crate) variant: Option<String>,
    /// Change something first: worker.A.margin=3s, store.billing.kind=unfenced, fault.a-pause.for=8s
    #[arg(long = "set", value_name = "PATH=VALUE", value_parser = setting)]
    pub(crate) sets: Vec<Setting>,
    /// Draw everything that is drawn from this seed
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(..SEED_END))]
    pub(crate) seed: Option<u64>,
    /// How to report
    #[arg(long, value_enum, default_value_t = RunFormat::Table)]
    pub(crate) format: RunFormat,
    /// Write to this file, not to standard output
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Report the raw trace as well, a line a record, and its digest (table, json, markdown)
    #[arg(long)]
    pub(crate) trace: bool,
    /// Colours of a picture (svg: both unless said otherwise; png: light)
    #[arg(long, value_enum)]
    pub(crate) theme: Option<ThemeWord>,
    /// Width of a picture in CSS pixels, 1000 unless said otherwise; a png has two pixels for each
    #[arg(long, value_name = "PX", value_parser = clap::value_parser!(u16).range(WIDTHS))]
    pub(crate) width: Option<u16>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum RunFormat {
    /// For a terminal
    Table,
    /// For machines
    Json,
    /// For an issue or a post-mortem
    Markdown,
    /// A sequence diagram, for whatever shows Mermaid
    Mermaid,
    /// The timeline as a picture whose text is text
    Svg,
    /// The timeline as a picture of pixels
    Png,
    /// The scenario itself, with what --variant, --set and --seed make of it
    Toml,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ThemeWord {
    /// Dark ink on light paper
    Light,
    /// Light ink on dark paper
    Dark,
    /// What the reader's system prefers
    Both,
}

#[derive(Debug, Arguments)]
pub(crate) struct BookArgs {
    /// `supports RENDERER`: whether figures can stand in what that makes (exit code 0 or 1)
    #[arg(value_names = ["supports", "RENDERER"], num_args = 2)]
    pub(crate) supports: Vec<String>,
}

/// A path and the value that it is set to.
#[derive(Clone, Debug)]
pub(crate) struct Setting {
    pub(crate) path: String,
    pub(crate) value: String,
}

fn setting(text: &str) -> Result<Setting, String> {
    match text.split_once('=') {
        Some((path, value)) => Ok(Setting { path: path.trim().to_owned(), value: value.trim().to_owned() }),
        None => Err("write PATH=VALUE, like worker.A.margin=3s".to_owned()),
    }
}

#[derive(Debug, Arguments)]
pub(crate) struct CheckArgs {
    /// Files, directories (all .toml and .json files in them) or built-in stories
    #[arg(required = true, value_name = "FILE|DIR|STORY")]
    pub(crate) scenarios: Vec<String>,
    /// Write the results to this file as JUnit XML
    #[arg(long, value_name = "FILE")]
    pub(crate) junit: Option<PathBuf>,
}
