//! `fencepost`: plays scenarios of leases, locks and fencing tokens, and holds them to what they expect.
//!
//! Exit codes: 0 done, 1 an expectation failed, 2 bad input (a message on stderr, nothing on stdout).

mod args;
mod book;
mod check;
mod junit;
mod output;
mod png;
mod run;
mod scenarios;
mod schema;
mod stories;

use std::process::ExitCode;

use clap::Parser as _;

use crate::args::{Args, Command};

/// How a command that was given good input came out.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Outcome {
    /// As it should.
    Done,
    /// An expectation failed.
    Failed,
}

/// A play is many small records, over which this allocator is a tenth quicker than the system's.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    let outcome = match Args::parse().command {
        Command::Stories(args) => stories::stories(args),
        Command::Run(args) => run::run(&args),
        Command::Check(args) => check::check(&args),
        Command::Schema => schema::schema(),
        Command::Book(args) => book::book(&args),
    };
    match outcome {
        Ok(Outcome::Done) => ExitCode::SUCCESS,
        Ok(Outcome::Failed) => ExitCode::from(1),
        Err(error) => {
            output::complain(&error);
            ExitCode::from(2)
        }
    }
}
