//! Two canvases, the picture and above the playhead its marks and words.

use kernel::FaultId;
use leptos::prelude::*;
use scenario::Cast;
use timeline::paint::{self, Accent};
use timeline::{Arrow, Cone};
use web_sys::{CanvasRenderingContext2d, HtmlDivElement};

use super::Stage;
use super::brush::Brush;
use super::palette::Palette;
use crate::canvas::{context_of, fitted, painted};
use crate::measure::measured;
use crate::session::Session;
use crate::shared::Shared;
use crate::slim::{State, memo};
use crate::theme::Theme;
use crate::zoom::Zoom;

/// What is looked at and therefore drawn stronger.
#[derive(Clone, Default, PartialEq)]
struct Looked {
    /// A fault's id.
    fault: Option<String>,
    /// A mark, by its place.
    mark: Option<usize>,
    /// The marks of what another play does not have.
    differs: Vec<usize>,
    /// What can have led to a happening, and follow from it.
    cone: Option<Shared<Cone>>,
    /// Messages, where they are asked for.
    messages: Option<Shared<Vec<Arrow>>>,
}

impl Looked {
    /// In a play with this cast.
    fn of(&self, cast: &Cast) -> Accent<'_> {
        let named = |id: &String| cast.faults.iter().position(|card| *card.id == **id);
        Accent {
            fault: self.fault.as_ref().and_then(named).map(|place| FaultId(place as u16)),
            mark: self.mark,
            differs: &self.differs,
            cone: self.cone.as_deref(),
            messages: self.messages.as_deref().map_or(&[], Vec::as_slice),
        }
    }
}

/// Both.
#[component]
pub(super) fn Picture(theme: State<Theme>) -> impl IntoView {
    let session = Session::of_page();
    let stage = Stage::of_page();
    let palette = Palette::of(theme);
    let zoom = Zoom::of_page();
    let messages = memo(move || {
        zoom.messages.get().then(|| {
            stage.layout.with(|layout| stage.play.with(|play| Shared::new(timeline::messages(play, layout))))
        })
    });
    let accent = memo(move || Looked {
        fault: stage.hover.with(|hover| hover.fault.clone()).or_else(|| session.selected.get()),
        mark: stage.hover.with(|hover| hover.mark),
        differs: stage.differs.with(|differs| stage.marks_of(differs)),
        cone: stage.cone.get(),
        messages: messages.get(),
    });
    let paint_now = move || {
        let Some(root) = stage.root.get_untracked() else { return };
        let play = stage.play.get_untracked();
        let layout = stage.layout.get_untracked();
        let (palette, accent) = (palette.get_untracked(), accent.get_untracked());
        let (Some(picture), Some(words)) =
            (context_in(&root, ".picture", &layout), context_in(&root, ".words", &layout))
        else {
            return;
        };
        measured("paint", || {
            let accent = accent.of(&play.cast);
            for context in [&picture, &words] {
                context.clear_rect(0.0, 0.0, layout.options.width, layout.height);
            }
            paint::picture(&mut Brush::new(&picture, &palette), &layout, &accent);
            paint::words(&mut Brush::new(&words, &palette), &layout, &accent);
        });
    };
    let track = move || {
        stage.layout.track();
        palette.track();
        accent.track();
        stage.root.track();
    };
    painted(track, paint_now);
    view! {
        <canvas class="picture" aria-hidden="true"></canvas>
        <canvas class="words" aria-hidden="true"></canvas>
    }
}

impl Stage {
    /// The marks of these events.
    fn marks_of(self, events: &[usize]) -> Vec<usize> {
        if events.is_empty() {
            return Vec::new();
        }
        self.play.with(|play| {
            let records: Vec<_> = events.iter().filter_map(|nth| Some(play.tale.get(*nth)?.record)).collect();
            self.layout.with(|layout| {
                let of_them = |(nth, mark)| {
                    timeline::record(&play.facts, mark).filter(|of| records.contains(of)).map(|_| nth)
                };
                layout.marks.iter().enumerate().filter_map(of_them).collect()
            })
        })
    }
}

/// A canvas of the stage, as large as the layout and in CSS pixels.
fn context_in(
    root: &HtmlDivElement,
    canvas: &str,
    layout: &timeline::Layout,
) -> Option<CanvasRenderingContext2d> {
    let (canvas, ratio) = fitted(root, canvas, (layout.options.width, layout.height))?;
    let context = context_of(&canvas)?;
    let _ = context.set_transform(ratio, 0.0, 0.0, ratio, 0.0, 0.0);
    Some(context)
}
