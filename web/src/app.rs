//! The page: which parts it has, and where.

use leptos::ev;
use leptos::prelude::*;
use wasm_bindgen::JsCast as _;

use crate::address;
use crate::bench::{Bench, Open};
use crate::compare::{Compare, Compared};
use crate::events::Events;
use crate::faults::FaultsPanel;
use crate::header::Header;
use crate::keep;
use crate::lesson::{Lesson, Panel};
use crate::playback::Playback;
use crate::session::Session;
use crate::slim::{effect, flag, on, text};
use crate::theme;
use crate::timeline::{Shown, Stage, Timeline};
use crate::transport::Transport;
use crate::verdict::Verdict;
use crate::zoom::Zoom;

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
    let zoom = Zoom::new(session);
    provide_context(zoom);
    let compare = Compare::new(session);
    provide_context(compare);
    let differs = compare.differs(|parting| &parting.one);
    provide_context(Stage::new(Shown { play: session.play, happening: session.happening, differs }, zoom));
    let open = Open::new();
    if let Some(Ok(link)) = address::asked() {
        open.name(link.tab.as_deref());
    }
    provide_context(open);
    let lesson = Lesson::new(session, playback);
    provide_context(lesson);
    keep::keep(session, lesson);
    address::follow(session, open);
    let _ = window_event_listener(ev::keydown, move |event| shortcut(&event, session, playback, zoom));
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
            <div class="timelines">
                <Timeline theme main=true />
                <Compared theme />
            </div>
            <Transport />
            <Events />
            <FaultsPanel />
            <Bench theme />
        </main>
    }
}

/// How long a notice stays.
const NOTICE: std::time::Duration = std::time::Duration::from_secs(4);

/// Why the last edit was refused; the page still shows the last good document.
#[component]
fn Refusal() -> impl IntoView {
    let session = Session::of_page();
    let close = on(move |_: ev::MouseEvent| session.refusal.set(None));
    effect(move || {
        if session.notice.with(Option::is_some) {
            set_timeout(move || session.notice.set(None), NOTICE);
        }
    });
    view! {
        <div id="refusal" role="status" aria-live="polite">
            <p class="refusal" hidden=flag(move || session.refusal.with(Option::is_none))>
                <span>{text(move || session.refusal.get().map_or_else(String::new, |why| format!("Not done: {why}")))}</span>
                <button type="button" class="chip" on:click=close>"All right"</button>
            </p>
            <p class="notice" hidden=flag(move || session.notice.with(Option::is_none))>
                {text(move || session.notice.get().unwrap_or_default())}
            </p>
        </div>
    }
}

/// Keys that work wherever nothing else takes them.
fn shortcut(event: &ev::KeyboardEvent, session: Session, playback: Playback, zoom: Zoom) {
    // What is open over the page has keys of its own.
    if is_within(event, "dialog") {
        return;
    }
    let taken = is_within(event, "input, select, textarea, button, [role=slider]");
    let control = event.ctrl_key() || event.meta_key();
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
