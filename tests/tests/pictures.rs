//! Plays as files that others show: the timeline as SVG, the tale as a Mermaid diagram. The picture of the billing story is the one
//! in the docs; `UPDATE=1 cargo test -p fencepost-tests --test pictures` draws it anew.
#![cfg(not(target_arch = "wasm32"))]

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

use fencepost_tests::{case, cases, played};
use roxmltree::{Document as Xml, Node};
use scenario::Play;
use scenario::report::mermaid;
use timeline::svg::{Picture, Theme, svg};

const FROM_320_TO_4000: [f64; 4] = [320.0, 700.0, 1_000.0, 4_000.0];

fn drawn(play: &Play) -> String {
    svg(play, &Picture::default())
}

/// What is between an element's tags.
fn said<'a>(xml: &'a Xml<'_>, tag: &str) -> Vec<&'a str> {
    let of = |node: &Node<'_, '_>| node.has_tag_name(("http://www.w3.org/2000/svg", tag));
    xml.descendants().filter(of).map(|node| node.text().unwrap_or_default()).collect()
}

#[test]
fn the_billing_story_looks_as_the_docs_show_it() {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../docs/images/billing.svg");
    let picture = drawn(&played("billing", None, &[]));
    if std::env::var_os("UPDATE").is_some() {
        fs::write(&path, &picture).expect("it can be written");
    }
    let golden = fs::read_to_string(&path).expect("the docs have it");
    assert!(golden == picture, "if that is meant: UPDATE=1 cargo test -p fencepost-tests --test pictures");
}

/// Every story and variant, at every width: good XML, with every lane's name and what came out as text, and no figure that is none.
#[test]
fn every_story_is_a_picture_whose_text_is_text() {
    for case in cases() {
        let play = case.play();
        for width in FROM_320_TO_4000 {
            let text = svg(&play, &Picture { width, ..Picture::default() });
            let name = format!("{} at {width}", case.name());
            let xml = Xml::parse(&text).unwrap_or_else(|error| panic!("{name}: {error}"));
            assert!(!text.contains("NaN") && !text.contains("inf"), "{name}");
            let root = xml.root_element();
            assert_eq!(root.attribute("width"), Some(width.to_string().as_str()), "{name}");
            let height = root.attribute("height").expect("it has a height");
            assert_eq!(root.attribute("viewBox"), Some(format!("0 0 {width} {height}").as_str()), "{name}");
            let headline = &play.headline;
            assert_eq!(said(&xml, "title"), [play.scenario.title.as_str()], "{name}");
            let verdict = format!("{} {}", headline.sentence, headline.because);
            assert_eq!(said(&xml, "desc"), [verdict.trim_end()], "{name}");
            let texts = said(&xml, "text");
            assert!(
                texts.join(" ").contains(format!("{} {verdict}", play.scenario.title).trim_end()),
                "{name}: {texts:?}"
            );
            let layout_shows = |group| group != scenario::Group::Others;
            for member in play.cast.members.iter().filter(|member| layout_shows(member.group)) {
                assert!(texts.contains(&&*member.name), "{name}: {} has no lane", member.name);
            }
        }
    }
}

/// What the billing story turns on can be read, and found by a search.
#[test]
fn tokens_fences_faults_and_the_refusal_are_words() {
    let text = drawn(&played("billing", None, &[]));
    let xml = Xml::parse(&text).expect("good XML");
    let texts = said(&xml, "text");
    for word in [
        "token 7",
        "token 12",
        "token 15",
        "fence 12",
        "7 < 12, refused",
        "pause 15 s",
        "crash",
        "60 s",
        "Workers",
    ] {
        assert!(texts.contains(&word), "{word:?} is not in {texts:?}");
    }
    let unfenced = drawn(&played("billing", Some("unfenced"), &[]));
    assert!(unfenced.contains("5,000 invoices charged twice"), "{unfenced}");
}

#[test]
fn a_title_that_looks_like_markup_stays_what_it_is() {
    let title = "<script>alert(1)</script> & \"quotes\" ]]> -- \u{1}end; #1 %%{init}%%";
    let mut case = case("billing", None);
    case.document.set("title", title).expect("a title can be anything");
    let play = case.play();
    let text = drawn(&play);
    let xml = Xml::parse(&text).expect("good XML");
    let kept = title.replace('\u{1}', "\u{fffd}");
    assert_eq!(said(&xml, "title"), [kept.as_str()]);
    assert!(said(&xml, "text").join(" ").starts_with(&kept));
    assert!(said(&xml, "script").is_empty());

    let diagram = mermaid(&play);
    let line = diagram.lines().find(|line| line.starts_with("    title ")).expect("it has a title");
    assert_eq!(
        line,
        "    title #60;script#62;alert(1)#60;/script#62; #38; #34;quotes#34; ]]#62; --  end#59; #35;1 #37;#37;#123;init#125;#37;#37;"
    );
}

