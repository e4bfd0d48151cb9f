//! Nothing that anybody writes makes the reader panic, and whatever it complains of has a path or a line.

use document::{Document, Value};
use proptest::prelude::*;
use proptest::sample::{Index, select};

const BILLING: &str = include_str!("../../scenario/stories/billing.toml");
const PAUSE: &str = include_str!("../../scenario/stories/kleppmann-gc-pause.toml");

/// Reads a text as far as it goes, with every variant, and writes and reads it again.
fn endure(text: &str) {
    let document = match Document::parse(text) {
        Ok(document) => document,
        Err(problems) => return assert_told(&problems.0, text),
    };
    endure_document(&document);
    let written = document.to_toml();
    let again = Document::parse(&written).unwrap_or_else(|problems| panic!("{problems} in\n{written}"));
    assert!(again == document, "{text}\nis written as\n{written}");
}

fn endure_document(document: &Document) {
    if let Err(problems) = document.scenario() {
        assert_told(&problems.0, document.text());
    }
    for (name, _) in document.variants() {
        let outcome = document.with_variant(&name).and_then(|variant| variant.scenario());
        if let Err(problems) = outcome {
            assert_told(&problems.0, document.text());
        }
    }
}

fn assert_told(problems: &[document::Problem], text: &str) {
    assert!(!problems.is_empty(), "it is refused without a reason:\n{text}");
    for problem in problems {
        assert!(
            !problem.path.is_empty() || problem.line.is_some(),
            "nobody can find this: {problem}\n{text}"
        );
        assert!(!problem.message.is_empty());
    }
}

/// Values that are right somewhere and wrong almost everywhere.
fn odd_value() -> impl Strategy<Value = String> {
    select(vec![
        "0",
        "-1",
        "9223372036854775807",
        "-9223372036854775808",
        "1.5",
        "nan",
        "true",
        "\"\"",
        "\"10\"",
        "\"10s\"",
        "\"-3s\"",
        "\"99999999999999999999h\"",
        "\"1/0\"",
        "\"50%\"",
        "[]",
        "{}",
        "[[]]",
        "[{}]",
        "\"leader\"",
        "\"others\"",
        "\"A\"",
        "\"none\"",
        "{ kind = \"etcd\" }",
        "{ kind = 1 }",
        "{ after = \"A checks\" }",
        "{ after = \"\" }",
        "{ poll = \"0s\" }",
        "{ a = 1, b = 2 }",
        "[1, \"a\", [], {}]",
        "1979-05-27T07:32:00Z",
        "\"\\u0000\\u202e😀\"",
        "4294967296",
        "[{ repeat = 4294967295, steps = [] }]",
        "[{ items = 1, steps = [{ items = 1, steps = [{ write = \"billing\" }] }] }]",
    ])
    .prop_map(str::to_owned)
}

/// All paths to something in a value.
fn paths(value: &Value, here: &str, found: &mut Vec<String>) {
    let below = |key: &str| if here.is_empty() { key.to_owned() } else { format!("{here}.{key}") };
    let children: Vec<(String, &Value)> = match value {
        Value::Table(table) => table.iter().map(|(key, value)| (below(key), value)).collect(),
        Value::Array(items) => {
            items.iter().enumerate().map(|(i, item)| (below(&i.to_string()), item)).collect()
        }
        Value::String(_) | Value::Integer(_) | Value::Float(_) | Value::Boolean(_) | Value::Datetime(_) => {
            Vec::new()
        }
    };
    for (path, value) in children {
        found.push(path.clone());
        paths(value, &path, found);
    }
}

fn all_paths(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    paths(&Value::Table(text.parse().expect("a story is TOML")), "", &mut found);
    found
}

