//! Links: what is made of a story travels in an address and comes back as it was.

use kernel::SimTime;
use scenario::link::Link;
use scenario::{Document, stories};

fn told(name: &str) -> Document {
    Document::parse(scenario::story(name).expect("it is built in").text).expect("it is good")
}

#[track_caller]
fn comes_back(link: &Link) -> Link {
    let fragment = link.fragment();
    let read = Link::parse(&fragment).unwrap_or_else(|why| panic!("{fragment}: {why}"));
    assert_eq!(&read, link, "{fragment}");
    read
}

/// The link that one would paste into an issue: short, and legible.
#[test]
fn five_edits_of_the_billing_story_are_short() {
    let (told, mut now) = (told("billing"), told("billing"));
    now.set("fault.a-pause.for", "8s").unwrap();
    now.set("fault.a-pause.at", "3.2s").unwrap();
    now.set("store.billing.kind", "unfenced").unwrap();
    now.set("worker.B.margin", "1s").unwrap();
    now.set("lock.ttl", "12s").unwrap();
    let mut link = Link::to("billing", None, &told, &now);
    link.at = Some(SimTime::from_millis(19_050));
    link.fault = Some("a-pause".into());
    link.tab = Some("why".into());
    assert_eq!(
        link.fragment(),
        "v=1&story=billing&at=19.05s&fault=a-pause&tab=why&=lock.ttl=12s&=store.billing.kind=unfenced&=worker.B.margin=1s&=fault.a-pause.at=3.2s&=fault.a-pause.for=8s"
    );
    assert_eq!(comes_back(&link).document().as_ref(), Ok(&now));
    assert_eq!(comes_back(&link).told(), Ok(Some(told)));
}

/// Every story and variant, and every way from one story to another, which changes all that there is.
#[test]
fn any_document_comes_back() {
    let all: Vec<(&str, Document)> = stories().iter().map(|story| (story.name, told(story.name))).collect();
    for (name, document) in &all {
        let plain = Link::to(name, None, document, document);
        assert_eq!(comes_back(&plain).document().as_ref(), Ok(document));
        assert!(plain.fragment().len() < 40, "{}", plain.fragment());
        for (variant, _) in document.variants() {
            let now = document.with_variant(&variant).expect("a variant is good");
            let edited = Link::to(name, None, document, &now);
            assert_eq!(comes_back(&edited).document().as_ref(), Ok(&now), "{name}, {variant}");
            let named = Link::to(name, Some(&variant), &now, &now);
            assert_eq!(comes_back(&named).document().as_ref(), Ok(&now));
        }
        for (_, other) in &all {
            let link = Link::to(name, None, document, other);
            assert_eq!(comes_back(&link).document().as_ref(), Ok(other));
        }
        let whole = Link { text: Some(document.to_toml()), ..Link::default() };
        assert_eq!(comes_back(&whole).document().as_ref(), Ok(document));
    }
}

#[test]
fn what_is_no_link_is_refused_with_why() {
    for (fragment, why) in [
        ("", "the link does not say which version it is of: it is cut off, or no link of ours"),
        ("story=billing", "the link does not say which version it is of: it is cut off, or no link of ours"),
        ("v=2&story=billing", "the link is of version 2; this page reads version 1"),
        ("v=1&story=billing&mood=good", "the link has a part `mood`, which version 1 does not know"),
        ("v=1&story=billing&=lock.ttl", "the link is broken at `=lock.ttl`"),
        ("v=1&story=billing&=lock.ttl=12%2", "the link is broken at `12%2`"),
        ("v=1&story=billing&sto", "the link is broken at `sto`"),
        ("v=1&at=soon", "the link's `at`: \"soon\" is not a duration"),
    ] {
        let error = Link::parse(fragment).expect_err(fragment);
        assert!(error.starts_with(why), "{fragment}: {error}");
    }
    assert!(Link::parse(&"v=1&".repeat(100_000)).is_err_and(|why| why.contains("longer than 200 kB")));
    for (fragment, why) in [
        ("v=1", "the link names neither a story nor a document"),
        (
            "v=1&story=biling",
            "the link is of a story `biling`, which is not known here; did you mean `billing`?",
        ),
        ("v=1&story=billing&variant=none", "there is no variant `none`"),
        ("v=1&story=billing&-fault.nobody", "the link changes what the story does not have: fault.nobody"),
        ("v=1&text=%5Bworker", "line 1"),
    ] {
        let link = Link::parse(fragment).expect(fragment);
        let error = link.document().expect_err(fragment);
        assert!(error.contains(why), "{fragment}: {error}");
    }
}