/// Several pictures in one page do not meddle with each other, and one is the same text each time.
#[test]
fn ids_and_rules_are_a_picture_s_own() {
    let plays = [played("billing", None, &[]), played("billing", Some("unfenced"), &[])];
    let mut ids = BTreeSet::new();
    for play in &plays {
        let text = drawn(play);
        assert_eq!(text, drawn(play));
        let xml = Xml::parse(&text).expect("good XML");
        let own = xml.root_element().attribute("id").expect("it has a name");
        for id in xml.descendants().filter_map(|node| node.attribute("id")) {
            assert!(id.starts_with(own) && ids.insert(id.to_owned()), "{id}");
        }
        let style = said(&xml, "style").concat();
        for line in style.lines().filter(|line| !line.is_empty() && *line != "}") {
            assert!(line.starts_with(&format!("#{own} ")) || line.starts_with("@media "), "{line}");
        }
    }
}

#[test]
fn a_theme_is_light_dark_or_the_reader_s() {
    let play = played("billing", None, &[]);
    let of = |theme| svg(&play, &Picture { theme, ..Picture::default() });
    let (light, dark, both) = (of(Theme::Light), of(Theme::Dark), of(Theme::Both));
    let (on_light, on_dark) = (".paper { fill: #fbfaf7 }", ".paper { fill: #11151b }");
    assert!(light.contains(on_light) && !light.contains(on_dark) && !light.contains("@media"));
    assert!(dark.contains(on_dark) && !dark.contains(on_light) && !dark.contains("@media"));
    let (plain, behind) = both.split_once("@media (prefers-color-scheme: dark)").expect("both");
    assert!(plain.contains(on_light) && behind.contains(on_dark));
    // What draws it may know neither custom properties nor anything from elsewhere.
    for word in ["var(", "http:", "url(", "@import"] {
        assert!(!both.replace("http://www.w3.org/2000/svg", "").contains(word), "{word}");
    }
}

/// Who speaks in a diagram is declared, each line is a statement of the language, and each event is there once.
#[test]
fn every_story_is_a_sequence_diagram() {
    for case in cases() {
        let play = case.play();
        let diagram = mermaid(&play);
        let name = case.name();
        let mut declared = BTreeSet::new();
        let (mut events, mut is_in_box) = (0, false);
        let mut lines = diagram.lines();
        assert_eq!(lines.next(), Some("sequenceDiagram"), "{name}");
        for line in lines.map(str::trim_start) {
            let (statement, text) = line.split_once(": ").unwrap_or((line, ""));
            // An entity is the only thing that these may be part of.
            let bare = text.split('#').skip(1).fold(text.to_owned(), |text, entity| {
                let number = entity.split(';').next().unwrap_or_default();
                assert!(number.parse::<u32>().is_ok(), "{name}: {line}");
                text.replace(&format!("#{number};"), "")
            });
            assert!(!bare.replace("<br/>", "").contains([';', '#', '<', '>', '%']), "{name}: {line}");
            if let Some(participant) = statement.strip_prefix("participant ") {
                let (id, _) = participant.split_once(" as ").expect("with its name");
                assert!(declared.insert(id.to_owned()), "{name}: {line}");
            } else if statement.starts_with("box transparent host ") {
                assert!(!std::mem::replace(&mut is_in_box, true), "{name}: {line}");
            } else if statement == "end" {
                assert!(std::mem::replace(&mut is_in_box, false), "{name}: {line}");
            } else if let Some(over) = statement.strip_prefix("Note over ") {
                assert!(over.split(',').all(|id| declared.contains(id)), "{name}: {line}");
                events += 1;
            } else if !statement.starts_with("title ") {
                let ends: Vec<&str> =
                    statement.split(&['-', '>', 'x'][..]).filter(|end| !end.is_empty()).collect();
                assert!(ends.len() == 2 && ends.iter().all(|id| declared.contains(*id)), "{name}: {line}");
                events += 1;
            }
        }
        assert_eq!(events, play.tale.len() + 1, "{name}: its events, and the verdict");
    }
}

/// What went between two processes is an arrow between them, and a refusal is one that does not get through.
#[test]
fn arrows_run_between_those_who_spoke() {
    let diagram = mermaid(&played("billing", None, &[]));
    for line in [
        "    p0-->>p3: 0 s: A acquires job: token 7, until 10 s#59;<br/>its own stop time: 8 s\n",
        "    p3->>p6: 0.5 s: A raises the fence at billing from 0<br/>to 7 and claims the row\n",
        "    Note over p3: 4 s: A is paused for 15 s\n",
        "    p3-xp6: 19.05 s: A's stale chunk 2 is refused: token<br/>7 is below the fence 12\n",
        "    p5-xp0: 49.2 s: C cannot renew with n1: connection<br/>refused\n",
        "    box transparent host billing\n    participant p6 as billing\n    participant p7 as sweeper\n    end\n",
    ] {
        assert!(diagram.contains(line), "{line:?} is not in\n{diagram}");
    }
}
