//! A document and its variants, held to what they expect.

use scenario::Document;
use scenario::check::{self, Case};
use scenario::expect::Outcome;
use serde_json::{Value, json};

use crate::problems::Wrong;

/// The plays of a document; or everything that is wrong with any of them.
pub(crate) fn cases(document: &str) -> Result<Vec<Case>, Wrong> {
    let document = Document::parse(document)?;
    check::cases(&document).map_err(|unplayable| {
        let of_one = |(variant, problems): (Option<String>, scenario::Problems)| {
            problems.0.into_iter().map(move |problem| (variant.clone(), problem))
        };
        Wrong(unplayable.into_iter().flat_map(of_one).collect())
    })
}

/// `passed`, and for each play its `variant`, whether it `passed`, and its `expectations`.
pub(crate) fn check(document: &str) -> Result<Value, Wrong> {
    let (mut all_passed, mut plays) = (true, Vec::new());
    for case in cases(document)? {
        let outcomes = case.hold();
        let passed = outcomes.iter().all(|outcome| outcome.ok);
        all_passed &= passed;
        let expectations: Value = outcomes.iter().map(expectation).collect();
        plays.push(json!({ "variant": case.variant, "passed": passed, "expectations": expectations }));
    }
    Ok(json!({ "passed": all_passed, "plays": plays }))
}

fn expectation(outcome: &Outcome) -> Value {
    let got = Some(&outcome.got).filter(|_| !outcome.ok);
    json!({ "what": outcome.what, "passed": outcome.ok, "got": got })
}
