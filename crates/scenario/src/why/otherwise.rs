//! What would have come out otherwise: each fault taken away and each protection switched, and the whole played again.

use document::Document;
use document::model::{Fault, Lock, Scenario, Store, StoreKind};

use crate::play::{Play, play};
use crate::report::{Number, numbers};
use crate::tale::Headline;

/// A change, and what comes out with it.
#[derive(Clone, Debug, PartialEq)]
pub struct Otherwise {
    /// What is changed, in words: "without the pause of A", "with the fence of billing off".
    pub what: String,
    /// The same as edits of the document: paths with their values.
    pub edits: Vec<(String, String)>,
    /// The verdict then, in words.
    pub headline: Headline,
    /// The numbers that are others then.
    pub differs: Vec<Difference>,
}

/// A number of the verdict that is another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Difference {
    /// Its name.
    pub name: &'static str,
    /// What it is.
    pub now: Number,
    /// What it would be.
    pub then: Number,
}

/// Plays each change that takes away one fault or switches one protection. In the order of the document, faults first.
pub fn otherwise(document: &Document, as_it_is: &Play) -> Vec<Otherwise> {
    let changes = faults(as_it_is).chain(protections(as_it_is));
    changes.filter_map(|(what, edits)| outcome(document, as_it_is, what, edits)).collect()
}

type Change = (String, Vec<(String, String)>);

fn outcome(
    document: &Document,
    as_it_is: &Play,
    what: String,
    edits: Vec<(String, String)>,
) -> Option<Otherwise> {
    let mut changed = document.clone();
    edits.iter().try_for_each(|(path, value)| changed.set(path, value)).ok()?;
    // What the document's check does not let pass is no alternative.
    let then = play(&changed.scenario().ok()?);
    let pairs = numbers(&as_it_is.verdict).into_iter().zip(numbers(&then.verdict));
    let differs = pairs
        .filter(|((_, now), (_, then))| now != then)
        .map(|((name, now), (_, then))| Difference { name, now, then })
        .collect();
    Some(Otherwise { what, edits, headline: then.headline, differs })
}

fn faults(play: &Play) -> impl Iterator<Item = Change> {
    play.cast.faults.iter().map(|fault| {
        let path = format!("fault.{}.enabled", fault.id);
        (format!("without the {}", fault.text), vec![(path, "false".to_owned())])
    })
}

fn protections(play: &Play) -> impl Iterator<Item = Change> {
    let scenario = &play.scenario;
    let stores = scenario.store.iter().filter_map(of_store);
    let margins = margins(play);
    stores.chain(margins).chain(restores(scenario)).chain(rechecks(scenario))
}

fn edit(path: impl Into<String>, value: &str) -> Vec<(String, String)> {
    vec![(path.into(), value.to_owned())]
}

/// A check at the store: on where it is off, off where it is on.
fn of_store(store: &Store) -> Option<Change> {
    let name = &store.name;
    let kind = |what: String, to: StoreKind| Some((what, edit(format!("store.{name}.kind"), to.name())));
    if store.kind == StoreKind::Unfenced {
        kind(format!("with a fence at {name}"), StoreKind::FencedRow)
    } else if store.kind == StoreKind::FencedRow {
        kind(format!("with the fence of {name} off"), StoreKind::Unfenced)
    } else if store.kind == StoreKind::ExternalApi && store.idempotency.is_none() {
        let what = format!("with idempotency keys at {name}");
        Some((what, edit(format!("store.{name}.idempotency"), "{ keep = \"24h\" }")))
    } else {
        None
    }
}

/// The workers' safety margin: none where there is one, a fifth of the lease where there is none.
fn margins(play: &Play) -> Option<Change> {
    let scenario = &play.scenario;
    let ttl = scenario.lock.granted_ttl().0;
    let with =
        scenario.worker.iter().any(|worker| worker.margin.is_some_and(|margin| margin.0.as_micros() > 0));
    let value = if with {
        "0s".to_owned()
    } else {
        document::Dur(kernel::Span::from_micros(ttl.as_micros() / 5)).to_string()
    };
    let own = scenario.worker.iter().filter(|worker| worker.margin.is_some() || !with);
    let edits: Vec<_> = own.map(|worker| (format!("worker.{}.margin", worker.name), value.clone())).collect();
    let what = if with {
        "without the workers' safety margin".to_owned()
    } else {
        format!("with a safety margin of {value}")
    };
    (!edits.is_empty() && ttl.as_micros() >= 5).then_some((what, edits))
}

/// Whose turn has come in line looks for its own key, where it does not.
fn rechecks(scenario: &Scenario) -> Option<Change> {
    let Lock::Etcd(etcd) = &scenario.lock else { return None };
    let what = "with a look at one's own key when one's turn has come".to_owned();
    (!etcd.recheck).then(|| (what, edit("lock.recheck", "true")))
}

/// What a restore from a backup does with the numbers that become tokens.
fn restores(scenario: &Scenario) -> Option<Change> {
    let Lock::Etcd(etcd) = &scenario.lock else { return None };
    let is_restored =
        scenario.fault.iter().any(|fault| fault.enabled() && matches!(fault, Fault::Restore(_)));
    let (what, bump) = if etcd.restore_bump == 0 {
        ("with a restore that bumps the revision", "1000000")
    } else {
        ("with a restore that does not bump the revision", "0")
    };
    is_restored.then(|| (what.to_owned(), edit("lock.restore_bump", bump)))
}
