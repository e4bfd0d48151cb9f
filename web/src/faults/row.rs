//! A fault's row.

use leptos::ev::{Event, FocusEvent, MouseEvent};
use leptos::html;
use leptos::prelude::*;

use crate::field::{About, choice, field};
use crate::format::typed;
use crate::session::Session;
use crate::slim::{Memo, State, flag, mark, memo, on, remade, text};
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
    let at = About { label: "at", usual: "", typed };
    let span = About { label: "for", usual: "the rest", typed };
    view! {
        <div class=text(move || if is_off() { "fault-row off".into() } else { "fault-row".into() })
            role="group" aria-label=title aria-current=mark(is_current) on:focusin=look>
            <label class="fault-name">
                <input type="checkbox" data-field=text(move || format!("{}.enabled", name.get()))
                    prop:checked=flag(move || !is_off()) on:change=switch />
                <span>{title}</span>
            </label>
            {field(memo(move || path("at")), at, flag(|| false))}
            {field(memo(move || path("for")), span, flag(is_instant))}
            <span class="hint" hidden=flag(move || !misses())>"does not strike in this play"</span>
            {more(name)}
        </div>
    }
}

/// What else the document says of it, and what can be done with it: made when it is opened.
fn more(name: Memo<String>) -> impl IntoView {
    let session = Session::of_page();
    let open = State::new(false);
    let place = NodeRef::<html::Div>::new();
    let of = memo(move || {
        let kind = name.with(|name| {
            session.document.with(|checked| checked.document.get(&format!("fault.{name}.kind")))
        });
        open.get().then(|| (name.get(), kind.unwrap_or_default()))
    });
    remade(place, of, move |of| of.map(|(name, _)| fields(name)));
    let toggle = on(move |event: Event| {
        open.set(event_target::<web_sys::HtmlDetailsElement>(&event).open());
    });
    view! {
        <details class="more" on:toggle=toggle>
            <summary>"more"</summary>
            <div class="more-fields" node_ref=place></div>
        </details>
    }
}

fn fields(name: String) -> impl IntoView {
    let session = Session::of_page();
    let (keys, words) = session.document.with_untracked(|checked| {
        let document = &checked.document;
        let keys: Vec<&str> = document.keys(&format!("fault.{name}"));
        let keys: Vec<&str> = keys.into_iter().filter(|key| !SHOWN.contains(key)).collect();
        let words = keys.iter().map(|key| document.words(&format!("fault.{name}.{key}")));
        (keys.clone(), words.collect::<Vec<_>>())
    });
    let fields = keys.into_iter().zip(words).map(|(key, words)| {
        let path = format!("fault.{name}.{key}");
        let path = memo(move || path.clone());
        if words.is_empty() {
            let about = About { label: key, usual: "", typed: |text| text.trim().to_string() };
            field(path, about, flag(|| false)).into_any()
        } else {
            choice(path, key, Some("as usual"), words).into_any()
        }
    });
    let fields = fields.collect_view();
    let doubled = name.clone();
    let double = on(move |_: MouseEvent| session.double_fault(&doubled));
    let leave_out = on(move |_: MouseEvent| session.remove_fault(&name));
    view! {
        {fields}
        <button type="button" class="chip" on:click=double>"Double it"</button>
        <button type="button" class="chip" on:click=leave_out>"Take it out"</button>
    }
}
