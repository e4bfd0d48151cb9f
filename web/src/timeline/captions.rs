//! The lanes' names, and in a few words how each process is at the playhead.

use kernel::ProcessId;
use leptos::html;
use leptos::prelude::*;
use scenario::Cast;
use timeline::{Captions as Place, Heading, Rect, Scene};

use super::Stage;
use crate::format::px;
use crate::session::Session;
use crate::slim::{Memo, memo, rows, text};

/// Headings and captions, as text over the canvas.
#[component]
pub(super) fn Captions() -> impl IntoView {
    let stage = Stage::of_page();
    let members = memo(move || stage.play.with(|play| names(&play.cast)));
    let headings = memo(move || stage.layout.with(|layout| layout.headings.clone()));
    let place = NodeRef::<html::Div>::new();
    rows(place, ".headings", memo(move || headings.with(Vec::len)), move |nth| heading(headings, nth));
    rows(place, ".names", memo(move || members.with(Vec::len)), move |nth| caption(members, nth));
    let above = move || stage.layout.with(|layout| layout.options.captions == Place::Above);
    let class = text(move || if above() { "captions above".into() } else { "captions".into() });
    view! {
        <div class=class node_ref=place>
            <div class="headings"></div>
            <div class="names"></div>
        </div>
    }
}

fn names(cast: &Cast) -> Vec<(ProcessId, String)> {
    cast.members.iter().map(|member| (member.process, member.name.to_string())).collect()
}

fn heading(headings: Memo<Vec<Heading>>, nth: usize) -> impl IntoView {
    let stage = Stage::of_page();
    let style = text(move || {
        let left = stage.layout.with(|layout| match layout.options.captions {
            Place::Above => layout.scale.left(),
            Place::Beside(_) => 0.0,
        });
        let place = headings.with(|all| all.get(nth).map_or(Rect::default(), |heading| heading.rect));
        format!("top:{};height:{};left:{}", px(place.y), px(place.h), px(left))
    });
    let title = text(move || headings.with(|all| all.get(nth).map_or("", Heading::title).into()));
    view! { <p class="heading" prop:style=style>{title}</p> }
}

fn caption(members: Memo<Vec<(ProcessId, String)>>, nth: usize) -> impl IntoView {
    let session = Session::of_page();
    let stage = Stage::of_page();
    let process = move || members.with(|all| all.get(nth).map(|(process, _)| *process));
    let name =
        text(move || members.with(|all| all.get(nth).map_or_else(String::new, |(_, name)| name.clone())));
    // A process without a lane has no place, and is not shown.
    let place = text(move || {
        stage.layout.with(|layout| {
            let Some(place) = process().and_then(|process| layout.lane_of(process)) else {
                return "display:none".into();
            };
            let caption = layout.lanes[place].caption;
            format!(
                "top:{};left:{};width:{};height:{}",
                px(caption.y),
                px(caption.x),
                px(caption.w),
                px(caption.h)
            )
        })
    });
    let words = text(move || {
        let at = session.at();
        let Some(process) = process() else { return String::new() };
        stage.play.with(|play| {
            let scene = Scene { cast: &play.cast, facts: &play.facts, horizon: play.horizon() };
            timeline::caption(&scene, process, at)
        })
    });
    view! {
        <p class="caption" prop:style=place>
            <b>{name}</b>
            " "
            <span>{words}</span>
        </p>
    }
}
