//! A hand on the timeline: a mouse or a finger that comes down, moves and lifts, as real input to the browser.

use std::time::Duration;

use fantoccini::actions::{
    Actions, InputSource as _, KeyAction, KeyActions, MOUSE_BUTTON_LEFT, MouseActions, PointerAction,
    WheelAction, WheelActions,
};
use fantoccini::key::Key;

use crate::beyond::Touch;
use crate::page::{Page, Place};

/// A control over A's pause.
pub(crate) const PAUSE: &str = "[data-fault='a-pause']";
/// How long the mouse takes from one place to the next: about a frame.
const STEP: Duration = Duration::from_millis(12);

/// What points.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Pointer {
    Mouse,
    Finger,
}

impl Page {
    /// Comes down at a place.
    pub(crate) async fn press(&self, pointer: Pointer, at: (f64, f64)) {
        match pointer {
            Pointer::Mouse => {
                self.mouse([move_to(at), PointerAction::Down { button: MOUSE_BUTTON_LEFT }]).await
            }
            Pointer::Finger => self.fingers(Touch::Down, &[at]).await,
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
                    self.fingers(Touch::Moves, &[at]).await;
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
            Pointer::Finger => self.fingers(Touch::Up, &[]).await,
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

    /// Turns the wheel at a place, with this key down.
    pub(crate) async fn wheel(&self, (x, y): (f64, f64), by: (i64, i64), key: Option<Key>) {
        let turn = WheelAction::Scroll {
            duration: None,
            x: x.round() as i64,
            y: y.round() as i64,
            delta_x: by.0,
            delta_y: by.1,
        };
        let wheel = WheelActions::new("wheel".into()).pause(Duration::ZERO).then(turn).pause(Duration::ZERO);
        self.perform(held(key, 1).and(wheel)).await;
    }

    /// Drags with the mouse while this key is down.
    pub(crate) async fn drag_with(&self, key: Key, from: (f64, f64), to: (f64, f64)) {
        let half = ((from.0 + to.0) / 2.0, to.1);
        let steps = [
            move_to(from),
            PointerAction::Down { button: MOUSE_BUTTON_LEFT },
            move_to(half),
            move_to(to),
            PointerAction::Up { button: MOUSE_BUTTON_LEFT },
        ];
        let keys = held(Some(key), steps.len());
        let mouse = MouseActions::new("mouse".into()).pause(Duration::ZERO);
        self.perform(keys.and(steps.into_iter().fold(mouse, MouseActions::then))).await;
    }

    /// Two fingers come down at two places and draw apart, around their middle.
    pub(crate) async fn pinch(&self, one: (f64, f64), other: (f64, f64), factor: f64) {
        let middle = ((one.0 + other.0) / 2.0, (one.1 + other.1) / 2.0);
        let apart = |by: f64| [one, other].map(|(x, y)| (middle.0 + (x - middle.0) * by, y));
        self.fingers(Touch::Down, &apart(1.0)[..1]).await;
        self.fingers(Touch::Down, &apart(1.0)).await;
        for step in 1..=6 {
            self.fingers(Touch::Moves, &apart(1.0 + (factor - 1.0) * f64::from(step) / 6.0)).await;
        }
        self.fingers(Touch::Up, &[]).await;
    }

    async fn mouse(&self, actions: impl IntoIterator<Item = PointerAction>) {
        let mouse = actions.into_iter().fold(MouseActions::new("mouse".into()), MouseActions::then);
        self.perform(mouse).await;
    }

    async fn perform(&self, actions: impl Into<Actions>) {
        self.client.perform_actions(actions).await.expect("the browser takes the input");
    }
}

/// A key that is held for so many steps of others; without one, nothing is.
fn held(key: Option<Key>, steps: usize) -> Actions {
    let keys = KeyActions::new("keys".into());
    let Some(value) = key.map(char::from) else { return Actions::default() };
    let keys = (0..steps).fold(keys.then(KeyAction::Down { value }), |keys, _| keys.pause(Duration::ZERO));
    keys.then(KeyAction::Up { value }).into()
}

fn move_to(at: (f64, f64)) -> PointerAction {
    move_in(STEP, at)
}

fn move_in(step: Duration, (x, y): (f64, f64)) -> PointerAction {
    PointerAction::MoveTo { duration: Some(step), x: x.round(), y: y.round() }
}
