//! Words for a store's work, as its document says them.

use kernel::ProcessId;

use crate::cast::Cast;
use document::model::Scenario;
use document::text::count;

/// Words for what a store's writes do.
pub(super) struct Words<'a> {
    /// "invoices".
    pub(super) many: &'a str,
    /// "charged".
    pub(super) done: &'a str,
    /// "chunk".
    pub(super) item: &'a str,
}

pub(super) fn words<'a>(scenario: &'a Scenario, cast: &Cast, store: ProcessId) -> Words<'a> {
    let name = cast.name(store);
    let said = scenario.store.iter().find(|store| store.name == name).and_then(|store| store.effect.as_ref());
    Words {
        many: said.map_or("effects", |words| &words.many),
        done: said.map_or("applied", |words| &words.done),
        item: said.and_then(|words| words.item.as_deref()).unwrap_or("item"),
    }
}

/// What a worker's claim of the row is there.
pub(super) fn claim(cast: &Cast, store: ProcessId) -> &'static str {
    let has_fence = cast.kind_of(store).is_some_and(|kind| kind.guard().first_fence().is_some());
    if has_fence { "raise of the fence" } else { "claim" }
}

/// "5,000 invoices", "1 effect"
pub(super) fn some(number: u64, many: &str) -> String {
    match (number, many.strip_suffix('s')) {
        (1, Some(one)) => format!("1 {one}"),
        (_, _) => format!("{} {many}", count(number)),
    }
}
