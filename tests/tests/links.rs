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

/// What a block of code in somebody's page can hold.
#[test]
fn a_block_is_a_name_a_link_or_a_document() {
    use scenario::link::Link;
    let billing = Link { story: Some("billing".into()), ..Link::default() };
    let unfenced = Link { variant: Some("unfenced".into()), ..billing.clone() };
    for (block, expected) in [
        ("billing\n", billing.clone()),
        ("#billing", billing),
        (" story=billing&variant=unfenced ", unfenced.clone()),
        ("v=1&story=billing&variant=unfenced", unfenced.clone()),
        ("https://example.org/fencepost/?x=1#v=1&story=billing&variant=unfenced", unfenced),
    ] {
        assert_eq!(Link::of_block(block), Ok(expected), "{block}");
    }
    let text = "title = \"two\"\nversion = 1\n";
    assert_eq!(Link::of_block(text), Ok(Link { text: Some(text.into()), ..Link::default() }));
    let json = "{\"version\":1}";
    assert_eq!(Link::of_block(json), Ok(Link { text: Some(json.into()), ..Link::default() }));
    let json = r#"{"version":1}"#;
    assert_eq!(Link::of_block(json), Ok(Link { text: Some(json.into()), ..Link::default() }));
    for (block, why) in [
        (" \n", "the block is empty"),
        ("v=2&story=billing", "version 2"),
        ("story=billing&dance=1", "`dance`"),
    ] {
        let refused = Link::of_block(block).expect_err(block);
        assert!(refused.contains(why), "{block}: {refused}");
    }
    let unknown = Link::of_block("biling").and_then(|link| link.document().map(|_| ()));
    assert!(unknown.is_err_and(|why| why.contains("did you mean `billing`?")));
}
