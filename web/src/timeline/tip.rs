//! What the pointer is over, in a sentence beside it.

use leptos::prelude::*;
use timeline::{Point, Pull, Scene};

use super::Stage;
use crate::format::px;
use crate::slim::{flag, memo, text};

impl Stage {
    /// The length that a grip of the layout stands for.
    pub(super) fn pull_of(self, grip: usize) -> Option<Pull> {
        self.layout.with_untracked(|layout| {
            let grip = layout.grips.get(grip)?;
            let lane = layout.lanes.get(grip.lane)?;
            self.play.with_untracked(|play| grip.pull(&play.scenario, play.name(lane.process)))
        })
    }

    /// What is to be said of what the pointer is over, or of the length that has the focus, and where.
    fn said(self) -> Option<(String, Point)> {
        let (mark, grip) = self.hover.with(|hover| (hover.mark, hover.grip));
        let grip = grip.or_else(|| self.chosen.with(|chosen| self.grip_of(chosen.as_ref()?)));
        if let Some(place) = grip.filter(|_| mark.is_none()) {
            let pull = self.pull_of(place)?;
            let at = self
                .layout
                .with(|layout| layout.grips.get(place).map(|grip| Point { x: grip.x, y: grip.top }));
            return Some((pull.sentence(), at?));
        }
        self.layout.with(|layout| {
            let mark = layout.marks.get(mark?)?;
            let said = self.play.with(|play| {
                let scene = Scene { cast: &play.cast, facts: &play.facts, horizon: play.horizon() };
                timeline::tip(&scene, mark)
            });
            Some((said, mark.centre))
        })
    }
}

/// The sentence.
#[component]
pub(super) fn Tip() -> impl IntoView {
    let stage = Stage::of_page();
    let tip = memo(move || {
        let (said, at) = stage.said()?;
        let width = stage.layout.with(|layout| layout.options.width);
        let shift = if at.x > width * 0.6 { "-100%" } else { "0" };
        let style = format!("left:{};top:{};transform:translate({shift},-100%)", px(at.x), px(at.y - 10.0));
        Some((said, style))
    });
    let said = text(move || tip.get().map(|(said, _)| said).unwrap_or_default());
    let style = text(move || tip.get().map(|(_, style)| style).unwrap_or_default());
    view! { <div class="tip" aria-hidden="true" hidden=flag(move || tip.with(Option::is_none)) prop:style=style>{said}</div> }
}
