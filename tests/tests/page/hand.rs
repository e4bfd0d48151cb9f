//! A hand on the timeline: a mouse or a finger that comes down, moves and lifts, as real input to the browser.

use std::time::Duration;

use fantoccini::actions::{InputSource as _, MOUSE_BUTTON_LEFT, MouseActions, PointerAction};
use serde_json::json;

use crate::page::{Page, Place};

/// A control over A's pause.
pub(crate) const PAUSE: &str = "[data-fault='a-pause']";
/// How long the mouse takes from one place to the next: about a frame.
const STEP: Duration = Duration::from_millis(12);

/// What points.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Pointer {
    Mouse,
    /// Through the browser's own protocol: of WebDriver's touch actions chromedriver 156 delivers only the first.
    Finger,
}

impl Page {
    /// Comes down at a place.
    pub(crate) async fn press(&self, pointer: Pointer, at: (f64, f64)) {
        match pointer {
            Pointer::Mouse => {
                self.mouse([move_to(at), PointerAction::Down { button: MOUSE_BUTTON_LEFT }]).await
            }
            Pointer::Finger => self.touch("touchStart", Some(at)).await,
        }
    }

    /// Moves to a place in so many steps.
    pub(crate) async fn pull(&self, pointer: Pointer, from: (f64, f64), end: (f64, f64), steps: u32) {
        let part = |step: u32| f64::from(step) / f64::from(steps);
        let places = (1..=steps)
            .map(|step| (from.0 + (end.0 - from.0) * part(step), from.1 + (end.1 - from.1) * part(step)));
        match pointer {
            Pointer::Mouse => self.mouse(places.map(move_to)).await,
            Pointer::Finger => {
                for at in places {
                    self.touch("touchMove", Some(at)).await;
                }
            }
        }
    }

    /// Lifts.
    pub(crate) async fn lift(&self, pointer: Pointer) {
        match pointer {
            Pointer::Mouse => self.mouse([PointerAction::Up { button: MOUSE_BUTTON_LEFT }]).await,
            Pointer::Finger => self.touch("touchEnd", None).await,
        }
    }

    /// Where A's pause is, and how many pixels a second has: its block is as long as the story's 15 s.
    pub(crate) async fn pause_block(&self) -> (Place, f64) {
        let block = self.place(PAUSE).await;
        (block, block.w / 15.0)
    }

    async fn mouse(&self, actions: impl IntoIterator<Item = PointerAction>) {
        let mouse = actions.into_iter().fold(MouseActions::new("mouse".into()), MouseActions::then);
        self.client.perform_actions(mouse).await.expect("the browser takes the input");
    }

    async fn touch(&self, what: &str, at: Option<(f64, f64)>) {
        let points: Vec<_> = at.into_iter().map(|(x, y)| json!({ "x": x.round(), "y": y.round() })).collect();
        self.devtools("Input.dispatchTouchEvent", json!({ "type": what, "touchPoints": points })).await;
    }
}

fn move_to((x, y): (f64, f64)) -> PointerAction {
    PointerAction::MoveTo { duration: Some(STEP), x: x.round(), y: y.round() }
}
