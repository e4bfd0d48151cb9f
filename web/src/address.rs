//! The page's address: after `#` it has what is open, so that copying it takes everything along.

use std::time::Duration;

use leptos::ev;
use leptos::prelude::*;
use leptos::task::spawn_local;
use scenario::link::Link;
use wasm_bindgen::JsValue;

use crate::bench::Open;
use crate::export::copied;
use crate::mishap;
use crate::session::{Opened, Session};
use crate::slim::effect;

/// How long after a change the address follows: browsers refuse it many times a second.
const AFTER: Duration = Duration::from_millis(400);
/// A longer one is not put into the address by itself: much of what addresses go through cuts them off.
const LENGTH_MAX: usize = 30_000;

/// What the address asks for, or why that cannot be read; `None` when it asks for nothing.
pub(crate) fn asked() -> Option<Result<Link, String>> {
    let hash = window().location().hash().ok()?;
    let fragment = hash.strip_prefix('#').filter(|fragment| !fragment.is_empty())?;
    Some(Link::parse(fragment))
}

/// The address of what is open.
pub(crate) fn link(session: Session, open: Open) -> String {
    let mut link = session.link();
    link.tab = Some(open.0.get_untracked().id().to_string()).filter(|tab| tab != "state");
    link.fragment()
}

/// Keeps the address current from now on, and opens what is typed or pasted into it.
pub(crate) fn follow(session: Session, open: Open) {
    let waiting = StoredValue::new(None::<TimeoutHandle>);
    let first = StoredValue::new(true);
    let written = StoredValue::new(session.choice.get_untracked());
    effect(move || {
        let choice = session.choice.get();
        session.document.track();
        session.playhead.track();
        session.selected.track();
        open.0.track();
        // An address that nobody asked for is left as it is until something changes.
        if first.get_value() {
            first.set_value(false);
            return;
        }
        if let Some(timer) = waiting.get_value() {
            timer.clear();
        }
        let current = move || {
            if !mishap::happened() {
                write(&link(session, open));
            }
        };
        // Another story is there at once: whoever reloads the page means that, and stories do not change many times a second.
        if written.get_value() == choice {
            waiting.set_value(set_timeout_with_handle(current, AFTER).ok());
        } else {
            written.set_value(choice);
            current();
        }
    });
    let _ = window_event_listener(ev::hashchange, move |_| {
        let now = window().location().hash().unwrap_or_default();
        if now.trim_start_matches('#') == link(session, open) {
            return;
        }
        match asked() {
            Some(Ok(link)) => go(session, open, &link),
            Some(Err(why)) => session.refusal.set(Some(why)),
            None => {}
        }
    });
}

/// Opens what a link leads to. What cannot be opened is said, and what is open stays.
fn go(session: Session, open: Open, link: &Link) {
    match Opened::of(link) {
        Ok(opened) => {
            session.visit(opened);
            open.name(link.tab.as_deref());
        }
        Err(why) => session.refusal.set(Some(why)),
    }
}

/// Copies the whole address; where the browser does not let a page do that, says where it stands.
pub(crate) fn copy(session: Session, open: Open) {
    let fragment = link(session, open);
    write(&fragment);
    let Ok(page) = window().location().href() else { return };
    let page = page.split('#').next().unwrap_or_default().to_string();
    spawn_local(async move {
        let copied = copied(&format!("{page}#{fragment}")).await;
        let said = if copied { "The link is copied." } else { "The link stands in the browser's address." };
        session.notice.set(Some(said.to_string()));
    });
}

/// Puts it into the address without a step in the browser's history: undo is the page's own.
pub(crate) fn write(fragment: &str) {
    if fragment.len() <= LENGTH_MAX
        && let Ok(history) = window().history()
    {
        let _ = history.replace_state_with_url(&JsValue::NULL, "", Some(&format!("#{fragment}")));
    }
}
