//! The page, and the figure that other pages embed: a document is played, the play is laid out, the layout is painted; every
//! edit begins anew.
//!
//! See `README.md` beside this crate for the ids and attributes that tests and links hold on to.

#![expect(unreachable_pub, reason = "`#[component]` writes a `pub` of its own for what is private here")]

mod address;
mod app;
mod bench;
mod canvas;
mod charts;
mod compare;
mod events;
mod export;
mod faults;
mod fence;
mod figure;
mod form;
mod format;
mod gallery;
mod header;
mod keep;
mod keys;
mod legend;
mod lesson;
mod measure;
mod mishap;
mod playback;
mod refusal;
mod session;
mod shared;
mod shelf;
mod slim;
mod summary;
mod theme;
mod timeline;
mod transport;
mod tries;
mod verdict;
mod zoom;

use leptos::mount::mount_to;
use leptos::prelude::document;
use wasm_bindgen::JsCast as _;

pub use figure::{Figure, Source};

/// Puts the page where `#app` is.
pub fn open_page() {
    mishap::watch();
    let place = document().get_element_by_id("app").and_then(|element| element.dyn_into().ok());
    let Some(place): Option<web_sys::HtmlElement> = place else { return };
    place.set_inner_html("");
    mount_to(place, app::App).forget();
}
