//! Light or dark: the system's choice until the user makes one. The colours themselves are in assets/tokens.css.

use leptos::ev;
use leptos::prelude::*;
use send_wrapper::SendWrapper;
use wasm_bindgen::JsCast as _;
use wasm_bindgen::closure::Closure;
use web_sys::Element;

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
    /// Light or dark.
    pub(crate) fn of(is_dark: bool) -> Self {
        if is_dark { Self::Dark } else { Self::Light }
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
        Self::of(dark)
    }
    fn chosen() -> Option<Self> {
        let kept = window().local_storage().ok().flatten()?.get_item(KEY).ok().flatten()?;
        [Self::Light, Self::Dark].into_iter().find(|theme| theme.word() == kept)
    }
    /// Makes it that of the ground, before anything reads a colour.
    pub(crate) fn apply(self) {
        if let Some(ground) = ground() {
            self.apply_to(&ground);
        }
    }
    pub(crate) fn apply_to(self, ground: &Element) {
        let _ = ground.set_attribute("data-theme", self.word());
    }
}

/// The element that has the tokens.
#[derive(Clone)]
struct Ground(SendWrapper<Element>);

/// From here on the tokens are those of this element.
pub(crate) fn stand_on(ground: Element) {
    provide_context(Ground(SendWrapper::new(ground)));
}

/// The element that has the tokens: a figure's own, otherwise the page's root.
pub(crate) fn ground() -> Option<Element> {
    let own = use_context::<Ground>().map(|ground| ground.0.take());
    own.or_else(|| document().document_element())
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
