//! The figure as JavaScript takes it: `npm/fence-post.js` puts it into pages.

use fencepost_web::Source;
use js_sys::Function;
use wasm_bindgen::JsError;
use wasm_bindgen::prelude::wasm_bindgen;
use web_sys::HtmlElement;

fn main() {}

/// A figure in its place, until it is freed.
#[wasm_bindgen]
pub struct Figure(fencepost_web::Figure);

#[wasm_bindgen]
impl Figure {
    /// Puts a figure into `place`, of a link or of what stands in a block; throws why it cannot be shown.
    #[wasm_bindgen(constructor)]
    pub fn new(
        place: HtmlElement,
        source: &str,
        is_block: bool,
        dark: bool,
        laboratory: Option<String>,
        tell: Function,
    ) -> Result<Self, JsError> {
        said(fencepost_web::Figure::new(place, of(source, is_block), dark, laboratory, tell)).map(Self)
    }

    /// Turns to another link, or to what stands in a block; throws why it cannot be shown.
    pub fn show(&self, source: &str, is_block: bool) -> Result<(), JsError> {
        said(self.0.show(of(source, is_block)))
    }

    /// Moves the playhead to an instant, in microseconds.
    pub fn seek(&self, at_us: f64) {
        self.0.seek(at_us.max(0.0) as u64);
    }

    /// Plays, so many times as fast as true time: once at least.
    pub fn play(&self, speed: f64) {
        self.0.play(speed.max(1.0) as u32);
    }

    /// Stops playing.
    pub fn pause(&self) {
        self.0.pause();
    }

    /// Light or dark.
    pub fn darken(&self, dark: bool) {
        self.0.darken(dark);
    }

    /// A link to what is shown.
    pub fn link(&self) -> String {
        self.0.link()
    }

    /// The document as it is now.
    pub fn document(&self) -> String {
        self.0.document()
    }
}

fn of(source: &str, is_block: bool) -> Source<'_> {
    if is_block { Source::Block(source) } else { Source::Link(source) }
}

fn said<T>(done: Result<T, String>) -> Result<T, JsError> {
    done.map_err(|why| JsError::new(&why))
}
