//! Where one is in each story's lesson, and what one has answered there: kept in the browser, as a line a story.

use leptos::prelude::window;

const KEY: &str = "fencepost-lessons";
/// The first line, when the page was left in the middle of a lesson.
const OPEN: &str = "open";

/// What was answered to a question.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Answer {
    /// An option was chosen, counted from 0.
    Chosen(usize),
    /// Nothing: the answer was shown.
    Shown,
}

/// Where one is in a story's lesson.
#[derive(Clone, PartialEq, Default, Debug)]
pub(super) struct Seat {
    pub(super) story: String,
    /// The step, counted from 0.
    pub(super) step: usize,
    /// What was answered at each step so far.
    answers: Vec<Option<Answer>>,
}

impl Seat {
    /// At the first step, with nothing answered.
    pub(super) fn at_the_beginning(story: &str) -> Self {
        Self { story: story.to_string(), ..Self::default() }
    }
    pub(super) fn answer(&self) -> Option<Answer> {
        self.answers.get(self.step).copied().flatten()
    }
    pub(super) fn put(&mut self, answer: Answer) {
        self.answers.resize(self.answers.len().max(self.step + 1), None);
        if let Some(place) = self.answers.get_mut(self.step) {
            *place = Some(answer);
        }
    }

    fn line(&self) -> String {
        let answers = self.answers.iter().map(|answer| match answer {
            None => '.',
            Some(Answer::Shown) => '?',
            Some(Answer::Chosen(nth)) => char::from_digit(*nth as u32, 10).unwrap_or('?'),
        });
        format!("{} {} {}", self.story, self.step, answers.collect::<String>())
    }
    fn read(line: &str) -> Option<Self> {
        let mut words = line.split(' ');
        let (story, step) = (words.next()?.to_string(), words.next()?.parse().ok()?);
        let answers = words.next()?.chars().map(|mark| match mark {
            '?' => Some(Answer::Shown),
            mark => mark.to_digit(10).map(|nth| Answer::Chosen(nth as usize)),
        });
        Some(Self { story, step, answers: answers.collect() })
    }
}

/// The seats in all lessons that were begun, and whether one of them is taken.
#[derive(Clone, PartialEq, Default, Debug)]
pub(super) struct Seats {
    pub(super) is_open: bool,
    seats: Vec<Seat>,
}

impl Seats {
    /// Those that were kept.
    pub(super) fn kept() -> Self {
        let storage = window().local_storage().ok().flatten();
        let text = storage.and_then(|storage| storage.get_item(KEY).ok().flatten());
        text.map_or_else(Self::default, |text| Self::read(&text))
    }

    pub(super) fn keep(&self) {
        if let Ok(Some(storage)) = window().local_storage() {
            // A browser that keeps nothing is no reason to stop.
            let _ = storage.set_item(KEY, &self.text());
        }
    }

    /// The seat in a story's lesson: at its beginning, if it was not begun.
    pub(super) fn of(&self, story: &str) -> Seat {
        let seat = self.seats.iter().find(|seat| seat.story == story).cloned();
        seat.unwrap_or_else(|| Seat::at_the_beginning(story))
    }

    pub(super) fn take(&mut self, seat: Seat) {
        match self.seats.iter_mut().find(|known| known.story == seat.story) {
            Some(known) => *known = seat,
            None => self.seats.push(seat),
        }
    }

    fn text(&self) -> String {
        let open = if self.is_open { OPEN } else { "" };
        self.seats.iter().fold(open.to_string(), |text, seat| text + "\n" + &seat.line())
    }

    /// What cannot be read is left out: then a lesson begins anew.
    fn read(text: &str) -> Self {
        let mut lines = text.lines();
        Self { is_open: lines.next() == Some(OPEN), seats: lines.filter_map(Seat::read).collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seats_are_kept_as_text_and_read_again() {
        let mut seats = Seats { is_open: true, ..Seats::default() };
        let mut seat = seats.of("billing");
        assert_eq!((seat.step, seat.answer()), (0, None));
        seat.step = 1;
        seat.put(Answer::Chosen(2));
        seat.step = 3;
        seat.put(Answer::Shown);
        seats.take(seat);
        seats.take(Seat { story: "redis".to_string(), step: 2, ..Seat::default() });
        assert_eq!(seats.text(), "open\nbilling 3 .2.?\nredis 2 ");
        assert_eq!(Seats::read(&seats.text()), seats);
        seats.is_open = false;
        assert_eq!(Seats::read(&seats.text()), seats);
        let mut again = seats.of("billing");
        assert_eq!(again.answer(), Some(Answer::Shown));
        again.step = 1;
        assert_eq!(again.answer(), Some(Answer::Chosen(2)));
        again.step = 9;
        assert_eq!(again.answer(), None);
    }

    #[test]
    fn what_cannot_be_read_is_left_out() {
        for text in ["", "open", "open\n\nbilling\nbilling x .\n\u{0} 1"] {
            assert_eq!(Seats::read(text), Seats { is_open: text.starts_with("open"), seats: Vec::new() });
        }
    }
}
