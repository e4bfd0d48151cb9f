//! Charts of the play: its hosts' clocks, and what was left of its leases. The lines come from `scenario::series`; a [`Picture`]
//! says what is drawn of them, and plotters draws it.

mod axis;
mod clocks;
mod frame;
mod leases;
mod picture;
mod plot;
mod words;

use std::fmt::Write as _;
use std::rc::Rc;

use leptos::prelude::*;
use timeline::Hue;
use timeline::paint::HUES;

use crate::form::{escaped, form};
use crate::session::Session;
use crate::slim::{Memo, State};
use crate::theme::Theme;
use picture::Picture;

/// What the tab shows, while it is open.
#[component]
pub(crate) fn Charts(shown: Memo<bool>, theme: State<Theme>) -> impl IntoView {
    view! {
        <clocks::Clocks shown theme />
        <leases::Leases shown theme />
    }
}

/// The list below a chart.
fn list(items: Memo<String>) -> impl IntoView {
    form(items, Rc::new(|_: Session, _: &str| ()))
}

/// A line of the list below a chart: a colour, a name in bold, and what is said. The list is the chart for whoever cannot see it.
fn item(out: &mut String, hue: Hue, name: &str, said: &str) {
    let colour = match hue {
        Hue::Worker(nth) => format!("hue-{}", usize::from(nth) % HUES),
        Hue::Service => "accent".into(),
        Hue::Plain => "ink-soft".into(),
    };
    let (name, said) = (escaped(name), escaped(said));
    let _ = write!(out, "<li><i style='background:var(--{colour})'></i><b>{name}</b> {said}</li>");
}
