//! Messages, and what can have led to a happening and follow from it: the rest lies under a veil.

use super::pen::upright;
use super::{Pen, Tint};
use crate::{Arrow, Cone, Layout, Point, Rect};

/// How much of what is beside a happening the veil lets through.
const VEIL: f64 = 0.62;
const HEAD: f64 = 5.0;

pub(super) fn paint(pen: &mut dyn Pen, layout: &Layout, cone: &Cone) {
    let plot = &layout.plot;
    for ((lane, past), future) in layout.lanes.iter().zip(&cone.past).zip(&cone.future) {
        let from = past.unwrap_or(plot.x).clamp(plot.x, plot.right());
        let to = future.unwrap_or(plot.right()).clamp(plot.x, plot.right());
        let beside = Rect::span(from, lane.rect.y, to, lane.rect.bottom());
        pen.faint(VEIL, |pen| pen.fill(&beside, Tint::Paper));
        for x in [past.map(|_| from), future.map(|_| to)].into_iter().flatten() {
            pen.line(&upright(x, lane.rect.y, lane.rect.bottom()), 1.0, Tint::InkSoft);
        }
    }
    for arrow in &cone.arrows {
        self::arrow(pen, arrow);
    }
    pen.ring(cone.at, 7.0, 2.0, Tint::Accent);
}

fn arrow(pen: &mut dyn Pen, Arrow { from, to, arrives }: &Arrow) {
    let colour = Tint::Ink;
    if !arrives {
        pen.dashed(3.0, 3.0, |pen| pen.line(&[*from, *to], 1.25, Tint::Bad));
        return;
    }
    pen.line(&[*from, *to], 1.25, colour);
    let (dx, dy) = (to.x - from.x, to.y - from.y);
    let length = dx.hypot(dy).max(1.0);
    let (ux, uy) = (dx / length, dy / length);
    let back = Point { x: to.x - HEAD * 1.6 * ux, y: to.y - HEAD * 1.6 * uy };
    let side = |way: f64| Point { x: back.x + way * HEAD * 0.7 * uy, y: back.y - way * HEAD * 0.7 * ux };
    pen.shape(&[*to, side(-1.0), side(1.0)], colour);
}

/// Every message: those that arrived thin, those that did not in the colour of harm.
pub(super) fn messages(pen: &mut dyn Pen, arrows: &[Arrow]) {
    for (arrived, colour) in [(true, Tint::InkSoft), (false, Tint::Bad)] {
        let lines = arrows.iter().filter(|arrow| arrow.arrives == arrived);
        let lines: Vec<_> = lines.map(|arrow| (arrow.from, arrow.to)).collect();
        if !lines.is_empty() {
            pen.faint(0.55, |pen| pen.lines(&lines, 0.8, colour));
        }
    }
}
