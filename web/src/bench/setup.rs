//! How the play is set up: the lock service and the stores chosen from lists, and every quantity in a field.

use leptos::ev::MouseEvent;
use leptos::html;
use leptos::prelude::*;
use scenario::Scenario;
use scenario::document::Problem;
use scenario::document::model::{KINDS, StoreKind};

use crate::field::{About, choice, field};
use crate::session::Session;
use crate::slim::{Memo, flag, memo, on, remade, text};

/// A section of the document that has a form.
#[derive(Clone, PartialEq)]
struct Section {
    /// The path of its table; empty for the root.
    path: String,
    /// What it is called.
    title: String,
    /// Which kind it is, where it is one of several.
    kind: Option<&'static str>,
}

/// Keys that are no quantities: names, and what is edited elsewhere.
const LEFT_OUT: [&str; 15] = [
    "name", "kind", "program", "like", "nodes", "version", "title", "about", "moral", "lock", "store",
    "host", "link", "say", "effect",
];
/// What the root has of its own.
const OF_THE_PLAY: [&str; 2] = ["horizon", "seed"];

fn sections(scenario: &Scenario) -> Vec<Section> {
    let section = |path: String, title: String, kind| Section { path, title, kind };
    let mut all = vec![section("lock".into(), "Lock service".into(), Some(scenario.lock.kind().name))];
    for store in &scenario.store {
        let path = format!("store.{}", store.name);
        all.push(section(path, format!("Store {}", store.name), Some(store.kind.name())));
    }
    for worker in &scenario.worker {
        all.push(section(format!("worker.{}", worker.name), format!("Worker {}", worker.name), None));
    }
    for sweeper in &scenario.sweeper {
        all.push(section(format!("sweeper.{}", sweeper.name), format!("Sweeper {}", sweeper.name), None));
    }
    all.push(section("network".into(), "Network".into(), None));
    all.push(section(String::new(), "The play".into(), None));
    all
}

/// The forms, made when they are shown and when another section or kind comes.
#[component]
pub(super) fn Setup(shown: Memo<bool>) -> impl IntoView {
    let session = Session::of_page();
    let all = memo(move || {
        let now = session.document.with(|checked| sections(&checked.scenario));
        if shown.get() { now } else { Vec::new() }
    });
    let place = NodeRef::<html::Div>::new();
    remade(place, all, |all| all.into_iter().map(form).collect_view());
    let add_worker = on(move |_: MouseEvent| {
        session.commit_change(&|document| document.add_worker().map(drop));
    });
    let add_store = on(move |_: MouseEvent| {
        session.commit_change(&|document| document.add_store("unfenced").map(drop));
    });
    view! {
        <p class="hint">
            "An empty field is as usual. What is chosen here is played at once; what the new kind cannot be is said above."
        </p>
        <div class="forms" node_ref=place></div>
        <div class="chips">
            <button type="button" id="add-worker" class="chip" on:click=add_worker>"Add a worker like the last"</button>
            <button type="button" id="add-store" class="chip" on:click=add_store>"Add a store"</button>
        </div>
    }
}

fn form(section: Section) -> impl IntoView {
    let session = Session::of_page();
    let Section { path, title, kind } = section;
    let at = |key: &str| if path.is_empty() { key.to_string() } else { format!("{path}.{key}") };
    let (said, rest): (Vec<_>, Vec<_>) = session.document.with_untracked(|checked| {
        let document = &checked.document;
        let wanted = |key: &&str| match path.as_str() {
            "" => OF_THE_PLAY.contains(key),
            _ => !LEFT_OUT.contains(key),
        };
        let keys = document.keys(&path).into_iter().filter(wanted);
        let keys = keys.map(|key| (key, at(key), document.words(&at(key))));
        keys.partition(|(key, path, _)| *key == "ttl" || document.at(path).is_some())
    });
    let has_more = !rest.is_empty();
    let list = path.split('.').next().unwrap_or_default().to_string();
    let id = title.to_lowercase().replace(' ', "-");
    let heading = format!("{id}-title");
    let kinds = kind.map(|kind| kinds(&path, kind));
    let nodes = (path == "lock").then(nodes);
    let can_go = matches!(list.as_str(), "worker" | "store" | "sweeper");
    let leave_out = can_go.then(|| leave_out(list, path.clone()));
    view! {
        <fieldset class="form" data-section=path aria-labelledby=heading.clone()>
            <h3 id=heading.clone()>{title}</h3>
            {kinds}
            {nodes}
            <div class="form-fields">{fields(said)}</div>
            {has_more.then(|| view! {
                <details class="more">
                    <summary>"all else, as usual"</summary>
                    <div class="form-fields">{fields(rest)}</div>
                </details>
            })}
            {leave_out}
        </fieldset>
    }
}

fn fields(of: Vec<(&'static str, String, Vec<&'static str>)>) -> impl IntoView {
    let each = of.into_iter().map(|(key, path, words)| {
        let path = memo(move || path.clone());
        if words.is_empty() {
            let about = About { label: key, usual: "as usual", typed: |text| text.trim().to_string() };
            field(path, about, flag(|| false)).into_any()
        } else {
            choice(path, key, Some("as usual"), words).into_any()
        }
    });
    each.collect_view()
}

/// The list of kinds, and a line about the one that is chosen.
fn kinds(path: &str, kind: &'static str) -> impl IntoView + use<> {
    let (words, about): (Vec<&str>, &str) = if path == "lock" {
        let known = KINDS.iter().find(|known| known.name == kind);
        (KINDS.iter().map(|kind| kind.name).collect(), known.map_or("", |known| known.about))
    } else {
        let known = StoreKind::ALL.iter().find(|known| known.name() == kind);
        (StoreKind::ALL.iter().map(|kind| kind.name()).collect(), known.map_or("", |known| known.about()))
    };
    let path = format!("{path}.kind");
    view! {
        {choice(memo(move || path.clone()), "kind", None, words)}
        <p class="hint about-kind">{about}</p>
    }
}

/// How many servers the lock service has: one more, or one fewer.
fn nodes() -> impl IntoView {
    let session = Session::of_page();
    let now = move || session.document.with_untracked(|checked| checked.scenario.lock.nodes().to_vec());
    let names = text(move || session.document.with(|checked| checked.scenario.lock.nodes().join(", ")));
    let is_none = move || session.document.with(|checked| checked.scenario.lock.nodes().is_empty());
    let fewer = on(move |_: MouseEvent| {
        let nodes = now();
        session.commit_change(&|document| document.remove_node(&nodes));
    });
    let more = on(move |_: MouseEvent| {
        let nodes = now();
        session.commit_change(&|document: &mut scenario::Document| -> Result<(), Problem> {
            document.add_node(&nodes).map(drop)
        });
    });
    view! {
        <p class="field nodes" hidden=flag(is_none)>
            <span>"servers " {names}</span>
            <button type="button" id="fewer-nodes" class="chip" aria-label="One server fewer" on:click=fewer>"−"</button>
            <button type="button" id="more-nodes" class="chip" aria-label="One server more" on:click=more>"+"</button>
        </p>
    }
}

fn leave_out(list: String, path: String) -> impl IntoView {
    let session = Session::of_page();
    let name = path.get(list.len() + 1..).unwrap_or_default().to_string();
    let label = format!("Take {name} out");
    let press = on(move |_: MouseEvent| {
        session.commit_change(&|document| document.remove_member(&list, &name));
    });
    view! { <button type="button" class="chip leave-out" on:click=press>{label}</button> }
}
