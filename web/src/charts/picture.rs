//! What a chart shows, as plain data: lines over true time, stretches that are shaded, instants and points that are marked.

use kernel::SimTime;
use scenario::series::Corner;
use timeline::Hue;

/// A chart without its axes.
#[derive(Clone, Default, PartialEq)]
pub(super) struct Picture {
    pub(super) shades: Vec<Shade>,
    pub(super) lines: Vec<Line>,
    pub(super) uprights: Vec<Upright>,
    pub(super) dots: Vec<Dot>,
}

/// A stretch of true time, over the whole height.
#[derive(Clone, PartialEq)]
pub(super) struct Shade {
    pub(super) from: SimTime,
    pub(super) until: SimTime,
    pub(super) ink: Ink,
}

/// A line through corners.
#[derive(Clone, PartialEq)]
pub(super) struct Line {
    pub(super) corners: Vec<Corner>,
    pub(super) ink: Ink,
    pub(super) form: Form,
}

/// An instant, over the whole height, with a word at its top.
#[derive(Clone, PartialEq)]
pub(super) struct Upright {
    pub(super) at: SimTime,
    pub(super) ink: Ink,
    pub(super) label: String,
}

/// A point, with a word beside it.
#[derive(Clone, PartialEq)]
pub(super) struct Dot {
    pub(super) at: Corner,
    pub(super) ink: Ink,
    pub(super) label: String,
}

/// With which colour.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Ink {
    /// That of a lane.
    Lane(Hue),
    /// Of what is wrong.
    Bad,
    /// Of what is there for orientation.
    Soft,
}

/// How a line is drawn.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Form {
    Firm,
    Dashed,
    Thin,
    ThinDashed,
}

impl Picture {
    pub(super) fn line(&mut self, corners: Vec<Corner>, ink: Ink, form: Form) {
        self.lines.push(Line { corners, ink, form });
    }

    /// The least and the greatest value, with some room around them; 0 is among them.
    pub(super) fn range(&self) -> (i64, i64) {
        let of_lines = self.lines.iter().flat_map(|line| &line.corners);
        let values = of_lines.chain(self.dots.iter().map(|dot| &dot.at)).map(|corner| corner.micros);
        let (low, high) =
            values.fold((0, 0), |(low, high): (i64, i64), value| (low.min(value), high.max(value)));
        if low == high {
            return (low - FLAT, high + FLAT);
        }
        let room = (high - low) / 12;
        (low - room, high + room)
    }
}

/// The room on either side of what never moves, in microseconds.
const FLAT: i64 = 1_000_000;

#[cfg(test)]
mod tests {
    use super::*;

    fn picture(values: &[i64]) -> Picture {
        let corner = |micros: &i64| Corner { at: SimTime::ZERO, micros: *micros };
        let mut picture = Picture::default();
        picture.line(values.iter().map(corner).collect(), Ink::Soft, Form::Firm);
        picture
    }

    #[test]
    fn the_range_has_room_and_zero_in_it() {
        for (values, range) in [
            (&[][..], (-FLAT, FLAT)),
            (&[0, 0], (-FLAT, FLAT)),
            (&[0, -3_000_000], (-3_250_000, 250_000)),
            (&[8_000_000, 10_000_000], (-833_333, 10_833_333)),
        ] {
            assert_eq!(picture(values).range(), range, "{values:?}");
        }
    }
}
