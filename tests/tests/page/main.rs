//! The built page in a real browser, steered through its driver as a person would steer it: Chromium, or Firefox.
//!
//! `cargo xtask test e2e` builds the page and runs these in Chromium, `cargo xtask test firefox` in Firefox. By hand: `FENCEPOST_DIST`
//! says where the page is (`dist`), `FENCEPOST_BROWSER` which browser (`chromium` or `firefox`), `FENCEPOST_CHROMEDRIVER` or
//! `FENCEPOST_GECKODRIVER` which driver to start (the one on PATH), `UPDATE=1` renews `docs/images/page-*.png`.
//! What the page says is compared with a native play of the same document: a browser test states what a person
//! reads, and the native play that it is true.
#![cfg(not(target_arch = "wasm32"))]

mod beyond;
mod browser;
mod driver;
mod hand;
mod page;
mod site;

mod calm;
mod charts;
mod dragging;
mod embeds;
mod everyone;
mod exports;
mod faults;
mod fence;
mod frames;
mod gallery;
mod handling;
mod laboratory;
mod leases;
mod legend;
mod lesson;
mod links;
mod loading;
mod looks;
mod playhead;
mod stories;
mod tries;
