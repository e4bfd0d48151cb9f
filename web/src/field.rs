//! A field for one value of the document: shows what the document has, and takes what is typed when it is done with.

use leptos::ev::Event;
use leptos::prelude::*;

use crate::session::Session;
use crate::slim::{Memo, memo, on, text};

/// What a field is for.
#[derive(Clone, Copy)]
pub(crate) struct About {
    /// What it is called.
    pub(crate) label: &'static str,
    /// What is in it when the document says nothing.
    pub(crate) usual: &'static str,
    /// Makes of what was typed what the document wants.
    pub(crate) typed: fn(&str) -> String,
}

/// What the document has at a path.
fn value_at(path: Memo<String>) -> Memo<String> {
    let session = Session::of_page();
    memo(move || {
        path.with(|path| session.document.with(|checked| checked.document.get(path))).unwrap_or_default()
    })
}

/// A field for a text, a figure or a length.
pub(crate) fn field(path: Memo<String>, about: About, hidden: Signal<bool>) -> impl IntoView {
    let session = Session::of_page();
    let value = value_at(path);
    let change = on(move |event: Event| {
        let text = (about.typed)(&event_target_value(&event));
        if text != value.get_untracked() {
            session.put(&path.get_untracked(), &text);
        }
        // What was refused is not left standing: the field shows what the document has.
        event_target::<web_sys::HtmlInputElement>(&event).set_value(&value.get_untracked());
    });
    view! {
        <label class="field" hidden=hidden>
            <span>{about.label.replace('_', " ")}</span>
            <input type="text" spellcheck="false" autocomplete="off" data-field=text(move || tail(&path.get()))
                placeholder=about.usual prop:value=text(move || value.get()) on:change=change />
        </label>
    }
}

/// A field for one of these words; the usual one goes without saying when `usual` has a word for that.
pub(crate) fn choice(
    path: Memo<String>,
    label: &'static str,
    usual: Option<&'static str>,
    words: Vec<&'static str>,
) -> impl IntoView {
    let session = Session::of_page();
    let value = value_at(path);
    let change = on(move |event: Event| session.put(&path.get_untracked(), &event_target_value(&event)));
    let usual = usual.map(|usual| ("", usual));
    let options = usual.into_iter().chain(words.into_iter().map(|word| (word, word))).map(|(word, shown)| {
        let shown = shown.replace('-', " ");
        view! { <option value=word selected=value.get_untracked() == word>{shown}</option> }
    });
    view! {
        <label class="field">
            <span>{label.replace('_', " ")}</span>
            <select data-field=text(move || tail(&path.get())) prop:value=text(move || value.get()) on:change=change>
                {options.collect_view()}
            </select>
        </label>
    }
}

/// A path as fields are found by it: a fault's is known by its id.
fn tail(path: &str) -> String {
    path.strip_prefix("fault.").unwrap_or(path).to_string()
}
