//! The top of the page: which story, what it is about in figures, and the fence.

use leptos::ev::Event;
use leptos::prelude::*;

use crate::fence::FenceSwitch;
use crate::session::{Choice, Session};
use crate::slim::{flag, memo, on, part, text};
use crate::summary::summary;
use crate::theme::{Theme, ThemeSwitch};

/// The header.
#[component]
pub(crate) fn Header(theme: RwSignal<Theme>) -> impl IntoView {
    let session = Session::of_page();
    let figures = memo(move || {
        session.document.with(|checked| session.play.with(|play| summary(&checked.document, play)))
    });
    let summary = part(move || {
        let figure = |(label, value)| view! { <div><dt>{label}</dt><dd>{value}</dd></div> };
        figures.get().into_iter().map(figure).collect_view().into_any()
    });
    view! {
        <header class="header">
            <h1 class="brand">"fencepost"</h1>
            <Picker />
            <dl class="summary">{summary}</dl>
            <FenceSwitch />
            <ThemeSwitch theme />
        </header>
    }
}

/// What a story is called: its title, or its name when it cannot be read.
fn title(story: &scenario::BuiltIn) -> String {
    let title = scenario::Document::parse(story.text).ok().and_then(|document| document.get("title"));
    title.unwrap_or_else(|| story.name.to_string())
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
        on(move |event: Event| session.choose(Choice { story: event_target_value(&event), variant: None }));
    let pick_variant = on(move |event: Event| {
        let value = event_target_value(&event);
        let variant = (!value.is_empty()).then_some(value);
        session.choose(Choice { story: choice.with_untracked(|choice| choice.story.clone()), variant });
    });
    let stories =
        scenario::stories().iter().map(|story| view! { <option value=story.name>{title(story)}</option> });
    let options = part(move || {
        let option = |(name, _): (String, String)| {
            let chosen = choice.with_untracked(|choice| choice.variant.as_ref() == Some(&name));
            let words = name.replace('-', " ");
            view! { <option value=name selected=chosen>{words}</option> }
        };
        variants.get().into_iter().map(option).collect_view().into_any()
    });
    view! {
        <div class="picker">
            <label>
                <span class="visually-hidden">"Story"</span>
                <select id="story" on:change=pick_story prop:value=text(move || choice.with(|choice| choice.story.clone()))>
                    {stories.collect_view()}
                </select>
            </label>
            <label hidden=flag(move || variants.with(Vec::is_empty))>
                <span class="visually-hidden">"Variant"</span>
                <select id="variant" on:change=pick_variant
                    prop:value=text(move || choice.with(|choice| choice.variant.clone().unwrap_or_default()))>
                    <option value="">"as it happened"</option>
                    {options}
                </select>
            </label>
        </div>
    }
}
