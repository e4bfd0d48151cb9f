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

    /// Moves the mouse to a place in so many steps, each of so long.
    pub(crate) async fn pull_at(&self, from: (f64, f64), end: (f64, f64), steps: u32, each: Duration) {
        let part = |step: u32| f64::from(step) / f64::from(steps);
        let at = |step: u32| (from.0 + (end.0 - from.0) * part(step), from.1 + (end.1 - from.1) * part(step));
        self.mouse((1..=steps).map(|step| move_in(each, at(step)))).await;
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

    /// Where an instant is on the timeline: A's pause begins at 4 s and is 15 s long.
    pub(crate) async fn x_of(&self, seconds: f64) -> f64 {
        let (block, second) = self.pause_block().await;
        block.x + (seconds - 4.0) * second
    }

    /// Turns the wheel at a place, with these modifier keys as the browser's protocol numbers them.
    pub(crate) async fn wheel(&self, (x, y): (f64, f64), (dx, dy): (f64, f64), modifiers: u32) {
        let turn = json!({ "type": "mouseWheel", "x": x, "y": y, "deltaX": dx, "deltaY": dy, "modifiers": modifiers });
        self.devtools("Input.dispatchMouseEvent", turn).await;
    }

    /// Drags with these modifier keys down.
    pub(crate) async fn drag_with(&self, modifiers: u32, from: (f64, f64), to: (f64, f64)) {
        let steps = [
            ("mousePressed", from),
            ("mouseMoved", ((from.0 + to.0) / 2.0, to.1)),
            ("mouseMoved", to),
            ("mouseReleased", to),
        ];
        for (what, (x, y)) in steps {
            let event = json!({ "type": what, "x": x, "y": y, "button": "left", "buttons": 1, "clickCount": 1, "modifiers": modifiers });
            self.devtools("Input.dispatchMouseEvent", event).await;
        }
    }

    /// Two fingers come down at two places and draw apart, around their middle.
    pub(crate) async fn pinch(&self, one: (f64, f64), other: (f64, f64), factor: f64) {
        let middle = ((one.0 + other.0) / 2.0, (one.1 + other.1) / 2.0);
        let apart =
            |by: f64| [one, other].map(|(x, y)| json!({ "x": middle.0 + (x - middle.0) * by, "y": y }));
        let first = &apart(1.0)[..1];
        self.devtools("Input.dispatchTouchEvent", json!({ "type": "touchStart", "touchPoints": first }))
            .await;
        self.devtools("Input.dispatchTouchEvent", json!({ "type": "touchStart", "touchPoints": apart(1.0) }))
            .await;
        for step in 1..=6 {
            let by = 1.0 + (factor - 1.0) * f64::from(step) / 6.0;
            self.devtools(
                "Input.dispatchTouchEvent",
                json!({ "type": "touchMove", "touchPoints": apart(by) }),
            )
            .await;
        }
        self.devtools("Input.dispatchTouchEvent", json!({ "type": "touchEnd", "touchPoints": [] })).await;
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

fn move_to(at: (f64, f64)) -> PointerAction {
    move_in(STEP, at)
}

fn move_in(step: Duration, (x, y): (f64, f64)) -> PointerAction {
    PointerAction::MoveTo { duration: Some(step), x: x.round(), y: y.round() }
}
