//! The built-in stories: their own expectations, and the billing story's figures from its source, independent of them.
#![cfg(not(target_arch = "wasm32"))]

mod around;
mod billing;
mod lessons;
mod services;
mod sidecar;
mod stores;
mod told;
mod variants;

use fencepost_tests::cases;
use scenario::expect::hold;

/// The step of CI that is called so runs the same through the command line.
#[test]
fn every_story_and_every_variant_is_as_its_document_expects() {
    let mut failures = Vec::new();
    for case in cases() {
        let play = case.play();
        assert!(!play.scenario.expect.is_empty(), "{} expects nothing", case.name());
        let failed = hold(&play).into_iter().filter(|outcome| !outcome.ok);
        failures
            .extend(failed.map(|outcome| format!("{}: {}, but {}", case.name(), outcome.what, outcome.got)));
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// The page draws each of them: also those without a store, a token or a server.
#[test]
fn every_story_and_every_variant_can_be_drawn() {
    for case in cases() {
        let scenario = case.document.scenario().unwrap_or_else(|problems| panic!("{problems}"));
        let marks = fencepost_tests::measures::play_and_layout(&scenario);
        assert!(marks > 0 || scenario.store.is_empty(), "{} has no mark", case.name());
    }
}

/// An expectation that holds whatever happens would hold nothing.
#[test]
fn an_expectation_that_is_wrong_fails() {
    let play = fencepost_tests::played("billing", None, &[("store.billing.kind", "unfenced")]);
    let failed: Vec<_> = hold(&play).into_iter().filter(|outcome| !outcome.ok).collect();
    assert!(failed.iter().any(|outcome| outcome.what.contains("stale_accepted")), "{failed:?}");
}

/// What reports call an event is what a document expects it by.
#[test]
fn every_event_can_be_expected_by_its_kind() {
    for case in cases() {
        let play = case.play();
        let mut document = case.document.clone();
        for event in &play.tale {
            let kind = event.kind.name();
            document.set("expect.0", &format!("{{ event = {{ kind = \"{kind}\" }} }}")).expect(kind);
            let scenario = document.scenario().unwrap_or_else(|problems| panic!("{problems}"));
            let expected = scenario.expect[0].event.as_ref().and_then(|event| event.kind);
            assert_eq!(expected, Some(event.kind), "{kind} of {}", case.name());
        }
    }
}
