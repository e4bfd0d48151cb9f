//! The page: which parts it has, and where.

use leptos::ev;
use leptos::prelude::*;
use wasm_bindgen::JsCast as _;

use crate::bench::Bench;
use crate::events::Events;
use crate::faults::FaultsPanel;
use crate::header::Header;
use crate::keep;
use crate::lesson::{Lesson, Panel};
use crate::playback::Playback;
use crate::session::Session;
use crate::slim::{flag, on, text};
use crate::theme;
use crate::timeline::{Stage, Timeline};
use crate::transport::Transport;
use crate::verdict::Verdict;

/// The page.
#[component]
pub(crate) fn App() -> impl IntoView {
    match Session::open() {
        Ok(session) => page(session).into_any(),
        Err(problem) => {
            view! { <p class="refusal" role="alert">"The story cannot be read: " {problem}</p> }.into_any()
        }
    }
}

fn page(session: Session) -> impl IntoView {
    let theme = theme::theme();
    let playback = Playback::new(session);
    provide_context(session);
    provide_context(playback);
    provide_context(Stage::new(session));
    let lesson = Lesson::new(session, playback);
    provide_context(lesson);
    keep::keep(session, lesson);
    let _ = window_event_listener(ev::keydown, move |event| shortcut(&event, session, playback));
    let class = text(move || {
        let teaching = if lesson.is_open.get() { " teaching" } else { "" };
        let asking = if lesson.is_asking.get() { " asking" } else { "" };
        format!("page{teaching}{asking}")
    });
    view! {
        <Header theme />
        <main class=class>
            <div class="verdict-area">
                <Verdict />
                <Refusal />
            </div>
            <Panel />
            <Timeline theme />
            <Transport />
            <Events />
            <FaultsPanel />
            <Bench />
        </main>
    }
}

/// Why the last edit was refused; the page still shows the last good document.
#[component]
fn Refusal() -> impl IntoView {
    let session = Session::of_page();
    let close = on(move |_: ev::MouseEvent| session.refusal.set(None));
    view! {
        <div id="refusal" role="status" aria-live="polite">
            <p class="refusal" hidden=flag(move || session.refusal.with(Option::is_none))>
                <span>{text(move || session.refusal.get().map_or_else(String::new, |why| format!("Not done: {why}")))}</span>
                <button type="button" class="chip" on:click=close>"All right"</button>
            </p>
        </div>
    }
}

/// Keys that work wherever nothing else takes them.
fn shortcut(event: &ev::KeyboardEvent, session: Session, playback: Playback) {
    let taken =
        event.target().and_then(|target| target.dyn_into::<web_sys::Element>().ok()).is_some_and(|element| {
            element.closest("input, select, textarea, button, [role=slider]").ok().flatten().is_some()
        });
    let control = event.ctrl_key() || event.meta_key();
    match event.key().as_str() {
        "z" if control && !event.shift_key() && !in_field(event) => session.undo(),
        "z" | "Z" | "y" if control && !in_field(event) => session.redo(),
        " " if !taken && !control => playback.toggle(),
        "," if !taken => session.step(false),
        "." if !taken => session.step(true),
        _ => return,
    }
    event.prevent_default();
}

/// Whether the key went to a field, which has an undo of its own.
fn in_field(event: &ev::KeyboardEvent) -> bool {
    event
        .target()
        .and_then(|target| target.dyn_into::<web_sys::Element>().ok())
        .is_some_and(|element| element.closest("input, textarea").ok().flatten().is_some())
}
