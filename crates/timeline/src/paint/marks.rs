//! Fences, and marks: writes, sweeps, checks.

use super::pen::upright;
use super::{Accent, Pen, Tint};
use crate::{Hue, Layout, Mark, MarkKind, MarkTone, Point, Rect};

pub(super) fn fences(pen: &mut dyn Pen, layout: &Layout) {
    for fence in &layout.fences {
        pen.line(&fence.corners, 1.75, Tint::InkSoft);
    }
}

/// From where a request was sent to where it was decided: of those that matter, and of the one that is pointed at.
pub(super) fn arrows(pen: &mut dyn Pen, layout: &Layout, accent: &Accent<'_>) {
    for (nth, mark) in layout.marks.iter().enumerate() {
        let shown = mark.tone != MarkTone::Usual || accent.mark == Some(nth);
        if let (Some(origin), true) = (mark.origin, shown) {
            let colour = tone(mark);
            let end = Point { x: mark.centre.x, y: mark.centre.y - mark.radius };
            pen.dashed(3.0, 3.0, |pen| pen.line(&[origin, end], 1.25, colour));
            pen.disc(origin, 2.0, colour);
        }
    }
}

fn tone(mark: &Mark) -> Tint {
    match (mark.tone, mark.hue) {
        (MarkTone::Usual, hue) => Tint::of(hue),
        (MarkTone::Wrong | MarkTone::Stopped, _) => Tint::Bad,
    }
}

pub(super) fn marks(pen: &mut dyn Pen, layout: &Layout, accent: &Accent<'_>) {
    for (nth, mark) in layout.marks.iter().enumerate() {
        if accent.mark == Some(nth) {
            pen.ring(mark.centre, mark.radius + 3.5, 2.0, tone(mark));
        }
        if accent.differs.contains(&nth) {
            pen.ring(mark.centre, mark.radius + 5.0, 2.0, Tint::Accent);
        }
        self::mark(pen, mark);
    }
}

fn mark(pen: &mut dyn Pen, mark: &Mark) {
    let (at, r) = (mark.centre, mark.radius);
    let colour = tone(mark);
    let halo = Tint::Paper;
    match mark.kind {
        MarkKind::Raise | MarkKind::Item | MarkKind::Finish | MarkKind::Requeue => write(pen, mark, colour),
        MarkKind::Orphan => {
            pen.disc(at, r + 1.5, halo);
            pen.ring(at, r, 2.0, colour);
        }
        MarkKind::Confirmed | MarkKind::Restored => pen.disc(at, r, colour),
        MarkKind::Skipped => pen.faint(0.6, |pen| pen.disc(at, r, Tint::InkSoft)),
        MarkKind::CheckPassed => tick(pen, at, colour),
        MarkKind::CheckFailed => {
            pen.disc(at, r + 1.0, Tint::Good);
            pen.fill(&Rect { x: at.x - r * 0.6, y: at.y - 1.0, w: r * 1.2, h: 2.0 }, Tint::OnHue);
        }
        MarkKind::RenewalFailed => cross(pen, at, r * 0.7, 1.75, Tint::Bad),
        MarkKind::Stopped | MarkKind::Done => {
            let square = Rect { x: at.x - r * 0.8, y: at.y - r * 0.8, w: r * 1.6, h: r * 1.6 };
            pen.fill_round(&square.grown(1.5, 1.5), 2.0, halo);
            pen.fill_round(&square, 1.5, Tint::of(mark.hue));
        }
        MarkKind::Woken => pen.ring(at, r * 0.7, 1.5, Tint::of(mark.hue)),
        MarkKind::StaleRead => {
            pen.disc(at, r + 1.5, halo);
            pen.disc(at, r, colour);
        }
    }
}

/// A write: its shape says what for, its colour whose, and a cross or an exclamation mark what became of it.
fn write(pen: &mut dyn Pen, mark: &Mark, colour: Tint) {
    let (Point { x, y }, r) = (mark.centre, mark.radius);
    let halo = Tint::Paper;
    let diamond = |r: f64| [(x - r, y), (x, y - r), (x + r, y), (x, y + r)].map(|(x, y)| Point { x, y });
    match (mark.tone, mark.kind) {
        (MarkTone::Usual, MarkKind::Raise) => {
            pen.shape(&diamond(r * 1.35 + 1.5), halo);
            pen.shape(&diamond(r * 1.35), colour);
        }
        (MarkTone::Usual, MarkKind::Finish) => {
            let square = Rect { x: x - r, y: y - r, w: 2.0 * r, h: 2.0 * r };
            pen.fill_round(&square.grown(1.5, 1.5), 2.5, halo);
            pen.fill_round(&square, 1.5, colour);
        }
        (MarkTone::Usual, _) => {
            pen.disc(mark.centre, r + 1.5, halo);
            pen.disc(mark.centre, r, if mark.hue == Hue::Plain { Tint::InkSoft } else { colour });
        }
        (MarkTone::Stopped | MarkTone::Wrong, _) => {
            pen.disc(mark.centre, r + 2.0, halo);
            pen.disc(mark.centre, r, colour);
            if mark.tone == MarkTone::Stopped {
                cross(pen, mark.centre, r * 0.42, 2.0, Tint::OnHue);
            } else {
                let on = Tint::OnHue;
                pen.line(&upright(x, y - r * 0.55, y + r * 0.12), 2.2, on);
                pen.disc(Point { x, y: y + r * 0.5 }, 1.3, on);
            }
        }
    }
}

fn cross(pen: &mut dyn Pen, at: Point, r: f64, width: f64, colour: Tint) {
    let corner = |dx: f64, dy: f64| Point { x: at.x + dx * r, y: at.y + dy * r };
    pen.line(&[corner(-1.0, -1.0), corner(1.0, 1.0)], width, colour);
    pen.line(&[corner(-1.0, 1.0), corner(1.0, -1.0)], width, colour);
}

fn tick(pen: &mut dyn Pen, at: Point, colour: Tint) {
    let corner = |dx: f64, dy: f64| Point { x: at.x + dx, y: at.y + dy };
    pen.line(&[corner(-3.2, 0.2), corner(-0.8, 2.8), corner(3.6, -3.0)], 1.75, colour);
}
