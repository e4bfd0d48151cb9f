//! Forms made from the document's own keys: HTML as text, one listener for all fields, and one effect that fills them.
//! (As components, each with signals of its own, they were a tenth of the page's size.)
//!
//! Keys of the model and names are written into the HTML as they are, since the document's check lets only letters, digits,
//! dots, dashes and underscores pass; any other text goes through [`escaped`].

use std::fmt::Write as _;
use std::rc::Rc;

use js_sys::Reflect;
use leptos::ev::{Event, MouseEvent};
use leptos::html;
use leptos::prelude::*;
use scenario::Document;
use wasm_bindgen::{JsCast as _, JsValue};
use web_sys::{Element, HtmlElement};

use crate::session::Session;
use crate::slim::{Memo, effect, on};

/// What a button of a form does.
pub(crate) type Press = Rc<dyn Fn(Session, &str)>;

/// A form whose HTML follows from the document. `press` does what a button's `data-do` says.
pub(crate) fn form(html: Memo<String>, press: Press) -> impl IntoView {
    let session = Session::of_page();
    let place = NodeRef::<html::Div>::new();
    effect(move || {
        let Some(place) = place.get() else { return };
        let focused = focused(&place);
        place.set_inner_html(&html.get());
        fill(session, &place);
        let again = focused.and_then(|focused| place.query_selector(&focused).ok().flatten());
        if let Some(again) = again.and_then(|again| again.dyn_into::<HtmlElement>().ok()) {
            let _ = again.focus();
        }
    });
    effect(move || {
        session.document.track();
        if let Some(place) = place.get() {
            fill(session, &place);
        }
    });
    let changed = on(move |event: Event| {
        let field: Element = event_target(&event);
        if let Some(path) = field.get_attribute("data-path") {
            session.put(&path, value(&field).trim());
            // What was refused is not left standing: the field shows what the document has.
            show(session, &field, &path);
        }
    });
    let clicked = on(move |event: MouseEvent| {
        let target: Element = event_target(&event);
        let button = target.closest("[data-do]").ok().flatten();
        if let Some(what) = button.and_then(|button| button.get_attribute("data-do")) {
            press(session, &what);
        }
    });
    view! { <div class="form-place" node_ref=place on:change=changed on:click=clicked></div> }
}

/// Fields for these keys of the table at `path`.
pub(crate) fn fields(out: &mut String, document: &Document, path: &str, keys: &[&str]) {
    out.push_str("<div class=\"form-fields\">");
    for key in keys {
        field(out, document, &join(path, key), key);
    }
    out.push_str("</div>");
}

fn field(out: &mut String, document: &Document, path: &str, key: &str) {
    let label = key.replace('_', " ");
    let words = document.words(path);
    // A choice can be made in more words than one: `{ poll = "1s" }`.
    let is_free = document.get(path).is_some_and(|value| !words.contains(&value.as_str()));
    let _ = write!(out, "<label class=field><span>{label}</span>");
    let _ = if words.is_empty() || is_free {
        write!(
            out,
            "<input data-path='{path}' spellcheck=false autocomplete=off placeholder='as usual'></label>"
        )
    } else {
        write!(
            out,
            "<select data-path='{path}'><option value=''>as usual</option>{}</select></label>",
            options(&words)
        )
    };
}

/// Options of a list.
pub(crate) fn options(words: &[&str]) -> String {
    words.iter().map(|word| format!("<option value='{word}'>{}</option>", word.replace('-', " "))).collect()
}

/// A text that stays text in HTML.
pub(crate) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            _ => out.push(c),
        }
    }
    out
}

/// A path's longer one.
pub(crate) fn join(path: &str, key: &str) -> String {
    if path.is_empty() { key.to_string() } else { format!("{path}.{key}") }
}

/// Shows in each field what the document has.
fn fill(session: Session, place: &Element) {
    let Ok(fields) = place.query_selector_all("[data-path]") else { return };
    for nth in 0..fields.length() {
        let field = fields.get(nth).and_then(|field| field.dyn_into::<Element>().ok());
        if let Some((field, path)) =
            field.and_then(|field| Some((field.clone(), field.get_attribute("data-path")?)))
        {
            show(session, &field, &path);
        }
    }
}

fn show(session: Session, field: &Element, path: &str) {
    let said = session.document.with_untracked(|checked| checked.document.get(path)).unwrap_or_default();
    if value(field) != said {
        let _ = Reflect::set(field, &JsValue::from_str("value"), &JsValue::from_str(&said));
    }
}

/// What a field or a list has.
fn value(field: &Element) -> String {
    Reflect::get(field, &JsValue::from_str("value"))
        .ok()
        .and_then(|value| value.as_string())
        .unwrap_or_default()
}

/// A selector for the field or button that has the keyboard: it is to have it in the new HTML too.
fn focused(place: &Element) -> Option<String> {
    let focused = document().active_element().filter(|focused| place.contains(Some(focused)))?;
    let by = |name: &str| Some(format!("[{name}='{}']", focused.get_attribute(name)?));
    by("data-path").or_else(|| by("data-do"))
}
