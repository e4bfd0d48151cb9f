//! Links that people have: each opens for ever, and says what it said when it was made. A line of `tests/links` is a link,
//! a tab, and the verdict that it led to. Nothing there is ever changed; a release adds a file.
#![cfg(not(target_arch = "wasm32"))]

use std::fs;
use std::path::Path;

use scenario::link::Link;
use scenario::play;

#[test]
fn every_link_that_was_ever_made_opens_and_says_what_it_said() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("links");
    let mut opened = 0;
    for entry in fs::read_dir(&folder).expect("there are links") {
        let path = entry.expect("the folder can be read").path();
        for line in fs::read_to_string(&path).expect("a text").lines() {
            let (fragment, said) = line.split_once('\t').expect("a link, a tab, and a verdict");
            let link = Link::parse(fragment).unwrap_or_else(|why| panic!("{fragment}: {why}"));
            let document = link.document().unwrap_or_else(|why| panic!("{fragment}: {why}"));
            let scenario = document.scenario().unwrap_or_else(|problems| panic!("{fragment}: {problems}"));
            assert_eq!(play(&scenario).headline.sentence, said, "{fragment}");
            opened += 1;
        }
    }
    assert!(opened >= 8, "only {opened} links");
}
