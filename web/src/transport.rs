//! The row of buttons under the timeline.

use kernel::SimTime;
use leptos::ev;
use leptos::prelude::*;

use crate::address;
use crate::bench::Open;
use crate::compare::CompareWith;
use crate::export::Export;
use crate::playback::{Playback, SPEEDS};
use crate::session::Session;
use crate::slim::{flag, on, text};
use crate::zoom::Zoom;

// The pictures on the buttons, 20 pixels wide and high.
const PLAY: &str = "M6 3.5v13l11-6.5z";
const STOP: &str = "M6 4h3v12H6zM11 4h3v12h-3z";
const TO_START: &str = "M4 4h2v12H4zM16 4v12l-9-6z";
const STEP_BACK: &str = "M14 4v12l-9-6z";
const STEP_ON: &str = "M6 4v12l9-6z";
const TO_END: &str = "M14 4h2v12h-2zM4 4v12l9-6z";
const UNDO: &str = "M8 4L3 8.5 8 13v-3h4a2.5 2.5 0 0 1 0 5H7v2h5a4.5 4.5 0 0 0 0-9H8z";
const CLOSER: &str = "M8.5 3a5.5 5.5 0 1 0 3.4 9.8l4 4 1.3-1.3-4-4A5.5 5.5 0 0 0 8.5 3zm0 2a3.5 3.5 0 1 1 0 7 3.5 3.5 0 0 1 0-7zM7.7 6.2v1.5H6.2v1.6h1.5v1.5h1.6V9.3h1.5V7.7H9.3V6.2z";
const FARTHER: &str = "M8.5 3a5.5 5.5 0 1 0 3.4 9.8l4 4 1.3-1.3-4-4A5.5 5.5 0 0 0 8.5 3zm0 2a3.5 3.5 0 1 1 0 7 3.5 3.5 0 0 1 0-7zM6.2 7.7v1.6h4.6V7.7z";
const REDO: &str = "M12 4l5 4.5-5 4.5v-3H8a2.5 2.5 0 0 0 0 5h5v2H8a4.5 4.5 0 0 1 0-9h4z";

/// Playback, what is in view, and edits.
#[component]
pub(crate) fn Transport() -> impl IntoView {
    let session = Session::of_page();
    let open = Open::of_page();
    view! {
        <div class="controls">
            <Controls />
            <InView />
            <section class="edits" aria-label="Edits">
                <Undone />
                <CompareWith />
                <button id="copy-link" class="chip" type="button"
                    on:click=on(move |_: ev::MouseEvent| address::copy(session, open))>"Copy link"</button>
                <Export />
            </section>
        </div>
    }
}

/// Closer, farther, all of it; whether messages are lines.
#[component]
pub(crate) fn InView() -> impl IntoView {
    let zoom = Zoom::of_page();
    let always = Signal::stored(true);
    view! {
        <section class="view" aria-label="What is in view">
            {icon_button("farther", "Farther", FARTHER, move || zoom.step(false), flag(move || zoom.is_close()))}
            {icon_button("closer", "Closer", CLOSER, move || zoom.step(true), always)}
            <button id="whole" class="chip" type="button" hidden=flag(move || !zoom.is_close())
                on:click=on(move |_: ev::MouseEvent| zoom.whole())>"All of it"</button>
            <button id="follow" class="chip" type="button" hidden=flag(move || !zoom.is_close())
                title="What is in view follows the playhead"
                aria-pressed=text(move || zoom.follows.get().to_string())
                on:click=on(move |_: ev::MouseEvent| zoom.follows.update(|follows| *follows = !*follows))>"Follow"</button>
            <button id="messages" class="chip" type="button" title="Every message as a line"
                aria-pressed=text(move || zoom.messages.get().to_string())
                on:click=on(move |_: ev::MouseEvent| zoom.messages.update(|shown| *shown = !*shown))>"Messages"</button>
        </section>
    }
}

/// Undo, redo, and back to the story.
#[component]
pub(crate) fn Undone() -> impl IntoView {
    let session = Session::of_page();
    view! {
        {icon_button("undo", "Undo", UNDO, move || session.undo(), flag(move || session.can_undo()))}
        {icon_button("redo", "Redo", REDO, move || session.redo(), flag(move || session.can_redo()))}
        <button id="reset" class="chip" type="button" disabled=flag(move || !session.is_edited())
            on:click=on(move |_: ev::MouseEvent| session.reset())>
            "As the story tells it"
        </button>
    }
}

/// To the start, a step back, play, a step on, to the end; how fast.
#[component]
pub(crate) fn Controls() -> impl IntoView {
    let session = Session::of_page();
    let playback = Playback::of_page();
    let playing = playback.playing;
    let play_label = text(move || if playing.get() { "Stop playing".into() } else { "Play".into() });
    let play_icon = text(move || if playing.get() { STOP.into() } else { PLAY.into() });
    let to = move |at: SimTime| {
        playback.stop();
        session.seek(at);
    };
    let step = move |forward: bool| {
        playback.stop();
        session.step(forward);
    };
    let always = Signal::stored(true);
    let pick = on(move |event: ev::Event| {
        if let Ok(speed) = event_target_value(&event).parse() {
            playback.speed.set(speed);
        }
    });
    view! {
        <section class="transport" aria-label="Playback">
            {icon_button("to-start", "To the beginning", TO_START, move || to(SimTime::ZERO), always)}
            {icon_button("step-back", "Back to the event before", STEP_BACK, move || step(false), always)}
            <button id="play" class="icon-button main" type="button" aria-label=play_label title=play_label
                on:click=on(move |_: ev::MouseEvent| playback.toggle())>
                <svg viewBox="0 0 20 20" aria-hidden="true"><path d=play_icon fill="currentColor" /></svg>
            </button>
            {icon_button("step-on", "On to the next event", STEP_ON, move || step(true), always)}
            {icon_button("to-end", "To the end", TO_END, move || to(SimTime::NEVER), always)}
            <label>
                <span class="visually-hidden">"Speed"</span>
                <select id="speed" on:change=pick>
                    {SPEEDS.map(|speed| view! {
                        <option value=speed selected=playback.speed.get_untracked() == speed>"×" {speed}</option>
                    }).into_iter().collect_view()}
                </select>
            </label>
        </section>
    }
}

/// A button with a picture and a name.
fn icon_button(
    id: &'static str,
    label: &'static str,
    icon: &'static str,
    press: impl Fn() + 'static,
    enabled: Signal<bool>,
) -> impl IntoView {
    view! {
        <button id=id class="icon-button" type="button" aria-label=label title=label
            disabled=flag(move || !enabled.get()) on:click=on(move |_: ev::MouseEvent| press())>
            <svg viewBox="0 0 20 20" aria-hidden="true"><path d=icon fill="currentColor" /></svg>
        </button>
    }
}
