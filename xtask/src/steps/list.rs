//! The steps, quick ones first.

use super::{Step, native, wasm};
use crate::setup::Need;

pub(super) const STEPS: [Step; 17] = [
    Step::new("fmt", native::fmt),
    Step::new("rules", native::rules),
    Step::new("clippy", native::clippy),
    Step::new("native", native::tests),
    Step::new("doctest", native::doctests),
    Step::new("stories", native::stories),
    // One crate after another, then small tests: a core stays half idle.
    Step::new("mutants", native::mutants).beside(),
    Step::new("docs", native::docs),
    Step::new("package", native::package),
    Step::new("wasm-node", wasm::in_node).needs(&[Need::WasmTarget, Need::WasmBindgen, Need::WasmPack]),
    Step::new("dist", wasm::dist).needs(&Need::DIST),
    Step::new("book", wasm::book).needs(&[Need::MdBook, Need::Eleventy]).after(&["dist"]),
    Step::new("page", wasm::page).needs(&Need::PAGE),
    Step::new("wasm-chrome", wasm::in_chrome).needs(&[
        Need::WasmTarget,
        Need::WasmBindgen,
        Need::WasmPack,
        Need::Chromium,
    ]),
    Step::new("wasm-firefox", wasm::in_firefox).needs(&[
        Need::WasmTarget,
        Need::WasmBindgen,
        Need::WasmPack,
        Need::Firefox,
        Need::Geckodriver,
    ]),
    Step::new("e2e", wasm::e2e).needs(&[Need::Chromium, Need::Axe]).after(&["book", "page"]),
    Step::new("firefox", wasm::e2e_firefox)
        .needs(&[Need::Firefox, Need::Geckodriver, Need::Axe])
        .after(&["book", "page"]),
];
