//! How the play is set up: the lock service and the stores chosen from lists, and every quantity in a field.

use std::fmt::Write as _;

use leptos::prelude::*;
use scenario::document::model::{KINDS, StoreKind};
use scenario::{Document, Scenario};

use crate::form::{fields, form, join, options};
use crate::session::Session;
use crate::slim::{Memo, memo};

/// A section of the document that has a form.
#[derive(Clone, PartialEq)]
struct Section {
    /// The path of its table; empty for the root.
    path: String,
    /// What it is called.
    title: String,
    /// Which kind it is, where it is one of several.
    kind: &'static str,
}

/// Keys that are no quantities: names, and what is edited elsewhere.
const LEFT_OUT: [&str; 8] = ["name", "kind", "program", "like", "nodes", "host", "link", "effect"];
/// What the root has of its own.
const OF_THE_PLAY: [&str; 2] = ["horizon", "seed"];

fn sections(scenario: &Scenario) -> Vec<Section> {
    let mut all = Vec::new();
    let mut section = |path: String, title: String, kind| all.push(Section { path, title, kind });
    section("lock".into(), "Lock service".into(), scenario.lock.kind().name);
    for store in &scenario.store {
        section(format!("store.{}", store.name), format!("Store {}", store.name), store.kind.name());
    }
    for worker in &scenario.worker {
        section(format!("worker.{}", worker.name), format!("Worker {}", worker.name), "");
    }
    for sweeper in &scenario.sweeper {
        section(format!("sweeper.{}", sweeper.name), format!("Sweeper {}", sweeper.name), "");
    }
    section("network".into(), "Network".into(), "");
    section(String::new(), "The play".into(), "");
    all
}

/// The forms: made when they are shown, and anew when a section or a kind changes.
#[component]
pub(super) fn Setup(shown: Memo<bool>) -> impl IntoView {
    let session = Session::of_page();
    let all = memo(move || {
        let now = session.document.with(|checked| sections(&checked.scenario));
        let nodes = session.document.with(|checked| checked.scenario.lock.nodes().to_vec());
        shown.get().then_some((now, nodes))
    });
    let html = memo(move || {
        let (all, nodes) = all.get()?;
        Some(session.document.with_untracked(|checked| html(&checked.document, &all, &nodes)))
    });
    form(memo(move || html.get().unwrap_or_default()), std::rc::Rc::new(press))
}

fn html(document: &Document, all: &[Section], nodes: &[String]) -> String {
    let mut out = String::from(
        "<p class=hint>An empty field has its usual value. A change is played at once, or it is said at the top why not.</p><div class=forms>",
    );
    for section in all {
        let Section { path, title, kind } = section;
        let wanted = |key: &&str| match path.as_str() {
            "" => OF_THE_PLAY.contains(key),
            _ => !LEFT_OUT.contains(key),
        };
        let keys = document.keys(path).into_iter().filter(wanted);
        let is_said = |key: &&str| *key == "ttl" || document.at(&join(path, key)).is_some();
        let (said, usual): (Vec<&str>, Vec<&str>) = keys.partition(is_said);
        let _ = write!(out, "<fieldset class=form data-section='{path}'><legend>{title}</legend>");
        let (words, about) = match path.as_str() {
            "lock" => (
                KINDS.map(|kind| kind.name).to_vec(),
                KINDS.iter().find(|known| known.name == *kind).map(|known| known.about),
            ),
            _ => {
                let all = StoreKind::ALL;
                (
                    all.map(StoreKind::name).to_vec(),
                    all.iter().find(|known| known.name() == *kind).map(|known| known.about()),
                )
            }
        };
        if let Some(about) = about {
            let _ = write!(
                out,
                "<label class=field><span>kind</span><select data-path='{path}.kind'>{}</select></label><p class='hint about-kind'>{about}</p>",
                options(&words)
            );
        }
        if path == "lock" && !nodes.is_empty() {
            let _ = write!(
                out,
                "<p class='field nodes'><span>servers {}</span><button type=button class=chip data-do='- lock' aria-label='One server fewer'>−</button><button type=button class=chip data-do='+ lock' aria-label='One server more'>+</button></p>",
                nodes.join(", ")
            );
        }
        fields(&mut out, document, path, &said);
        if !usual.is_empty() {
            out.push_str("<details class=more><summary>all else, as usual</summary>");
            fields(&mut out, document, path, &usual);
            out.push_str("</details>");
        }
        if let Some((list, name)) = path.split_once('.') {
            let _ = write!(
                out,
                "<button type=button class='chip leave-out' data-do='- {list} {name}'>Take {name} out</button>"
            );
        }
        out.push_str("</fieldset>");
    }
    out.push_str("</div><div class=chips><button type=button class=chip data-do='+ worker'>Add a worker like the last</button><button type=button class=chip data-do='+ store'>Add a store</button></div>");
    out
}

/// What a button does: more or fewer of something.
fn press(session: Session, what: &str) {
    let words: Vec<&str> = what.split(' ').collect();
    let nodes = session.document.with_untracked(|checked| checked.scenario.lock.nodes().to_vec());
    session.commit_change(&|document| match *words.as_slice() {
        ["+", "lock"] => document.add_node(&nodes).map(drop),
        ["-", "lock"] => document.remove_node(&nodes),
        ["+", "worker"] => document.add_worker().map(drop),
        ["+", "store"] => document.add_store("unfenced").map(drop),
        ["-", list, name] => document.remove_member(list, name),
        _ => Ok(()),
    });
}
