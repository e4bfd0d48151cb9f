//! What a figure looks like.

use leptos::ev;
use leptos::prelude::*;
use web_sys::HtmlElement;

use super::tell::Teller;
use crate::events::Events;
use crate::fence::FenceSwitch;
use crate::keys;
use crate::playback::Playback;
use crate::refusal::Refusal;
use crate::session::{Opened, Session};
use crate::slim::{State, memo, on, text};
use crate::theme::{self, Theme};
use crate::timeline::{Shown, Stage, Timeline};
use crate::transport::{Controls, InView, Undone};
use crate::verdict::Verdict;
use crate::zoom::Zoom;

/// What can be done with a figure from outside.
pub(super) struct Parts {
    pub(super) session: Session,
    pub(super) playback: Playback,
    pub(super) theme: State<Theme>,
}

/// A figure of what is opened, in a place that has the tokens.
pub(super) fn figure(
    opened: Opened,
    theme: Theme,
    ground: HtmlElement,
    laboratory: Option<String>,
    tells: &Teller,
) -> (Parts, impl IntoView + use<>) {
    theme::stand_on(ground.into());
    let session = Session::of(opened, None);
    let playback = Playback::new(session);
    let theme = State::new(theme);
    provide_context(session);
    provide_context(playback);
    let zoom = Zoom::new(session);
    provide_context(zoom);
    let alone = memo(Vec::new);
    provide_context(Stage::new(
        Shown { play: session.play, happening: session.happening, differs: alone },
        zoom,
    ));
    tells.follow(session, playback);
    let pressed = on(move |event: ev::KeyboardEvent| keys::pressed(&event, session, playback, zoom));
    let seen = view! {
        <div class="figure-parts" on:keydown=pressed>
            <Verdict is_held_back=Signal::stored(false) />
            <Refusal />
            <Timeline theme main=true />
            <div class="controls">
                <Controls />
                <FenceSwitch />
                <InView />
                <section class="edits" aria-label="Edits">
                    <Undone />
                    {laboratory.map(|page| way_in(session, page))}
                </section>
            </div>
            <details class="figure-events">
                <summary>"Event by event"</summary>
                <Events differs=alone />
            </details>
        </div>
    };
    (Parts { session, playback, theme }, seen)
}

/// A link to the page, with what is open here.
fn way_in(session: Session, page: String) -> impl IntoView {
    let page = page.split('#').next().unwrap_or_default().to_owned();
    let href = text(move || {
        session.document.track();
        session.playhead.track();
        session.selected.track();
        format!("{page}#{}", session.link().fragment())
    });
    view! { <a id="laboratory" class="chip" target="_blank" rel="noopener" href=href>"Open in Fencepost"</a> }
}
