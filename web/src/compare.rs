//! Two plays under the same faults, one above the other: the document's, and that of the same document with one thing
//! otherwise. An edit is made to both.

use leptos::ev::{Event, MouseEvent};
use leptos::html;
use leptos::prelude::*;
use scenario::compare::{Parting, parting};
use scenario::document::Change;
use scenario::{Document, Play};

use crate::events::tone;
use crate::form::{escaped, options};
use crate::format::steady;
use crate::session::Session;
use crate::shared::Shared;
use crate::slim::{Memo, State, effect, flag, memo, on, rows, text};
use crate::theme::Theme;
use crate::timeline::{Shown, Stage, Timeline};
use crate::zoom::Zoom;

/// What the other play has otherwise.
#[derive(Clone, PartialEq)]
struct Otherwise {
    what: String,
    changes: Vec<Change>,
}

/// The other play, or why it cannot be played.
type Other = Result<Shared<Play>, String>;

/// What the page compares with, if it does.
#[derive(Clone, Copy)]
pub(crate) struct Compare {
    session: Session,
    with: State<Option<Otherwise>>,
    other: Memo<Option<Shared<Other>>>,
    parting: Memo<Option<Shared<Parting>>>,
}

impl Compare {
    pub(crate) fn new(session: Session) -> Self {
        let with: State<Option<Otherwise>> = State::new(None);
        let other = memo(move || {
            let otherwise = with.get()?;
            Some(Shared::new(session.document.with(|now| play(&now.document, &otherwise.changes))))
        });
        let parting = memo(move || {
            let other = other.get()?;
            let Ok(other) = &*other else { return None };
            Some(Shared::new(session.play.with(|play| parting(play, other))))
        });
        Self { session, with, other, parting }
    }

    /// That of the page.
    pub(crate) fn of_page() -> Self {
        expect_context()
    }

    /// Compares with what an edit makes of the document.
    pub(crate) fn edited(self, what: String, edit: impl FnOnce(&mut Document)) {
        let changes = self.session.document.with_untracked(|now| {
            let mut other = now.document.clone();
            edit(&mut other);
            now.document.changes_to(&other)
        });
        self.with.set(Some(Otherwise { what, changes }));
    }

    pub(crate) fn close(self) {
        self.with.set(None);
    }

    pub(crate) fn is_open(self) -> bool {
        self.with.with(Option::is_some)
    }

    /// The events that only the one play has, or only the other.
    pub(crate) fn differs(self, of: fn(&Parting) -> &Vec<usize>) -> Memo<Vec<usize>> {
        memo(move || {
            self.parting.with(|parting| parting.as_ref().map_or_else(Vec::new, |parting| of(parting).clone()))
        })
    }

    fn play_of_other(self) -> Option<Shared<Play>> {
        self.other.with(|other| other.as_deref()?.as_ref().ok().cloned())
    }
}

fn play(document: &Document, changes: &[Change]) -> Other {
    let mut other = document.clone();
    changes.iter().try_for_each(|change| other.take(change)).map_err(|problem| problem.to_string())?;
    let scenario = other.scenario().map_err(|problems| problems.to_string())?;
    Ok(Shared::new(scenario::play(&scenario)))
}

/// The list of what to compare with.
#[component]
pub(crate) fn CompareWith() -> impl IntoView {
    let session = Session::of_page();
    let compare = Compare::of_page();
    let place = NodeRef::<html::Select>::new();
    // A drag changes the document at every move, and this list hardly ever.
    let html = memo(move || session.document.with(|now| choices(&now.document)));
    effect(move || {
        let Some(place) = place.get() else { return };
        let chosen = if compare.is_open() { place.value() } else { String::new() };
        place.set_inner_html(&html.get());
        place.set_value(&chosen);
        if place.selected_index() < 0 {
            place.set_value("");
        }
    });
    let chosen = on(move |event: Event| {
        let value = event_target_value(&event);
        match value.split_once('=') {
            Some((path, value)) => compare.edited(told(path, value), |document| {
                // A value that the list offers; what it leads to is judged when it is played.
                let _ = document.set(path, value);
            }),
            None => compare.close(),
        }
    });
    view! {
        <label>
            <span class="visually-hidden">"Compare with"</span>
            <select id="compare" on:change=chosen node_ref=place></select>
        </label>
    }
}

fn told(path: &str, value: &str) -> String {
    match path {
        "lock.kind" => value.replace('-', " "),
        "lock.ttl" => format!("a lease of {value}"),
        _ => format!("{} {}", path.trim_end_matches(".kind").replace('.', " "), value.replace('-', " ")),
    }
}

