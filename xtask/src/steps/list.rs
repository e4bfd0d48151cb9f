//! The steps, quick ones first.

use super::{Step, native, wasm};
use crate::setup::Need;

const NOTHING: &[Need] = &[];
const WASM_TESTS: &[Need] = &[Need::WasmTarget, Need::WasmBindgen, Need::WasmPack];

pub(super) const STEPS: [Step; 14] = [
    Step { name: "fmt", needs: NOTHING, after: None, run: native::fmt },
    Step { name: "rules", needs: NOTHING, after: None, run: native::rules },
    Step { name: "clippy", needs: NOTHING, after: None, run: native::clippy },
    Step { name: "native", needs: NOTHING, after: None, run: native::tests },
    Step { name: "doctest", needs: NOTHING, after: None, run: native::doctests },
    Step { name: "stories", needs: NOTHING, after: None, run: native::stories },
    Step { name: "docs", needs: NOTHING, after: None, run: native::docs },
    Step { name: "package", needs: NOTHING, after: None, run: native::package },
    Step { name: "mutants", needs: NOTHING, after: None, run: native::mutants },
    Step { name: "wasm-node", needs: WASM_TESTS, after: None, run: wasm::in_node },
    Step {
        name: "wasm-chrome",
        needs: &[Need::WasmTarget, Need::WasmBindgen, Need::WasmPack, Need::Browser],
        after: None,
        run: wasm::in_chrome,
    },
    Step { name: "dist", needs: &Need::DIST, after: None, run: wasm::dist },
    Step { name: "page", needs: &Need::PAGE, after: None, run: wasm::page },
    Step { name: "e2e", needs: &[Need::Browser, Need::Axe], after: Some("page"), run: wasm::e2e },
];
