//! Playing: the playhead moves by itself, at a speed. A frame is asked for only while it does.

use kernel::{SimTime, Span};
use leptos::prelude::*;

use crate::session::Session;

/// Speeds, as multiples of true time.
pub(crate) const SPEEDS: [u32; 4] = [1, 2, 4, 8];

/// Whether the playhead moves, and how fast.
#[derive(Clone, Copy)]
pub(crate) struct Playback {
    pub(crate) playing: RwSignal<bool>,
    pub(crate) speed: RwSignal<u32>,
    session: Session,
    /// When the frame before this one was, in milliseconds of the browser's clock.
    before: StoredValue<Option<f64>>,
    asked: StoredValue<bool>,
}

impl Playback {
    pub(crate) fn new(session: Session) -> Self {
        Self {
            playing: RwSignal::new(false),
            speed: RwSignal::new(4),
            session,
            before: StoredValue::new(None),
            asked: StoredValue::new(false),
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
        self.before.set_value(None);
        self.playing.set(starts);
        if starts {
            self.ask();
        }
    }

    pub(crate) fn stop(self) {
        if self.playing.get_untracked() {
            self.playing.set(false);
        }
    }

    fn end(self) -> SimTime {
        self.session.play.with_untracked(|play| play.horizon())
    }

    fn ask(self) {
        if !self.asked.get_value() {
            self.asked.set_value(true);
            request_animation_frame(move || self.frame());
        }
    }

    fn frame(self) {
        self.asked.set_value(false);
        if !self.playing.get_untracked() {
            return;
        }
        let now = window().performance().map_or(0.0, |clock| clock.now());
        let passed = self.before.get_value().map_or(0.0, |before| (now - before).max(0.0));
        self.before.set_value(Some(now));
        // A tab that was hidden asks for no frames: what passed meanwhile is not made up for.
        let micros = (passed.min(250.0) * 1_000.0) as u64;
        let at = self.session.playhead.get_untracked();
        self.session.seek(at + Span::from_micros(micros).times(self.speed.get_untracked().into()));
        if self.session.playhead.get_untracked() >= self.end() {
            self.playing.set(false);
        } else {
            self.ask();
        }
    }
}
