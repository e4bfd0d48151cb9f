//! Pointers on the timeline: mouse, pen and finger alike. Every move of a drag edits the document, and the whole
//! history is played again before the next frame.

use std::cell::RefCell;
use std::rc::Rc;

use kernel::{FaultId, SimTime, Span};
use leptos::ev::PointerEvent;
use leptos::prelude::*;
use timeline::{Edit, Hit, Hold, Part, Point, Pull, Scale, reach};

use super::faults::Struck;
use super::fingers::Fingers;
use super::{Hover, Stage};
use crate::session::Session;
use crate::zoom::Zoom;

/// What a pointer that is down does.
#[derive(Clone)]
enum Hand {
    /// Nothing: the page may scroll.
    None,
    /// Drags something from a place on the stage. From its first move on it is of a turn of the session's.
    Drag { what: Dragged, from_x: f64, scale: Scale, turn: Option<u32> },
    /// Moves the playhead.
    Scrub,
    /// Will have been a tap if it comes up where it went down.
    Tap { at: Point },
}

/// What is dragged.
#[derive(Clone)]
enum Dragged {
    /// A fault or one of its edges, among what happens.
    Fault(Hold, Rc<[SimTime]>),
    /// A length of a lease.
    Lease(Pull),
}

impl Dragged {
    /// What a move by so many microseconds makes of it.
    fn moved(&self, micros: i64, scale: &Scale, snaps: bool) -> Vec<Edit> {
        match self {
            Self::Fault(hold, happenings) => {
                let near = Span::from_micros(scale.micros_of(SNAP).unsigned_abs());
                match snaps.then(|| hold.snapped(micros, happenings, near)).flatten() {
                    Some(micros) => hold.moved(micros, Span::from_millis(1)),
                    None => hold.moved(micros, scale.grain()),
                }
            }
            Self::Lease(pull) => pull.moved(micros, scale.grain()),
        }
    }
}

/// How near, in pixels, something that happens must be for what is moved with Shift to snap to it.
const SNAP: f64 = 10.0;

/// How far a finger may slide and still have tapped.
const TAP: f64 = 8.0;

/// What pointers do on the stage.
#[derive(Clone)]
pub(super) struct Gestures {
    session: Session,
    stage: Stage,
    zoom: Zoom,
    hand: Rc<RefCell<Hand>>,
    fingers: Rc<RefCell<Fingers>>,
}

/// For a pointer that goes down, moves, comes up, and is taken away by the browser.
pub(super) const HANDLERS: [fn(&Gestures, &PointerEvent); 4] =
    [Gestures::down, Gestures::moved, Gestures::up, Gestures::cancel];

impl Gestures {
    pub(super) fn new(session: Session, stage: Stage, zoom: Zoom) -> Self {
        Self { session, stage, zoom, hand: Rc::new(RefCell::new(Hand::None)), fingers: Rc::default() }
    }

    fn hand(&self) -> Hand {
        self.hand.borrow().clone()
    }

    fn hold(&self, hand: Hand) {
        *self.hand.borrow_mut() = hand;
    }

    fn down(&self, event: &PointerEvent) {
        let Some(at) = self.point(event) else { return };
        let coarse = is_coarse(event);
        let scale = self.stage.layout.with_untracked(|layout| layout.scale);
        if coarse && self.fingers.borrow_mut().down(event, at.x, scale) {
            self.capture(event);
            self.hold(Hand::None);
            return;
        }
        if event.button() != 0 || !event.is_primary() {
            return;
        }
        let hand = match self.hit(at, event) {
            _ if let Some(grip) = self.stage.held(event) => self.pull(grip, at.x),
            Some(Hit::Fault(fault, part)) => self.take(fault, part, at.x),
            Some(Hit::Axis | Hit::Playhead) => Hand::Scrub,
            Some(Hit::Mark(_) | Hit::Lane(_) | Hit::Grip(_)) if coarse => Hand::Tap { at },
            Some(Hit::Mark(mark)) => {
                self.seek_mark(mark);
                Hand::None
            }
            Some(Hit::Grip(grip)) if !coarse && self.is_of_document() => self.pull(grip, at.x),
            Some(Hit::Lane(_) | Hit::Grip(_)) => Hand::Scrub,
            None => Hand::None,
        };
        if let Hand::Scrub = hand {
            self.scrub(at.x);
        }
        if let Hand::Drag { .. } | Hand::Scrub = hand {
            self.capture(event);
        }
        self.hold(hand);
    }

    fn capture(&self, event: &PointerEvent) {
        if let Some(root) = self.stage.root.get_untracked() {
            let _ = root.set_pointer_capture(event.pointer_id());
        }
    }

    fn moved(&self, event: &PointerEvent) {
        let Some(at) = self.point(event) else { return };
        if self.fingers.borrow_mut().moved(event, at.x, self.zoom) || !event.is_primary() {
            return;
        }
        match self.hand() {
            Hand::Drag { what, from_x, scale, turn } => {
                let micros = scale.micros_of(at.x - from_x);
                match turn {
                    None if micros == 0 => return,
                    None => {
                        self.session.remember();
                        let turn = Some(self.session.turn());
                        self.hold(Hand::Drag { what: what.clone(), from_x, scale, turn });
                    }
                    // Undone, or another try opened, while it was held: what would be moved is not there any more.
                    Some(turn) if turn != self.session.turn() => return self.hold(Hand::None),
                    Some(_) => {}
                }
                self.session.edit(&what.moved(micros, &scale, event.shift_key()));
            }
            Hand::Scrub => self.scrub(at.x),
            Hand::Tap { .. } => {}
            Hand::None => self.hover(at, event),
        }
    }

