//! What lies under everything: lanes, the grid and the axis.

use scenario::document::text::instant;
use timeline::{Captions, Layout, Point, Rect};

use super::pen::Pen;

/// Type size of the axis.
const TICK: f64 = 11.0;

pub(super) fn lanes(pen: &Pen<'_>, layout: &Layout) {
    for lane in &layout.lanes {
        pen.fill_round(&lane.rect, 3.0, &pen.palette.lane);
    }
    for bracket in &layout.hosts {
        let x = layout.scale.left() - 4.0;
        let bar = Rect::span(x, bracket.rect.y, x + 2.0, bracket.rect.bottom());
        pen.fill_round(&bar, 1.0, &pen.palette.ink_soft);
    }
}

pub(super) fn axis(pen: &Pen<'_>, layout: &Layout) {
    let c = pen.context;
    let bottom = layout.lanes.last().map_or(layout.height, |lane| lane.rect.bottom());
    c.set_font(&format!("{TICK}px {}", pen.palette.font));
    c.set_text_baseline("middle");
    let narrow = layout.options.captions == Captions::Above;
    for tick in &layout.ticks {
        // On the pixel grid, so that the line is one pixel wide.
        let x = tick.x.floor() + 0.5;
        pen.line(Point { x, y: layout.axis.bottom() - 6.0 }, Point { x, y: bottom }, 1.0, &pen.palette.line);
        let align = match narrow {
            true if tick.x <= layout.scale.left() + 1.0 => "left",
            true if tick.x >= layout.scale.right() - 1.0 => "right",
            true | false => "center",
        };
        c.set_text_align(align);
        c.set_fill_style_str(&pen.palette.ink_soft);
        let _ = c.fill_text(&instant(tick.at), tick.x, layout.axis.y + 15.0);
    }
    c.set_text_align("left");
}
