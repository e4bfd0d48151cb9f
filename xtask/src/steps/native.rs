//! Steps that need a Rust toolchain and nothing else.

use anyhow::{Result, bail};

use super::Context;
use crate::process::{Output, Program};
use crate::{mutants, rules};

/// No step is this slow; one that hangs must not hang for ever.
const DEADLINE_SECS: u64 = 2400;

/// Crates that are in no registry.
const UNPUBLISHED: [&str; 4] = ["fencepost-headless", "fencepost-web", "fencepost-tests", "fencepost-xtask"];

pub(super) fn fmt(context: &Context<'_>) -> Result<()> {
    cargo(context, &["fmt", "--all", "--check"])
}

pub(super) fn rules(context: &Context<'_>) -> Result<()> {
    if rules::check(&context.project.root)? {
        return Ok(());
    }
    bail!("house rules are broken")
}

pub(super) fn clippy(context: &Context<'_>) -> Result<()> {
    cargo(
        context,
        &["clippy", "--quiet", "--workspace", "--all-targets", "--all-features", "--", "-D", "warnings"],
    )
}

/// With nextest where it is installed: the same tests, in less time.
pub(super) fn tests(context: &Context<'_>) -> Result<()> {
    if which::which("cargo-nextest").is_ok() {
        cargo(context, &["nextest", "run", "--workspace", "--no-fail-fast", "--status-level", "fail"])
    } else {
        cargo(context, &["test", "--quiet", "--workspace", "--all-targets", "--no-fail-fast"])
    }
}

pub(super) fn doctests(context: &Context<'_>) -> Result<()> {
    cargo(context, &["test", "--quiet", "--workspace", "--doc", "--no-fail-fast"])
}

/// Every built-in story, with each of its variants, held to its expectations.
pub(super) fn stories(context: &Context<'_>) -> Result<()> {
    let run = ["run", "--quiet", "--package", "fencepost-cli", "--"];
    let check = ["check", "crates/scenario/stories", "--junit", "target/junit.xml"];
    cargo(context, &[&run[..], &check[..]].concat())
}

pub(super) fn docs(context: &Context<'_>) -> Result<()> {
    cargo_program(context, &["doc", "--quiet", "--workspace", "--no-deps"])
        .env("RUSTDOCFLAGS", "-D warnings")
        .succeed()?;
    Ok(())
}

/// The crates as a registry would get them. That they build from that alone, `cargo publish --dry-run --workspace` tries; it
/// asks the registry, and takes minutes.
pub(super) fn package(context: &Context<'_>) -> Result<()> {
    let unpublished = UNPUBLISHED.iter().flat_map(|name| ["--exclude", name]);
    let package = ["package", "--quiet", "--workspace", "--no-verify", "--offline", "--allow-dirty"];
    cargo(context, &package.into_iter().chain(unpublished).collect::<Vec<_>>())
}

pub(super) fn mutants(context: &Context<'_>) -> Result<()> {
    if mutants::run(context.project, &[])? {
        return Ok(());
    }
    bail!("not every mutant was caught")
}

fn cargo(context: &Context<'_>, args: &[&str]) -> Result<()> {
    cargo_program(context, args).succeed()?;
    Ok(())
}

pub(super) fn cargo_program(context: &Context<'_>, args: &[&str]) -> Program {
    Program::new("cargo")
        .args(args)
        .dir(&context.project.root)
        .deadline_secs(DEADLINE_SECS)
        .output(Output::Shown)
}
