//! Fences, and marks: writes, sweeps, checks.

use timeline::{Hue, Layout, Mark, MarkKind, MarkTone, Point, Rect};

use super::Accent;
use super::pen::Pen;

pub(super) fn fences(pen: &Pen<'_>, layout: &Layout) {
    let c = pen.context;
    for fence in &layout.fences {
        c.begin_path();
        for (nth, corner) in fence.corners.iter().enumerate() {
            if nth == 0 {
                c.move_to(corner.x, corner.y);
            } else {
                c.line_to(corner.x, corner.y);
            }
        }
        c.set_line_width(1.75);
        c.set_stroke_style_str(&pen.palette.ink_soft);
        c.stroke();
    }
}

/// From where a request was sent to where it was decided: of those that matter, and of the one that is pointed at.
pub(super) fn arrows(pen: &Pen<'_>, layout: &Layout, accent: &Accent) {
    for (nth, mark) in layout.marks.iter().enumerate() {
        let shown = mark.tone != MarkTone::Usual || accent.mark == Some(nth);
        if let (Some(origin), true) = (mark.origin, shown) {
            let colour = tone(pen, mark);
            let end = Point { x: mark.centre.x, y: mark.centre.y - mark.radius };
            pen.dashed(3.0, 3.0, || pen.line(origin, end, 1.25, colour));
            pen.disc(origin, 2.0, colour);
        }
    }
}

fn tone<'a>(pen: &'a Pen<'_>, mark: &Mark) -> &'a str {
    match (mark.tone, mark.hue) {
        (MarkTone::Usual, hue) => pen.hue(hue),
        (MarkTone::Wrong | MarkTone::Stopped, _) => &pen.palette.bad,
    }
}

pub(super) fn marks(pen: &Pen<'_>, layout: &Layout, accent: &Accent) {
    for (nth, mark) in layout.marks.iter().enumerate() {
        if accent.mark == Some(nth) {
            pen.ring(mark.centre, mark.radius + 3.5, 2.0, tone(pen, mark));
        }
        if accent.differs.contains(&nth) {
            pen.ring(mark.centre, mark.radius + 5.0, 2.0, &pen.palette.accent);
        }
        self::mark(pen, mark);
    }
}

fn mark(pen: &Pen<'_>, mark: &Mark) {
    let (at, r) = (mark.centre, mark.radius);
    let colour = tone(pen, mark);
    let halo = &pen.palette.paper;
    match mark.kind {
        MarkKind::Raise | MarkKind::Item | MarkKind::Finish | MarkKind::Requeue => write(pen, mark, colour),
        MarkKind::Orphan => {
            pen.disc(at, r + 1.5, halo);
            pen.ring(at, r, 2.0, colour);
        }
        MarkKind::Confirmed | MarkKind::Restored => pen.disc(at, r, colour),
        MarkKind::Skipped => pen.faint(0.6, || pen.disc(at, r, &pen.palette.ink_soft)),
        MarkKind::CheckPassed => tick(pen, at, colour),
        MarkKind::CheckFailed => {
            pen.disc(at, r + 1.0, &pen.palette.good);
            pen.fill(&Rect { x: at.x - r * 0.6, y: at.y - 1.0, w: r * 1.2, h: 2.0 }, &pen.palette.on_hue);
        }
        MarkKind::RenewalFailed => cross(pen, at, r * 0.7, 1.75, &pen.palette.bad),
        MarkKind::Stopped | MarkKind::Done => {
            let square = Rect { x: at.x - r * 0.8, y: at.y - r * 0.8, w: r * 1.6, h: r * 1.6 };
            pen.fill_round(&square.grown(1.5, 1.5), 2.0, halo);
            pen.fill_round(&square, 1.5, pen.hue(mark.hue));
        }
        MarkKind::Woken => pen.ring(at, r * 0.7, 1.5, pen.hue(mark.hue)),
        MarkKind::StaleRead => {
            pen.disc(at, r + 1.5, halo);
            pen.disc(at, r, colour);
        }
    }
}

/// A write: its shape says what for, its colour whose, and a cross or an exclamation mark what became of it.
fn write(pen: &Pen<'_>, mark: &Mark, colour: &str) {
    let (Point { x, y }, r) = (mark.centre, mark.radius);
    let halo = &pen.palette.paper;
    let diamond = |r: f64| [(x - r, y), (x, y - r), (x + r, y), (x, y + r)];
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
            pen.disc(mark.centre, r, if mark.hue == Hue::Plain { &pen.palette.ink_soft } else { colour });
        }
        (MarkTone::Stopped | MarkTone::Wrong, _) => {
            pen.disc(mark.centre, r + 2.0, halo);
            pen.disc(mark.centre, r, colour);
            if mark.tone == MarkTone::Stopped {
                cross(pen, mark.centre, r * 0.42, 2.0, &pen.palette.on_hue);
            } else {
                let on = &pen.palette.on_hue;
                pen.line(Point { x, y: y - r * 0.55 }, Point { x, y: y + r * 0.12 }, 2.2, on);
                pen.disc(Point { x, y: y + r * 0.5 }, 1.3, on);
            }
        }
    }
}

fn cross(pen: &Pen<'_>, at: Point, r: f64, width: f64, colour: &str) {
    let corner = |dx: f64, dy: f64| Point { x: at.x + dx * r, y: at.y + dy * r };
    pen.line(corner(-1.0, -1.0), corner(1.0, 1.0), width, colour);
    pen.line(corner(-1.0, 1.0), corner(1.0, -1.0), width, colour);
}

fn tick(pen: &Pen<'_>, at: Point, colour: &str) {
    let c = pen.context;
    c.begin_path();
    c.move_to(at.x - 3.2, at.y + 0.2);
    c.line_to(at.x - 0.8, at.y + 2.8);
    c.line_to(at.x + 3.6, at.y - 3.0);
    c.set_line_width(1.75);
    c.set_stroke_style_str(colour);
    c.stroke();
}