/// Lines are left out, doubled and put elsewhere, and characters of any kind come in.
fn mutilate(text: &str, acts: &[(u8, Index, Index, String)]) -> String {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    for (act, one, other, garbage) in acts {
        if lines.is_empty() {
            break;
        }
        let (one, other) = (one.index(lines.len()), other.index(lines.len()));
        match act {
            0 => drop(lines.remove(one)),
            1 => lines.insert(other, lines[one].clone()),
            2 => lines.swap(one, other),
            3 => lines.insert(one, garbage.clone()),
            4 => {
                // The value of one line at the key of another.
                let value = lines[other].split_once('=').map(|(_, value)| value.to_owned());
                let key = lines[one].split_once('=').map(|(key, _)| key.to_owned());
                if let (Some(key), Some(value)) = (key, value) {
                    lines[one] = format!("{key}={value}");
                }
            }
            5 => {
                let at = lines[one].char_indices().map(|(at, _)| at).nth(other % 30).unwrap_or(0);
                lines[one].insert_str(at, garbage);
            }
            _ => {
                let end = lines[one].char_indices().map(|(at, _)| at).nth(other % 30).unwrap_or(0);
                lines[one].truncate(end);
            }
        }
    }
    lines.join("\n")
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text(text in "\\PC{0,200}") {
        endure(&text);
    }

    #[test]
    fn text_of_toml_s_own_characters(text in "[a-c\\[\\]{}=\"'.,\\\\#\n 0-9:TZ_-]{0,120}") {
        endure(&text);
    }

    #[test]
    fn text_of_json_s_own_characters(text in "\\{[a-c\\[\\]{}:\",\\\\\n 0-9.eE+-]{0,120}") {
        endure(&text);
    }

    #[test]
    fn stories_with_accidents(
        story in select(vec![BILLING, PAUSE]),
        acts in prop::collection::vec((0_u8..7, any::<Index>(), any::<Index>(), "\\PC{0,12}"), 1..6),
    ) {
        endure(&mutilate(story, &acts));
    }

    #[test]
    fn stories_with_a_wrong_value(
        story in select(vec![BILLING, PAUSE]),
        sets in prop::collection::vec((any::<Index>(), odd_value()), 1..4),
    ) {
        let mut document = Document::parse(story).expect("a story is TOML");
        let paths = all_paths(story);
        for (path, value) in &sets {
            let path = path.get(&paths);
            if let Err(problem) = document.set(path, value) {
                assert_told(&[problem], story);
            }
        }
        endure_document(&document);
        let written = document.to_toml();
        let again = Document::parse(&written).unwrap_or_else(|problems| panic!("{problems} in\n{written}"));
        prop_assert!(again == document || written.contains("nan"), "{written}");
    }

    #[test]
    fn any_path(path in "[a-z.A0-9]{0,24}", value in "\\PC{0,24}") {
        let mut document = Document::parse(PAUSE).expect("a story is TOML");
        let told = document.set(&path, &value);
        if let Err(problem) = &told {
            prop_assert!(!problem.message.is_empty());
        }
        endure_document(&document);
        if document.get(&path).is_some() {
            prop_assert!(document.remove(&path).is_ok());
            endure_document(&document);
        }
    }
}

/// Every value at every place, one at a time: what is refused is refused at that place or because of it.
#[test]
fn every_place_with_every_kind_of_value() {
    for path in all_paths(PAUSE) {
        for value in
            ["0", "-1", "true", "\"\"", "\"10s\"", "[]", "{}", "[{}]", "[1]", "{ kind = \"pause\" }", "0.5"]
        {
            let mut document = Document::parse(PAUSE).expect("a story is TOML");
            match document.set(&path, value) {
                Ok(()) => endure_document(&document),
                Err(problem) => assert_told(&[problem], PAUSE),
            }
        }
    }
}

/// A path that goes deeper and deeper is stopped before the stack is.
#[test]
fn depth_has_a_limit() {
    let mut document = Document::parse(PAUSE).expect("a story is TOML");
    let path = format!("network{}", ".a".repeat(5_000));
    if document.set(&path, "1").is_ok() {
        endure_document(&document);
    }
    let mut document = Document::parse(PAUSE).expect("a story is TOML");
    let nested = format!("{}{}", "[{ repeat = 1, steps = ".repeat(30), "[]".to_owned() + &"}]".repeat(30));
    document.set("worker.0.program", &nested).expect("it is a value");
    endure_document(&document);
}
