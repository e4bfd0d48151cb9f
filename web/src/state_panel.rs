//! Every process's real state at the playhead.

use kernel::Health;
use leptos::prelude::*;
use scenario::{ProcessView, View};

use crate::format::{instant, reading};
use crate::session::Session;
use crate::shared::Shared;
use crate::slim::{maybe, memo, part, text};

/// A card for each process.
#[component]
pub(crate) fn StatePanel() -> impl IntoView {
    let session = Session::of_page();
    let view = memo(move || {
        let at = session.at();
        Shared::new(session.play.with(|play| play.view(at)))
    });
    let count = memo(move || view.with(|view| view.processes.len()));
    let cards = part(move || (0..count.get()).map(|place| card(view, place)).collect_view().into_any());
    view! {
        <section id="state" class="panel state" aria-labelledby="state-title">
            <h2 id="state-title">"State at " <span class="figure">{text(move || instant(session.at()))}</span></h2>
            <div class="cards">{cards}</div>
        </section>
    }
}

fn card(view: Memo<Shared<View>>, place: usize) -> impl IntoView {
    let session = Session::of_page();
    let of = move |read: fn(&ProcessView) -> String| {
        text(move || view.with(|view| view.processes.get(place).map_or_else(String::new, read)))
    };
    let who = move || {
        let process = view.with(|view| view.processes.get(place).map(|state| state.process));
        process.map(|process| session.play.with(|play| play.name(process).to_string()))
    };
    let count =
        memo(move || view.with(|view| view.processes.get(place).map_or(0, |state| state.lines.len())));
    let line = move |nth: usize, read: fn(&(String, String)) -> &str| {
        text(move || {
            view.with(|view| {
                let line = view.processes.get(place).and_then(|state| state.lines.get(nth));
                line.map_or_else(String::new, |line| read(line).to_string())
            })
        })
    };
    let lines = part(move || {
        let pair =
            move |nth| view! { <dt>{line(nth, |line| &line.0)}</dt><dd>{line(nth, |line| &line.1)}</dd> };
        (0..count.get()).map(pair).collect_view().into_any()
    });
    view! {
        <article class="card" data-process=maybe(who)>
            <h3>
                <span>{text(move || who().unwrap_or_default())}</span>
                <span class=of(|state| format!("health {}", word(state.health)))>{of(|state| word(state.health).into())}</span>
            </h3>
            <p class="clocks figure">{of(clocks)}</p>
            <dl>{lines}</dl>
        </article>
    }
}

/// What a process's clocks read: both where they differ.
fn clocks(state: &ProcessView) -> String {
    let (mono, wall) = (state.mono.as_micros() as i64, state.wall_micros);
    if mono == wall {
        format!("clock {}", reading(mono))
    } else {
        format!("monotonic {} · wall {}", reading(mono), reading(wall))
    }
}

fn word(health: Health) -> &'static str {
    match health {
        Health::Runs => "runs",
        Health::Stopped => "stopped",
        Health::Down => "down",
    }
}
