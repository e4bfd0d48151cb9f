//! The top of the page: which story, what it is about in figures, and the fence.

use leptos::ev::Event;
use leptos::html;
use leptos::prelude::*;

use crate::fence::FenceSwitch;
use crate::gallery::Gallery;
use crate::lesson::LessonButton;
use crate::session::{Choice, Session};
use crate::shelf::{Book, books};
use crate::slim::{Memo, State, flag, memo, on, rows, text};
use crate::summary::summary;
use crate::theme::{Theme, ThemeSwitch};

/// The header.
#[component]
pub(crate) fn Header(theme: State<Theme>) -> impl IntoView {
    let session = Session::of_page();
    let figures = memo(move || {
        session.document.with(|checked| session.play.with(|play| summary(&checked.document, play)))
    });
    let count = memo(move || figures.with(Vec::len));
    let place = NodeRef::<html::Div>::new();
    rows(place, "", count, move |nth| figure(figures, nth));
    view! {
        <header class="header">
            <h1 class="brand">"fencepost"</h1>
            <Picker />
            <div class="ways-in">
                <Gallery theme />
                <LessonButton />
            </div>
            <div class="summary" node_ref=place></div>
            <FenceSwitch />
            <ThemeSwitch theme />
        </header>
    }
}

/// A label and its value.
fn figure(figures: Memo<Vec<(&'static str, String)>>, nth: usize) -> impl IntoView {
    let label =
        text(move || figures.with(|all| all.get(nth).map_or_else(String::new, |(label, _)| (*label).into())));
    let value =
        text(move || figures.with(|all| all.get(nth).map_or_else(String::new, |(_, value)| value.clone())));
    view! { <p><span>{label}</span><b>{value}</b></p> }
}

/// The stories, and the variants of the one that is open.
#[component]
fn Picker() -> impl IntoView {
    let session = Session::of_page();
    let choice = session.choice;
    let variants = memo(move || {
        choice.track();
        session.document.with_untracked(|checked| checked.document.variants())
    });
    let pick_story =
        on(move |event: Event| session.choose(&Choice { story: event_target_value(&event), variant: None }));
    let pick_variant = on(move |event: Event| {
        let value = event_target_value(&event);
        let variant = (!value.is_empty()).then_some(value);
        session.choose(&Choice { story: choice.with_untracked(|choice| choice.story.clone()), variant });
    });
    let stories = books(|books| {
        let option = |book: &Book| view! { <option value=book.name>{book.title.clone()}</option> };
        books.iter().map(option).collect_view()
    });
    let place = NodeRef::<html::Div>::new();
    let count = memo(move || variants.with(Vec::len));
    rows(place, "#variant", count, move |nth| option(variants, choice, nth));
    view! {
        <div class="picker" node_ref=place>
            <label>
                <span class="visually-hidden">"Story"</span>
                <select id="story" on:change=pick_story prop:value=text(move || choice.with(|choice| choice.story.clone()))>
                    {stories}
                </select>
            </label>
            <label hidden=flag(move || variants.with(Vec::is_empty))>
                <span class="visually-hidden">"Variant"</span>
                <select id="variant" on:change=pick_variant>
                    <option value="">"as it happened"</option>
                </select>
            </label>
        </div>
    }
}

/// A variant to choose.
fn option(variants: Memo<Vec<(String, String)>>, choice: State<Choice>, nth: usize) -> impl IntoView {
    let name = move || variants.with(|all| all.get(nth).map_or_else(String::new, |(name, _)| name.clone()));
    let chosen = move || choice.with(|choice| choice.variant.as_ref() == Some(&name()));
    view! { <option value=text(name) prop:selected=flag(chosen)>{text(move || name().replace('-', " "))}</option> }
}