    fn up(&self, event: &PointerEvent) {
        self.fingers.borrow_mut().up(event);
        if let (Hand::Tap { at }, Some(now)) = (self.hand(), self.point(event))
            && (now.x - at.x).hypot(now.y - at.y) <= TAP
        {
            match self.hit(now, event) {
                Some(Hit::Mark(mark)) => self.seek_mark(mark),
                Some(Hit::Lane(_) | Hit::Grip(_)) => self.scrub(now.x),
                Some(Hit::Fault(..) | Hit::Axis | Hit::Playhead) | None => {}
            }
            self.offer(now);
        }
        // A finger that was put on a fault and did not move it.
        if let (Hand::Drag { what: Dragged::Fault(..), turn: None, .. }, true) =
            (self.hand(), is_coarse(event))
            && let Some(now) = self.point(event)
        {
            self.offer(now);
        }
        self.hold(Hand::None);
    }

    fn cancel(&self, event: &PointerEvent) {
        self.fingers.borrow_mut().up(event);
        self.hold(Hand::None);
    }

    /// Whether the stage shows the document's play. Another that is compared with it has lengths of its own, which are not the
    /// document's to change.
    fn is_of_document(&self) -> bool {
        self.stage.play == self.session.play
    }

    /// Where on the stage a pointer is.
    fn point(&self, event: &PointerEvent) -> Option<Point> {
        let stage = self.stage.root.get_untracked()?.get_bounding_client_rect();
        Some(Point {
            x: f64::from(event.client_x()) - stage.left(),
            y: f64::from(event.client_y()) - stage.top(),
        })
    }

    fn hit(&self, at: Point, event: &PointerEvent) -> Option<Hit> {
        let reach = if is_coarse(event) { reach::COARSE } else { reach::FINE };
        let playhead = self.session.playhead.get_untracked();
        self.stage.layout.with_untracked(|layout| layout.hit(at, reach, Some(playhead)))
    }

    fn id_of(&self, fault: FaultId) -> Option<String> {
        self.stage
            .play
            .with_untracked(|play| Some(play.cast.faults.get(usize::from(fault.0))?.id.to_string()))
    }

    fn take(&self, fault: FaultId, part: Part, from_x: f64) -> Hand {
        let id = self.id_of(fault);
        let struck = id.and_then(|id| self.stage.play.with_untracked(|play| Struck::find(play, &id)));
        let Some(hold) = struck.and_then(|struck| struck.hold(part)) else { return Hand::None };
        self.session.selected.set(Some(hold.fault.clone()));
        let scale = self.stage.layout.with_untracked(|layout| layout.scale);
        let happenings =
            self.stage.play.with_untracked(|play| play.tale.iter().map(|event| event.at).collect());
        Hand::Drag { what: Dragged::Fault(hold, happenings), from_x, scale, turn: None }
    }

    fn pull(&self, grip: usize, from_x: f64) -> Hand {
        let scale = self.stage.layout.with_untracked(|layout| layout.scale);
        let pull = self.stage.pull_of(grip);
        pull.map_or(Hand::Scrub, |pull| Hand::Drag { what: Dragged::Lease(pull), from_x, scale, turn: None })
    }

    /// Shows a finger a handle at what of a lease it has tapped: lanes are for scrolling, and faults lie over stop times.
    fn offer(&self, at: Point) {
        let grip = self.stage.layout.with_untracked(|layout| layout.grip_at(at, reach::COARSE * 0.6));
        if let Some(grip) = grip.filter(|_| self.is_of_document()) {
            self.stage.choose(grip);
        }
    }

    fn scrub(&self, x: f64) {
        self.session.seek(self.stage.layout.with_untracked(|layout| layout.scale.chosen(x)));
    }

    fn seek_mark(&self, mark: usize) {
        let mark = self.stage.layout.with_untracked(|layout| layout.marks.get(mark).copied());
        let Some(mark) = mark else { return };
        self.session.seek(mark.at);
        if self.is_of_document() {
            let record = self.stage.play.with_untracked(|play| timeline::record(&play.facts, &mark));
            self.session.look_at(record);
        }
    }

    fn hover(&self, at: Point, event: &PointerEvent) {
        if is_coarse(event) {
            return;
        }
        let hover = match self.hit(at, event) {
            Some(Hit::Fault(fault, part)) => Hover {
                fault: self.id_of(fault),
                cursor: if part == Part::Body { "grab" } else { "ew-resize" },
                ..Hover::default()
            },
            Some(Hit::Mark(mark)) => Hover { mark: Some(mark), cursor: "pointer", ..Hover::default() },
            Some(Hit::Grip(grip)) if self.is_of_document() => {
                Hover { grip: Some(grip), cursor: "ew-resize", ..Hover::default() }
            }
            Some(Hit::Playhead | Hit::Axis) => Hover { cursor: "ew-resize", ..Hover::default() },
            Some(Hit::Lane(lane)) => {
                let instant = self.stage.layout.with_untracked(|layout| layout.scale.at(at.x));
                Hover { at: Some((lane, instant)), ..Hover::default() }
            }
            Some(Hit::Grip(_)) | None => Hover::default(),
        };
        self.stage.hover.set(hover);
    }
}

fn is_coarse(event: &PointerEvent) -> bool {
    event.pointer_type() == "touch"
}
