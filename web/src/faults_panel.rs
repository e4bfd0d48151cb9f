//! The faults as fields: for exact figures, for switching one off, and for whoever would rather type than drag.

use leptos::ev::{Event, FocusEvent};
use leptos::html;
use leptos::prelude::*;

use crate::format::typed;
use crate::session::Session;
use crate::slim::{Memo, flag, mark, memo, on, rows, text};
use crate::timeline::Struck;

/// A row for each fault of the document, those that are switched off as well.
#[component]
pub(crate) fn FaultsPanel() -> impl IntoView {
    let session = Session::of_page();
    let ids = memo(move || session.document.with(|checked| checked.fault_ids()));
    let place = NodeRef::<html::Div>::new();
    let count = memo(move || ids.with(Vec::len));
    rows(place, "", count, move |nth| row(ids, nth));
    view! {
        <section id="faults" class="panel faults-panel" aria-labelledby="faults-title">
            <h2 id="faults-title">"Faults"</h2>
            <p class="hint">"Drag a block on the timeline, stretch its edges, or type."</p>
            <div class="fault-rows" node_ref=place></div>
        </section>
    }
}

fn row(ids: Memo<Vec<String>>, nth: usize) -> impl IntoView {
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
        </div>
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
            session.commit(&[(path(), text)]);
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
