//! The built-in stories: their own expectations, and the billing story's figures from its source, independent of them.
#![cfg(not(target_arch = "wasm32"))]

mod billing;
mod told;
mod variants;
