//! The headless program: compiled for size above all.

use super::wasm::Wasm;

pub(super) const HEADLESS: Wasm = Wasm {
    of: &["--package", "fencepost-headless", "--lib"],
    profile: "headless",
    built: "fencepost_headless.wasm",
    name: "headless",
    bindgen: &["--omit-default-module-path"],
    // wasm-opt is not to inline: that makes the program smaller as it is, and larger compressed. The same for the page (`index.html`).
    opt: &[
        "--always-inline-max-function-size",
        "0",
        "--flexible-inline-max-function-size",
        "0",
        "--one-caller-inline-max-function-size",
        "0",
        "--strip-debug",
        "--strip-producers",
        "-Os",
    ],
};