/// Options: the same with another fence, another lease, another lock service.
fn choices(document: &Document) -> String {
    let mut out = String::from("<option value=''>Compare with…</option>");
    let group = |out: &mut String, label: &str, inner: &str| {
        if !inner.is_empty() {
            out.push_str(&format!("<optgroup label='{label}'>{inner}</optgroup>"));
        }
    };
    let option = |path: &str, value: &str, label: &str| {
        format!("<option value='{path}={value}'>{}</option>", escaped(label))
    };
    let mut stores = String::new();
    let names = document.at("store").and_then(|stores| stores.as_array()).unwrap_or_default();
    for name in names.iter().filter_map(|store| store.get("name")?.as_str()) {
        let path = format!("store.{name}.kind");
        let now = document.get(&path);
        for (kind, label) in [("fenced-row", "a fence"), ("unfenced", "no fence")] {
            if now.as_deref() != Some(kind) {
                stores.push_str(&option(&path, kind, &format!("{name} with {label}")));
            }
        }
    }
    group(&mut out, "Another check", &stores);
    let ttl = document.get("lock.ttl").and_then(|ttl| ttl.parse::<scenario::document::Dur>().ok());
    let mut leases = String::new();
    for ttl in
        ttl.into_iter().flat_map(|ttl| [ttl.0.times(2), kernel::Span::from_micros(ttl.0.as_micros() / 2)])
    {
        let ttl = scenario::document::Dur(ttl).to_string();
        leases.push_str(&option("lock.ttl", &ttl, &format!("a lease of {ttl}")));
    }
    group(&mut out, "Another lease", &leases);
    let now = document.get("lock.kind").unwrap_or_default();
    let kinds: Vec<&str> = document.words("lock.kind").into_iter().filter(|kind| *kind != now).collect();
    let kinds = options(&kinds).replace("<option value='", "<option value='lock.kind=");
    group(&mut out, "Another lock service", &kinds);
    out
}

/// The other play, below the first.
#[component]
pub(crate) fn Compared(theme: State<Theme>) -> impl IntoView {
    let compare = Compare::of_page();
    let place = NodeRef::<html::Div>::new();
    let count = memo(move || usize::from(compare.is_open()));
    rows(place, "", count, move |_| other(theme));
    view! { <div class="compared" node_ref=place></div> }
}

fn other(theme: State<Theme>) -> impl IntoView {
    let session = Session::of_page();
    let compare = Compare::of_page();
    let zoom = Zoom::of_page();
    let play = memo(move || compare.play_of_other().unwrap_or_else(|| session.play.get()));
    let shown = Shown { play, happening: memo(|| None), differs: compare.differs(|parting| &parting.other) };
    provide_context(Stage::new(shown, zoom));
    let what = text(move || {
        compare.with.with(|with| with.as_ref().map_or_else(String::new, |with| with.what.clone()))
    });
    let problem = memo(move || {
        compare.other.with(|other| match other.as_deref() {
            Some(Err(problem)) => Some(problem.clone()),
            Some(Ok(_)) | None => None,
        })
    });
    let class = text(move || format!("compared-verdict {}", play.with(|play| tone(play.headline.tone))));
    let sentence = text(move || match problem.get() {
        Some(problem) => problem.to_string(),
        None => play.with(|play| play.headline.sentence.clone()),
    });
    let parts = memo(move || compare.parting.get());
    let differs = text(move || {
        let Some(parting) = parts.get() else { return String::new() };
        let Some(first) = parting.first else { return "Nothing else happens".to_string() };
        let of = |places: &[usize]| match places.len() {
            1 => "1 event".to_string(),
            more => format!("{more} events"),
        };
        format!(
            "They part at {}: {} only above, {} only here",
            steady(first),
            of(&parting.one),
            of(&parting.other)
        )
    });
    let go = on(move |_: MouseEvent| {
        if let Some(first) =
            parts.with_untracked(|parting| parting.as_ref().and_then(|parting| parting.first))
        {
            session.seek(first);
        }
    });
    view! {
        <section aria-label="The other play">
            <div class="compared-head">
                <p class=class aria-live="polite"><b>"Below: " {what} ". "</b><span>{sentence}</span></p>
                <button type="button" class="chip" id="parting" on:click=go>{differs}</button>
                <button type="button" class="chip" id="compare-close" on:click=on(move |_: MouseEvent| compare.close())>"Close"</button>
            </div>
            <div hidden=flag(move || problem.with(Option::is_some))>
                <Timeline theme main=false />
            </div>
        </section>
    }
}
