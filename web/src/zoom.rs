//! The stretch of the play that the timeline shows: all of it, or closer.

use kernel::SimTime;
use leptos::prelude::expect_context;
use timeline::{Scale, View};

use crate::session::Session;
use crate::slim::{State, effect};

/// How much closer a press or a key goes, and a notch of a wheel.
const STEP: f64 = 0.5;
const NOTCH: f64 = 0.85;

/// What is in view, whether it follows the playhead, and whether messages are drawn.
#[derive(Clone, Copy)]
pub(crate) struct Zoom {
    session: Session,
    /// `None`: all of it, however long it is.
    view: State<Option<View>>,
    pub(crate) follows: State<bool>,
    /// Whether messages are drawn.
    pub(crate) messages: State<bool>,
}

impl Zoom {
    pub(crate) fn new(session: Session) -> Self {
        let zoom =
            Self { session, view: State::new(None), follows: State::new(true), messages: State::new(false) };
        effect(move || {
            let at = session.playhead.get();
            if zoom.follows.get_untracked() {
                zoom.show(at);
            }
        });
        zoom
    }

    /// That of the page.
    pub(crate) fn of_page() -> Self {
        expect_context()
    }

    fn horizon(self) -> SimTime {
        self.session.play.with_untracked(|play| play.horizon())
    }

    /// What is in view of a play that ends then; `None`: all of it.
    pub(crate) fn of(self, horizon: SimTime) -> Option<View> {
        let view = self.view.get().map(|view| view.within(horizon));
        view.filter(|view| !view.is_whole(horizon))
    }

    pub(crate) fn is_close(self) -> bool {
        let horizon = self.session.play.with(|play| play.horizon());
        self.of(horizon).is_some()
    }

    /// Brings an instant into view.
    pub(crate) fn show(self, at: SimTime) {
        self.change(|view, horizon| view.showing(horizon, at));
    }

    fn change(self, change: impl FnOnce(View, SimTime) -> View) {
        let horizon = self.horizon();
        let now = self.view.get_untracked().map_or(View::whole(horizon), |view| view.within(horizon));
        let new = change(now, horizon);
        self.view.set(Some(new).filter(|view| !view.is_whole(horizon)));
    }

    /// Closer to the playhead, or farther from it.
    pub(crate) fn step(self, closer: bool) {
        let at = self.session.playhead.get_untracked();
        self.change(|view, horizon| {
            let factor = if closer { STEP } else { 1.0 / STEP };
            view.showing(horizon, at).zoomed(horizon, at, factor)
        });
    }

    /// Closer to an instant by so many notches of a wheel; farther where they are fewer than none.
    pub(crate) fn wheel(self, around: SimTime, notches: f64) {
        self.change(|view, horizon| view.zoomed(horizon, around, NOTCH.powf(notches)));
    }

    /// As much, so many microseconds later.
    pub(crate) fn pan(self, micros: i64) {
        self.change(|view, horizon| view.panned(horizon, micros));
    }

    /// As much, by a share of it later.
    pub(crate) fn pan_by(self, share: f64) {
        self.change(|view, horizon| {
            view.panned(horizon, (view.to.since(view.from).as_micros() as f64 * share) as i64)
        });
    }

    /// What two fingers make of it, from what was in view when they came down.
    pub(crate) fn pinch(self, held: (SimTime, SimTime), scale: &Scale, now: (f64, f64)) {
        self.change(|view, horizon| view.pinched(horizon, held, scale, now));
    }

    pub(crate) fn whole(self) {
        self.view.set(None);
    }
}
