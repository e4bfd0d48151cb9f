//! The words on a chart: each beside what it is of, and never two in one place. All figures are in the canvas's pixels.

use super::plot::{BOTTOM, HEIGHT, Sheet, TYPE};

/// Words that are to be written.
pub(super) struct Words<'a> {
    sheet: &'a Sheet<'a>,
    words: Vec<Word<'a>>,
}

impl<'a> Words<'a> {
    /// None yet.
    pub(super) fn new(sheet: &'a Sheet<'a>) -> Self {
        let Sheet { context, ratio, palette, .. } = sheet;
        context.set_font(&format!("{}px {}", (TYPE * ratio) as u32, palette.font));
        context.set_text_align("left");
        context.set_text_baseline("top");
        Self { sheet, words: Vec::new() }
    }

    /// One more, beside a point; nothing when it is there already, as when many leases end at once.
    pub(super) fn add(&mut self, text: &'a str, (x, y): (f64, f64)) {
        if !self.words.iter().any(|word| word.text == text && word.x == x && word.y == y) {
            let width = self.sheet.context.measure_text(text).map_or(0.0, |metrics| metrics.width());
            self.words.push(Word { text, x, y, width, place: None });
        }
    }

    /// Finds a place for each that has room, and wipes it: what is drawn so far does not run through a word.
    pub(super) fn place(&mut self, taken: Vec<Area>, uprights: &[f64]) {
        let Sheet { context, ratio, scale, .. } = self.sheet;
        let room = Room {
            left: scale.left() * ratio,
            right: scale.right() * ratio,
            bottom: (HEIGHT - BOTTOM) * ratio,
            line: (TYPE + 4.0) * ratio,
            gap: 5.0 * ratio,
            uprights,
        };
        place_all(&mut self.words, taken, &room);
        for [left, top, right, bottom] in self.words.iter().filter_map(|word| word.place) {
            context.clear_rect(left, top, right - left, bottom - top);
        }
    }

    /// Writes those that have a place. The others are left out: the list below the chart says them.
    pub(super) fn write(&self) {
        let Sheet { context, ratio, palette, .. } = self.sheet;
        context.set_fill_style_str(&palette.ink);
        for word in &self.words {
            if let Some([left, top, ..]) = word.place {
                let _ = context.fill_text(word.text, left, top + 3.0 * ratio);
            }
        }
    }
}

/// A word beside a point.
struct Word<'a> {
    text: &'a str,
    x: f64,
    y: f64,
    width: f64,
    place: Option<Area>,
}

/// A box: left, top, right, bottom.
type Area = [f64; 4];

/// What there is room in.
struct Room<'a> {
    left: f64,
    right: f64,
    bottom: f64,
    /// How high a word is.
    line: f64,
    /// Between a word and its point, or another.
    gap: f64,
    /// Uprights, which words had better not cross.
    uprights: &'a [f64],
}

/// How many lines lower than its point a word can go.
const LINES: u8 = 4;

/// Where each word goes, if there is room for it: to the right of its point or to the left, or some lines below; across an upright only
/// where nothing else is free. `taken`: where none may be.
fn place_all(words: &mut [Word<'_>], mut taken: Vec<Area>, room: &Room<'_>) {
    for word in words {
        word.place = place(word, &taken, room, false).or_else(|| place(word, &taken, room, true));
        let around = |[left, top, right, bottom]: Area| [left - room.gap, top, right + room.gap, bottom];
        taken.extend(word.place.map(around));
    }
}

fn place(word: &Word<'_>, taken: &[Area], room: &Room<'_>, across: bool) -> Option<Area> {
    for nth in 0..LINES {
        let top = word.y + f64::from(nth) * room.line;
        for left in [word.x + room.gap, word.x - room.gap - word.width] {
            let (right, bottom) = (left + word.width, top + room.line);
            let meets =
                |other: &Area| left < other[2] && other[0] < right && top < other[3] && other[1] < bottom;
            let crosses = |x: &f64| left < *x && *x < right;
            if left >= room.left
                && right <= room.right
                && bottom <= room.bottom
                && !taken.iter().any(meets)
                && (across || !room.uprights.iter().any(crosses))
            {
                return Some([left, top, right, bottom]);
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn room(uprights: &[f64]) -> Room<'_> {
        Room { left: 0.0, right: 100.0, bottom: 60.0, line: 10.0, gap: 4.0, uprights }
    }

    fn word(x: f64, width: f64) -> Word<'static> {
        Word { text: "", x, y: 0.0, width, place: None }
    }

    /// Left and top of each word of this width, beside points at the top.
    fn of(points: &[f64], width: f64, uprights: &[f64]) -> Vec<Option<(f64, f64)>> {
        let mut words: Vec<Word> = points.iter().map(|x| word(*x, width)).collect();
        place_all(&mut words, Vec::new(), &room(uprights));
        words.iter().map(|word| word.place.map(|[x, y, ..]| (x, y))).collect()
    }

    #[test]
    fn a_word_is_to_the_right_or_near_the_edge_to_the_left() {
        assert_eq!(of(&[10.0, 90.0], 30.0, &[]), [Some((14.0, 0.0)), Some((56.0, 0.0))]);
    }

    #[test]
    fn words_that_would_meet_go_below_one_another() {
        assert_eq!(
            of(&[10.0, 12.0, 14.0], 40.0, &[]),
            [Some((14.0, 0.0)), Some((16.0, 10.0)), Some((18.0, 20.0))]
        );
    }

    #[test]
    fn an_upright_is_crossed_only_where_there_is_no_other_way() {
        assert_eq!(of(&[50.0], 30.0, &[50.0, 60.0]), [Some((16.0, 0.0))], "to the left of both");
        assert_eq!(of(&[10.0], 30.0, &[10.0, 20.0]), [Some((14.0, 0.0))], "no room to the left");
    }

    #[test]
    fn a_word_without_room_is_left_out() {
        let many = of(&[50.0; 12], 40.0, &[]);
        assert_eq!(many.iter().flatten().count(), 8, "four lines on both sides");
        assert_eq!(of(&[50.0], 97.0, &[]), [None]);
    }

    #[test]
    fn what_is_taken_is_left_free() {
        let mut words = [word(10.0, 30.0)];
        place_all(&mut words, vec![[30.0, 0.0, 38.0, 8.0]], &room(&[]));
        assert_eq!(words[0].place, Some([14.0, 10.0, 44.0, 20.0]));
    }
}
