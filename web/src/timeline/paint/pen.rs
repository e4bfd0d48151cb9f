//! The few strokes that everything is drawn with.

use timeline::{Hue, Point, Rect};
use web_sys::CanvasRenderingContext2d;

use crate::timeline::palette::{HUES, Palette};

/// A canvas and the colours for it.
pub(super) struct Pen<'a> {
    pub(super) context: &'a CanvasRenderingContext2d,
    pub(super) palette: &'a Palette,
}

impl Pen<'_> {
    pub(super) fn hue(&self, hue: Hue) -> &str {
        self.palette.hue(hue)
    }

    pub(super) fn wash(&self, hue: Hue) -> &str {
        match hue {
            Hue::Worker(nth) => &self.palette.washes[usize::from(nth) % HUES],
            Hue::Service => &self.palette.accent_wash,
            Hue::Plain => &self.palette.line,
        }
    }

    pub(super) fn fill(&self, rect: &Rect, colour: &str) {
        self.context.set_fill_style_str(colour);
        self.context.fill_rect(rect.x, rect.y, rect.w, rect.h);
    }

    /// The outline of a box with round corners, as the current path.
    pub(super) fn round(&self, rect: &Rect, radius: f64) {
        let c = self.context;
        let r = radius.min(rect.w / 2.0).min(rect.h / 2.0).max(0.0);
        let (x0, y0, x1, y1) = (rect.x, rect.y, rect.right(), rect.bottom());
        c.begin_path();
        c.move_to(x0 + r, y0);
        // Arcs that end where the next begins: an error would need an infinite radius.
        let _ = c.arc_to(x1, y0, x1, y1, r);
        let _ = c.arc_to(x1, y1, x0, y1, r);
        let _ = c.arc_to(x0, y1, x0, y0, r);
        let _ = c.arc_to(x0, y0, x1, y0, r);
        c.close_path();
    }

    pub(super) fn fill_round(&self, rect: &Rect, radius: f64, colour: &str) {
        self.round(rect, radius);
        self.context.set_fill_style_str(colour);
        self.context.fill();
    }

    pub(super) fn stroke_round(&self, rect: &Rect, radius: f64, width: f64, colour: &str) {
        self.round(&rect.grown(-width / 2.0, -width / 2.0), radius);
        self.context.set_line_width(width);
        self.context.set_stroke_style_str(colour);
        self.context.stroke();
    }

    pub(super) fn line(&self, from: Point, to: Point, width: f64, colour: &str) {
        let c = self.context;
        c.begin_path();
        c.move_to(from.x, from.y);
        c.line_to(to.x, to.y);
        c.set_line_width(width);
        c.set_stroke_style_str(colour);
        c.stroke();
    }

    /// Many lines in one stroke.
    pub(super) fn lines(&self, lines: impl Iterator<Item = (Point, Point)>, width: f64, colour: &str) {
        let c = self.context;
        c.begin_path();
        for (from, to) in lines {
            c.move_to(from.x, from.y);
            c.line_to(to.x, to.y);
        }
        c.set_line_width(width);
        c.set_stroke_style_str(colour);
        c.stroke();
    }

    pub(super) fn disc(&self, at: Point, radius: f64, colour: &str) {
        self.circle(at, radius);
        self.context.set_fill_style_str(colour);
        self.context.fill();
    }

    pub(super) fn ring(&self, at: Point, radius: f64, width: f64, colour: &str) {
        self.circle(at, radius);
        self.context.set_line_width(width);
        self.context.set_stroke_style_str(colour);
        self.context.stroke();
    }

    fn circle(&self, at: Point, radius: f64) {
        self.context.begin_path();
        let _ = self.context.arc(at.x, at.y, radius, 0.0, std::f64::consts::TAU);
    }

    /// A closed shape through these points.
    pub(super) fn shape(&self, points: &[(f64, f64)], colour: &str) {
        let c = self.context;
        c.begin_path();
        for (nth, (x, y)) in points.iter().enumerate() {
            if nth == 0 {
                c.move_to(*x, *y);
            } else {
                c.line_to(*x, *y);
            }
        }
        c.close_path();
        c.set_fill_style_str(colour);
        c.fill();
    }

    /// Slanting lines over a box, so that it is told apart without its colour.
    pub(super) fn hatch(&self, rect: &Rect, apart: f64, width: f64, colour: &str) {
        let c = self.context;
        c.save();
        self.round(rect, 3.0);
        c.clip();
        c.begin_path();
        // On a grid of the whole canvas: the lines stand still while an edge is dragged.
        let mut x = ((rect.x - rect.h) / apart).floor() * apart;
        while x < rect.right() {
            c.move_to(x, rect.bottom());
            c.line_to(x + rect.h, rect.y);
            x += apart;
        }
        c.set_line_width(width);
        c.set_stroke_style_str(colour);
        c.stroke();
        c.restore();
    }

    /// Draws with lines broken like this.
    pub(super) fn dashed(&self, on: f64, off: f64, draw: impl FnOnce()) {
        let pattern = js_sys::Array::of2(&on.into(), &off.into());
        let _ = self.context.set_line_dash(&pattern);
        draw();
        let _ = self.context.set_line_dash(&js_sys::Array::new());
    }

    /// Draws as if through glass.
    pub(super) fn faint(&self, alpha: f64, draw: impl FnOnce()) {
        self.context.set_global_alpha(alpha);
        draw();
        self.context.set_global_alpha(1.0);
    }
}
