//! What came of each story, and its picture: played one a frame while the gallery is open, each once.

use std::cell::RefCell;
use std::rc::Rc;

use leptos::prelude::{document, request_animation_frame};
use scenario::{Document, Tone};
use wasm_bindgen::JsCast as _;

use crate::events::tone;
use crate::measure::measured;
use crate::timeline::Thumbnail;

/// What is shown of a story that was played.
struct Face {
    sentence: String,
    tone: Tone,
    picture: Thumbnail,
}

/// The stories that were played, by their places; `None` for one that cannot be.
#[derive(Clone, Default)]
pub(super) struct Pictures(Rc<RefCell<Vec<Option<Face>>>>);

impl Pictures {
    /// Shows all that are there already: colours may have changed.
    pub(super) fn show(&self) {
        for (place, face) in self.0.borrow().iter().enumerate() {
            show(place, face.as_ref());
        }
    }

    /// Plays the next one in the next frame, and so on while the gallery is open.
    pub(super) fn go_on(&self) {
        let this = self.clone();
        request_animation_frame(move || {
            let place = this.0.borrow().len();
            let Some(story) = scenario::stories().get(place).filter(|_| super::is_open()) else { return };
            let face = measured("face", || Face::of(story));
            show(place, face.as_ref());
            this.0.borrow_mut().push(face);
            this.go_on();
        });
    }
}

impl Face {
    fn of(story: &scenario::BuiltIn) -> Option<Self> {
        let scenario = Document::parse(story.text).and_then(|document| document.scenario()).ok()?;
        let play = scenario::play(&scenario);
        let picture = Thumbnail::of(&play);
        Some(Self { sentence: play.headline.sentence, tone: play.headline.tone, picture })
    }
}

/// Puts a face on the card of the story at this place.
fn show(place: usize, face: Option<&Face>) {
    let (Some(story), Some(face)) = (scenario::stories().get(place), face) else { return };
    let part = |of: &str| {
        let card = format!("#gallery [data-story='{}'] {of}", story.name);
        document().query_selector(&card).ok().flatten()
    };
    if let Some(verdict) = part(".story-verdict") {
        verdict.set_class_name(&format!("story-verdict {}", tone(face.tone)));
        verdict.set_text_content(Some(&face.sentence));
        // A long one ends in dots on the card.
        let _ = verdict.set_attribute("title", &face.sentence);
    }
    if let Some(canvas) = part("canvas").and_then(|canvas| canvas.dyn_into().ok()) {
        face.picture.paint(&canvas);
    }
}
