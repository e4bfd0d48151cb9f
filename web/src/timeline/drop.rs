//! Dropping something new onto a lane.

use leptos::ev::PointerEvent;
use leptos::prelude::*;
use timeline::Point;

use super::{Landing, Stage};
use crate::format::{px, steady};
use crate::slim::{flag, text};

impl Stage {
    /// The lane that a pointer is over, and the instant.
    pub(crate) fn landing(self, event: &PointerEvent) -> Option<Landing> {
        let root = self.root.get_untracked()?.get_bounding_client_rect();
        let at = Point {
            x: f64::from(event.client_x()) - root.left(),
            y: f64::from(event.client_y()) - root.top(),
        };
        self.layout.with_untracked(|layout| {
            let lane = layout.lanes.iter().find(|lane| lane.rect.contains(at))?;
            let name = self.play.with_untracked(|play| play.name(lane.process).to_string());
            Some((name, layout.scale.chosen(at.x)))
        })
    }
}

/// Where what is dragged would land.
#[component]
pub(super) fn Aim() -> impl IntoView {
    let stage = Stage::of_page();
    let style = text(move || {
        let Some((name, at)) = stage.aim.get() else { return String::new() };
        stage.layout.with(|layout| {
            let is_it = |process| stage.play.with(|play| play.name(process) == name);
            let Some(lane) = layout.lanes.iter().find(|lane| is_it(lane.process)) else {
                return String::new();
            };
            let (x, top, height) = (layout.scale.x(at), lane.rect.y, lane.rect.h);
            format!("left:{};top:{};height:{}", px(x), px(top), px(height))
        })
    });
    let said = text(move || {
        stage.aim.get().map_or_else(String::new, |(name, at)| format!("{name}, {}", steady(at)))
    });
    view! {
        <div class="aim" aria-hidden="true" hidden=flag(move || stage.aim.with(Option::is_none)) prop:style=style>
            <span>{said}</span>
        </div>
    }
}
