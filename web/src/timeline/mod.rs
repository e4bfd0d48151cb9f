//! The timeline: a canvas with the picture, and over it real elements for what a user can read, take or step through.

mod brush;
mod canvas;
mod captions;
mod drag;
mod drop;
mod faults;
mod fingers;
mod lengths;
mod minimap;
mod palette;
mod playhead;
mod pointer;
mod thumbnail;
mod tip;

pub(crate) use faults::Struck;
pub(crate) use palette::Palette;
pub(crate) use thumbnail::Thumbnail;

use kernel::{ProcessId, RecordId, SimTime};
use leptos::html;
use leptos::prelude::*;
use scenario::Play;
use timeline::{Cone, Hue, Layout, Options, Scene};
use web_sys::{PointerEvent, WheelEvent};

use crate::canvas::width_of;
use crate::format::px;
use crate::measure::measured;
use crate::session::Session;
use crate::shared::Shared;
use crate::slim::{Memo, State, memo, on, text};
use crate::theme::Theme;
use crate::zoom::Zoom;

/// What the parts of the timeline share.
#[derive(Clone, Copy)]
pub(crate) struct Stage {
    root: NodeRef<html::Div>,
    /// The play that is shown.
    play: Memo<Shared<Play>>,
    layout: Memo<Shared<Layout>>,
    /// What can have led to the happening that is looked at, and follow from it.
    cone: Memo<Option<Shared<Cone>>>,
    differs: Memo<Vec<usize>>,
    hover: State<Hover>,
    /// The length of a lease that has the focus.
    chosen: State<Option<lengths::Chosen>>,
    /// Where something that is dragged onto the timeline would land.
    aim: State<Option<Landing>>,
}

/// What a stage shows.
pub(crate) struct Shown {
    pub(crate) play: Memo<Shared<Play>>,
    /// The record of it that is looked at.
    pub(crate) happening: Memo<Option<RecordId>>,
    /// Events that the play which it is compared with does not have.
    pub(crate) differs: Memo<Vec<usize>>,
}

/// A lane, by its process's name, and an instant.
pub(crate) type Landing = (String, SimTime);

impl Stage {
    pub(crate) fn new(Shown { play, happening, differs }: Shown, zoom: Zoom) -> Self {
        let root = NodeRef::<html::Div>::new();
        let width = width_of(root);
        let type_scale = palette::type_scale(&Palette::read().font);
        let layout = memo(move || {
            let play = play.get();
            let view = zoom.of(play.horizon());
            let options = Options { type_scale, view, ..Options::for_width(width.get()) };
            let scene = Scene { cast: &play.cast, facts: &play.facts, horizon: play.horizon() };
            measured("layout", || Shared::new(timeline::layout(&scene, &options)))
        });
        let cone = memo(move || {
            let record = happening.get()?;
            layout.with(|layout| play.with(|play| timeline::cone(play, layout, record).map(Shared::new)))
        });
        let (hover, chosen, aim) = (State::new(Hover::default()), State::new(None), State::new(None));
        Self { root, play, layout, cone, differs, hover, chosen, aim }
    }

    /// The stage of the page.
    pub(crate) fn of_page() -> Self {
        expect_context()
    }

    /// The colour of a process's lane.
    pub(crate) fn hue(self, process: ProcessId) -> Hue {
        self.layout.with(|layout| {
            let lane = layout.lane_of(process).and_then(|place| layout.lanes.get(place));
            lane.map_or(Hue::Plain, |lane| lane.hue)
        })
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
    /// A grip, by its place in the layout.
    grip: Option<usize>,
    /// A lane and an instant, when nothing else is there.
    at: Option<(usize, SimTime)>,
    /// Which cursor that asks for.
    cursor: &'static str,
}

/// The timeline of the stage that is in context: the page's main one, or another beside it.
#[component]
pub(crate) fn Timeline(theme: State<Theme>, main: bool) -> impl IntoView {
    let session = Session::of_page();
    let stage = Stage::of_page();
    let zoom = Zoom::of_page();
    let (root, layout) = (stage.root, stage.layout);
    let gestures = drag::Gestures::new(session, stage, zoom);
    let [down, moved, up, cancel] = drag::HANDLERS.map(|handle| {
        let gestures = gestures.clone();
        on(move |event: PointerEvent| handle(&gestures, &event))
    });
    let wheel = on(move |event: WheelEvent| fingers::wheel(stage, zoom, &event));
    let height = text(move || px(layout.with(|layout| layout.height)));
    let cursor = text(move || stage.hover.with(|hover| hover.cursor.to_string()));
    view! {
        <section class="timeline" aria-label=if main { "Timeline" } else { "Timeline of the other play" }>
            <div
                class="stage"
                node_ref=root
                style:height=height
                style:cursor=cursor
                on:pointerdown=down
                on:pointermove=moved
                on:pointerup=up
                on:pointercancel=cancel
                on:wheel=wheel
                on:pointerleave=on(move |_: PointerEvent| stage.hover.set(Hover::default()))
            >
                <canvas::Picture theme />
                <captions::Captions />
                <faults::Faults />
                {main.then(|| view! { <lengths::Lengths /> })}
                <playhead::Playhead main />
                <drop::Aim />
                <pointer::Pointed />
                <tip::Tip />
            </div>
            {main.then(|| view! { <minimap::Minimap theme /> })}
        </section>
    }
}
