//! The timeline: a canvas with the picture, and over it real elements for what a user can read, take or step through.

mod canvas;
mod captions;
mod drag;
mod drop;
mod faults;
mod paint;
mod palette;
mod playhead;
mod thumbnail;

pub(crate) use faults::Struck;
pub(crate) use palette::HUES;
pub(crate) use thumbnail::Thumbnail;

use kernel::SimTime;
use leptos::html;
use leptos::prelude::*;
use timeline::{Layout, Options, Scene};
use web_sys::PointerEvent;

use crate::format::px;
use crate::measure::measured;
use crate::session::Session;
use crate::shared::Shared;
use crate::slim::{Memo, State, memo, on, text};
use crate::theme::Theme;

/// What the parts of the timeline share.
#[derive(Clone, Copy)]
pub(crate) struct Stage {
    root: NodeRef<html::Div>,
    layout: Memo<Shared<Layout>>,
    hover: State<Hover>,
    /// Where something that is dragged onto the timeline would land.
    aim: State<Option<Landing>>,
}

/// A lane, by its process's name, and an instant.
pub(crate) type Landing = (String, SimTime);

impl Stage {
    pub(crate) fn new(session: Session) -> Self {
        let root = NodeRef::<html::Div>::new();
        let width = canvas::width_of(root);
        let type_scale = palette::type_scale(&palette::Palette::read().font);
        let layout = memo(move || {
            let play = session.play.get();
            let options = Options { type_scale, ..Options::for_width(width.get()) };
            let scene = Scene { cast: &play.cast, facts: &play.facts, horizon: play.horizon() };
            measured("layout", || Shared::new(timeline::layout(&scene, &options)))
        });
        Self { root, layout, hover: State::new(Hover::default()), aim: State::new(None) }
    }

    /// The stage of the page.
    pub(crate) fn of_page() -> Self {
        expect_context()
    }

    /// Shows where something would land.
    pub(crate) fn aim(self, landing: Option<Landing>) {
        self.aim.set(landing);
    }
}

/// What the pointer is over.
#[derive(Clone, Default, PartialEq)]
struct Hover {
    /// A fault's id.
    fault: Option<String>,
    /// A mark, by its place in the layout.
    mark: Option<usize>,
    /// Which cursor that asks for.
    cursor: &'static str,
}

/// The timeline.
#[component]
pub(crate) fn Timeline(theme: State<Theme>) -> impl IntoView {
    let session = Session::of_page();
    let stage = Stage::of_page();
    let (root, layout) = (stage.root, stage.layout);
    let gestures = drag::Gestures::new(session, stage);
    let [down, moved, up, cancel] = drag::HANDLERS.map(|handle| {
        let gestures = gestures.clone();
        on(move |event: PointerEvent| handle(&gestures, &event))
    });
    let height = text(move || px(layout.with(|layout| layout.height)));
    let cursor = text(move || stage.hover.with(|hover| hover.cursor.to_string()));
    view! {
        <section class="timeline" aria-label="Timeline">
            <div
                class="stage"
                node_ref=root
                style:height=height
                style:cursor=cursor
                on:pointerdown=down
                on:pointermove=moved
                on:pointerup=up
                on:pointercancel=cancel
                on:pointerleave=on(move |_: PointerEvent| stage.hover.set(Hover::default()))
            >
                <canvas::Picture theme />
                <captions::Captions />
                <faults::Faults />
                <playhead::Playhead />
                <drop::Aim />
                <drag::Tip />
            </div>
        </section>
    }
}
