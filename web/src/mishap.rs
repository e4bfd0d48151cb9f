//! A panic: our own mistake. The page says what happened, with a link that does it again, and goes on with the last
//! document that was played to its end.
//!
//! After a panic nothing of the program can be relied on: what is said is plain HTML, nothing is kept any more, and going on
//! is a form that opens the page anew.

use std::cell::RefCell;
use std::panic::PanicHookInfo;

use leptos::prelude::{document, window};
use scenario::link::Link;
use wasm_bindgen::JsCast as _;

use crate::address;
use crate::keep;
use crate::session::Checked;
use crate::shared::Shared;

/// What is being played, and what was played to its end before it.
#[derive(Default)]
struct Plays {
    now: Option<Shared<Checked>>,
    good: Option<Shared<Checked>>,
}

thread_local! {
    static PLAYS: RefCell<Plays> = RefCell::default();
}

/// Plays a document; a panic within is known to be of it.
pub(crate) fn watched<T>(checked: &Shared<Checked>, play: impl FnOnce() -> T) -> T {
    PLAYS.with_borrow_mut(|plays| plays.now = Some(checked.clone()));
    assert!(!is_asked_for(checked), "a mishap was asked for");
    let played = play();
    PLAYS.with_borrow_mut(|plays| plays.good = plays.now.take());
    played
}

/// For the tests: with `?mishap` in the address, a document of that title is one.
fn is_asked_for(checked: &Checked) -> bool {
    checked.scenario.title == "mishap"
        && window().location().search().is_ok_and(|search| search.contains("mishap"))
}

/// Whether a play panicked: then nothing that the page has is to be kept.
pub(crate) fn happened() -> bool {
    PLAYS.with(|plays| plays.try_borrow().is_ok_and(|plays| plays.now.is_some()))
}

/// Says so from now on when something panics.
pub(crate) fn watch() {
    std::panic::set_hook(Box::new(told));
}

fn told(info: &PanicHookInfo<'_>) {
    let message = info.to_string();
    web_sys::console::error_1(&message.as_str().into());
    let plays =
        PLAYS.with(|plays| plays.try_borrow().ok().map(|plays| (plays.now.clone(), plays.good.clone())));
    let (now, good) = plays.unwrap_or_default();
    let again = now.as_ref().map(|checked| {
        let text = Some(checked.document.to_toml());
        Link { text, ..Link::default() }.fragment()
    });
    if let Some(checked) = &now {
        keep::put_back(good.map(|good| good.document.to_toml()), &checked.document.to_toml());
        address::write(""); // Going on does not open once more what broke off.
    }
    say(&message, again.as_deref());
}

/// Says it over the page.
fn say(message: &str, again: Option<&str>) {
    let Some(body) = document().body() else { return };
    let element = |name: &str, class: &str, text: &str| -> Option<web_sys::Element> {
        let made = document().create_element(name).ok()?;
        made.set_class_name(class);
        made.set_text_content(Some(text));
        Some(made)
    };
    let parts = || -> Option<()> {
        let place = element("div", "mishap", "")?;
        place.set_attribute("role", "alertdialog").ok()?;
        place.set_attribute("aria-label", "Fencepost stopped").ok()?;
        let what =
            if again.is_some() { "The simulation of this document stopped." } else { "The page stopped." };
        let comfort = "That is a mistake in Fencepost, and nothing that you did. Your last document that played is kept.";
        for (name, text) in [("h2", what), ("p", comfort), ("pre", message)] {
            let part = element(name, "", text)?;
            place.append_child(&part).ok()?;
        }
        if let Some(again) = again {
            let link = element("a", "chip", "A link that does it again, to report it")?;
            link.set_attribute("href", &format!("#{again}")).ok()?;
            link.set_attribute("target", "_blank").ok()?;
            place.append_child(&link).ok()?;
        }
        let form = element("form", "", "")?;
        let go_on = element("button", "chip", "Go on")?;
        go_on.set_id("go-on");
        form.append_child(&go_on).ok()?;
        place.append_child(&form).ok()?;
        body.append_child(&place).ok()?;
        go_on.dyn_ref::<web_sys::HtmlElement>()?.focus().ok()
    };
    if parts().is_none() {
        let _ = window().alert_with_message(message);
    }
}
