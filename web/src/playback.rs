//! Playing: the playhead moves by itself, at a speed. A frame is asked for only while it does.

use kernel::{SimTime, Span};
use leptos::prelude::{expect_context, request_animation_frame, window};

use crate::session::Session;
use crate::slim::State;

/// Speeds, as multiples of true time.
pub(crate) const SPEEDS: [u32; 4] = [1, 2, 4, 8];

/// Whether the playhead moves, and how fast.
#[derive(Clone, Copy)]
pub(crate) struct Playback {
    pub(crate) playing: State<bool>,
    pub(crate) speed: State<u32>,
    session: Session,
    /// When the frame before this one was, in microseconds of the browser's clock.
    before: State<Option<u64>>,
    asked: State<bool>,
}

impl Playback {
    pub(crate) fn new(session: Session) -> Self {
        Self {
            playing: State::new(false),
            speed: State::new(4),
            session,
            before: State::new(None),
            asked: State::new(false),
        }
    }

    /// The playback of the page.
    pub(crate) fn of_page() -> Self {
        expect_context()
    }

    /// Plays, or stops; from the beginning when it is at the end.
    pub(crate) fn toggle(self) {
        let starts = !self.playing.get_untracked();
        if starts && self.session.playhead.get_untracked() >= self.end() {
            self.session.seek(SimTime::ZERO);
        }
        self.before.set(None);
        self.playing.set(starts);
        if starts {
            self.ask();
        }
    }

    pub(crate) fn stop(self) {
        self.playing.set(false);
    }

    fn end(self) -> SimTime {
        self.session.play.with_untracked(|play| play.horizon())
    }

    fn ask(self) {
        if !self.asked.get_untracked() {
            self.asked.set(true);
            request_animation_frame(move || self.frame());
        }
    }

    fn frame(self) {
        self.asked.set(false);
        // A figure can be taken out while it plays.
        if self.playing.is_gone() || !self.playing.get_untracked() {
            return;
        }
        let now = window().performance().map_or(0, |clock| (clock.now() * 1_000.0) as u64);
        let passed = self.before.get_untracked().map_or(0, |before| now.saturating_sub(before));
        self.before.set(Some(now));
        // A tab that was hidden asks for no frames: what passed meanwhile is not made up for.
        let passed = Span::from_micros(passed.min(250_000));
        let at = self.session.playhead.get_untracked();
        self.session.seek(at + passed.times(self.speed.get_untracked().into()));
        if self.session.playhead.get_untracked() >= self.end() {
            self.playing.set(false);
        } else {
            self.ask();
        }
    }
}
