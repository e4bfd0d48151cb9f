//! A story's lesson: its steps, where one is, and what is hidden until a question is answered.
//!
//! It is about the story as it is told. An edit does not break it: what is said may then not be so, the panel says that, and
//! leads back.

mod panel;
mod question;
mod seat;

pub(crate) use panel::{LessonButton, Panel};

use kernel::SimTime;
use leptos::prelude::expect_context;
use scenario::Document;
use scenario::document::model::LessonStep;

use crate::format::millis;
use crate::playback::Playback;
use crate::session::{Choice, Session};
use crate::shared::Shared;
use crate::slim::{Memo, State, effect, memo};
use seat::{Answer, Seat, Seats};

/// The lesson of the story that is open.
#[derive(Clone, Copy)]
pub(crate) struct Lesson {
    session: Session,
    playback: Playback,
    seats: State<Seats>,
    /// The story that it belongs to.
    story: Memo<String>,
    steps: Memo<Shared<Vec<LessonStep>>>,
    /// Whether it is shown.
    pub(crate) is_open: Memo<bool>,
    /// Whether a question waits for an answer: what comes after its instant is hidden so long.
    pub(crate) is_asking: Memo<bool>,
}

impl Lesson {
    /// Takes it up where it was left.
    pub(crate) fn new(session: Session, playback: Playback) -> Self {
        let seats = State::new(Seats::kept());
        let story = memo(move || session.choice.with(|choice| choice.story.clone()));
        let steps = memo(move || Shared::new(story.with(|story| steps(story))));
        let is_open =
            memo(move || seats.with(|seats| seats.is_open) && steps.with(|steps| !steps.is_empty()));
        let is_asking = memo(move || {
            let seat = seats.with(|seats| story.with(|story| seats.of(story)));
            let step = steps.get();
            let step = step.get(seat.step).filter(|step| step.ask.is_some());
            is_open.get() && seat.answer().is_none() && step.is_some_and(|step| !is_astray(session, step))
        });
        let lesson = Self { session, playback, seats, story, steps, is_open, is_asking };
        effect(move || seats.with(Seats::keep));
        // Another story has another lesson; it goes on where that one was.
        effect(move || {
            story.track();
            if is_open.get() {
                lesson.arrive();
            }
        });
        lesson
    }

    /// The lesson of the page.
    pub(crate) fn of_page() -> Self {
        expect_context()
    }

    /// Whether the story has one.
    pub(crate) fn is_there(self) -> bool {
        self.steps.with(|steps| !steps.is_empty())
    }

    /// Shows it, or puts it away; where one was is kept.
    pub(crate) fn open(self, is_open: bool) {
        self.seats.update(|seats| seats.is_open = is_open);
    }

    fn seat(self) -> Seat {
        self.seats.with(|seats| self.story.with(|story| seats.of(story)))
    }

    fn seat_untracked(self) -> Seat {
        self.seats.with_untracked(|seats| self.story.with_untracked(|story| seats.of(story)))
    }

    fn change(self, change: impl FnOnce(&mut Seat)) {
        let mut seat = self.seat_untracked();
        change(&mut seat);
        self.seats.update(|seats| seats.take(seat));
    }

    /// The step where one is: its number, counted from 0, and what it says.
    fn step(self) -> (usize, Option<LessonStep>) {
        let nth = self.seat().step;
        (nth, self.steps.with(|steps| steps.get(nth).cloned()))
    }

    fn count(self) -> usize {
        self.steps.with(|steps| steps.len())
    }

    /// Whether what is shown is not what the step speaks of.
    fn is_astray(self) -> bool {
        self.step().1.is_some_and(|step| is_astray(self.session, &step))
    }

    fn go(self, step: usize) {
        self.change(|seat| seat.step = step);
        self.arrive();
    }

    fn answer(self, answer: Answer) {
        self.change(|seat| seat.put(answer));
    }

    /// To the first step, with nothing answered.
    fn begin_anew(self) {
        self.change(|seat| *seat = Seat::at_the_beginning(&seat.story));
        self.arrive();
    }

    /// Shows what the step speaks of. What was edited is not thrown away for that.
    fn arrive(self) {
        let nth = self.seat_untracked().step;
        let Some(step) = self.steps.with_untracked(|steps| steps.get(nth).cloned()) else {
            // The story has fewer steps than it had.
            if nth > 0 {
                self.begin_anew();
            }
            return;
        };
        self.playback.stop();
        let untouched =
            !self.session.is_edited_untracked() && self.session.draft.with_untracked(Option::is_none);
        if untouched {
            self.turn_to(&step);
        }
        let at = self.session.play.with_untracked(|play| scenario::lesson::instant(play, &step.at));
        if let Some(at) = at {
            // All that the page shows at this instant has happened.
            self.session.seek(SimTime::from_micros(millis(at) * 1_000 + 499));
        }
        self.session.selected.set(step.fault);
    }

    /// Opens the variant that a step shows.
    fn turn_to(self, step: &LessonStep) {
        if self.session.choice.with_untracked(|choice| choice.variant != step.variant) {
            let story = self.story.get_untracked();
            self.session.choose(&Choice { story, variant: step.variant.clone() });
        }
    }

    /// Back to the story as it is told, at the step where one is.
    fn come_back(self) {
        let nth = self.seat_untracked().step;
        let step = self.steps.with_untracked(|steps| steps.get(nth).cloned());
        if let Some(step) = step {
            self.turn_to(&step);
        }
        self.session.reset();
        self.session.draft.set(None);
        self.arrive();
    }
}

fn is_astray(session: Session, step: &LessonStep) -> bool {
    session.choice.with(|choice| choice.variant != step.variant) || session.is_edited()
}

/// The steps that a story's document has, for all its variants.
fn steps(story: &str) -> Vec<LessonStep> {
    let document = scenario::story(story).and_then(|story| Document::parse(story.text).ok());
    document.and_then(|document| document.scenario().ok()).map_or_else(Vec::new, |scenario| scenario.step)
}
