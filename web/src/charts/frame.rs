//! A chart on the page: its canvas, the playhead over it, and what a click does.

use leptos::html;
use leptos::prelude::*;

use super::Picture;
use super::plot::{self, Sheet};
use crate::canvas::{context_of, fitted, painted, width_of};
use crate::format::px;
use crate::measure::measured;
use crate::session::Session;
use crate::slim::{Memo, State, memo, on, text};
use crate::theme::Theme;
use crate::timeline::Palette;

/// A chart of this id, which the list with the id `said` tells in words. Without a picture nothing is drawn.
#[component]
pub(super) fn Frame(
    id: &'static str,
    label: &'static str,
    said: &'static str,
    picture: Memo<Option<Picture>>,
    theme: State<Theme>,
) -> impl IntoView {
    let session = Session::of_page();
    let root = NodeRef::<html::Div>::new();
    let width = width_of(root);
    let scale = memo(move || plot::scale(width.get(), session.play.with(|play| play.horizon())));
    let palette = Palette::of(theme);
    let track = move || {
        picture.track();
        scale.track();
        palette.track();
    };
    let paint = move || {
        let Some(root) = root.get_untracked() else { return };
        picture.with_untracked(|picture| {
            let (Some(picture), palette) = (picture, palette.get_untracked()) else { return };
            let size = (width.get_untracked(), plot::HEIGHT);
            let Some((canvas, ratio)) = fitted(&root, "canvas", size) else { return };
            let Some(context) = context_of(&canvas) else { return };
            let scale = scale.get_untracked();
            let sheet = Sheet { canvas, context, ratio, scale, palette: &palette };
            // A canvas that cannot be drawn on stays empty; the list below says the same.
            let _ = measured("chart", || plot::draw(&sheet, picture));
        });
    };
    painted(track, paint);
    let seek = on(move |event: leptos::ev::MouseEvent| {
        if let Some(root) = root.get_untracked() {
            let x = f64::from(event.client_x()) - root.get_bounding_client_rect().left();
            session.seek(scale.with_untracked(|scale| scale.chosen(x)));
        }
    });
    let at = text(move || {
        let x = scale.with(|scale| scale.x(session.at()));
        format!("translateX({})", px(x))
    });
    view! {
        <div class="chart" id=id node_ref=root on:click=seek style:height=px(plot::HEIGHT)>
            <canvas role="img" aria-label=label aria-describedby=said></canvas>
            <div class="chart-playhead" style:transform=at></div>
        </div>
    }
}
