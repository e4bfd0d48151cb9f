//! The lengths of leases as labelled controls at what stands for them on the timeline, for keyboards and for assistive
//! technology. One that has the focus shows a handle, which is what a finger pulls.

use kernel::Span;
use leptos::ev;
use leptos::html;
use leptos::prelude::*;
use scenario::Scenario;
use scenario::document::text::length;
use timeline::{Grip, Pull, Rect, Timing};
use wasm_bindgen::JsCast as _;
use web_sys::{HtmlElement, PointerEvent};

use super::Stage;
use super::faults::arrow;
use crate::format::{millis, px};
use crate::session::Session;
use crate::slim::{Memo, State, memo, on, rows, text};

/// How large a control is at least.
const LEAST: f64 = 24.0;

/// A length that the document has.
#[derive(Clone, PartialEq)]
struct Length {
    timing: Timing,
    /// Whose; of a lease's own length, which is everybody's, somebody's.
    worker: String,
}

/// One of them, at one of the places that stand for it.
#[derive(Clone, PartialEq)]
pub(super) struct Chosen {
    length: Length,
    /// Which place, counted from the play's beginning.
    nth: usize,
}

impl Length {
    /// All that a document has.
    fn all(scenario: &Scenario) -> Vec<Self> {
        let of = |timing: Timing, worker: &str| Self { timing, worker: worker.to_string() };
        let first = scenario.worker.first().map(|worker| of(Timing::Ttl, &worker.name));
        let own = scenario
            .worker
            .iter()
            .flat_map(|worker| [of(Timing::Margin, &worker.name), of(Timing::Interval, &worker.name)]);
        first.into_iter().chain(own).filter(|length| length.pull(scenario).is_some()).collect()
    }

    fn pull(&self, scenario: &Scenario) -> Option<Pull> {
        Pull::of(scenario, self.timing, &self.worker)
    }

    fn name(&self) -> String {
        match self.timing {
            Timing::Ttl => "Lease".to_string(),
            Timing::Margin => format!("Margin of {}", self.worker),
            Timing::Interval => format!("Renewal interval of {}", self.worker),
        }
    }
}

impl Stage {
    /// The places of the layout that stand for a length, in the order of time.
    fn grips_of(self, length: &Length) -> Vec<usize> {
        self.layout.with(|layout| {
            self.play.with(|play| {
                let is_of = |grip: &Grip| {
                    let lane = layout.lanes.get(grip.lane);
                    grip.timing == length.timing
                        && (length.timing == Timing::Ttl
                            || lane.is_some_and(|lane| play.name(lane.process) == length.worker))
                };
                let grips = layout.grips.iter().enumerate();
                grips.filter(|(_, grip)| is_of(grip)).map(|(place, _)| place).collect()
            })
        })
    }

    /// The place of the layout that is chosen; the last one where there are fewer than there were.
    pub(super) fn grip_of(self, chosen: &Chosen) -> Option<usize> {
        let places = self.grips_of(&chosen.length);
        places.get(chosen.nth).or(places.last()).copied()
    }

    /// The place whose handle a pointer has come down on.
    pub(super) fn held(self, event: &PointerEvent) -> Option<usize> {
        let target: HtmlElement = event.target()?.dyn_into().ok()?;
        target.dataset().get("length")?;
        self.chosen.with_untracked(|chosen| self.grip_of(chosen.as_ref()?))
    }

    /// Gives the focus to the length that a place of the layout stands for.
    pub(super) fn choose(self, grip: usize) {
        let all = self.play.with_untracked(|play| Length::all(&play.scenario));
        let found = all.into_iter().find_map(|length| {
            let nth = self.grips_of(&length).iter().position(|place| *place == grip)?;
            Some(Chosen { length, nth })
        });
        let path = self.pull_of(grip).map(|pull| pull.path);
        let (Some(chosen), Some(path), Some(root)) = (found, path, self.root.get_untracked()) else { return };
        self.chosen.set(Some(chosen));
        let control = root.query_selector(&format!("[data-length='{path}']")).ok().flatten();
        if let Some(control) = control.and_then(|control| control.dyn_into::<HtmlElement>().ok()) {
            let _ = control.focus();
        }
    }
}

