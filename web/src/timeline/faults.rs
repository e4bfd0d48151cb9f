//! Each fault on the timeline as a labelled control over its block: what the canvas shows, for keyboards and for
//! assistive technology, and the place where a finger that comes down does not scroll the page.

use kernel::{FaultId, SimTime, Span};
use leptos::ev;
use leptos::html;
use leptos::prelude::*;
use scenario::document::text::{instant, length};
use timeline::{FaultWord, Hold, Part};

use super::Stage;
use crate::format::{millis, px};
use crate::session::Session;
use crate::slim::{Memo, memo, on, rows, text};

/// How large a control is at least; for fingers the style adds to it.
const LEAST: f64 = 24.0;

/// All of them.
#[component]
pub(super) fn Faults() -> impl IntoView {
    let stage = Stage::of_page();
    let ids = memo(move || {
        stage.play.with(|play| play.cast.faults.iter().map(|fault| fault.id.to_string()).collect::<Vec<_>>())
    });
    let place = NodeRef::<html::Div>::new();
    rows(place, "", memo(move || ids.with(Vec::len)), move |nth| fault(ids, nth));
    view! {
        <div class="faults" role="group" aria-label="Faults: arrow keys move one, Alt with arrow keys changes its length" node_ref=place></div>
    }
}

/// What the controls of one fault need to know of it.
#[derive(Clone, PartialEq)]
pub(crate) struct Struck {
    pub(crate) id: FaultId,
    /// Its name in the document.
    pub(crate) name: String,
    /// What it is: "pause of A".
    pub(crate) text: String,
    /// Whether it has a length that can be changed.
    pub(crate) lasts: bool,
    /// What it waits for, when its instant is anchored, and how long after that it strikes.
    pub(crate) after: Option<(String, Span)>,
    /// When it struck, and until when it was in force; `None` when it did not strike.
    pub(crate) times: Option<(SimTime, Option<SimTime>)>,
    pub(crate) horizon: SimTime,
}

impl Struck {
    /// The fault of this name in the play.
    pub(crate) fn find(play: &scenario::Play, name: &str) -> Option<Self> {
        let place = play.cast.faults.iter().position(|fault| &*fault.id == name)?;
        let id = FaultId(place as u16);
        let block = play.facts.blocks.iter().find(|block| block.fault == id);
        let times = block.map(|block| (block.from, block.until));
        let card = &play.cast.faults[place];
        let lasts = FaultWord::of(card.kind).is_some_and(|word| !word.is_instant());
        let (name, text, after) = (card.id.to_string(), card.text.clone(), card.after.clone());
        Some(Self { id, name, text, lasts, after, times, horizon: play.horizon() })
    }

    /// Taken hold of at this part.
    pub(crate) fn hold(&self, part: Part) -> Option<Hold> {
        let (from, until) = self.times?;
        let plus = self.after.as_ref().map(|(_, plus)| *plus);
        Some(Hold { fault: self.name.clone(), part, from, until, horizon: self.horizon, plus })
    }

    /// "pause of A from 4 s to 19 s".
    pub(crate) fn sentence(&self) -> String {
        let when = self.when();
        match &self.after {
            None => when,
            Some((what, plus)) if *plus == Span::ZERO => format!("{when}, when {what}"),
            Some((what, plus)) => format!("{when}, {} after {what}", length(*plus)),
        }
    }

    fn when(&self) -> String {
        let what = &self.text;
        match self.times {
            None => format!("{what}: does not strike"),
            Some((from, None)) => format!("{what} from {} to the end", instant(from)),
            Some((from, Some(until))) if until <= from => format!("{what} at {}", instant(from)),
            Some((from, Some(until))) => format!("{what} from {} to {}", instant(from), instant(until)),
        }
    }
}

fn fault(ids: Memo<Vec<String>>, nth: usize) -> impl IntoView {
    let session = Session::of_page();
    let stage = Stage::of_page();
    let name = move || ids.with(|ids| ids.get(nth).cloned().unwrap_or_default());
    let struck = memo(move || stage.play.with(|play| Struck::find(play, &name())));
    let of = move |read: fn(&Struck) -> String| {
        text(move || struck.with(|struck| struck.as_ref().map_or_else(String::new, read)))
    };
    let place = text(move || {
        let id = struck.with(|struck| struck.as_ref().map(|struck| struck.id));
        stage.layout.with(|layout| {
            let Some(block) = id.and_then(|id| layout.block(id)) else { return "display:none".into() };
            let rect = block.main.at_least(LEAST);
            format!("left:{};top:{};width:{};height:{}", px(rect.x), px(rect.y), px(rect.w), px(rect.h))
        })
    });
    let key = on(move |event: ev::KeyboardEvent| {
        if crate::faults::key(session, &event, &name()) {
            event.prevent_default();
            event.stop_propagation();
            return;
        }
        let Some(micros) = arrow(&event) else { return };
        let part = if event.alt_key() { Part::End } else { Part::Body };
        let hold = struck.with_untracked(|struck| struck.as_ref().and_then(|struck| struck.hold(part)));
        if let Some(hold) = hold {
            session.commit(&hold.moved(micros, Span::from_millis(100)));
        }
        event.prevent_default();
        event.stop_propagation();
    });
    let look = on(move |_: ev::FocusEvent| session.selected.set(Some(name())));
    view! {
        <div
            class="fault"
            role="slider"
            tabindex="0"
            data-fault=text(name)
            aria-label=of(|struck| struck.text.clone())
            aria-valuemin="0"
            aria-valuemax=of(|struck| millis(struck.horizon).to_string())
            aria-valuenow=of(|struck| millis(struck.times.map_or(SimTime::ZERO, |times| times.0)).to_string())
            aria-valuetext=of(Struck::sentence)
            prop:style=place
            on:keydown=key
            on:focus=look
        ></div>
    }
}

/// How far an arrow key moves, in microseconds.
pub(super) fn arrow(event: &ev::KeyboardEvent) -> Option<i64> {
    let step = if event.shift_key() { 1_000_000 } else { 100_000 };
    match event.key().as_str() {
        "ArrowRight" | "ArrowUp" => Some(step),
        "ArrowLeft" | "ArrowDown" => Some(-step),
        _ => None,
    }
}
