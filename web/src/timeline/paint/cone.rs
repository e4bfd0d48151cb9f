//! Messages, and what can have led to a happening and follow from it: the rest lies under a veil.

use timeline::{Arrow, Cone, Layout, Point, Rect};

use super::pen::Pen;

/// How much of what is beside a happening the veil lets through.
const VEIL: f64 = 0.62;
const HEAD: f64 = 5.0;

pub(super) fn paint(pen: &Pen<'_>, layout: &Layout, cone: &Cone) {
    let plot = &layout.plot;
    for ((lane, past), future) in layout.lanes.iter().zip(&cone.past).zip(&cone.future) {
        let from = past.unwrap_or(plot.x).clamp(plot.x, plot.right());
        let to = future.unwrap_or(plot.right()).clamp(plot.x, plot.right());
        let beside = Rect::span(from, lane.rect.y, to, lane.rect.bottom());
        pen.faint(VEIL, || pen.fill(&beside, &pen.palette.paper));
        for x in [past.map(|_| from), future.map(|_| to)].into_iter().flatten() {
            let ends = [lane.rect.y, lane.rect.bottom()].map(|y| Point { x, y });
            pen.line(ends[0], ends[1], 1.0, &pen.palette.ink_soft);
        }
    }
    for arrow in &cone.arrows {
        self::arrow(pen, arrow);
    }
    pen.ring(cone.at, 7.0, 2.0, &pen.palette.accent);
}

fn arrow(pen: &Pen<'_>, Arrow { from, to, arrives }: &Arrow) {
    let colour = &pen.palette.ink;
    if !arrives {
        pen.dashed(3.0, 3.0, || pen.line(*from, *to, 1.25, &pen.palette.bad));
        return;
    }
    pen.line(*from, *to, 1.25, colour);
    let (dx, dy) = (to.x - from.x, to.y - from.y);
    let length = dx.hypot(dy).max(1.0);
    let (ux, uy) = (dx / length, dy / length);
    let back = (to.x - HEAD * 1.6 * ux, to.y - HEAD * 1.6 * uy);
    let side = (HEAD * 0.7 * uy, HEAD * 0.7 * ux);
    pen.shape(
        &[(to.x, to.y), (back.0 - side.0, back.1 + side.1), (back.0 + side.0, back.1 - side.1)],
        colour,
    );
}

/// Every message: those that arrived thin, those that did not in the colour of harm.
pub(super) fn messages(pen: &Pen<'_>, arrows: &[Arrow]) {
    for (arrived, colour) in [(true, &pen.palette.ink_soft), (false, &pen.palette.bad)] {
        let lines = arrows.iter().filter(|arrow| arrow.arrives == arrived);
        pen.faint(0.55, || pen.lines(lines.map(|arrow| (arrow.from, arrow.to)), 0.8, colour));
    }
}
