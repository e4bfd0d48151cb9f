//! All built-in stories at a glance, each with its picture and what came of it. One is opened by choosing its card.

mod cards;
mod pictures;

use leptos::ev::{Event, MouseEvent};
use leptos::html;
use leptos::prelude::*;
use wasm_bindgen::JsCast as _;
use web_sys::{Element, HtmlDialogElement, HtmlElement};

use crate::lesson::Lesson;
use crate::session::{Choice, Session};
use crate::shelf::books;
use crate::slim::{State, effect, on};
use crate::theme::Theme;
use pictures::Pictures;

/// The button that opens it, and the dialog: the browser keeps the focus in it, closes it with Escape, and gives the focus
/// back to the button.
#[component]
pub(crate) fn Gallery(theme: State<Theme>) -> impl IntoView {
    let session = Session::of_page();
    let lesson = Lesson::of_page();
    let list = NodeRef::<html::Div>::new();
    let pictures = Pictures::default();
    let repaint = pictures.clone();
    effect(move || {
        theme.track();
        if is_open() {
            repaint.show();
        }
    });
    let open = move |_: MouseEvent| {
        let (Some(dialog), Some(list)) = (dialog(), list.get_untracked()) else { return };
        if list.first_element_child().is_none() {
            list.set_inner_html(&books(cards::html));
        }
        mark_current(&list, session);
        // It cannot fail for one that is in the page and closed.
        let _ = dialog.show_modal();
        pictures.show();
        pictures.go_on();
    };
    let clicked = move |event: MouseEvent| {
        let target: Element = event_target(&event);
        // A click beside it comes to the dialog itself.
        if target.id() == "gallery" {
            return close();
        }
        let button = target.closest("[data-do]").ok().flatten();
        let what = button.and_then(|button| button.get_attribute("data-do")).unwrap_or_default();
        match what.split_once(' ') {
            Some(("open", story)) => choose(session, story),
            Some(("lesson", story)) => {
                choose(session, story);
                lesson.open(true);
            }
            _ => return,
        }
        close();
    };
    let filter = move |event: Event| {
        if let Some(list) = list.get_untracked() {
            show_those_with(&list, &event_target_value(&event));
        }
    };
    view! {
        <button id="gallery-open" class="icon-button" type="button" aria-label="All stories" title="All stories"
            aria-haspopup="dialog" on:click=on(open)>
            <svg viewBox="0 0 20 20" aria-hidden="true">
                <path d="M3 4h6v5H3zM11 4h6v5h-6zM3 11h6v5H3zM11 11h6v5h-6z" fill="currentColor" />
            </svg>
        </button>
        <dialog id="gallery" aria-labelledby="gallery-title" on:click=on(clicked)>
            <div class="gallery">
                <div class="gallery-head">
                    <h2 id="gallery-title" tabindex="-1" autofocus>"All stories"</h2>
                    <label>
                        <span class="visually-hidden">"Only those with these words"</span>
                        <input id="gallery-filter" type="search" placeholder="redis, clock, pause …" autocomplete="off" on:input=on(filter) />
                    </label>
                    <button id="gallery-close" class="chip" type="button" on:click=on(move |_: MouseEvent| close())>"Close"</button>
                </div>
                <p id="gallery-none" class="hint" role="status"></p>
                <div class="gallery-list" node_ref=list></div>
            </div>
        </dialog>
    }
}

fn dialog() -> Option<HtmlDialogElement> {
    document().get_element_by_id("gallery")?.dyn_into().ok()
}

fn is_open() -> bool {
    dialog().is_some_and(|dialog| dialog.open())
}

fn close() {
    if let Some(dialog) = dialog() {
        dialog.close();
    }
}

/// Opens a story. The one that is open already stays as it was edited.
fn choose(session: Session, story: &str) {
    if session.choice.with_untracked(|choice| choice.story != story) {
        session.choose(&Choice { story: story.to_string(), variant: None });
    }
}

fn mark_current(list: &Element, session: Session) {
    let now = session.choice.with_untracked(|choice| choice.story.clone());
    for card in all(list, "[data-story]") {
        let is_it = card.get_attribute("data-story").as_ref() == Some(&now);
        let _ = if is_it {
            card.set_attribute("aria-current", "true")
        } else {
            card.remove_attribute("aria-current")
        };
    }
}

/// Leaves the cards in view that have all these words, and the sections that have such cards.
fn show_those_with(list: &Element, words: &str) {
    let words = words.to_lowercase();
    let mut any = false;
    for section in all(list, "section") {
        let subject = section.query_selector("h3").ok().flatten().and_then(|title| title.text_content());
        let mut some = false;
        for card in all(&section, ".story-card") {
            let text = format!(
                "{} {}",
                subject.as_deref().unwrap_or_default(),
                card.text_content().unwrap_or_default()
            );
            let text = text.to_lowercase();
            let fits = words.split_whitespace().all(|word| text.contains(word));
            card.set_hidden(!fits);
            some |= fits;
        }
        section.set_hidden(!some);
        any |= some;
    }
    if let Some(none) = document().get_element_by_id("gallery-none") {
        none.set_text_content(Some(if any { "" } else { "No story has all these words." }));
    }
}

fn all(within: &Element, what: &str) -> Vec<HtmlElement> {
    let Ok(found) = within.query_selector_all(what) else { return Vec::new() };
    (0..found.length()).filter_map(|nth| found.get(nth)?.dyn_into().ok()).collect()
}
