//! A fault's row.

use std::fmt::Write as _;

use leptos::ev::{Event, FocusEvent};
use leptos::prelude::*;
use scenario::Document;

use crate::form::{fields, form};
use crate::format::typed;
use crate::session::Session;
use crate::slim::{Memo, State, flag, mark, memo, on, text};
use crate::timeline::Struck;

/// Keys that a row shows by itself, or that say which fault it is.
const SHOWN: [&str; 5] = ["id", "kind", "enabled", "at", "for"];

pub(super) fn row(ids: Memo<Vec<String>>, nth: usize) -> impl IntoView {
    let session = Session::of_page();
    let name = memo(move || ids.with(|ids| ids.get(nth).cloned().unwrap_or_default()));
    let struck = memo(move || session.play.with(|play| name.with(|name| Struck::find(play, name))));
    let title = text(move || {
        let told = struck.with(|struck| struck.as_ref().map(|struck| struck.text.clone()));
        told.unwrap_or_else(|| name.get().replace('-', " "))
    });
    let path = move |key: &str| name.with(|name| format!("fault.{name}.{key}"));
    let is_off = move || {
        let path = path("enabled");
        session.document.with(|checked| checked.document.get(&path).is_some_and(|value| value == "false"))
    };
    let switch = on(move |event: Event| {
        session.commit(&[(path("enabled"), event_target_checked(&event).to_string())]);
    });
    let is_instant = move || struck.with(|struck| struck.as_ref().is_some_and(|struck| !struck.lasts));
    let misses = move || struck.with(|struck| struck.as_ref().is_some_and(|struck| struck.times.is_none()));
    let is_current = move || session.selected.with(|selected| *selected == Some(name.get()));
    let look = on(move |_: FocusEvent| session.selected.set(Some(name.get_untracked())));
    view! {
        <div class=text(move || if is_off() { "fault-row off".into() } else { "fault-row".into() })
            role="group" aria-label=title aria-current=mark(is_current) on:focusin=look>
            <label class="fault-name">
                <input type="checkbox" data-field=text(move || format!("{}.enabled", name.get()))
                    prop:checked=flag(move || !is_off()) on:change=switch />
                <span>{title}</span>
            </label>
            {field(name, "at", flag(|| false))}
            {field(name, "for", flag(is_instant))}
            <span class="hint" hidden=flag(move || !misses())>"does not strike in this play"</span>
            {more(name)}
        </div>
    }
}

/// What else the document says of it, and what can be done with it: made when it is opened.
fn more(name: Memo<String>) -> impl IntoView {
    let session = Session::of_page();
    let open = State::new(false);
    let of = memo(move || {
        let path = name.with(|name| format!("fault.{name}.kind"));
        let kind = session.document.with(|checked| checked.document.get(&path));
        if open.get() { Some((name.get(), kind)) } else { None }
    });
    let html = memo(move || {
        let Some((name, _)) = of.get() else { return String::new() };
        session.document.with_untracked(|checked| html(&checked.document, &name))
    });
    let toggle = on(move |event: Event| {
        open.set(event_target::<web_sys::HtmlDetailsElement>(&event).open());
    });
    view! {
        <details class="more" on:toggle=toggle>
            <summary>"more"</summary>
            {form(html, std::rc::Rc::new(press))}
        </details>
    }
}

fn html(document: &Document, name: &str) -> String {
    let path = format!("fault.{name}");
    let mut keys = document.keys(&path);
    keys.retain(|key| !SHOWN.contains(key));
    let mut out = String::new();
    fields(&mut out, document, &path, &keys);
    let _ = write!(
        out,
        "<div class=chips><button type=button class=chip data-do='+ {name}'>Double it</button><button type=button class=chip data-do='- {name}'>Take it out</button></div>"
    );
    out
}

/// What a button does.
fn press(session: Session, what: &str) {
    match what.split_once(' ') {
        Some(("+", name)) => session.double_fault(name),
        Some(("-", name)) => session.remove_fault(name),
        _ => {}
    }
}

/// A field of a fault: shows what the document has, and takes what is typed when it is done with.
fn field(name: Memo<String>, key: &'static str, hidden: Signal<bool>) -> impl IntoView {
    let session = Session::of_page();
    let path = move || name.with(|name| format!("fault.{name}.{key}"));
    let value = memo(move || {
        let path = path();
        session.document.with(|checked| checked.document.get(&path)).unwrap_or_default()
    });
    let change = on(move |event: Event| {
        let text = typed(&event_target_value(&event));
        if text != value.get_untracked() {
            session.put(&path(), &text);
        }
        // What was refused is not left standing: the field shows what the document has.
        event_target::<web_sys::HtmlInputElement>(&event).set_value(&value.get_untracked());
    });
    view! {
        <label class="field" hidden=hidden>
            <span>{key}</span>
            <input type="text" spellcheck="false" autocomplete="off" data-field=text(move || format!("{}.{key}", name.get()))
                placeholder=if key == "for" { "the rest" } else { "" } prop:value=text(move || value.get()) on:change=change />
        </label>
    }
}
