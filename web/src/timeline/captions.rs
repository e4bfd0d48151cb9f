//! The lanes' names, and in a few words how each process is at the playhead.

use kernel::ProcessId;
use leptos::prelude::*;
use scenario::{Cast, Group};
use timeline::{Captions as Place, Heading, Scene};

use super::Stage;
use crate::format::px;
use crate::session::Session;
use crate::slim::{flag, memo, part, text};

/// Headings and captions, as text over the canvas.
#[component]
pub(super) fn Captions() -> impl IntoView {
    let session = Session::of_page();
    let stage: Stage = expect_context();
    let members = memo(move || session.play.with(|play| names(&play.cast)));
    let headings = memo(move || stage.layout.with(|layout| layout.headings.clone()));
    let above = memo(move || stage.layout.with(|layout| layout.options.captions == Place::Above));
    let side = move || stage.layout.with(|layout| px(layout.scale.left()));
    let headings = part(move || {
        let left = above.get().then(side).unwrap_or_default();
        headings
            .get()
            .into_iter()
            .map(|heading| heading_view(heading, left.clone()))
            .collect_view()
            .into_any()
    });
    let captions = part(move || members.get().into_iter().map(caption_view).collect_view().into_any());
    view! {
        <div class="captions" class:above=flag(move || above.get())>{headings}{captions}</div>
    }
}

fn names(cast: &Cast) -> Vec<(ProcessId, String)> {
    cast.members.iter().map(|member| (member.process, member.name.to_string())).collect()
}

fn heading_view(heading: Heading, left: String) -> impl IntoView {
    let title = match (heading.group, heading.lanes) {
        (Group::LockService, _) => "Lock service",
        (Group::Workers, 1) => "Worker",
        (Group::Workers, _) => "Workers",
        (Group::Stores, 1) => "Store",
        (Group::Stores, _) => "Stores",
        (Group::Sweepers, 1) => "Sweeper",
        (Group::Sweepers, _) => "Sweepers",
        (Group::Others, _) => "Others",
    };
    let (top, height) = (px(heading.rect.y), px(heading.rect.h));
    view! { <p class="heading" style:top=top style:height=height style:left=left>{title}</p> }
}

fn caption_view((process, name): (ProcessId, String)) -> impl IntoView {
    let session = Session::of_page();
    let stage: Stage = expect_context();
    let place = text(move || {
        stage.layout.with(|layout| {
            let caption =
                layout.lane_of(process).map(|place| layout.lanes[place].caption).unwrap_or_default();
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
        session.play.with(|play| {
            let scene = Scene { cast: &play.cast, facts: &play.facts, horizon: play.horizon() };
            timeline::caption(&scene, process, at)
        })
    });
    view! {
        <p class="caption" style=place>
            <b>{name}</b>
            " "
            <span>{words}</span>
        </p>
    }
}
