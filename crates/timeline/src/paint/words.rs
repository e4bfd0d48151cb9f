//! Labels, above everything: a halo keeps them readable over lines.

use super::{Align, Pen, Text, Tint};
use crate::{Hue, LabelStyle, Layout};

pub(super) fn labels(pen: &mut dyn Pen, layout: &Layout) {
    for label in &layout.labels {
        let (size, bold) = label.style.font();
        let (tint, halo) = colours(label.style, label.hue);
        pen.text(&Text { text: &label.text, at: label.at, align: Align::Left, size, bold, tint, halo });
    }
}

/// The colour of a label, and that of the halo that keeps it readable over lines.
fn colours(style: LabelStyle, hue: Hue) -> (Tint, Option<Tint>) {
    match style {
        LabelStyle::Reign => (Tint::Accent, None),
        LabelStyle::OnBar => (Tint::OnHue, None),
        LabelStyle::ByBar => (Tint::of(hue), Some(Tint::Lane)),
        LabelStyle::Fault | LabelStyle::Stop => (Tint::Ink, Some(Tint::Lane)),
        LabelStyle::Fence | LabelStyle::Mark => (Tint::InkSoft, Some(Tint::Lane)),
        LabelStyle::MarkStopped | LabelStyle::MarkWrong => (Tint::Bad, Some(Tint::Lane)),
    }
}
