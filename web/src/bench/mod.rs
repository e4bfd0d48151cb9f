//! Below the timeline: the processes' states, why it came out so, what was tried, charts, how the play is set up, and the
//! document as text, one at a time.

mod setup;
mod state;
mod tries;
mod why;
mod words;

use leptos::ev::{KeyboardEvent, MouseEvent};
use leptos::html;
use leptos::prelude::*;
use wasm_bindgen::JsCast as _;

use crate::charts::Charts;
use crate::slim::{State, flag, on, text};
use crate::theme::Theme;

/// Which of them is shown.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Tab {
    State,
    Why,
    Tries,
    Charts,
    Setup,
    Words,
}

const TABS: [(Tab, &str, &str); 6] = [
    (Tab::State, "state", "State"),
    (Tab::Why, "why", "Why"),
    (Tab::Tries, "tries", "Tries"),
    (Tab::Charts, "charts", "Charts"),
    (Tab::Setup, "setup", "Set-up"),
    (Tab::Words, "words", "Document"),
];

/// Which of them is open on the page.
#[derive(Clone, Copy)]
pub(crate) struct Open(pub(crate) State<Tab>);

impl Open {
    pub(crate) fn new() -> Self {
        Self(State::new(Tab::State))
    }

    /// That of the page.
    pub(crate) fn of_page() -> Self {
        expect_context()
    }

    /// Opens the one of this name, if there is one.
    pub(crate) fn name(self, name: Option<&str>) {
        if let Some((tab, ..)) = TABS.iter().find(|(_, id, _)| Some(*id) == name) {
            self.0.set(*tab);
        }
    }
}

impl Tab {
    pub(crate) fn id(self) -> &'static str {
        TABS.iter().find(|(tab, ..)| *tab == self).map_or("", |(_, id, _)| id)
    }
}

/// The tabs and what they show.
#[component]
pub(crate) fn Bench(theme: State<Theme>) -> impl IntoView {
    let Open(tab) = Open::of_page();
    let list = NodeRef::<html::Div>::new();
    let go = move |to: usize| {
        let Some(&(next, ..)) = TABS.get(to) else { return };
        tab.set(next);
        let button = list.get_untracked().and_then(|list| list.children().item(to as u32));
        if let Some(button) = button.and_then(|button| button.dyn_into::<web_sys::HtmlElement>().ok()) {
            let _ = button.focus();
        }
    };
    let key = on(move |event: KeyboardEvent| {
        let now = TABS.iter().position(|(each, ..)| *each == tab.get_untracked()).unwrap_or(0);
        let last = TABS.len() - 1;
        match event.key().as_str() {
            "ArrowRight" => go(if now == last { 0 } else { now + 1 }),
            "ArrowLeft" => go(now.checked_sub(1).unwrap_or(last)),
            "Home" => go(0),
            "End" => go(last),
            _ => return,
        }
        event.prevent_default();
        event.stop_propagation();
    });
    let tabs = TABS.map(|(which, id, label)| {
        let is_on = move || tab.with(|tab| *tab == which);
        view! {
            <button type="button" class="tab" role="tab" id=format!("tab-{id}") aria-controls=id
                aria-selected=text(move || is_on().to_string())
                tabindex=text(move || if is_on() { "0".into() } else { "-1".into() })
                on:click=on(move |_: MouseEvent| tab.set(which))>{label}</button>
        }
    });
    let hidden = move |which: Tab| flag(move || tab.with(|tab| *tab != which));
    let shown = move |which: Tab| crate::slim::memo(move || tab.with(|tab| *tab == which));
    view! {
        <div class="bench">
            <div class="tabs" role="tablist" aria-label="Below the timeline" node_ref=list on:keydown=key>
                {tabs.into_iter().collect_view()}
            </div>
            <div id="state" role="tabpanel" aria-labelledby="tab-state" class="panel state" hidden=hidden(Tab::State)>
                <state::StatePanel />
            </div>
            <div id="why" role="tabpanel" aria-labelledby="tab-why" class="panel why" hidden=hidden(Tab::Why)>
                <why::WhyPanel shown=shown(Tab::Why) />
            </div>
            <div id="tries" role="tabpanel" aria-labelledby="tab-tries" class="panel tries" hidden=hidden(Tab::Tries)>
                <tries::TriesPanel shown=shown(Tab::Tries) />
            </div>
            <div id="charts" role="tabpanel" aria-labelledby="tab-charts" class="panel charts" hidden=hidden(Tab::Charts)>
                <Charts shown=shown(Tab::Charts) theme />
            </div>
            <div id="setup" role="tabpanel" aria-labelledby="tab-setup" class="panel setup" hidden=hidden(Tab::Setup)>
                <setup::Setup shown=shown(Tab::Setup) />
            </div>
            <div id="words" role="tabpanel" aria-labelledby="tab-words" class="panel document" hidden=hidden(Tab::Words)>
                <words::Words shown=shown(Tab::Words) />
            </div>
        </div>
    }
}
