//! Where the pointer is: true time, and what the clocks of the host read whose lane it is on.

use leptos::prelude::*;

use super::Stage;
use crate::format::px;
use crate::slim::{flag, memo, text};

/// The words at the foot of the lane.
#[component]
pub(super) fn Pointed() -> impl IntoView {
    let stage = Stage::of_page();
    let pointed = memo(move || {
        let (lane, at) = stage.hover.with(|hover| hover.at)?;
        stage.layout.with(|layout| {
            let lane = layout.lanes.get(lane)?;
            let said = stage.play.with(|play| timeline::clocks(play, lane.host, at));
            let x = layout.scale.x(at);
            let shift = if x > layout.options.width * 0.6 { "-100%" } else { "0" };
            let style =
                format!("left:{};top:{};transform:translateX({shift})", px(x), px(lane.rect.bottom() + 1.0));
            Some((said, style))
        })
    });
    let said = text(move || pointed.get().map(|(said, _)| said).unwrap_or_default());
    let style = text(move || pointed.get().map(|(_, style)| style).unwrap_or_default());
    view! {
        <div class="pointed" aria-hidden="true" hidden=flag(move || pointed.with(Option::is_none)) prop:style=style>{said}</div>
    }
}
