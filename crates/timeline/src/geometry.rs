//! Points and boxes in CSS pixels, y downwards.

/// A point.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Point {
    /// From the left.
    pub x: f64,
    /// From the top.
    pub y: f64,
}

/// A box.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Rect {
    /// Its left.
    pub x: f64,
    /// Its top.
    pub y: f64,
    /// Its width.
    pub w: f64,
    /// Its height.
    pub h: f64,
}

impl Rect {
    /// From its left, top, right and bottom.
    pub fn span(left: f64, top: f64, right: f64, bottom: f64) -> Self {
        Self { x: left, y: top, w: (right - left).max(0.0), h: (bottom - top).max(0.0) }
    }
    /// Its right.
    pub fn right(&self) -> f64 {
        self.x + self.w
    }
    /// Its bottom.
    pub fn bottom(&self) -> f64 {
        self.y + self.h
    }
    /// Its middle.
    pub fn centre(&self) -> Point {
        Point { x: self.x + self.w / 2.0, y: self.y + self.h / 2.0 }
    }
    /// Whether the point is in it.
    pub fn contains(&self, p: Point) -> bool {
        p.x >= self.x && p.x <= self.right() && p.y >= self.y && p.y <= self.bottom()
    }
    /// Whether the two share more than an edge.
    pub fn overlaps(&self, other: &Self) -> bool {
        self.x < other.right() && other.x < self.right() && self.y < other.bottom() && other.y < self.bottom()
    }
    /// Larger by so much on each side.
    pub fn grown(&self, dx: f64, dy: f64) -> Self {
        Self { x: self.x - dx, y: self.y - dy, w: self.w + 2.0 * dx, h: self.h + 2.0 * dy }
    }
    /// Large enough for a finger: at least `least` wide and high, about the same middle.
    pub fn at_least(&self, least: f64) -> Self {
        self.grown(((least - self.w) / 2.0).max(0.0), ((least - self.h) / 2.0).max(0.0))
    }
    /// The box around both.
    pub fn with(&self, other: &Self) -> Self {
        Self::span(
            self.x.min(other.x),
            self.y.min(other.y),
            self.right().max(other.right()),
            self.bottom().max(other.bottom()),
        )
    }
    /// How far the point is from it; 0 inside.
    pub fn distance(&self, p: Point) -> f64 {
        let dx = (self.x - p.x).max(p.x - self.right()).max(0.0);
        let dy = (self.y - p.y).max(p.y - self.bottom()).max(0.0);
        dx.hypot(dy)
    }
}
