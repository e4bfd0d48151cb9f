//! The painter's pen in a file: each stroke is an element.

use super::colours::{Use, class};
use super::text::{escaped, number};
use crate::draft::insert;
use crate::paint::{Align, Pen, Text, Tint};
use crate::{Point, Rect};

/// From the middle of a line of text down to where its letters stand, as a share of the type's size. (Not every renderer knows
/// `dominant-baseline`.)
const BASELINE: f64 = 0.35;

/// Elements as they are written, and which colours they use.
pub(super) struct Quill {
    pub(super) elements: String,
    pub(super) used: Vec<(Tint, Use)>,
    alpha: f64,
    dashes: Option<(f64, f64)>,
}

/// Names and values of attributes.
type Attributes<'a> = &'a [(&'a str, String)];

impl Quill {
    pub(super) fn new() -> Self {
        Self { elements: String::new(), used: Vec::new(), alpha: 1.0, dashes: None }
    }

    fn class(&mut self, tint: Tint, used: Use) -> String {
        insert(&mut self.used, (tint, used));
        class(tint, used)
    }

    /// Writes the beginning of an element's tag, all but its end.
    fn open(&mut self, name: &str, class: &str, attributes: Attributes<'_>) {
        self.elements.push_str(&format!("<{name} class=\"{class}\""));
        for (name, value) in attributes {
            self.elements.push_str(&format!(" {name}=\"{value}\""));
        }
        if self.alpha < 1.0 {
            self.elements.push_str(&format!(" opacity=\"{}\"", number(self.alpha)));
        }
    }

    fn filled(&mut self, name: &str, tint: Tint, attributes: Attributes<'_>) {
        let class = self.class(tint, Use::Fill);
        self.open(name, &class, attributes);
        self.elements.push_str("/>\n");
    }

    fn stroked(&mut self, name: &str, width: f64, tint: Tint, attributes: Attributes<'_>) {
        let class = self.class(tint, Use::Line);
        self.open(name, &class, attributes);
        self.elements.push_str(&format!(" stroke-width=\"{}\"", number(width)));
        if let Some((on, off)) = self.dashes {
            self.elements.push_str(&format!(" stroke-dasharray=\"{} {}\"", number(on), number(off)));
        }
        self.elements.push_str("/>\n");
    }
}

impl Pen for Quill {
    fn glass(&mut self, alpha: f64) {
        self.alpha = alpha;
    }

    fn dashes(&mut self, pattern: Option<(f64, f64)>) {
        self.dashes = pattern;
    }

    fn fill(&mut self, rect: &Rect, tint: Tint) {
        self.fill_round(rect, 0.0, tint);
    }

    fn fill_round(&mut self, rect: &Rect, radius: f64, tint: Tint) {
        self.filled("rect", tint, &box_of(rect, radius));
    }

    fn stroke_round(&mut self, rect: &Rect, radius: f64, width: f64, tint: Tint) {
        let within = rect.grown(-width / 2.0, -width / 2.0);
        self.stroked("rect", width, tint, &box_of(&within, radius));
    }

    fn disc(&mut self, at: Point, radius: f64, tint: Tint) {
        self.filled("circle", tint, &circle(at, radius));
    }

    fn ring(&mut self, at: Point, radius: f64, width: f64, tint: Tint) {
        self.stroked("circle", width, tint, &circle(at, radius));
    }

    fn line(&mut self, points: &[Point], width: f64, tint: Tint) {
        self.stroked("path", width, tint, &[("d", through(points))]);
    }

    fn lines(&mut self, lines: &[(Point, Point)], width: f64, tint: Tint) {
        let path: String = lines.iter().map(|(from, to)| through(&[*from, *to])).collect();
        self.stroked("path", width, tint, &[("d", path)]);
    }

    fn shape(&mut self, corners: &[Point], tint: Tint) {
        self.filled("path", tint, &[("d", through(corners) + "z")]);
    }

    fn hatch(&mut self, rect: &Rect, apart: f64, width: f64, tint: Tint) {
        // Cut to the box here: clip paths and patterns are drawn less well than lines. A little within, for its round corners.
        let within = rect.grown(-0.6, -0.6);
        let mut lines = Vec::new();
        let mut x = ((within.x - within.h) / apart).floor() * apart;
        while x < within.right() {
            let from = (within.x - x).max(0.0);
            let to = (within.right() - x).min(within.h);
            if from < to {
                let point = |along: f64| Point { x: x + along, y: within.bottom() - along };
                lines.push((point(from), point(to)));
            }
            x += apart;
        }
        if !lines.is_empty() {
            self.lines(&lines, width, tint);
        }
    }

    fn text(&mut self, text: &Text<'_>) {
        let mut classes = self.class(text.tint, Use::Fill);
        if let Some(halo) = text.halo {
            classes = format!("{classes} {}", self.class(halo, Use::Halo));
        }
        let mut attributes = vec![
            ("x", number(text.at.x)),
            ("y", number(text.at.y + BASELINE * text.size)),
            ("font-size", number(text.size)),
        ];
        if text.bold {
            attributes.push(("font-weight", "600".to_string()));
        }
        match text.align {
            Align::Left => {}
            Align::Middle => attributes.push(("text-anchor", "middle".to_string())),
            Align::Right => attributes.push(("text-anchor", "end".to_string())),
        }
        self.open("text", &classes, &attributes);
        self.elements.push_str(&format!(">{}</text>\n", escaped(text.text)));
    }
}

fn box_of(rect: &Rect, radius: f64) -> Vec<(&'static str, String)> {
    let mut attributes = vec![
        ("x", number(rect.x)),
        ("y", number(rect.y)),
        ("width", number(rect.w.max(0.0))),
        ("height", number(rect.h.max(0.0))),
    ];
    let radius = radius.min(rect.w / 2.0).min(rect.h / 2.0);
    if radius > 0.0 {
        attributes.push(("rx", number(radius)));
    }
    attributes
}

fn circle(at: Point, radius: f64) -> [(&'static str, String); 3] {
    [("cx", number(at.x)), ("cy", number(at.y)), ("r", number(radius))]
}

/// A path through these points.
fn through(points: &[Point]) -> String {
    let mut path = String::new();
    for (nth, point) in points.iter().enumerate() {
        path.push(if nth == 0 { 'M' } else { 'L' });
        path.push_str(&format!("{} {}", number(point.x), number(point.y)));
    }
    path
}
