//! Light or dark: the system's choice until the user makes one. The colours themselves are in assets/tokens.css.

use leptos::ev;
use leptos::prelude::*;
use wasm_bindgen::JsCast as _;
use wasm_bindgen::closure::Closure;

use crate::slim::{State, on, text};

/// Which set of colours.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Theme {
    Light,
    Dark,
}

/// Where the user's choice is kept.
const KEY: &str = "fencepost-theme";
const QUERY: &str = "(prefers-color-scheme: dark)";

impl Theme {
    fn word(self) -> &'static str {
        match self {
            Self::Light => "light",
            Self::Dark => "dark",
        }
    }
    fn other(self) -> Self {
        match self {
            Self::Light => Self::Dark,
            Self::Dark => Self::Light,
        }
    }
    /// The page's, as it is now.
    pub(crate) fn of_page() -> Self {
        let root = document().document_element();
        let word = root.and_then(|root| root.get_attribute("data-theme"));
        if word.as_deref() == Some(Self::Dark.word()) { Self::Dark } else { Self::Light }
    }
    fn of_system() -> Self {
        let dark = window().match_media(QUERY).ok().flatten().is_some_and(|query| query.matches());
        if dark { Self::Dark } else { Self::Light }
    }
    fn chosen() -> Option<Self> {
        let kept = window().local_storage().ok().flatten()?.get_item(KEY).ok().flatten()?;
        [Self::Light, Self::Dark].into_iter().find(|theme| theme.word() == kept)
    }
    /// Makes it the page's, before anything reads a colour.
    fn apply(self) {
        if let Some(root) = document().document_element() {
            let _ = root.set_attribute("data-theme", self.word());
        }
    }
}

/// The page's theme, which follows the system until the switch was used.
pub(crate) fn theme() -> State<Theme> {
    let first = Theme::chosen().unwrap_or_else(Theme::of_system);
    first.apply();
    let theme = State::new(first);
    let follow = Closure::<dyn FnMut()>::new(move || {
        if Theme::chosen().is_none() {
            Theme::of_system().apply();
            theme.set(Theme::of_system());
        }
    });
    if let Ok(Some(query)) = window().match_media(QUERY) {
        query.set_onchange(Some(follow.as_ref().unchecked_ref()));
    }
    follow.forget();
    theme
}

/// The switch.
#[component]
pub(crate) fn ThemeSwitch(theme: State<Theme>) -> impl IntoView {
    let turn = on(move |_: ev::MouseEvent| {
        let next = theme.get_untracked().other();
        next.apply();
        if let Ok(Some(storage)) = window().local_storage() {
            let _ = storage.set_item(KEY, next.word());
        }
        theme.set(next);
    });
    let label = text(move || format!("Use {} colours", theme.get().other().word()));
    view! {
        <button id="theme" class="icon-button" type="button" aria-label=label title=label on:click=turn>
            <svg viewBox="0 0 20 20" aria-hidden="true">
                <circle cx="10" cy="10" r="7" fill="none" stroke="currentColor" stroke-width="1.6" />
                <path d="M10 3a7 7 0 0 1 0 14z" fill="currentColor" />
            </svg>
        </button>
    }
}
