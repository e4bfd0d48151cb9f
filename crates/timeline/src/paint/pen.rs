//! The few strokes that everything is drawn with.

use super::Tint;
use crate::{Point, Rect};

/// What makes strokes.
pub trait Pen {
    /// From now on draws as if through glass: 1 is no glass at all.
    fn glass(&mut self, alpha: f64);
    /// From now on breaks lines: so many pixels on and so many off; `None`: lines are whole.
    fn dashes(&mut self, pattern: Option<(f64, f64)>);
    /// Fills a box.
    fn fill(&mut self, rect: &Rect, tint: Tint);
    /// Fills a box with round corners.
    fn fill_round(&mut self, rect: &Rect, radius: f64, tint: Tint);
    /// Outlines a box with round corners, within it.
    fn stroke_round(&mut self, rect: &Rect, radius: f64, width: f64, tint: Tint);
    /// Fills a circle.
    fn disc(&mut self, at: Point, radius: f64, tint: Tint);
    /// Outlines a circle.
    fn ring(&mut self, at: Point, radius: f64, width: f64, tint: Tint);
    /// A line through these points.
    fn line(&mut self, points: &[Point], width: f64, tint: Tint);
    /// Many lines in one stroke.
    fn lines(&mut self, lines: &[(Point, Point)], width: f64, tint: Tint);
    /// Fills the shape with these corners.
    fn shape(&mut self, corners: &[Point], tint: Tint);
    /// Slanting lines over a box, so many pixels apart, so that it is told apart without its colour.
    fn hatch(&mut self, rect: &Rect, apart: f64, width: f64, tint: Tint);
    /// A line of text.
    fn text(&mut self, text: &Text<'_>);
}

/// A line of text and how it is set.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Text<'a> {
    /// What it says.
    pub text: &'a str,
    /// Its left, its middle or its right, by `align`; from the top its middle.
    pub at: Point,
    /// Which of them.
    pub align: Align,
    /// Type size in pixels.
    pub size: f64,
    /// Whether it is bold.
    pub bold: bool,
    /// Its colour.
    pub tint: Tint,
    /// The colour of the halo that keeps it readable over lines.
    pub halo: Option<Tint>,
}

/// Which of its points a text is put by.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Align {
    /// Its left.
    Left,
    /// Its middle.
    Middle,
    /// Its right.
    Right,
}

/// The ends of an upright line.
pub(super) fn upright(x: f64, top: f64, bottom: f64) -> [Point; 2] {
    [Point { x, y: top }, Point { x, y: bottom }]
}

/// The corners of a wedge that points downwards.
pub(super) fn wedge(x: f64, top: f64, half: f64, height: f64) -> [Point; 3] {
    [Point { x: x - half, y: top }, Point { x: x + half, y: top }, Point { x, y: top + height }]
}

impl dyn Pen + '_ {
    /// Draws as if through glass.
    pub(super) fn faint(&mut self, alpha: f64, draw: impl FnOnce(&mut Self)) {
        self.glass(alpha);
        draw(self);
        self.glass(1.0);
    }

    /// Draws with lines broken like this.
    pub(super) fn dashed(&mut self, on: f64, off: f64, draw: impl FnOnce(&mut Self)) {
        self.dashes(Some((on, off)));
        draw(self);
        self.dashes(None);
    }
}
