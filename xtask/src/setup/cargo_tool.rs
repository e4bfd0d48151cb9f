//! Tools that are Rust programs themselves: a prebuilt one where cargo-binstall brings it, else from source.

use std::path::PathBuf;

use anyhow::{Context as _, Result};

use super::Step;
use super::toolbox::Found;
use crate::process::{Output, Program};
use crate::project::Project;

pub(super) struct CargoTool {
    package: &'static str,
    version: &'static str,
    /// Installed programs; the first one tells the version.
    programs: &'static [&'static str],
    /// For `cargo install` from source.
    options: &'static [&'static str],
}

/// Has to be exactly the version of the `wasm-bindgen` crate: they share a format that changes without notice.
pub(super) const WASM_BINDGEN: CargoTool = CargoTool {
    package: "wasm-bindgen-cli",
    version: "0.2.130",
    programs: &["wasm-bindgen", "wasm-bindgen-test-runner"],
    // Without TLS: it speaks to a local driver only. Its lock file can name versions that were never published.
    options: &["--no-default-features"],
};

/// 0.22 needs a newer compiler than ours.
pub(super) const TRUNK: CargoTool = CargoTool {
    package: "trunk",
    version: "0.21.14",
    programs: &["trunk"],
    // Without its downloader: set-up brings what it would download.
    options: &["--no-default-features", "--locked"],
};

pub(super) const WASM_PACK: CargoTool =
    CargoTool { package: "wasm-pack", version: "0.15.1", programs: &["wasm-pack"], options: &["--locked"] };

/// Without its server: it builds, and readers search what it built.
pub(super) const MDBOOK: CargoTool = CargoTool {
    package: "mdbook",
    version: "0.5.4",
    programs: &["mdbook"],
    options: &["--no-default-features", "--features", "search", "--locked"],
};

/// Steers Firefox. Debian has none, and Mozilla's own builds are no registry's.
pub(super) const GECKODRIVER: CargoTool = CargoTool {
    package: "geckodriver",
    version: "0.37.1",
    programs: &["geckodriver"],
    options: &["--locked"],
};

/// The tools run for seconds and are compiled for minutes: optimising them would take longer than it ever gives back.
const LIGHT_PROFILE: [(&str, &str); 5] = [
    ("CARGO_PROFILE_RELEASE_OPT_LEVEL", "0"),
    ("CARGO_PROFILE_RELEASE_LTO", "off"),
    ("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "16"),
    ("CARGO_PROFILE_RELEASE_DEBUG", "0"),
    ("CARGO_PROFILE_RELEASE_STRIP", "symbols"),
];

/// Written last, so that a set-up that was interrupted is not taken for a finished one.
const MARKER: &str = "ready";

impl CargoTool {
    pub(super) fn find(&self, project: &Project) -> Option<Found> {
        let home = self.home(project);
        if let Ok(how) = std::fs::read_to_string(home.join(MARKER))
            && self.programs.iter().all(|name| home.join("bin").join(name).exists())
        {
            let told = format!("{} {}, {}", self.package, self.version, how.trim());
            return Some(Found::new(told).on_path(home.join("bin")));
        }
        // The user's own, if it is the same.
        let mine = which::which(self.programs[0]).ok()?;
        let version = Program::new(&mine).arg("--version").run().ok()?.text;
        let same = version.split_whitespace().nth(1) == Some(self.version);
        let complete = self.programs.iter().all(|name| which::which(name).is_ok());
        (same && complete).then(|| Found::new(format!("{}", mine.display())))
    }

    pub(super) fn install(&self, project: &Project, step: &Step) -> Result<Found> {
        let how = match self.binstall(project, step) {
            Some(()) => "prebuilt",
            None => {
                self.build(project, step)?;
                "built from source"
            }
        };
        std::fs::write(self.home(project).join(MARKER), how)?;
        self.find(project).context("it was installed, but is not there")
    }

    /// Where cargo-binstall is installed and its sources answer, this takes seconds.
    fn binstall(&self, project: &Project, step: &Step) -> Option<()> {
        which::which("cargo-binstall").ok()?;
        step.say("asking cargo-binstall for a prebuilt one (a minute at the most)");
        Program::new("cargo-binstall")
            .args(["--no-confirm", "--force", "--disable-telemetry"])
            .args(["--disable-strategies", "compile", "--root"])
            .arg(self.home(project))
            .arg(format!("{}@{}", self.package, self.version))
            .deadline_secs(60)
            .label(self.package)
            .output(Output::Heartbeat)
            .run()
            .ok()
            .filter(crate::process::Ended::success)
            .map(drop)
    }

    fn build(&self, project: &Project, step: &Step) -> Result<()> {
        step.say("compiling it from source (seconds with cargo-binstall, where that is installed)");
        let mut install = Program::new("cargo").dir(&project.root);
        for (name, value) in LIGHT_PROFILE {
            install = install.env(name, value);
        }
        install
            .args(["install", "--root"])
            .arg(self.home(project))
            .arg(format!("{}@{}", self.package, self.version))
            .args(self.options)
            .args(self.programs.iter().flat_map(|name| ["--bin", name]))
            // One directory for all tools: they share many crates.
            .env("CARGO_TARGET_DIR", project.setup_target().join("tools"))
            .deadline_secs(3600)
            .label(self.package)
            .output(Output::Heartbeat)
            .succeed()
            .context("compiling it needs the registry of crates and a C compiler; with cargo-binstall it needs neither")?;
        Ok(())
    }

    fn home(&self, project: &Project) -> PathBuf {
        // One that is built with other features is another tool.
        let features = self.options.iter().skip_while(|option| **option != "--features").nth(1);
        let features = features.map_or_else(String::new, |features| format!("-{features}"));
        project.tools().join(format!("{}-{}{features}", self.package, self.version))
    }
}
