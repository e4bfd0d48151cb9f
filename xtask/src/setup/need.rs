//! The list of what can be needed.

use anyhow::Result;

use super::toolbox::Found;
use super::{Step, axe, cargo_tool, chromium, eleventy, firefox, wasm_opt, wasm_target};
use crate::project::Project;

/// Something beyond a Rust toolchain that a command works with. In the order in which it is brought.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Need {
    WasmTarget,
    WasmOpt,
    Axe,
    Eleventy,
    Chromium,
    Firefox,
    WasmBindgen,
    Trunk,
    WasmPack,
    MdBook,
    Geckodriver,
}

impl Need {
    /// For building the page.
    pub(crate) const PAGE: [Self; 4] = [Self::WasmTarget, Self::WasmOpt, Self::WasmBindgen, Self::Trunk];
    /// For building the npm package.
    pub(crate) const DIST: [Self; 3] = [Self::WasmTarget, Self::WasmOpt, Self::WasmBindgen];
    /// For the book and its figures.
    pub(crate) const BOOK: [Self; 4] = [Self::WasmTarget, Self::WasmOpt, Self::WasmBindgen, Self::MdBook];
    /// For everything.
    pub(crate) const ALL: [Self; 11] = [
        Self::WasmTarget,
        Self::WasmOpt,
        Self::Axe,
        Self::Eleventy,
        Self::Chromium,
        Self::Firefox,
        Self::WasmBindgen,
        Self::Trunk,
        Self::WasmPack,
        Self::MdBook,
        Self::Geckodriver,
    ];

    pub(crate) fn subject(self) -> &'static str {
        match self {
            Self::WasmTarget => "wasm target",
            Self::WasmOpt => "wasm-opt",
            Self::Axe => "axe",
            Self::Chromium => "Chromium and its driver",
            Self::Firefox => "Firefox",
            Self::WasmBindgen => "wasm-bindgen",
            Self::Trunk => "Trunk",
            Self::WasmPack => "wasm-pack",
            Self::MdBook => "mdBook",
            Self::Geckodriver => "geckodriver",
            Self::Eleventy => "Eleventy",
        }
    }

    /// The page works without, it is only larger.
    pub(super) fn is_optional(self) -> bool {
        self == Self::WasmOpt
    }

    pub(super) fn mostly_downloads(self) -> bool {
        matches!(
            self,
            Self::WasmTarget | Self::WasmOpt | Self::Axe | Self::Eleventy | Self::Chromium | Self::Firefox
        )
    }

    /// Measured on two cores with nothing cached, on the slower way.
    pub(super) fn seconds_at_most(self) -> u64 {
        match self {
            Self::WasmTarget => 120,
            Self::WasmOpt | Self::Axe => 5,
            Self::Chromium => 40,
            Self::Firefox => 75,
            Self::WasmBindgen => 100,
            Self::Trunk => 200,
            Self::WasmPack => 60,
            Self::MdBook | Self::Geckodriver => 100,
            Self::Eleventy => 15,
        }
    }

    /// Looks for it without changing anything. Quick.
    pub(super) fn find(self, project: &Project) -> Option<Found> {
        match self {
            Self::WasmTarget => wasm_target::find(project),
            Self::WasmOpt => wasm_opt::find(project),
            Self::Axe => axe::find(project),
            Self::Chromium => chromium::find(),
            Self::Firefox => firefox::find(),
            Self::WasmBindgen => cargo_tool::WASM_BINDGEN.find(project),
            Self::Trunk => cargo_tool::TRUNK.find(project),
            Self::WasmPack => cargo_tool::WASM_PACK.find(project),
            Self::MdBook => cargo_tool::MDBOOK.find(project),
            Self::Geckodriver => cargo_tool::GECKODRIVER.find(project),
            Self::Eleventy => eleventy::find(project),
        }
    }

    pub(super) fn install(self, project: &Project, step: &Step) -> Result<Found> {
        match self {
            Self::WasmTarget => wasm_target::install(project, step),
            Self::WasmOpt => wasm_opt::install(project, step),
            Self::Axe => axe::install(project, step),
            Self::Chromium => chromium::install(step),
            Self::Firefox => firefox::install(step),
            Self::WasmBindgen => cargo_tool::WASM_BINDGEN.install(project, step),
            Self::Trunk => cargo_tool::TRUNK.install(project, step),
            Self::WasmPack => cargo_tool::WASM_PACK.install(project, step),
            Self::MdBook => cargo_tool::MDBOOK.install(project, step),
            Self::Geckodriver => cargo_tool::GECKODRIVER.install(project, step),
            Self::Eleventy => eleventy::install(project, step),
        }
    }
}
