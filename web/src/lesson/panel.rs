//! The lesson's panel: what is said at the step, its question, and the way on and back.

use leptos::ev::MouseEvent;
use leptos::html;
use leptos::prelude::*;
use wasm_bindgen::JsCast as _;
use web_sys::{Element, HtmlElement, HtmlInputElement};

use super::seat::Answer;
use super::{Lesson, question};
use crate::slim::{effect, flag, memo, on, text};

/// The button that opens the lesson and puts it away; nothing where the story has none.
#[component]
pub(crate) fn LessonButton() -> impl IntoView {
    let lesson = Lesson::of_page();
    let turn = move |_: MouseEvent| lesson.open(!lesson.is_open.get_untracked());
    view! {
        <button id="lesson-open" class="chip" type="button" aria-controls="lesson" hidden=flag(move || !lesson.is_there())
            aria-expanded=text(move || lesson.is_open.get().to_string()) on:click=on(turn)>"Lesson"</button>
    }
}

/// The panel; nothing while no lesson is given.
#[component]
pub(crate) fn Panel() -> impl IntoView {
    let lesson = Lesson::of_page();
    let place = NodeRef::<html::Div>::new();
    let step = memo(move || if lesson.is_open.get() { lesson.step() } else { (0, None) });
    let asked = memo(move || {
        let answer = lesson.seat().answer();
        step.with(|(_, step)| Some(question::html(step.as_ref()?.ask.as_ref()?, answer)))
    });
    effect(move || {
        if let Some(place) = place.get() {
            place.set_inner_html(&asked.get().unwrap_or_default());
        }
    });
    let nth = move || step.with(|(nth, _)| *nth);
    let is_last = move || nth() + 1 >= lesson.count();
    let say = move || step.with(|(_, step)| step.as_ref().map_or_else(String::new, |step| step.say.clone()));
    let progress = move || format!("{} of {}", nth() + 1, lesson.count());
    let back = move |_: MouseEvent| {
        if let Some(before) = lesson.seat_untracked().step.checked_sub(1) {
            lesson.go(before);
        }
    };
    let ahead = move |_: MouseEvent| {
        if lesson.is_asking.get_untracked() {
            focus(place, "input");
        } else if lesson.seat_untracked().step + 1 < lesson.steps.with_untracked(|steps| steps.len()) {
            lesson.go(lesson.seat_untracked().step + 1);
        } else {
            lesson.begin_anew();
        }
    };
    let clicked = move |event: MouseEvent| {
        let button = event_target::<Element>(&event).closest("[data-do]").ok().flatten();
        let answer = match button.and_then(|button| button.get_attribute("data-do")).as_deref() {
            Some("show") => Some(Answer::Shown),
            Some("predict") => chosen(place).map(Answer::Chosen),
            _ => return,
        };
        match answer {
            Some(answer) => {
                lesson.answer(answer);
                // The question is gone; whoever reads on begins with what came of it.
                request_animation_frame(move || focus(place, ".lesson-outcome"));
            }
            None => focus(place, "input"),
        }
    };
    let ahead_label = move || if is_last() { "Begin anew".to_string() } else { "On".to_string() };
    view! {
        <section id="lesson" class="panel lesson" aria-labelledby="lesson-title" hidden=flag(move || !lesson.is_open.get())>
            <div class="lesson-head">
                <h2 id="lesson-title">"Lesson"</h2>
                <span id="lesson-progress" class="hint">{text(progress)}</span>
                <button id="lesson-leave" class="chip" type="button" on:click=on(move |_: MouseEvent| lesson.open(false))>"Leave"</button>
            </div>
            <p class="lesson-astray" role="status" hidden=flag(move || !lesson.is_open.get() || !lesson.is_astray())>
                "What you see is not what the lesson speaks of. "
                <button id="lesson-return" class="chip" type="button" on:click=on(move |_: MouseEvent| lesson.come_back())>
                    "Back to the story as it is told"
                </button>
            </p>
            <p id="lesson-say" aria-live="polite">{text(say)}</p>
            <div id="lesson-ask" node_ref=place on:click=on(clicked)></div>
            <div class="lesson-buttons">
                <button id="lesson-back" class="chip" type="button" disabled=flag(move || nth() == 0) on:click=on(back)>"Back"</button>
                <button id="lesson-on" class="chip main" type="button"
                    aria-disabled=text(move || lesson.is_asking.get().to_string()) on:click=on(ahead)>{text(ahead_label)}</button>
            </div>
        </section>
    }
}

/// The option that is chosen.
fn chosen(place: NodeRef<html::Div>) -> Option<usize> {
    let input = place.get_untracked()?.query_selector("input:checked").ok().flatten()?;
    input.dyn_into::<HtmlInputElement>().ok()?.value().parse().ok()
}

fn focus(place: NodeRef<html::Div>, what: &str) {
    let found = place.get_untracked().and_then(|place| place.query_selector(what).ok().flatten());
    if let Some(found) = found.and_then(|found| found.dyn_into::<HtmlElement>().ok()) {
        let _ = found.focus();
    }
}
