//! The painter's pen on a canvas.

use timeline::paint::{Align, Pen, Text, Tint};
use timeline::{Point, Rect};
use web_sys::CanvasRenderingContext2d;

use super::palette::Palette;

/// A canvas and the colours for it.
pub(super) struct Brush<'a> {
    context: &'a CanvasRenderingContext2d,
    palette: &'a Palette,
    /// Size and boldness of the type that the canvas is set to.
    font: Option<(f64, bool)>,
}

impl<'a> Brush<'a> {
    pub(super) fn new(context: &'a CanvasRenderingContext2d, palette: &'a Palette) -> Self {
        context.set_text_baseline("middle");
        Self { context, palette, font: None }
    }

    fn fill_path(&self, tint: Tint) {
        self.context.set_fill_style_str(self.palette.of_tint(tint));
        self.context.fill();
    }

    fn stroke_path(&self, width: f64, tint: Tint) {
        self.context.set_line_width(width);
        self.context.set_stroke_style_str(self.palette.of_tint(tint));
        self.context.stroke();
    }

    /// The outline of a box with round corners, as the current path.
    fn round(&self, rect: &Rect, radius: f64) {
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

    fn circle(&self, at: Point, radius: f64) {
        self.context.begin_path();
        let _ = self.context.arc(at.x, at.y, radius, 0.0, std::f64::consts::TAU);
    }

    /// A path through these points.
    fn through(&self, points: &[Point]) {
        self.context.begin_path();
        for (nth, point) in points.iter().enumerate() {
            if nth == 0 {
                self.context.move_to(point.x, point.y);
            } else {
                self.context.line_to(point.x, point.y);
            }
        }
    }
}

impl Pen for Brush<'_> {
    fn glass(&mut self, alpha: f64) {
        self.context.set_global_alpha(alpha);
    }

    fn dashes(&mut self, pattern: Option<(f64, f64)>) {
        let pattern = match pattern {
            Some((on, off)) => js_sys::Array::of2(&on.into(), &off.into()),
            None => js_sys::Array::new(),
        };
        let _ = self.context.set_line_dash(&pattern);
    }

    fn fill(&mut self, rect: &Rect, tint: Tint) {
        self.context.set_fill_style_str(self.palette.of_tint(tint));
        self.context.fill_rect(rect.x, rect.y, rect.w, rect.h);
    }

    fn fill_round(&mut self, rect: &Rect, radius: f64, tint: Tint) {
        self.round(rect, radius);
        self.fill_path(tint);
    }

    fn stroke_round(&mut self, rect: &Rect, radius: f64, width: f64, tint: Tint) {
        self.round(&rect.grown(-width / 2.0, -width / 2.0), radius);
        self.stroke_path(width, tint);
    }

    fn disc(&mut self, at: Point, radius: f64, tint: Tint) {
        self.circle(at, radius);
        self.fill_path(tint);
    }

    fn ring(&mut self, at: Point, radius: f64, width: f64, tint: Tint) {
        self.circle(at, radius);
        self.stroke_path(width, tint);
    }

    fn line(&mut self, points: &[Point], width: f64, tint: Tint) {
        self.through(points);
        self.stroke_path(width, tint);
    }

    fn lines(&mut self, lines: &[(Point, Point)], width: f64, tint: Tint) {
        let c = self.context;
        c.begin_path();
        for (from, to) in lines {
            c.move_to(from.x, from.y);
            c.line_to(to.x, to.y);
        }
        self.stroke_path(width, tint);
    }

    fn shape(&mut self, corners: &[Point], tint: Tint) {
        self.through(corners);
        self.context.close_path();
        self.fill_path(tint);
    }

    fn hatch(&mut self, rect: &Rect, apart: f64, width: f64, tint: Tint) {
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
        self.stroke_path(width, tint);
        c.restore();
    }

    fn text(&mut self, text: &Text<'_>) {
        let c = self.context;
        if self.font != Some((text.size, text.bold)) {
            let tenths = (text.size * 10.0) as u32;
            let weight = if text.bold { "600" } else { "400" };
            c.set_font(&format!("{weight} {}.{}px {}", tenths / 10, tenths % 10, self.palette.font));
            self.font = Some((text.size, text.bold));
        }
        c.set_text_align(match text.align {
            Align::Left => "left",
            Align::Middle => "center",
            Align::Right => "right",
        });
        if let Some(halo) = text.halo {
            c.set_line_width(3.5);
            c.set_line_join("round");
            c.set_stroke_style_str(self.palette.of_tint(halo));
            let _ = c.stroke_text(text.text, text.at.x, text.at.y);
        }
        c.set_fill_style_str(self.palette.of_tint(text.tint));
        let _ = c.fill_text(text.text, text.at.x, text.at.y);
    }
}
