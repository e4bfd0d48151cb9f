//! The play's set-up in four figures.

use scenario::document::Dur;
use scenario::document::text;
use scenario::{Document, Group, Play};

/// Lock, store, lease, margin: label and value.
pub(crate) fn summary(document: &Document, play: &Play) -> Vec<(&'static str, String)> {
    let in_group = |group: Group| play.cast.group(group);
    let words = |text: String| text.replace('-', " ");
    let lock = document.get("lock.kind").map(|kind| match in_group(Group::LockService).count() {
        0 | 1 => words(kind),
        nodes => format!("{} · {nodes} nodes", words(kind)),
    });
    let store =
        in_group(Group::Stores).next().and_then(|store| document.get(&format!("store.{}.kind", store.name)));
    let margin =
        in_group(Group::Workers).find_map(|worker| document.get(&format!("worker.{}.margin", worker.name)));
    let figures = [
        ("lock", lock),
        ("store", store.map(words)),
        ("lease", document.get("lock.ttl").map(told)),
        ("margin", margin.map(told)),
    ];
    figures.into_iter().filter_map(|(label, value)| Some((label, value?))).collect()
}

/// A length as documents have it, as people write it.
fn told(value: String) -> String {
    value.parse().map_or(value, |length: Dur| text::length(length.0))
}
