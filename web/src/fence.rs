//! The fence switch: whether the first store that can compare tokens does.

use leptos::ev::MouseEvent;
use leptos::prelude::*;
use scenario::Group;

use crate::session::Session;
use crate::slim::{flag, memo, on, text};

const ON: &str = "fenced-row";
const OFF: &str = "unfenced";

/// The path of the kind of the first store that has a fence or could have one, and whether it has.
fn fence(session: Session) -> Option<(String, bool)> {
    let play = session.play.get();
    session.document.with(|checked| {
        play.cast.group(Group::Stores).find_map(|member| {
            let path = format!("store.{}.kind", member.name);
            let kind = checked.document.get(&path)?;
            (kind == ON || kind == OFF).then_some((path, kind == ON))
        })
    })
}

/// The switch; nothing when no store has a fence to switch.
#[component]
pub(crate) fn FenceSwitch() -> impl IntoView {
    let session = Session::of_page();
    let fence = memo(move || fence(session));
    let is_there = move || fence.with(Option::is_some);
    let is_on = move || fence.with(|fence| fence.as_ref().is_some_and(|(_, on)| *on));
    let turn = move |_: MouseEvent| {
        if let Some((path, on)) = fence.get_untracked() {
            session.commit(&[(path, (if on { OFF } else { ON }).to_string())]);
        }
    };
    view! {
        <button id="fence-switch" class="switch" type="button" role="switch"
            hidden=flag(move || !is_there()) aria-checked=text(move || is_on().to_string()) on:click=on(turn)>
            <span class="switch-track" aria-hidden="true"><span class="switch-thumb"></span></span>
            <span>{text(move || if is_on() { "Fence on".into() } else { "Fence off".into() })}</span>
        </button>
    }
}
