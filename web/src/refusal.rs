//! What is said and not asked: why an edit was refused, what was done that is not seen otherwise.

use leptos::ev;
use leptos::prelude::*;

use crate::session::Session;
use crate::slim::{effect, flag, on, text};

/// How long a notice stays.
const NOTICE: std::time::Duration = std::time::Duration::from_secs(4);

/// Why the last edit was refused; the page still shows the last good document.
#[component]
pub(crate) fn Refusal() -> impl IntoView {
    let session = Session::of_page();
    let close = on(move |_: ev::MouseEvent| session.refusal.set(None));
    effect(move || {
        if session.notice.with(Option::is_some) {
            set_timeout(move || session.notice.set(None), NOTICE);
        }
    });
    view! {
        <div id="refusal" role="status" aria-live="polite">
            <p class="refusal" hidden=flag(move || session.refusal.with(Option::is_none))>
                <span>{text(move || session.refusal.get().map_or_else(String::new, |why| format!("Not done: {why}")))}</span>
                <button type="button" class="chip" on:click=close>"All right"</button>
            </p>
            <p class="notice" hidden=flag(move || session.notice.with(Option::is_none))>
                {text(move || session.notice.get().unwrap_or_default())}
            </p>
        </div>
    }
}
