//! The playhead: a line over the canvas with a handle on the axis. It moves without the canvas being painted anew.

use kernel::{SimTime, Span};
use leptos::ev;
use leptos::prelude::*;

use super::Stage;
use crate::format::{millis, px, steady};
use crate::session::Session;
use crate::slim::{flag, memo, on, text};
use crate::zoom::Zoom;

/// The line and its handle, a slider for the keyboard.
#[component]
pub(super) fn Playhead(main: bool) -> impl IntoView {
    let session = Session::of_page();
    let stage = Stage::of_page();
    let zoom = Zoom::of_page();
    let at = memo(move || session.at());
    let x = move || stage.layout.with(|layout| px(layout.scale.x(at.get())));
    let out_of_view = move || {
        let at = at.get();
        stage.layout.with(|layout| at < layout.scale.from() || at > layout.scale.to())
    };
    let horizon = move || stage.play.with(|play| play.horizon());
    let key = on(move |event: ev::KeyboardEvent| {
        let step = Span::from_millis(if event.shift_key() { 1_000 } else { 100 });
        let now = at.get_untracked();
        match event.key().as_str() {
            "ArrowRight" | "ArrowUp" => session.seek(now + step),
            "ArrowLeft" | "ArrowDown" => session.seek(SimTime::ZERO + now.since(SimTime::ZERO).less(step)),
            "PageUp" => session.step(true),
            "PageDown" => session.step(false),
            "Home" => session.seek(SimTime::ZERO),
            "End" => session.seek(SimTime::NEVER),
            _ => return,
        }
        // Out of view it would lose the focus, also where the view does not follow otherwise.
        zoom.show(at.get_untracked());
        event.prevent_default();
        event.stop_propagation();
    });
    view! {
        <div class="playhead" hidden=flag(out_of_view) style:transform=text(move || format!("translateX({})", x()))>
            <div
                id=main.then_some("playhead")
                class="playhead-handle"
                role="slider"
                tabindex="0"
                aria-label="Playhead"
                aria-valuemin="0"
                aria-valuemax=text(move || millis(horizon()).to_string())
                aria-valuenow=text(move || millis(at.get()).to_string())
                aria-valuetext=text(move || steady(at.get()))
                on:keydown=key
            >
                {text(move || steady(at.get()))}
            </div>
        </div>
    }
}
