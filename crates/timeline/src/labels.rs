//! Text in the lanes: how wide it is about, and where it goes without covering other text.

use crate::layout::Hue;
use crate::{Point, Rect};

/// What a label is about: the painter chooses type and colour by it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LabelStyle {
    /// Within a reign's band.
    Reign,
    /// Within a bar of belief, on its colour.
    OnBar,
    /// Beside a bar.
    ByBar,
    /// The name of a fault.
    Fault,
    /// A stop time.
    Stop,
    /// Where a fence stands.
    Fence,
    /// Beside a mark, as usual.
    Mark,
    /// Beside a mark of something that was kept out.
    MarkStopped,
    /// Beside a mark of something that went wrong.
    MarkWrong,
}

/// A label in its place.
#[derive(Clone, PartialEq, Debug)]
pub struct Label {
    /// The text.
    pub text: String,
    /// What it is about.
    pub style: LabelStyle,
    /// In whose colour, for styles that have one.
    pub hue: Hue,
    /// Its left, and its middle from the top.
    pub at: Point,
}

impl LabelStyle {
    /// Type size in pixels, and whether it is bold.
    pub fn font(self) -> (f64, bool) {
        match self {
            Self::Reign | Self::OnBar | Self::ByBar => (10.5, true),
            Self::Fault => (12.0, true),
            Self::MarkStopped | Self::MarkWrong => (11.5, true),
            Self::Stop | Self::Fence | Self::Mark => (10.5, false),
        }
    }
}

/// A label that is wanted: places in order of liking, and whether it may be left out.
pub(crate) struct Wish {
    pub(crate) lane: usize,
    pub(crate) text: String,
    pub(crate) style: LabelStyle,
    pub(crate) hue: Hue,
    /// The label's left and its middle, each a place that would do.
    pub(crate) places: [Option<Point>; 3],
    /// Lower comes first; at most [`RANK_LAST`].
    pub(crate) rank: u8,
    /// Put at its first place if no place is free.
    pub(crate) must: bool,
}

/// The rank that comes last.
pub(crate) const RANK_LAST: u8 = 7;

/// What is in the way of labels on a lane.
pub(crate) struct Obstacle {
    pub(crate) lane: usize,
    pub(crate) rect: Rect,
}

/// Widths of printable ASCII in a usual sans serif, in hundredths of the type size.
#[rustfmt::skip]
const WIDTHS: [u8; 95] = [
    28, 28, 36, 56, 56, 89, 67, 20, 34, 34, 39, 59, 28, 34, 28, 28,
    56, 56, 56, 56, 56, 56, 56, 56, 56, 56, 28, 28, 59, 59, 59, 56,
    99, 67, 67, 72, 72, 67, 61, 78, 72, 28, 50, 67, 56, 83, 72, 78,
    67, 78, 72, 67, 61, 72, 67, 94, 67, 67, 61, 28, 28, 28, 47, 56,
    34, 56, 56, 50, 56, 56, 28, 56, 56, 23, 23, 50, 23, 83, 56, 56,
    56, 56, 34, 50, 28, 56, 50, 72, 50, 50, 50, 34, 26, 34, 59,
];

/// About how wide a text is.
pub fn text_width(text: &str, style: LabelStyle) -> f64 {
    let (size, bold) = style.font();
    width(text, size, bold)
}

/// About how wide a text is that is set in type of this size.
pub(crate) fn width(text: &str, size: f64, bold: bool) -> f64 {
    let hundredths: u32 = text
        .chars()
        .map(|c| match (c as usize).checked_sub(32) {
            Some(place) if place < WIDTHS.len() => u32::from(WIDTHS[place]),
            Some(_) | None => 58,
        })
        .sum();
    f64::from(hundredths) / 100.0 * size * if bold { 1.1 } else { 1.04 }
}

/// The box of a label whose left and middle are at `at`.
fn box_of(text: &str, style: LabelStyle, at: Point, type_scale: f64) -> Rect {
    let height = style.font().0 + 2.0;
    Rect { x: at.x, y: at.y - height / 2.0, w: text_width(text, style) * type_scale, h: height }
}

/// Puts each wish where it covers no label and no mark, in order of rank; leaves out what has no place and may go.
pub(crate) fn place(
    wishes: &[Wish],
    obstacles: &[Obstacle],
    lanes: usize,
    bounds: Rect,
    type_scale: f64,
) -> Vec<Label> {
    let mut taken: Vec<Vec<Rect>> = vec![Vec::new(); lanes];
    for obstacle in obstacles {
        taken[obstacle.lane].push(obstacle.rect);
    }
    let mut labels = Vec::with_capacity(wishes.len());
    // By rank, in passes: there are few ranks, and no sort is needed for them.
    let by_rank = (0..=RANK_LAST).flat_map(|rank| wishes.iter().filter(move |wish| wish.rank == rank));
    for wish in by_rank {
        let width = text_width(&wish.text, wish.style) * type_scale;
        let held = |at: Point| Point { x: at.x.min(bounds.right() - width).max(bounds.x), y: at.y };
        let free = |at: &Point| {
            let rect = box_of(&wish.text, wish.style, *at, type_scale);
            rect.x >= bounds.x - 0.5
                && rect.right() <= bounds.right() + 0.5
                && taken[wish.lane].iter().all(|other| !other.overlaps(&rect))
        };
        let place = wish.places.iter().flatten().copied().find(free);
        let first = wish.places.iter().flatten().copied().next().filter(|_| wish.must).map(held);
        if let Some(at) = place.or(first) {
            taken[wish.lane].push(box_of(&wish.text, wish.style, at, type_scale).grown(3.0, 0.0));
            labels.push(Label { text: wish.text.clone(), style: wish.style, hue: wish.hue, at });
        }
    }
    labels
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOUNDS: Rect = Rect { x: 0.0, y: 0.0, w: 300.0, h: 100.0 };

    fn wish(text: &str, places: [Option<Point>; 3], must: bool) -> Wish {
        Wish { lane: 0, text: text.into(), style: LabelStyle::Mark, hue: Hue::Plain, places, rank: 1, must }
    }
    const fn at(x: f64) -> Option<Point> {
        Some(Point { x, y: 10.0 })
    }

    #[test]
    fn a_label_goes_to_its_first_free_place_or_not_at_all() {
        let wishes = vec![
            wish("first", [at(10.0), None, None], false),
            wish("second", [at(12.0), at(80.0), None], false),
            wish("third", [at(14.0), None, None], false),
            wish("fourth", [at(290.0), None, None], true),
        ];
        let placed = place(&wishes, &[], 1, BOUNDS, 1.0);
        let texts: Vec<(&str, bool)> =
            placed.iter().map(|label| (label.text.as_str(), label.at.x < 280.0)).collect();
        assert_eq!(texts, [("first", true), ("second", true), ("fourth", true)]);
        assert_eq!(placed[1].at.x, 80.0);
    }

    #[test]
    fn marks_are_in_the_way_of_labels() {
        let mark = Obstacle { lane: 0, rect: Rect { x: 8.0, y: 5.0, w: 10.0, h: 10.0 } };
        let placed = place(&[wish("text", [at(10.0), at(40.0), None], false)], &[mark], 1, BOUNDS, 1.0);
        assert_eq!(placed[0].at.x, 40.0);
    }

    #[test]
    fn wider_text_measures_wider() {
        assert!(text_width("WWW", LabelStyle::Mark) > text_width("iii", LabelStyle::Mark) * 3.0);
        assert!(text_width("−3 s", LabelStyle::Mark) > 0.0);
    }
}
