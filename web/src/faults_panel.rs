//! The faults as fields: for exact figures, for switching one off, and for whoever would rather type than drag.

use leptos::ev::{Event, FocusEvent};
use leptos::prelude::*;

use crate::format::typed;
use crate::session::Session;
use crate::slim::{flag, maybe, memo, on, part, text};
use crate::timeline::Struck;

/// A row for each fault of the document, those that are switched off as well.
#[component]
pub(crate) fn FaultsPanel() -> impl IntoView {
    let session = Session::of_page();
    let ids = memo(move || session.document.with(|checked| checked.fault_ids()));
    let rows = part(move || ids.get().into_iter().map(row).collect_view().into_any());
    view! {
        <section id="faults" class="panel faults-panel" aria-labelledby="faults-title">
            <h2 id="faults-title">"Faults"</h2>
            <p class="hint">"Drag a block on the timeline, stretch its edges, or type."</p>
            <div class="fault-rows">{rows}</div>
        </section>
    }
}

fn row(id: String) -> impl IntoView {
    let session = Session::of_page();
    let name = StoredValue::new(id.clone());
    let struck = memo(move || session.play.with(|play| name.with_value(|name| Struck::find(play, name))));
    let title = text(move || {
        let told = struck.with(|struck| struck.as_ref().map(|struck| struck.text.clone()));
        told.unwrap_or_else(|| name.get_value().replace('-', " "))
    });
    let enabled = StoredValue::new(format!("fault.{id}.enabled"));
    let is_on = move || {
        let value = session.document.with(|checked| enabled.with_value(|path| checked.document.get(path)));
        value.is_none_or(|value| value != "false")
    };
    let switch = on(move |event: Event| {
        session.commit(&[(enabled.get_value(), event_target_checked(&event).to_string())]);
    });
    let is_instant = struck.with_untracked(|struck| struck.as_ref().is_some_and(|struck| !struck.lasts));
    let misses = move || struck.with(|struck| struck.as_ref().is_some_and(|struck| struck.times.is_none()));
    let current = maybe(move || {
        session
            .selected
            .with(|selected| (selected.as_ref() == Some(&name.get_value())).then(|| "true".into()))
    });
    let look = on(move |_: FocusEvent| session.selected.set(Some(name.get_value())));
    view! {
        <div class="fault-row" class:off=flag(move || !is_on()) role="group" aria-label=title aria-current=current on:focusin=look>
            <label class="fault-name">
                <input type="checkbox" data-field=format!("{id}.enabled") prop:checked=flag(is_on) on:change=switch />
                <span>{title}</span>
            </label>
            {field(&id, "at")}
            {(!is_instant).then(|| field(&id, "for"))}
            <span class="hint" hidden=flag(move || !misses())>"does not strike in this play"</span>
        </div>
    }
}

/// A field of a fault: shows what the document has, and takes what is typed when it is done with.
fn field(id: &str, key: &'static str) -> impl IntoView + use<> {
    let session = Session::of_page();
    let path = StoredValue::new(format!("fault.{id}.{key}"));
    let value = memo(move || {
        session
            .document
            .with(|checked| path.with_value(|path| checked.document.get(path)))
            .unwrap_or_default()
    });
    let change = on(move |event: Event| {
        let text = typed(&event_target_value(&event));
        if text != value.get_untracked() {
            session.commit(&[(path.get_value(), text)]);
        }
        // What was refused is not left standing: the field shows what the document has.
        event_target::<web_sys::HtmlInputElement>(&event).set_value(&value.get_untracked());
    });
    view! {
        <label class="field">
            <span>{key}</span>
            <input type="text" spellcheck="false" autocomplete="off" data-field=format!("{id}.{key}")
                placeholder=if key == "for" { "to the end" } else { "" } prop:value=text(move || value.get()) on:change=change />
        </label>
    }
}
