//! The same scenario gives the same trace, byte for byte as text: twice in one process, through its text form, and (by
//! `wasm.rs`, with the same golden digests) in Node and in browsers.
#![cfg(not(target_arch = "wasm32"))]

use fencepost_tests::{cases, digests, golden};
use scenario::{Document, play};

#[test]
fn the_digests_are_the_golden_ones() {
    golden::check("digests.txt", &digests()).unwrap_or_else(|difference| panic!("{difference}"));
}

#[test]
fn played_twice_it_is_the_same() {
    for case in cases() {
        let (one, other) = (case.play(), case.play());
        assert!(one.trace_lines().eq(other.trace_lines()), "{}", case.name());
        assert_eq!((&one.facts, &one.verdict), (&other.facts, &other.verdict), "{}", case.name());
        assert_eq!((&one.tale, &one.headline), (&other.tale, &other.headline), "{}", case.name());
    }
}

/// What a link or a saved file carries plays as what it was made from.
#[test]
fn a_document_written_out_and_read_again_plays_the_same() {
    for case in cases() {
        let mut edited = case.document.clone();
        // An edit that changes nothing makes the document be written anew, and not as it was read.
        let horizon = edited.get("horizon").expect("every story has one");
        edited.set("horizon", &horizon).expect("it can be set");
        let again = Document::parse(&edited.to_toml()).unwrap_or_else(|problems| panic!("{problems}"));
        assert_eq!(again, case.document, "{}", case.name());
        let scenario = again.scenario().unwrap_or_else(|problems| panic!("{problems}"));
        assert_eq!(play(&scenario).digest(), case.play().digest(), "{}", case.name());
    }
}

/// Another seed is another history; else the digest would prove little.
#[test]
fn another_seed_is_another_history() {
    let seeds =
        ["1", "2", "3"].map(|seed| fencepost_tests::played("billing", None, &[("seed", seed)]).digest());
    assert!(seeds[0] != seeds[1] && seeds[1] != seeds[2]);
}
