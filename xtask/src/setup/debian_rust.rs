//! The way that needs only package registries: Debian's recent compiler (packages `rustc-web`, `cargo-web`)
//! can target wasm but comes without the standard library for it; `rust-web-src` has the sources.
//! The library is built once, into a sysroot in the cache; nothing under /usr is changed but by apt.

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};

use super::toolbox::Found;
use super::wasm_target::{TRIPLE, holds_std};
use super::{Step, apt};
use crate::process::{Output, Program};
use crate::project::Project;

const PACKAGES: [&str; 3] = ["rustc-web", "cargo-web", "rust-web-src"];
const RUSTC: &str = "/usr/bin/rustc";
const CARGO: &str = "/usr/bin/cargo";
const RUSTDOC: &str = "/usr/bin/rustdoc";
/// Holds the compiler's full version: after an upgrade the library has to be built again.
const MARKER: &str = "ready";

pub(super) fn find(project: &Project) -> Option<Found> {
    let home = home(project);
    let built_for = fs::read_to_string(home.join(MARKER)).ok()?;
    let compiler = version().ok()?;
    let complete = built_for == compiler && holds_std(&library(&home)) && linker(&home).exists();
    complete.then(|| {
        let first = compiler.lines().next().unwrap_or_default().to_owned();
        Found::new(format!("Debian's {first}, with a standard library built here")).on_path(home.join("bin"))
    })
}

pub(super) fn install(project: &Project, step: &Step) -> Result<Found> {
    if !cfg!(all(target_os = "linux", target_arch = "x86_64")) {
        bail!("this way is for Debian on x86-64; elsewhere `rustup target add {TRIPLE}` has to work");
    }
    let there = [RUSTC, CARGO].iter().all(|program| Path::new(program).exists()) && source().is_dir();
    if !there {
        step.say("taking Debian's compiler for builds of the page; it lives beside yours, under /usr");
        apt::install(step, &PACKAGES)?;
    }
    step.say("compiling the standard library for wasm (about 40 s)");
    let home = home(project);
    let _ = fs::remove_dir_all(&home);
    let built = build_library(&project.setup_target().join("wasm-std"))?;
    lay_out_sysroot(&home, &built)?;
    fs::write(home.join(MARKER), version()?)?;
    find(project).context("the sysroot was built, but is not complete")
}

/// Builds std in a throw-away crate; answers with the directory of its `.rlib`s.
fn build_library(dir: &Path) -> Result<PathBuf> {
    let _ = fs::remove_dir_all(dir);
    fs::create_dir_all(dir.join("src"))?;
    // A workspace of its own, or cargo takes it for a member of ours.
    fs::write(
        dir.join("Cargo.toml"),
        "[package]\nname = \"empty\"\nversion = \"0.0.0\"\nedition = \"2021\"\n[workspace]\n",
    )?;
    fs::write(dir.join("src/lib.rs"), "")?;
    Program::new(CARGO)
        .args(["build", "--release", "--target", TRIPLE])
        .args(["-Z", "build-std=std,panic_abort,panic_unwind,test"])
        .dir(dir)
        .env("RUSTC", RUSTC)
        .env("RUSTC_BOOTSTRAP", "1")
        // Link-time optimisation of the page needs the library's bitcode.
        .env("RUSTFLAGS", "-Cembed-bitcode=yes")
        .env("CARGO_TARGET_DIR", dir.join("target"))
        .deadline_secs(600)
        .label("standard library")
        .output(Output::Heartbeat)
        .succeed()?;
    Ok(dir.join("target").join(TRIPLE).join("release/deps"))
}

/// The sysroot: wasm's library, the host's by reference, a linker, and programs that know where they are.
fn lay_out_sysroot(home: &Path, built: &Path) -> Result<()> {
    let library = library(home);
    fs::create_dir_all(&library)?;
    for entry in fs::read_dir(built)?.flatten() {
        let file = entry.path();
        let is_rlib = file.extension().is_some_and(|extension| extension == "rlib");
        let of_std = !entry.file_name().to_string_lossy().starts_with("libempty-");
        if is_rlib && of_std {
            fs::copy(&file, library.join(entry.file_name()))?;
        }
    }

    let host = host()?;
    let here = home.join("lib/rustlib").join(&host);
    fs::create_dir_all(here.join("bin"))?;
    symlink(Path::new("/usr/lib/rustlib").join(&host).join("lib"), here.join("lib"))?;
    symlink(rustups_linker(&host)?, linker(home))?;

    let bin = home.join("bin");
    fs::create_dir_all(&bin)?;
    symlink(CARGO, bin.join("cargo"))?;
    for (name, real) in [("rustc", RUSTC), ("rustdoc", RUSTDOC)] {
        let script = format!("#!/bin/sh\nexec {real} --sysroot '{}' \"$@\"\n", home.display());
        fs::write(bin.join(name), script)?;
        fs::set_permissions(bin.join(name), fs::Permissions::from_mode(0o755))?;
    }
    Ok(())
}

/// Debian's packages have no linker for wasm of the compiler's age; every rustup toolchain has.
fn rustups_linker(host: &str) -> Result<PathBuf> {
    let sysroot = Program::new("rustc").args(["--print", "sysroot"]).succeed()?;
    let linker = Path::new(sysroot.trim()).join("lib/rustlib").join(host).join("bin/rust-lld");
    if !linker.exists() {
        bail!("the linker rust-lld is not in the Rust toolchain; install the toolchain with rustup");
    }
    Ok(linker)
}

fn version() -> Result<String> {
    Program::new(RUSTC).arg("-vV").succeed()
}

fn host() -> Result<String> {
    version()?
        .lines()
        .find_map(|line| line.strip_prefix("host: ").map(str::to_owned))
        .context("the compiler does not tell its host")
}

fn source() -> &'static Path {
    Path::new("/usr/lib/rustlib/src/rust/library")
}

fn home(project: &Project) -> PathBuf {
    project.tools().join("debian-rust")
}

fn library(home: &Path) -> PathBuf {
    home.join("lib/rustlib").join(TRIPLE).join("lib")
}

fn linker(home: &Path) -> PathBuf {
    home.join("lib/rustlib/x86_64-unknown-linux-gnu/bin/rust-lld")
}
