//! A hand on the timeline: a mouse or a finger that comes down, moves and lifts, as real input to the browser.

use std::time::Duration;

use fantoccini::actions::{
    Actions, InputSource as _, MOUSE_BUTTON_LEFT, MouseActions, PointerAction, TouchActions,
};

use crate::page::{Page, Place};

/// A control over A's pause.
pub(crate) const PAUSE: &str = "[data-fault='a-pause']";
/// How long the pointer takes from one place to the next: about a frame.
const STEP: Duration = Duration::from_millis(12);

/// What points.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Pointer {
    Mouse,
    Finger,
}

impl Pointer {
    fn does(self, actions: Vec<PointerAction>) -> Actions {
        match self {
            Self::Mouse => {
                actions.into_iter().fold(MouseActions::new("mouse".into()), MouseActions::then).into()
            }
            Self::Finger => {
                actions.into_iter().fold(TouchActions::new("finger".into()), TouchActions::then).into()
            }
        }
    }
}

fn to(x: f64, y: f64) -> PointerAction {
    PointerAction::MoveTo { duration: Some(STEP), x: x.round(), y: y.round() }
}

impl Page {
    async fn acts(&self, pointer: Pointer, actions: Vec<PointerAction>) {
        self.client.perform_actions(pointer.does(actions)).await.expect("the browser takes the input");
    }

    /// Comes down at a place.
    pub(crate) async fn press(&self, pointer: Pointer, (x, y): (f64, f64)) {
        self.acts(pointer, vec![to(x, y), PointerAction::Down { button: MOUSE_BUTTON_LEFT }]).await;
    }

    /// Moves to a place in so many steps.
    pub(crate) async fn pull(&self, pointer: Pointer, from: (f64, f64), end: (f64, f64), steps: u32) {
        let part = |step: u32| f64::from(step) / f64::from(steps);
        let place = |step| to(from.0 + (end.0 - from.0) * part(step), from.1 + (end.1 - from.1) * part(step));
        self.acts(pointer, (1..=steps).map(place).collect()).await;
    }

    /// Lifts.
    pub(crate) async fn lift(&self, pointer: Pointer) {
        self.acts(pointer, vec![PointerAction::Up { button: MOUSE_BUTTON_LEFT }]).await;
    }

    /// Where A's pause is, and how many pixels a second has: its block is as long as the story's 15 s.
    pub(crate) async fn pause_block(&self) -> (Place, f64) {
        let block = self.place(PAUSE).await;
        (block, block.w / 15.0)
    }
}
