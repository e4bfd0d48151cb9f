//! What leads from one document to another.

use document::{Change, Document};

const TEXT: &str = r#"
version = 1
title = "Changes"
horizon = "30s"
lock = { kind = "etcd", nodes = ["n1", "n2"], ttl = "10s", lock_queue = true }
store = [{ name = "disk.1", kind = "fenced-row" }]

[[worker]]
name = "A"
renew = { every = "3s" }
program = [{ acquire = "lock" }, { prepare = "1s" }, { release = "lock" }]

[[fault]]
id = "pause"
kind = "pause"
on = "A"
at = "4s"
for = "15s"

[[fault]]
id = "crash"
kind = "crash"
on = "A"
at = "20s"

[[expect]]
verdict = { overlap = "0s" }
"#;

fn document() -> Document {
    Document::parse(TEXT).expect("it is TOML")
}

/// The changes to what an edit makes of the document, as lines. They lead there, and others lead back.
#[track_caller]
fn lines(edit: impl Fn(&mut Document)) -> Vec<String> {
    let before = document();
    let mut after = document();
    edit(&mut after);
    for (from, to) in [(&before, &after), (&after, &before)] {
        let mut again = from.clone();
        for change in from.changes_to(to) {
            let line = change.to_string();
            let read: Change = line.parse().expect("a line is read as it was written");
            assert_eq!(read, change, "{line}");
            again.take(&read).expect("a change can be done");
        }
        assert_eq!(&again, to);
        // The text that it has now means the same.
        assert_eq!(Document::parse(&again.to_toml()).as_ref(), Ok(to));
    }
    before.changes_to(&after).iter().map(ToString::to_string).collect()
}

#[test]
fn nothing_changed() {
    assert_eq!(lines(|_| ()), <[&str; 0]>::default());
}

#[test]
fn a_value_a_key_and_an_item_change_each_by_itself() {
    let edit = |document: &mut Document| {
        document.set("fault.pause.for", "8s").unwrap();
        document.set("worker.A.margin", "2s").unwrap();
        document.set("store.disk.1.kind", "unfenced").unwrap();
        document.remove("fault.crash").unwrap();
        document.remove("worker.A.renew").unwrap();
        document
            .add(
                "fault",
                "x = { id = \"cut\", kind = \"cut\", on = \"A\", at = \"1s\" }"
                    .parse::<document::Table>()
                    .unwrap()
                    .get("x")
                    .unwrap()
                    .clone(),
            )
            .unwrap();
    };
    assert_eq!(
        lines(edit),
        [
            r#""store.disk.1.kind" = "unfenced""#,
            r#"- "worker.A.renew""#,
            r#""worker.A.margin" = "2s""#,
            r#""fault.pause.for" = "8s""#,
            r#"- "fault.crash""#,
            r#"+ fault = { id = "cut", kind = "cut", on = "A", at = "1s" }"#,
        ]
    );
}

/// Setting a kind throws out what was said of the old one; the changes say it all, so that doing them needs no such rule.
#[test]
fn another_kind_of_lock_takes_its_consequences_along() {
    let told = lines(|document| document.set("lock.kind", "redis").unwrap());
    assert_eq!(
        told,
        [r#""lock.kind" = "redis""#, r#""lock.nodes" = ["n1"]"#, r#"- "lock.lock_queue""#, r#"- expect"#,]
    );
}

#[test]
fn items_without_names_change_as_a_whole() {
    let told = lines(|document| document.set("worker.A.program.1.prepare", "5s").unwrap());
    assert_eq!(
        told,
        [r#""worker.A.program" = [{ acquire = "lock" }, { prepare = "5s" }, { release = "lock" }]"#]
    );
}

/// Where an item comes before others or changes its name, no small steps lead there.
#[test]
fn what_small_steps_do_not_reach_changes_by_sections() {
    let text = TEXT.replace(
        "[[fault]]\nid = \"pause\"",
        "[[fault]]\nid = \"first\"\nkind = \"crash\"\non = \"A\"\nat = \"1s\"\n\n[[fault]]\nid = \"pause\"",
    );
    assert_ne!(text, TEXT);
    let (before, after) = (document(), Document::parse(&text).unwrap());
    let changes = before.changes_to(&after);
    assert_eq!(changes.len(), 1);
    let mut again = before.clone();
    changes.iter().for_each(|change| again.take(change).unwrap());
    assert_eq!(again, after);
}

#[test]
fn a_change_is_told_in_words() {
    let document = document();
    for (line, told) in [
        (r#""fault.pause.for" = "8s""#, "fault.pause.for: 15s, now 8s"),
        (r#""worker.A.margin" = "2s""#, "worker.A.margin: 2s"),
        (r#"- "fault.crash""#, "without fault.crash"),
        (r#"+ fault = { id = "cut" }"#, "with fault.cut"),
        (r#""worker.A.program" = []"#, "worker.A.program is another"),
    ] {
        assert_eq!(document.told(&line.parse().unwrap()), told);
    }
}

#[test]
fn a_line_that_is_no_change_is_refused() {
    for line in ["", "- ", "+ fault", "= 3", "\"a\" = ", "\"a\" = 1\n\"b\" = 2"] {
        assert!(line.parse::<Change>().is_err(), "{line}");
    }
    let mut document = document();
    let gone: Change = r#"- "fault.nobody""#.parse().unwrap();
    assert_eq!(
        document.take(&gone).unwrap_err().to_string(),
        "fault.nobody: there is nothing to remove; there are `pause` and `crash`"
    );
}
