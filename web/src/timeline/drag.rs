//! Pointers on the timeline: mouse, pen and finger alike. Every move of a drag edits the document, and the whole
//! history is played again before the next frame.

use std::cell::RefCell;
use std::rc::Rc;

use kernel::FaultId;
use leptos::ev::PointerEvent;
use leptos::prelude::*;
use timeline::{Hit, Hold, Part, Point, Scale, Scene, reach};

use super::faults::Struck;
use super::{Hover, Stage};
use crate::format::px;
use crate::session::Session;
use crate::slim::{flag, memo, text};

/// What a pointer that is down does.
#[derive(Clone)]
enum Grip {
    /// Nothing: the page may scroll.
    None,
    /// Moves a fault or one of its edges.
    Fault { hold: Hold, from_x: f64, scale: Scale, begun: bool },
    /// Moves the playhead.
    Scrub,
    /// Will have been a tap if it comes up where it went down.
    Tap { at: Point },
}

/// How far a finger may slide and still have tapped.
const TAP: f64 = 8.0;

/// What pointers do on the stage.
#[derive(Clone)]
pub(super) struct Gestures {
    session: Session,
    stage: Stage,
    grip: Rc<RefCell<Grip>>,
}

/// For a pointer that goes down, moves, comes up, and is taken away by the browser.
pub(super) const HANDLERS: [fn(&Gestures, &PointerEvent); 4] =
    [Gestures::down, Gestures::moved, Gestures::up, Gestures::cancel];

impl Gestures {
    pub(super) fn new(session: Session, stage: Stage) -> Self {
        Self { session, stage, grip: Rc::new(RefCell::new(Grip::None)) }
    }

    fn grip(&self) -> Grip {
        self.grip.borrow().clone()
    }

    fn hold(&self, grip: Grip) {
        *self.grip.borrow_mut() = grip;
    }

    fn down(&self, event: &PointerEvent) {
        if event.button() != 0 || !event.is_primary() {
            return;
        }
        let Some(at) = self.point(event) else { return };
        let coarse = is_coarse(event);
        let grip = match self.hit(at, event) {
            Some(Hit::Fault(fault, part)) => self.take(fault, part, at.x),
            Some(Hit::Axis | Hit::Playhead) => Grip::Scrub,
            Some(Hit::Mark(_) | Hit::Lane(_)) if coarse => Grip::Tap { at },
            Some(Hit::Mark(mark)) => {
                self.seek_mark(mark);
                Grip::None
            }
            Some(Hit::Lane(_)) => Grip::Scrub,
            None => Grip::None,
        };
        if let Grip::Scrub = grip {
            self.scrub(at.x);
        }
        if let (Grip::Fault { .. } | Grip::Scrub, Some(root)) = (&grip, self.stage.root.get_untracked()) {
            let _ = root.set_pointer_capture(event.pointer_id());
        }
        self.hold(grip);
    }

    fn moved(&self, event: &PointerEvent) {
        if !event.is_primary() {
            return;
        }
        let Some(at) = self.point(event) else { return };
        match self.grip() {
            Grip::Fault { hold, from_x, scale, begun } => {
                let micros = scale.micros_of(at.x - from_x);
                if !begun && micros == 0 {
                    return;
                }
                if !begun {
                    self.session.remember();
                    self.hold(Grip::Fault { hold: hold.clone(), from_x, scale, begun: true });
                }
                self.session.edit(&hold.moved(micros, scale.grain()));
            }
            Grip::Scrub => self.scrub(at.x),
            Grip::Tap { .. } => {}
            Grip::None => self.hover(at, event),
        }
    }

    fn up(&self, event: &PointerEvent) {
        if let (Grip::Tap { at }, Some(now)) = (self.grip(), self.point(event))
            && (now.x - at.x).hypot(now.y - at.y) <= TAP
        {
            match self.hit(now, event) {
                Some(Hit::Mark(mark)) => self.seek_mark(mark),
                Some(Hit::Lane(_)) => self.scrub(now.x),
                Some(Hit::Fault(..) | Hit::Axis | Hit::Playhead) | None => {}
            }
        }
        self.hold(Grip::None);
    }

    fn cancel(&self, _: &PointerEvent) {
        self.hold(Grip::None);
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
        self.session
            .play
            .with_untracked(|play| Some(play.cast.faults.get(usize::from(fault.0))?.id.to_string()))
    }

    fn take(&self, fault: FaultId, part: Part, from_x: f64) -> Grip {
        let id = self.id_of(fault);
        let struck = id.and_then(|id| self.session.play.with_untracked(|play| Struck::find(play, &id)));
        let Some(hold) = struck.and_then(|struck| struck.hold(part)) else { return Grip::None };
        self.session.selected.set(Some(hold.fault.clone()));
        let scale = self.stage.layout.with_untracked(|layout| layout.scale);
        Grip::Fault { hold, from_x, scale, begun: false }
    }

    fn scrub(&self, x: f64) {
        self.session.seek(self.stage.layout.with_untracked(|layout| layout.scale.chosen(x)));
    }

    fn seek_mark(&self, mark: usize) {
        let at = self.stage.layout.with_untracked(|layout| layout.marks.get(mark).map(|mark| mark.at));
        if let Some(at) = at {
            self.session.seek(at);
        }
    }

    fn hover(&self, at: Point, event: &PointerEvent) {
        if is_coarse(event) {
            return;
        }
        let hover = match self.hit(at, event) {
            Some(Hit::Fault(fault, part)) => Hover {
                fault: self.id_of(fault),
                mark: None,
                cursor: if part == Part::Body { "grab" } else { "ew-resize" },
            },
            Some(Hit::Mark(mark)) => Hover { fault: None, mark: Some(mark), cursor: "pointer" },
            Some(Hit::Playhead | Hit::Axis) => Hover { cursor: "ew-resize", ..Hover::default() },
            Some(Hit::Lane(_)) | None => Hover::default(),
        };
        self.stage.hover.set(hover);
    }
}

fn is_coarse(event: &PointerEvent) -> bool {
    event.pointer_type() == "touch"
}

/// What the pointer is over, in a sentence beside it.
#[component]
pub(super) fn Tip() -> impl IntoView {
    let session = Session::of_page();
    let stage: Stage = expect_context();
    let tip = memo(move || {
        let place = stage.hover.with(|hover| hover.mark)?;
        stage.layout.with(|layout| {
            let mark = layout.marks.get(place)?;
            let said = session.play.with(|play| {
                let scene = Scene { cast: &play.cast, facts: &play.facts, horizon: play.horizon() };
                timeline::tip(&scene, mark)
            });
            let shift = if mark.centre.x > layout.options.width * 0.6 { "-100%" } else { "0" };
            let at = mark.centre;
            let style =
                format!("left:{};top:{};transform:translate({shift},-100%)", px(at.x), px(at.y - 10.0));
            Some((said, style))
        })
    });
    let said = text(move || tip.get().map(|(said, _)| said).unwrap_or_default());
    let style = text(move || tip.get().map(|(_, style)| style).unwrap_or_default());
    view! { <div class="tip" aria-hidden="true" hidden=flag(move || tip.with(Option::is_none)) style=style>{said}</div> }
}
