//! Labels, above everything: a halo keeps them readable over lines.

use timeline::{Hue, LabelStyle, Layout};

use super::pen::Pen;

pub(super) fn labels(pen: &Pen<'_>, layout: &Layout) {
    let c = pen.context;
    c.set_text_baseline("middle");
    c.set_text_align("left");
    let mut font: Option<LabelStyle> = None;
    for label in &layout.labels {
        if font.map(LabelStyle::font) != Some(label.style.font()) {
            let (size, bold) = label.style.font();
            let tenths = (size * 10.0) as u32;
            let weight = if bold { "600" } else { "400" };
            c.set_font(&format!("{weight} {}.{}px {}", tenths / 10, tenths % 10, pen.palette.font));
            font = Some(label.style);
        }
        let (colour, halo) = colours(pen, label.style, label.hue);
        if let Some(halo) = halo {
            c.set_line_width(3.5);
            c.set_line_join("round");
            c.set_stroke_style_str(halo);
            let _ = c.stroke_text(&label.text, label.at.x, label.at.y);
        }
        c.set_fill_style_str(colour);
        let _ = c.fill_text(&label.text, label.at.x, label.at.y);
    }
}

/// The colour of a label, and that of the halo that keeps it readable over lines.
fn colours<'a>(pen: &'a Pen<'_>, style: LabelStyle, hue: Hue) -> (&'a str, Option<&'a str>) {
    let palette = pen.palette;
    match style {
        LabelStyle::Reign => (&palette.accent, None),
        LabelStyle::OnBar => (&palette.on_hue, None),
        LabelStyle::ByBar => (pen.hue(hue), Some(&palette.lane)),
        LabelStyle::Fault => (&palette.ink, Some(&palette.lane)),
        LabelStyle::Stop => (&palette.ink, Some(&palette.lane)),
        LabelStyle::Fence | LabelStyle::Mark => (&palette.ink_soft, Some(&palette.lane)),
        LabelStyle::MarkStopped | LabelStyle::MarkWrong => (&palette.bad, Some(&palette.lane)),
    }
}
