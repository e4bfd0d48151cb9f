//! The steps, quick ones first.

use super::{Step, native, wasm};
use crate::setup::Need;

const NOTHING: &[Need] = &[];
const WASM_TESTS: &[Need] = &[Need::WasmTarget, Need::WasmBindgen, Need::WasmPack];
const BOOKS: &[Need] = &[Need::MdBook, Need::Eleventy];

pub(super) const STEPS: [Step; 17] = [
    Step { name: "fmt", needs: NOTHING, after: &[], run: native::fmt },
    Step { name: "rules", needs: NOTHING, after: &[], run: native::rules },
    Step { name: "clippy", needs: NOTHING, after: &[], run: native::clippy },
    Step { name: "native", needs: NOTHING, after: &[], run: native::tests },
    Step { name: "doctest", needs: NOTHING, after: &[], run: native::doctests },
    Step { name: "stories", needs: NOTHING, after: &[], run: native::stories },
    Step { name: "docs", needs: NOTHING, after: &[], run: native::docs },
    Step { name: "package", needs: NOTHING, after: &[], run: native::package },
    Step { name: "mutants", needs: NOTHING, after: &[], run: native::mutants },
    Step { name: "wasm-node", needs: WASM_TESTS, after: &[], run: wasm::in_node },
    Step {
        name: "wasm-chrome",
        needs: &[Need::WasmTarget, Need::WasmBindgen, Need::WasmPack, Need::Chromium],
        after: &[],
        run: wasm::in_chrome,
    },
    Step {
        name: "wasm-firefox",
        needs: &[Need::WasmTarget, Need::WasmBindgen, Need::WasmPack, Need::Firefox, Need::Geckodriver],
        after: &[],
        run: wasm::in_firefox,
    },
    Step { name: "dist", needs: &Need::DIST, after: &[], run: wasm::dist },
    Step { name: "book", needs: BOOKS, after: &["dist"], run: wasm::book },
    Step { name: "page", needs: &Need::PAGE, after: &[], run: wasm::page },
    Step { name: "e2e", needs: &[Need::Chromium, Need::Axe], after: &["book", "page"], run: wasm::e2e },
    Step {
        name: "firefox",
        needs: &[Need::Firefox, Need::Geckodriver, Need::Axe],
        after: &["book", "page"],
        run: wasm::e2e_firefox,
    },
];
