//! The document as text. What is typed is played as soon as it is good; until then it stands here with what is wrong, and
//! the page shows the last good one.

use leptos::ev::{Event, FocusEvent, MouseEvent};
use leptos::html;
use leptos::prelude::*;
use leptos::task::spawn_local;
use scenario::document::Problem;
use wasm_bindgen_futures::JsFuture;

use crate::session::Session;
use crate::slim::{Memo, State, flag, memo, on, rows, text};

#[component]
pub(super) fn Words(shown: Memo<bool>) -> impl IntoView {
    let session = Session::of_page();
    let written = memo(move || {
        if !shown.get() {
            return String::new();
        }
        let draft = session.draft.with(|draft| draft.as_ref().map(|draft| draft.text.clone()));
        draft.unwrap_or_else(|| session.document.with(|checked| checked.document.to_toml()))
    });
    let problems = memo(move || {
        session.draft.with(|draft| draft.as_ref().map_or_else(Vec::new, |draft| draft.problems.clone()))
    });
    let area = NodeRef::<html::Textarea>::new();
    let lines = NodeRef::<html::Pre>::new();
    // One gesture of typing is undone as one.
    let begins = State::new(true);
    let typed = on(move |event: Event| {
        if session.write(&event_target_value(&event), begins.get_untracked()) {
            begins.set(false);
        }
    });
    let scrolled = on(move |_: Event| {
        if let (Some(area), Some(lines)) = (area.get_untracked(), lines.get_untracked()) {
            lines.set_scroll_top(area.scroll_top());
        }
    });
    let numbers = text(move || {
        let count = written.with(|text| text.split('\n').count());
        problems.with(|problems| {
            let line = |line: u32| {
                let wrong = problems.iter().any(|problem| problem.line == Some(line));
                format!("{}{line}\n", if wrong { "✗ " } else { "" })
            };
            (1..=count as u32).map(line).collect::<String>()
        })
    });
    let list = NodeRef::<html::Div>::new();
    rows(list, "ul", memo(move || problems.with(Vec::len)), move |nth| problem(problems, nth, area));
    let is_good = move || problems.with(Vec::is_empty);
    let drop_draft = on(move |_: MouseEvent| session.draft.set(None));
    let opened = on(move |event: Event| {
        let input: web_sys::HtmlInputElement = event_target(&event);
        let Some(file) = input.files().and_then(|files| files.get(0)) else { return };
        spawn_local(async move {
            let text = JsFuture::from(file.text()).await.ok().and_then(|text| text.as_string());
            if let Some(text) = text {
                session.write(&text, true);
            }
            input.set_value("");
        });
    });
    let save = on(move |event: MouseEvent| {
        let link: web_sys::Element = event_target(&event);
        let text = js_sys::encode_uri_component(&written.get_untracked());
        let _ = link.set_attribute("href", &format!("data:text/plain;charset=utf-8,{text}"));
    });
    view! {
        <div class="chips">
            <label class="chip">
                "Open a file…"
                <input id="open-file" class="visually-hidden" type="file" accept=".toml,.json" on:change=opened />
            </label>
            <a id="save-file" class="chip" href="#" download="scenario.toml" on:click=save>"Save as a file"</a>
        </div>
        <div class="editor">
            <pre class="lines" aria-hidden="true" node_ref=lines>{numbers}</pre>
            <textarea id="document" aria-label="The document" aria-describedby="document-problems"
                spellcheck="false" autocapitalize="off" autocomplete="off" wrap="off" node_ref=area
                aria-invalid=text(move || (!is_good()).to_string())
                prop:value=text(move || written.get())
                on:input=typed on:scroll=scrolled
                on:focus=on(move |_: FocusEvent| begins.set(true))></textarea>
        </div>
        <div id="document-problems" aria-live="polite" node_ref=list>
            <p class="hint" hidden=flag(move || !is_good())>"What is typed here is played as soon as it is a good document."</p>
            <div class="refusal" hidden=flag(is_good)>
                <span>"This text is not played yet: the page shows the last good document."</span>
                <button type="button" class="chip" on:click=drop_draft>"Back to that"</button>
            </div>
            <ul class="problems"></ul>
        </div>
    }
}

/// What is wrong, and a way to its line.
fn problem(problems: Memo<Vec<Problem>>, nth: usize, area: NodeRef<html::Textarea>) -> impl IntoView {
    let said = text(move || {
        problems.with(|problems| problems.get(nth).map(ToString::to_string).unwrap_or_default())
    });
    let go = on(move |_: MouseEvent| {
        let line = problems.with_untracked(|problems| problems.get(nth).and_then(|problem| problem.line));
        if let (Some(area), Some(line)) = (area.get_untracked(), line) {
            show_line(&area, line);
        }
    });
    view! { <li><button type="button" class="row-button" on:click=go>{said}</button></li> }
}

/// Selects a line, from 1, and scrolls to it.
fn show_line(area: &web_sys::HtmlTextAreaElement, line: u32) {
    let text = area.value();
    let mut from = 0;
    for (n, each) in text.split('\n').enumerate() {
        // Selections count as JavaScript does.
        let length = each.encode_utf16().count() as u32;
        if n as u32 + 1 == line {
            let _ = area.focus();
            let _ = area.set_selection_range(from, from + length);
            let count = text.split('\n').count().max(1) as i32;
            area.set_scroll_top(area.scroll_height() / count * (line as i32 - 3).max(0));
            return;
        }
        from += length + 1;
    }
}
