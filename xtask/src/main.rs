//! Set-up and everything that CI does: `cargo xtask --help`.

mod bench;
mod book;
mod dist;
mod folder;
mod mutants;
mod page;
mod payload;
mod process;
mod project;
mod rules;
mod say;
mod serve;
mod setup;
mod steps;
mod test_report;

use std::process::ExitCode;

use anyhow::Result;
use clap::{Parser, Subcommand};

use crate::process::Output;
use crate::project::Project;
use crate::setup::Need;

#[derive(Parser)]
#[command(name = "cargo xtask", about = "Set-up, the page, and everything that CI does.")]
struct Arguments {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Builds the page and serves it on this computer; brings what is missing first.
    Serve {
        /// The next free one is taken when this is not.
        #[arg(long, default_value_t = 8080)]
        port: u16,
    },
    /// Runs everything that CI runs, or the named steps.
    Test {
        /// Leaves out a step; `browser` means all that need one. The closing lines say so.
        #[arg(long, value_name = "STEP")]
        skip: Vec<String>,
        /// Which steps to run.
        #[arg(value_name = "STEP")]
        steps: Vec<String>,
    },
    /// Breaks the protocols' rules one by one in a copy, and expects the tests to notice.
    Mutants {
        /// Only those whose name contains this.
        #[arg(value_name = "NAME")]
        names: Vec<String>,
    },
    /// Runs the benches natively and as wasm.
    Bench,
    /// Builds the page into dist/ and reports its payload.
    Build,
    /// Builds the npm package into target/npm/, reports its size and tries it.
    Dist,
    /// Builds the book, with its figures live, into target/book/.
    Docs {
        /// Serves it on this computer afterwards.
        #[arg(long)]
        serve: bool,
    },
    /// Brings the tools that are missing: for the page, or (with --all) for every test as well.
    Setup {
        /// The browsers and wasm-pack too.
        #[arg(long)]
        all: bool,
    },
    /// Runs a command where it finds the tools: `cargo xtask with trunk serve`.
    With {
        /// The command and its arguments.
        #[arg(required = true, trailing_var_arg = true, allow_hyphen_values = true)]
        command: Vec<String>,
    },
}

fn main() -> ExitCode {
    match run() {
        Ok(code) => code,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<ExitCode> {
    process::end_all_on_interrupt()?;
    let project = Project::here()?;
    match Arguments::parse().task {
        Task::Serve { port } => {
            let toolbox = setup::ensure(&project, &Need::PAGE)?;
            page::build(&project, &toolbox)?;
            serve::serve(&project.dist(), port)?;
        }
        Task::Test { skip, steps } => return Ok(code(steps::run(&project, &steps, &skip)?)),
        Task::Mutants { names } => return Ok(code(mutants::run(&project, &names)?)),
        Task::Bench => bench::run(&project)?,
        Task::Build => {
            let toolbox = setup::ensure(&project, &Need::PAGE)?;
            page::build(&project, &toolbox)?;
            payload::report(&project.dist())?;
        }
        Task::Dist => dist::run(&project, &setup::ensure(&project, &Need::DIST)?)?,
        Task::Docs { serve } => {
            let toolbox = setup::ensure(&project, &Need::BOOK)?;
            dist::figure(&project, &toolbox, &project.figure())?;
            book::build(&project, &toolbox, &project.figure())?;
            if serve {
                serve::serve(&project.book(), 8080)?;
            }
        }
        Task::Setup { all } => {
            let needs: &[Need] = if all { &Need::ALL } else { &Need::PAGE };
            let toolbox = setup::ensure(&project, needs)?;
            toolbox.lines().iter().for_each(say::line);
        }
        Task::With { command } => return with(&project, &command),
    }
    Ok(ExitCode::SUCCESS)
}

fn with(project: &Project, command: &[String]) -> Result<ExitCode> {
    let toolbox = setup::ensure(project, &Need::PAGE)?;
    let ended = toolbox
        .program(project, &command[0])
        .args(&command[1..])
        .deadline_secs(u64::MAX / 2)
        .output(Output::Shown)
        .run()?;
    Ok(code(ended.success()))
}

fn code(success: bool) -> ExitCode {
    if success { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
