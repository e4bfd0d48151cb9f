//! Every process's real state at the playhead.

use kernel::Health;
use leptos::html;
use leptos::prelude::*;
use scenario::{ProcessView, View};

use crate::format::{reading, steady};
use crate::session::Session;
use crate::shared::Shared;
use crate::slim::{Memo, memo, rows, text};

/// A card for each process.
#[component]
pub(super) fn StatePanel() -> impl IntoView {
    let session = Session::of_page();
    let view = memo(move || {
        let at = session.at();
        Shared::new(session.play.with(|play| play.view(at)))
    });
    let cards = NodeRef::<html::Div>::new();
    let count = memo(move || view.with(|view| view.processes.len()));
    rows(cards, "", count, move |place| card(view, place));
    view! {
        <h2>"State at " <span class="figure">{text(move || steady(session.at()))}</span></h2>
        <div class="cards" node_ref=cards></div>
    }
}

fn card(view: Memo<Shared<View>>, place: usize) -> impl IntoView {
    let session = Session::of_page();
    let of = move |read: fn(&ProcessView) -> String| {
        text(move || view.with(|view| view.processes.get(place).map_or_else(String::new, read)))
    };
    let who = move || {
        let process = view.with(|view| view.processes.get(place).map(|state| state.process));
        process.map_or_else(String::new, |process| session.play.with(|play| play.name(process).to_string()))
    };
    let lines = NodeRef::<html::Div>::new();
    let count =
        memo(move || view.with(|view| view.processes.get(place).map_or(0, |state| state.lines.len())));
    rows(lines, "dl", count, move |nth| line(view, place, nth));
    view! {
        <div class="card" role="group" aria-label=text(who) data-process=text(who) node_ref=lines>
            <h3>
                <span>{text(who)}</span>
                <span class=of(|state| format!("health {}", word(state.health)))>{of(|state| word(state.health).into())}</span>
            </h3>
            <p class="clocks figure">{of(clocks)}</p>
            <dl></dl>
        </div>
    }
}

/// A line of a card: what it is about, and how that stands.
fn line(view: Memo<Shared<View>>, place: usize, nth: usize) -> impl IntoView {
    let of = move |read: fn(&(String, String)) -> &String| {
        text(move || {
            view.with(|view| {
                let line = view.processes.get(place).and_then(|state| state.lines.get(nth));
                line.map_or_else(String::new, |line| read(line).clone())
            })
        })
    };
    view! { <div><dt>{of(|line| &line.0)}</dt><dd>{of(|line| &line.1)}</dd></div> }
}

/// What a process's clocks read: both where they differ.
fn clocks(state: &ProcessView) -> String {
    let (mono, wall) = (state.mono.as_micros() as i64, state.wall_micros);
    // A line breaks between the clocks, not before a unit.
    let clock = |name: &str, micros| format!("{name} {}", reading(micros)).replace(' ', "\u{a0}");
    if mono == wall {
        clock("clock", mono)
    } else {
        format!("{} · {}", clock("monotonic", mono), clock("wall", wall))
    }
}

fn word(health: Health) -> &'static str {
    match health {
        Health::Runs => "runs",
        Health::Stopped => "stopped",
        Health::Down => "down",
    }
}
