//! The clocks of chosen hosts against true time, with the stop readings and the deadlines that came.

use std::fmt::Write as _;
use std::rc::Rc;

use kernel::SimTime;
use leptos::prelude::*;
use scenario::document::text::{instant, reading};
use scenario::series::{Corner, HostClocks, LeaseLines, Limit, clocks, leases, said_of_clocks};
use scenario::{Group, Member, Play};
use timeline::Hue;

use super::frame::Frame;
use super::picture::{Dot, Form, Ink, Picture, Upright};
use super::{item, list};
use crate::form::{escaped, form};
use crate::session::Session;
use crate::slim::{Memo, State, memo};
use crate::theme::Theme;
use crate::timeline::Stage;

/// What the user chose.
#[derive(Clone, Default, PartialEq)]
struct Choice {
    /// Hosts that are not as they are at first: shown, or left out.
    turned: Vec<String>,
    /// Readings against true time, rather than offsets from it.
    readings: bool,
}

impl Choice {
    fn turn(&mut self, host: &str) {
        match self.turned.iter().position(|turned| turned == host) {
            Some(place) => drop(self.turned.remove(place)),
            None => self.turned.push(host.to_string()),
        }
    }

    fn shows(&self, card: &Card) -> bool {
        card.at_first != self.turned.iter().any(|turned| **turned == *card.clocks.name)
    }
}

/// A host that can be chosen.
#[derive(Clone, PartialEq)]
struct Card {
    clocks: HostClocks,
    hue: Hue,
    /// Whether it is shown before anybody chooses.
    at_first: bool,
}

#[component]
pub(super) fn Clocks(shown: Memo<bool>, theme: State<Theme>) -> impl IntoView {
    let session = Session::of_page();
    let stage = Stage::of_page();
    let choice = State::new(Choice::default());
    let cards = memo(move || {
        if shown.get() {
            session.play.with(|play| cards(play, &|member| stage.hue(member.process)))
        } else {
            Vec::new()
        }
    });
    let picture = memo(move || {
        if !shown.get() {
            return None;
        }
        let chosen = cards.with(|cards| choice.with(|choice| chosen(cards, choice)));
        let readings = choice.with(|choice| choice.readings);
        Some(session.play.with(|play| picture(play, &chosen, readings)))
    });
    let options = memo(move || cards.with(|cards| choice.with_untracked(|choice| options(cards, choice))));
    let press = move |_: Session, what: &str| {
        choice.update(|choice| match what.strip_prefix("host ") {
            Some(host) => choice.turn(host),
            None => choice.readings = !choice.readings,
        });
    };
    let said = memo(move || {
        let chosen = cards.with(|cards| choice.with(|choice| chosen(cards, choice)));
        let mut out = String::from("<ul class=said>");
        for card in &chosen {
            item(&mut out, card.hue, &card.clocks.name, &said_of_clocks(&card.clocks));
        }
        out.push_str("</ul>");
        out
    });
    view! {
        <h2>"Clocks against true time"</h2>
        <p class="hint">
            "A firm line is a host's monotonic clock, a broken one its wall clock. A dot is where a holder's clock came to its stop
            reading, an upright where the authority's came to the deadline."
        </p>
        {form(options, Rc::new(press))}
        <Frame id="chart-clocks" label="Clocks against true time" said="clocks-said" picture theme />
        <div id="clocks-said">{list(said)}</div>
    }
}

/// Every host that something is told of. At first those of workers are shown, and those whose clocks are off.
fn cards(play: &Play, hue: &dyn Fn(&Member) -> Hue) -> Vec<Card> {
    let card = |clocks: HostClocks| {
        let on_it = || play.cast.members.iter().filter(|member| member.host == clocks.host);
        let worker = on_it().find(|member| member.group == Group::Workers);
        let is_off = !clocks.are_true();
        if !is_off && on_it().all(|member| member.group == Group::Others) {
            return None;
        }
        let hue = worker.or_else(|| on_it().next()).map_or(Hue::Plain, hue);
        Some(Card { at_first: worker.is_some() || is_off, hue, clocks })
    };
    clocks(play).into_iter().filter_map(card).collect()
}

fn chosen(cards: &[Card], choice: &Choice) -> Vec<Card> {
    cards.iter().filter(|card| choice.shows(card)).cloned().collect()
}

fn options(cards: &[Card], choice: &Choice) -> String {
    let mut out = String::from("<div class=chips role=group aria-label='What the chart shows'>");
    for card in cards {
        let name = escaped(&card.clocks.name);
        let checked = if choice.shows(card) { " checked" } else { "" };
        let _ = write!(
            out,
            "<label class=chip><input type=checkbox data-do='host {name}'{checked}>{name}</label>"
        );
    }
    let checked = if choice.readings { " checked" } else { "" };
    let _ = write!(
        out,
        "<label class=chip><input type=checkbox data-do=readings{checked}>readings, not offsets</label></div>"
    );
    out
}

fn picture(play: &Play, chosen: &[Card], readings: bool) -> Picture {
    let mut picture = Picture::default();
    let shown = |corners: &[Corner]| -> Vec<Corner> {
        corners.iter().map(|corner| if readings { *corner } else { corner.off_true() }).collect()
    };
    if readings {
        let truth = [0, play.end().as_micros()].map(SimTime::from_micros);
        let truth = truth.map(|at| Corner { at, micros: at.as_micros() as i64 });
        picture.line(truth.to_vec(), Ink::Soft, Form::Thin);
    }
    for card in chosen {
        picture.line(shown(&card.clocks.mono), Ink::Lane(card.hue), Form::Firm);
        picture.line(shown(&card.clocks.wall), Ink::Lane(card.hue), Form::Dashed);
    }
    for lines in &leases(play) {
        let host = play.cast.members.get(lines.worker.index()).map(|member| member.host);
        if let Some(card) = chosen.iter().find(|card| Some(card.clocks.host) == host) {
            limits(&mut picture, lines, Ink::Lane(card.hue), readings);
        }
    }
    picture
}

fn limits(picture: &mut Picture, lines: &LeaseLines, ink: Ink, readings: bool) {
    if readings {
        lines.beliefs.iter().for_each(|side| picture.line(steps(&side.limits), ink, Form::Thin));
        lines.record.iter().for_each(|side| picture.line(steps(&side.limits), ink, Form::ThinDashed));
    }
    for stop in lines.beliefs.iter().flat_map(|side| &side.limits) {
        if let Some(at) = stop.came {
            let corner = Corner { at, micros: stop.reading };
            let at = if readings { corner } else { corner.off_true() };
            picture.dots.push(Dot { at, ink, label: format!("stop {}", reading(stop.reading)) });
        }
    }
    for at in lines.record.iter().flat_map(|side| &side.limits).filter_map(|deadline| deadline.came) {
        picture.uprights.push(Upright { at, ink, label: format!("deadline {}", instant(at)) });
    }
}

/// Limits as readings, each for as long as it was in force.
fn steps(limits: &[Limit]) -> Vec<Corner> {
    let step = |limit: &Limit| [limit.from, limit.until].map(|at| Corner { at, micros: limit.reading });
    limits.iter().flat_map(step).collect()
}
