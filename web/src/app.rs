//! The page: which parts it has, and where.

use leptos::ev;
use leptos::prelude::*;

use crate::address;
use crate::bench::{Bench, Open};
use crate::compare::{Compare, Compared};
use crate::events::Events;
use crate::faults::FaultsPanel;
use crate::header::Header;
use crate::keep;
use crate::keys;
use crate::lesson::{Lesson, Panel};
use crate::playback::Playback;
use crate::refusal::Refusal;
use crate::session::Session;
use crate::slim::{flag, text};
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
    let _ = window_event_listener(ev::keydown, move |event| keys::pressed(&event, session, playback, zoom));
    let class = text(move || {
        let teaching = if lesson.is_open.get() { " teaching" } else { "" };
        let asking = if lesson.is_asking.get() { " asking" } else { "" };
        format!("page{teaching}{asking}")
    });
    view! {
        <Header theme />
        <Refusal />
        <main class=class>
            <div class="verdict-area">
                <Verdict is_held_back=flag(move || lesson.is_asking.get()) />
            </div>
            <Panel />
            <div class="timelines">
                <Timeline theme main=true />
                <Compared theme />
            </div>
            <Transport />
            <Events differs />
            <FaultsPanel />
            <Bench theme />
        </main>
    }
}
