//! Why: every line of the verdict that is not zero has a chain of events, and what would come out otherwise is played.

use scenario::report::{Number, numbers};
use scenario::why::{Otherwise, Why, otherwise, why};
use scenario::{Document, Play, document, play, stories, story};

fn told(name: &str, variant: Option<&str>) -> (Document, Play) {
    let document = Document::parse(story(name).unwrap().text).unwrap();
    let document = variant.map_or(document.clone(), |variant| document.with_variant(variant).unwrap());
    let play = play(&document.scenario().unwrap());
    (document, play)
}

/// The chain of a line: instants in milliseconds, kinds of events, and whether the actor could know.
fn chain(play: &Play, line: &str) -> Vec<(u64, &'static str, Option<bool>)> {
    let all = why(play);
    let why: &Why = all.iter().find(|why| why.lines.contains(&line)).unwrap();
    why.chain
        .iter()
        .map(|link| {
            let event = &play.tale[link.event as usize - 1];
            (event.at.as_micros() / 1_000, event.kind.name(), link.known)
        })
        .collect()
}

#[test]
fn a_stale_write_is_explained_by_what_its_worker_could_not_know() {
    let (_, play) = told("billing", Some("unfenced"));
    assert_eq!(why(&play)[0].lines, ["stale_accepted", "corrupting", "duplicates"], "one act, three lines");
    assert_eq!(
        chain(&play, "stale_accepted"),
        [
            (0, "acquired", None),
            (3_000, "renewed", None),
            (3_900, "checked", None),
            (4_000, "paused", None),
            (13_000, "expired", Some(false)),
            (13_500, "acquired", Some(false)),
            (13_600, "fence-raised", Some(false)),
            (14_000, "wrote", Some(false)),
            (19_000, "let-go", None),
            (19_050, "accepted-stale", None),
        ]
    );
}

/// A store that refuses a token that it has seen refuses every second write. The first one here comes after its lease was over:
/// that is no write of the rightful holder, and neither explanation may speak of it.
#[test]
fn a_refusal_is_explained_by_a_write_that_is_counted() {
    let document = Document::parse(
        r#"
        version = 1
        title = "Equal tokens are refused"
        horizon = "23s"
        lock = { kind = "etcd", nodes = ["n1"], ttl = "5s" }
        store = [{ name = "disk", kind = "fenced-row", equal = "rejected" }]
        worker = [{ name = "A", when_lost = "ignore", when_refused = "restart", program = [{ acquire = "job" }, { raise = "disk" }, { prepare = "1s" }, { write = "disk" }, { release = "job" }] }]
        fault = [{ id = "gc", kind = "pause", on = "A", at = "500ms", for = "20s" }]"#,
    )
    .unwrap();
    let play = play(&document.scenario().unwrap_or_else(|problems| panic!("{problems}")));
    let refused: Vec<_> = play.facts.writes.iter().filter(|write| !write.accepted).collect();
    assert!(refused.len() > play.verdict.valid_rejected as usize && play.verdict.valid_rejected > 0);
    assert!(refused.iter().all(|write| !write.stale), "nobody else ever holds the lock");
    let first = &play.facts.leases[0];
    let (ended, _) = first.ended.expect("A was paused for longer");
    assert!(refused[0].at > ended && refused[0].under == Some(first.grant), "the first was A's old grant's");

    let acts = chain(&play, "valid_rejected");
    let (at, kind, _) = *acts.last().unwrap();
    assert_eq!((at, kind), (refused[1].at.as_micros() / 1_000, "refused"), "{acts:?}");
    let because = &play.headline.because;
    assert!(because.contains(&document::text::instant(refused[1].at)), "{because}");
}

#[test]
fn every_line_that_is_not_zero_is_explained() {
    let mut lines = std::collections::BTreeSet::new();
    for story in stories() {
        let variants = Document::parse(story.text).unwrap().variants();
        for variant in [None].into_iter().chain(variants.iter().map(|(name, _)| Some(name.as_str()))) {
            let (_, play) = told(story.name, variant);
            let all = why(&play);
            for (name, number) in numbers(&play.verdict) {
                let is_zero =
                    matches!(number, Number::Count(0)) || number == Number::Time(kernel::Span::ZERO);
                // Told with the gap, or too small a thing to have a case of its own.
                let unasked = story.name == "none" && name == "overlap";
                if is_zero
                    || unasked
                    || matches!(name, "longest_takeover" | "spurious_losses" | "gap" | "lost_acks")
                {
                    continue;
                }
                let found = all.iter().find(|why| why.lines.contains(&name));
                let found =
                    found.unwrap_or_else(|| panic!("{} {variant:?}: {name} is not explained", story.name));
                assert!(!found.chain.is_empty(), "{} {variant:?}: {name}", story.name);
                lines.insert(name);
            }
            for why in &all {
                assert!(why.chain.is_sorted_by(|one, other| one.event < other.event), "{}", story.name);
            }
        }
    }
    let expected =
        ["corrupting", "duplicates", "overlap", "stale_accepted", "stale_rejected", "token_regressions"];
    assert!(expected.iter().all(|line| lines.contains(line)), "the stories have cases of each: {lines:?}");
}

fn other<'a>(all: &'a [Otherwise], what: &str) -> &'a Otherwise {
    all.iter().find(|other| other.what == what).unwrap_or_else(|| panic!("no {what} in {all:#?}"))
}

#[test]
fn what_would_come_out_otherwise_is_what_comes_out_of_its_edits() {
    let (document, as_it_is) = told("billing", None);
    let all = otherwise(&document, &as_it_is);
    let changes = |what: &str, name: &str| {
        other(&all, what).differs.iter().find(|differs| differs.name == name).map(|differs| differs.then)
    };
    assert_eq!(changes("without the pause of A", "stale_rejected"), Some(Number::Count(0)));
    assert_eq!(changes("with the fence of billing off", "duplicates"), Some(Number::Count(5_000)));
    assert_eq!(other(&all, "without the crash of n1").differs, [], "it costs nobody anything");
    for other in &all {
        let mut changed = document.clone();
        for (path, value) in &other.edits {
            changed.set(path, value).unwrap();
        }
        assert_eq!(play(&changed.scenario().unwrap()).headline, other.headline, "{}", other.what);
    }
}

#[test]
fn protections_are_switched_where_they_are() {
    for (name, what) in [
        ("restored-backup", "with a restore that bumps the revision"),
        ("external-api", "with idempotency keys at"),
        ("kleppmann-gc-pause", "with a fence at"),
    ] {
        let (document, play) = told(name, None);
        let all = otherwise(&document, &play);
        assert!(all.iter().any(|other| other.what.starts_with(what)), "{name}: {all:#?}");
    }
}
