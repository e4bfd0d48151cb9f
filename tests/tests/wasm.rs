//! The golden digests, in Node, in Chromium and in Firefox: what is played there is what was played natively, byte for byte.
//! `wasm-pack test --node tests`, `wasm-pack test --headless --chrome tests` (or `--firefox`).
#![cfg(target_arch = "wasm32")]

use fencepost_tests::{case, digests, summary::summary};
use wasm_bindgen_test::wasm_bindgen_test;

#[wasm_bindgen_test]
fn the_digests_are_the_golden_ones() {
    for (line, golden) in digests().lines().zip(include_str!("../golden/digests.txt").lines()) {
        assert_eq!(line, golden);
    }
    assert_eq!(digests(), include_str!("../golden/digests.txt"));
}

/// What is folded from a trace and told of it is the same, too.
#[wasm_bindgen_test]
fn the_billing_tale_is_the_golden_one() {
    let page = summary(&case("billing", None).play());
    for (line, golden) in page.lines().zip(include_str!("../golden/billing.txt").lines()) {
        assert_eq!(line, golden);
    }
}
