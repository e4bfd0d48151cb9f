//! The benches of `plays.rs` in Node: `cargo xtask bench`.

#[cfg(not(target_arch = "wasm32"))]
fn main() {}