/// All of them.
#[component]
pub(super) fn Lengths() -> impl IntoView {
    let stage = Stage::of_page();
    let all = memo(move || stage.play.with(|play| Length::all(&play.scenario)));
    let place = NodeRef::<html::Div>::new();
    rows(place, "", memo(move || all.with(Vec::len)), move |nth| control(all, nth));
    view! {
        <div role="group" aria-label="Leases: arrow keys change a length" node_ref=place></div>
    }
}

fn control(all: Memo<Vec<Length>>, nth: usize) -> impl IntoView {
    let session = Session::of_page();
    let stage = Stage::of_page();
    let length_of = memo(move || all.with(|all| all.get(nth).cloned()));
    let pull =
        memo(move || stage.play.with(|play| length_of.with(|length| length.as_ref()?.pull(&play.scenario))));
    let of = move |read: fn(&Pull) -> String| {
        text(move || pull.with(|pull| pull.as_ref().map_or_else(String::new, read)))
    };
    let name = text(move || length_of.with(|length| length.as_ref().map_or_else(String::new, Length::name)));
    let is_chosen = move || {
        stage.chosen.with(|chosen| chosen.as_ref().map(|chosen| chosen.length.clone())) == length_of.get()
    };
    let last = State::new(String::new());
    let place = text(move || {
        let Some(length) = length_of.get() else { return HIDDEN.into() };
        let chosen = stage.chosen.get().filter(|chosen| chosen.length == length);
        let grip = stage.grip_of(&chosen.clone().unwrap_or(Chosen { length, nth: 0 }));
        let style = grip.and_then(|place| stage.layout.with(|layout| layout.grips.get(place).map(style)));
        match style {
            Some(style) => {
                last.set(style.clone());
                style
            }
            // What has the focus stays where it was.
            None if chosen.is_some() => last.get_untracked(),
            None => HIDDEN.into(),
        }
    });
    let key = on(move |event: ev::KeyboardEvent| {
        let Some(micros) = arrow(&event) else { return };
        if let Some(pull) = pull.get_untracked() {
            session.commit(&pull.by(micros, Span::from_millis(100)));
        }
        event.prevent_default();
        event.stop_propagation();
    });
    let focus = on(move |_: ev::FocusEvent| {
        if !is_chosen() {
            stage.chosen.set(length_of.get_untracked().map(|length| Chosen { length, nth: 0 }));
        }
    });
    let blur = on(move |_: ev::FocusEvent| {
        if is_chosen() {
            stage.chosen.set(None);
        }
    });
    let most = move || {
        let horizon = stage.play.with(|play| millis(play.horizon()));
        pull.with(|pull| pull.as_ref().map_or(horizon, |pull| horizon.max(in_millis(pull)))).to_string()
    };
    view! {
        <div
            class="length"
            role="slider"
            tabindex="0"
            data-length=of(|pull| pull.path.clone())
            aria-label=name
            aria-valuemin="0"
            aria-valuemax=text(most)
            aria-valuenow=of(|pull| in_millis(pull).to_string())
            aria-valuetext=of(|pull| length(pull.length))
            prop:style=place
            on:keydown=key
            on:focus=focus
            on:blur=blur
        ></div>
    }
}

fn in_millis(pull: &Pull) -> u64 {
    pull.length.as_micros() / 1_000
}

const HIDDEN: &str = "display:none";

fn style(grip: &Grip) -> String {
    let Grip { x, top, bottom, .. } = *grip;
    let rect = Rect { x, y: top, w: 0.0, h: bottom - top }.at_least(LEAST);
    format!("left:{};top:{};width:{};height:{}", px(rect.x), px(rect.y), px(rect.w), px(rect.h))
}
