//! The steps, quick ones first.

use super::{Step, native, wasm};
use crate::setup::Need;

const NOTHING: &[Need] = &[];
const WASM_TESTS: &[Need] = &[Need::WasmTarget, Need::WasmBindgen, Need::WasmPack];
const BOOKS: &[Need] = &[Need::MdBook, Need::Eleventy];

pub(super) const STEPS: [Step; 14] = [
    Step { name: "fmt", needs: NOTHING, after: &[], run: native::fmt },
    Step { name: "rules", needs: NOTHING, after: &[], run: native::rules },
    Step { name: "clippy", needs: NOTHING, after: &[], run: native::clippy },
    Step { name: "native", needs: NOTHING, after: &[], run: native::tests },
    Step { name: "doctest", needs: NOTHING, after: &[], run: native::doctests },
    Step { name: "stories", needs: NOTHING, after: &[], run: native::stories },
    Step { name: "docs", needs: NOTHING, after: &[], run: native::docs },
    Step { name: "mutants", needs: NOTHING, after: &[], run: native::mutants },
    Step { name: "wasm-node", needs: WASM_TESTS, after: &[], run: wasm::in_node },
    Step {
        name: "wasm-chrome",
        needs: &[Need::WasmTarget, Need::WasmBindgen, Need::WasmPack, Need::Browser],
        after: &[],
        run: wasm::in_chrome,
    },
    Step { name: "page", needs: &Need::PAGE, after: &[], run: wasm::page },
    Step { name: "figure", needs: &Need::BOOK, after: &[], run: wasm::figure },
    Step { name: "book", needs: BOOKS, after: &["figure"], run: wasm::book },
    Step { name: "e2e", needs: &[Need::Browser, Need::Axe], after: &["page", "book"], run: wasm::e2e },
];
