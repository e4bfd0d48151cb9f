//! What is being edited is kept in the browser, so that closing the page or reloading it loses nothing.

use leptos::ev;
use leptos::prelude::*;
use web_sys::Storage;

use crate::lesson::Lesson;
use crate::mishap;
use crate::session::{Choice, Session};
use crate::slim::effect;

const STORY: &str = "fencepost-story";
const VARIANT: &str = "fencepost-variant";
const DOCUMENT: &str = "fencepost-document";
const DRAFT: &str = "fencepost-draft";

/// How long after a change it is kept.
const AFTER: std::time::Duration = std::time::Duration::from_millis(500);

/// What was being edited when the page was left.
pub(crate) struct Kept {
    pub(crate) choice: Choice,
    /// The document that was good last, if it was edited; then a draft that was not, if there was one.
    pub(crate) texts: Vec<String>,
}

fn storage() -> Option<Storage> {
    window().local_storage().ok().flatten()
}

/// What was kept, if anything was.
pub(crate) fn kept() -> Option<Kept> {
    let storage = storage()?;
    let item = |key| storage.get_item(key).ok().flatten();
    let texts: Vec<String> = [item(DOCUMENT), item(DRAFT)].into_iter().flatten().collect();
    let choice = Choice { story: item(STORY)?, variant: item(VARIANT) };
    Some(Kept { choice, texts })
}

/// Keeps what is edited from now on: a little after each change, and when the page is left.
pub(crate) fn keep(session: Session, lesson: Lesson) {
    let waiting = StoredValue::new(None::<TimeoutHandle>);
    effect(move || {
        session.document.track();
        session.draft.track();
        lesson.is_open.track();
        if let Some(timer) = waiting.get_value() {
            timer.clear();
        }
        waiting.set_value(set_timeout_with_handle(move || put(session, lesson), AFTER).ok());
    });
    let _ = window_event_listener(ev::pagehide, move |_| put(session, lesson));
}

/// Puts back what was good last; where nothing was, what is kept stays unless it is what brought a panic.
pub(crate) fn put_back(good: Option<String>, bad: &str) {
    let Some(storage) = storage() else { return };
    let is_kept = storage.get_item(DOCUMENT).ok().flatten().is_some_and(|kept| kept == bad);
    let _ = match good {
        Some(good) => storage.set_item(DOCUMENT, &good),
        None if is_kept => storage.remove_item(DOCUMENT),
        None => return,
    };
    // Of which story it was is known if anything was kept before.
    if storage.get_item(STORY).ok().flatten().is_none() {
        let _ = storage.set_item(STORY, "");
    }
}

fn put(session: Session, lesson: Lesson) {
    let Some(storage) = storage().filter(|_| !mishap::happened()) else { return };
    let put = |key, text: Option<String>| {
        // A browser that keeps nothing is no reason to stop.
        let _ = match text {
            Some(text) => storage.set_item(key, &text),
            None => storage.remove_item(key),
        };
    };
    let edited = session.is_edited_untracked();
    let draft = session.draft.get_untracked().map(|draft| draft.text);
    // A lesson goes on with its own story.
    let goes_on = edited || draft.is_some() || lesson.is_open.get_untracked();
    let choice = goes_on.then(|| session.choice.get_untracked());
    put(DOCUMENT, edited.then(|| session.document.with_untracked(|now| now.document.to_toml())));
    put(DRAFT, draft);
    put(VARIANT, choice.as_ref().and_then(|choice| choice.variant.clone()));
    put(STORY, choice.map(|choice| choice.story));
}
