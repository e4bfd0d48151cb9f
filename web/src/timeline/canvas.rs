//! Two canvases, the picture and above the playhead its marks and words.

use leptos::prelude::*;
use web_sys::{CanvasRenderingContext2d, HtmlDivElement};

use super::Stage;
use super::paint::{self, Accent};
use super::palette::Palette;
use crate::canvas::{context_of, fitted, painted};
use crate::measure::measured;
use crate::session::Session;
use crate::slim::{State, memo};
use crate::theme::Theme;

/// Both.
#[component]
pub(super) fn Picture(theme: State<Theme>) -> impl IntoView {
    let session = Session::of_page();
    let stage: Stage = expect_context();
    let palette = Palette::of(theme);
    let accent = memo(move || Accent {
        fault: stage.hover.with(|hover| hover.fault.clone()).or_else(|| session.selected.get()),
        mark: stage.hover.with(|hover| hover.mark),
    });
    let paint_now = move || {
        let Some(root) = stage.root.get_untracked() else { return };
        let play = session.play.get_untracked();
        let layout = stage.layout.get_untracked();
        let (palette, accent) = (palette.get_untracked(), accent.get_untracked());
        let (Some(picture), Some(words)) =
            (context_in(&root, ".picture", &layout), context_in(&root, ".words", &layout))
        else {
            return;
        };
        measured("paint", || {
            let id =
                |fault: kernel::FaultId| play.cast.faults.get(usize::from(fault.0)).map(|card| &*card.id);
            paint::picture(&picture, &layout, &palette, &accent, &id);
            paint::words(&words, &layout, &palette, &accent);
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
