//! Keys that work wherever nothing else takes them.

use leptos::ev;
use wasm_bindgen::JsCast as _;

use crate::playback::Playback;
use crate::session::Session;
use crate::zoom::Zoom;

/// Does what the key stands for, if it stands for something there.
pub(crate) fn pressed(event: &ev::KeyboardEvent, session: Session, playback: Playback, zoom: Zoom) {
    // What is open over the page has keys of its own.
    if is_within(event, "dialog") {
        return;
    }
    let taken = is_within(event, "input, select, textarea, button, summary, a, [role=slider]");
    // On some keyboards brackets are typed with AltGr, which counts as Ctrl and Alt.
    let control = (event.ctrl_key() || event.meta_key()) && !event.get_modifier_state("AltGraph");
    match event.key().as_str() {
        "z" if control && !event.shift_key() && !in_field(event) => session.undo(),
        "z" | "Z" | "y" if control && !in_field(event) => session.redo(),
        " " if !taken && !control => playback.toggle(),
        "," if !taken => session.step(false),
        "." if !taken => session.step(true),
        "Escape" if session.happening.with_untracked(Option::is_some) => session.look_at(None),
        "+" | "=" if !in_field(event) && !control => zoom.step(true),
        "-" if !in_field(event) && !control => zoom.step(false),
        "0" if !in_field(event) && !control => zoom.whole(),
        "[" if !in_field(event) && !control => zoom.pan_by(-0.5),
        "]" if !in_field(event) && !control => zoom.pan_by(0.5),
        _ => return,
    }
    event.prevent_default();
}

/// Whether the key went to a field, which has an undo of its own.
fn in_field(event: &ev::KeyboardEvent) -> bool {
    is_within(event, "input, textarea")
}

fn is_within(event: &ev::KeyboardEvent, selector: &str) -> bool {
    event
        .target()
        .and_then(|target| target.dyn_into::<web_sys::Element>().ok())
        .is_some_and(|element| element.closest(selector).ok().flatten().is_some())
}
