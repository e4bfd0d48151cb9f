//! Coming closer and moving along: the wheel, and two fingers.

use kernel::SimTime;
use leptos::prelude::GetUntracked as _;
use timeline::Scale;
use web_sys::{PointerEvent, WheelEvent};

use super::Stage;
use crate::zoom::Zoom;

/// A wheel's notch, in the pixels that browsers make of it.
const NOTCH: f64 = 100.0;

/// With Ctrl (as a pinch on a trackpad comes) closer or farther; sideways, or with Shift, along. Any other turn is the page's.
pub(super) fn wheel(stage: Stage, zoom: Zoom, event: &WheelEvent) {
    let scale = stage.layout.with_untracked(|layout| layout.scale);
    // Some mice count lines or pages.
    let unit = match event.delta_mode() {
        WheelEvent::DOM_DELTA_LINE => NOTCH / 3.0,
        WheelEvent::DOM_DELTA_PAGE => NOTCH * 8.0,
        _ => 1.0,
    };
    let (dx, dy) = (event.delta_x() * unit, event.delta_y() * unit);
    if event.ctrl_key() || event.meta_key() {
        let Some(root) = stage.root.get_untracked() else { return };
        let x = f64::from(event.client_x()) - root.get_bounding_client_rect().left();
        zoom.wheel(scale.at(x), (-dy / NOTCH).clamp(-8.0, 8.0));
    } else if dx.abs() > dy.abs() || event.shift_key() {
        let along = if dx.abs() > dy.abs() { dx } else { dy };
        zoom.pan(scale.micros_of(along));
    } else {
        return;
    }
    event.prevent_default();
}

/// The fingers on the stage: which, and where.
#[derive(Default)]
pub(super) struct Fingers {
    down: Vec<(i32, f64)>,
    pinch: Option<Pinch>,
}

/// Two fingers, what they hold, and how it was drawn when they came down.
struct Pinch {
    held: (SimTime, SimTime),
    scale: Scale,
}

impl Fingers {
    /// A finger comes down. Whether there are two now.
    pub(super) fn down(&mut self, event: &PointerEvent, x: f64, scale: Scale) -> bool {
        self.up(event);
        if event.is_primary() {
            self.down.clear(); // The first finger: of any other, the end was not heard of.
        }
        self.down.push((event.pointer_id(), x));
        self.pinch = match self.down[..] {
            [(_, a), (_, b)] => Some(Pinch { held: (scale.at(a), scale.at(b)), scale }),
            _ => None,
        };
        self.pinch.is_some()
    }

    /// A finger moves. Whether two do.
    pub(super) fn moved(&mut self, event: &PointerEvent, x: f64, zoom: Zoom) -> bool {
        let finger = self.down.iter_mut().find(|(id, _)| *id == event.pointer_id());
        if let Some((_, at)) = finger {
            *at = x;
        }
        let (Some(pinch), [(_, a), (_, b)]) = (&self.pinch, &self.down[..]) else { return false };
        zoom.pinch(pinch.held, &pinch.scale, (*a, *b));
        true
    }

    /// A finger is gone.
    pub(super) fn up(&mut self, event: &PointerEvent) {
        self.down.retain(|(id, _)| *id != event.pointer_id());
        self.pinch = None;
    }
}
