//! What lies under everything: lanes, the grid and the axis.

use scenario::document::text::instant;

use super::pen::upright;
use super::{Align, Pen, Text, Tint};
use crate::{Captions, Layout, Point, Rect};

/// Type size of the axis.
const TICK: f64 = 11.0;

pub(super) fn lanes(pen: &mut dyn Pen, layout: &Layout) {
    for lane in &layout.lanes {
        pen.fill_round(&lane.rect, 3.0, Tint::Lane);
    }
    for bracket in &layout.hosts {
        let x = layout.scale.left() - 4.0;
        let bar = Rect::span(x, bracket.rect.y, x + 2.0, bracket.rect.bottom());
        pen.fill_round(&bar, 1.0, Tint::InkSoft);
    }
}

pub(super) fn axis(pen: &mut dyn Pen, layout: &Layout) {
    let bottom = layout.lanes.last().map_or(layout.height, |lane| lane.rect.bottom());
    let narrow = layout.options.captions == Captions::Above;
    for tick in &layout.ticks {
        // On the pixel grid, so that the line is one pixel wide.
        let x = tick.x.floor() + 0.5;
        pen.line(&upright(x, layout.axis.bottom() - 6.0, bottom), 1.0, Tint::Line);
        let align = match narrow {
            true if tick.x <= layout.scale.left() + 1.0 => Align::Left,
            true if tick.x >= layout.scale.right() - 1.0 => Align::Right,
            true | false => Align::Middle,
        };
        pen.text(&Text {
            text: &instant(tick.at),
            at: Point { x: tick.x, y: layout.axis.y + 15.0 },
            align,
            size: TICK,
            bold: false,
            tint: Tint::InkSoft,
            halo: None,
        });
    }
}
