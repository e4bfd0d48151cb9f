//! `fencepost check`.

mod common;

use std::fs;
use std::path::Path;

use common::{bad, fencepost, good};

/// A document with an expectation that holds, a variant with one that does not, and one that expects nothing.
const TEXT: &str = r#"
version = 1
title = "One worker"
horizon = "20s"
lock = { kind = "etcd", nodes = ["n1"], ttl = "10s" }
store = [{ name = "disk", kind = "fenced-row" }]
worker = [{ name = "A", program = [{ acquire = "job" }, { raise = "disk" }, { write = "disk" }, { finish = "disk" }, { release = "job" }] }]
expect = [{ verdict = { stale_accepted = 0 } }, { write = { worker = "A", store = "disk", accepted = true } }]

[variant.wrong]
expect = [
  { verdict = { overlap = "1s", duplicates = 0, orphans = 3 } },
  { grant = { worker = "A", token = 99 } },
  { write = { store = "disk", accepted = false } },
  { event = { kind = "suspended", at = "7s", contains = "nothing like it" } },
]

[variant.silent]
set = { "network.delay" = "2ms" }
"#;

fn directory(files: &[(&str, &str)]) -> tempfile::TempDir {
    let directory = tempfile::tempdir().expect("a directory");
    for (name, text) in files {
        let path = directory.path().join(name);
        fs::create_dir_all(path.parent().expect("it is in one")).expect("it is made");
        fs::write(path, text).expect("it is written");
    }
    directory
}

fn text(path: &Path) -> &str {
    path.to_str().expect("a text")
}

#[test]
fn the_built_in_stories_hold() {
    let told = good(&["check", "crates/scenario/stories"]);
    assert!(told.contains("ok      crates/scenario/stories/billing.toml [unfenced]: "), "{told}");
    assert!(told.ends_with(" as expected, 0 not\n"), "{told}");
    assert!(good(&["check", "billing", "kleppmann-gc-pause"]).starts_with("ok      billing: "));
}

#[test]
fn what_fails_is_told_and_is_exit_code_one() {
    let directory =
        directory(&[("a.toml", TEXT), ("notes.txt", "not a scenario"), (".hidden/b.toml", "nor this")]);
    let ran = fencepost(&["check", text(directory.path())]);
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(1), ""));
    let name = format!("{}/a.toml", text(directory.path()));
    assert!(ran.stdout.starts_with(&format!("ok      {name}: all 2 expectations hold\n")), "{}", ran.stdout);
    assert!(ran.stdout.contains(&format!("FAILED  {name} [wrong]: 5 of 6 do not hold\n")), "{}", ran.stdout);
    for (expected, got) in [
        ("overlap = 1 s", "overlap = 0 s"),
        ("orphans = 3", "orphans = 0"),
        ("a grant to A, with token 99", "to A with token 2 at "),
        ("a write to disk, refused", "by A to disk with token 2 at "),
        ("an event of kind suspended, at 7 s, that tells \"nothing like it\"", "of "),
    ] {
        let lines = format!("        expected {expected}\n        got      {got}");
        assert!(ran.stdout.contains(&lines), "{lines}\nis not in\n{}", ran.stdout);
    }
    assert!(ran.stdout.contains(&format!("nothing {name} [silent]: it expects nothing")), "{}", ran.stdout);
    assert!(
        ran.stdout.ends_with("3 played: 1 as expected, 1 not, 1 without expectations\n"),
        "{}",
        ran.stdout
    );
}

#[test]
fn results_are_written_as_junit() {
    let directory = directory(&[("a.toml", TEXT)]);
    let junit = directory.path().join("out/junit.xml");
    let file = directory.path().join("a.toml");
    let ran = fencepost(&["check", text(&file), "billing", "--junit", text(&junit)]);
    assert_eq!(ran.code, Some(1));
    let xml = fs::read_to_string(&junit).expect("it is written");
    let report = quick_junit::Report::deserialize_from_str(&xml).expect("it is JUnit");
    assert_eq!((report.test_suites.len(), report.failures), (2, 1));
    let suite = &report.test_suites[0];
    assert_eq!(suite.name.as_str(), text(&file));
    let cases: Vec<&str> = suite.test_cases.iter().map(|case| case.name.as_str()).collect();
    assert_eq!(cases, ["as written", "wrong", "silent"]);
    assert_eq!((suite.tests, suite.failures), (3, 1), "{xml}");
    assert!(xml.contains("<skipped message=\"it expects nothing"), "{xml}");
    assert!(xml.contains("expected a grant to A, with token 99, got to A with token 2"), "{xml}");
}

#[test]
fn bad_input_is_told_before_anything_is_played() {
    let wrong = TEXT.replace("{ write = \"disk\" }", "{ wriet = \"disk\" }");
    let odd = TEXT.replace("network.delay", "worker.B.margin");
    let directory =
        directory(&[("a.toml", TEXT), ("b/wrong.toml", &wrong), ("c.json", "{"), ("odd.toml", &odd)]);
    let at = text(directory.path());
    let told = bad(&["check", at]);
    assert_eq!(told.lines().count(), 1, "syntax is told first: {told}");
    assert!(told.starts_with(&format!("error: {at}/c.json, line 1: not JSON: ")), "{told}");

    fs::remove_file(directory.path().join("c.json")).expect("it is there");
    assert_eq!(
        bad(&["check", at, "biling"]),
        format!(
            "error: {at}/b/wrong.toml, line 7, worker.A.program.2.wriet: there is no step `wriet`; did you mean `write`?\n\
             error: {at}/odd.toml [silent], line 19, variant.silent.set.worker.B.margin: there is no worker `B`; \
             there is only `A`\n\
             error: there is no story or file `biling`; did you mean `billing`?\n"
        )
    );
    assert!(bad(&["check"]).contains("required"));
    let empty = tempfile::tempdir().expect("a directory");
    assert!(bad(&["check", text(empty.path())]).contains("has no .toml or .json file in it"));
    let below = directory.path().join("a.toml/junit.xml");
    assert!(bad(&["check", "billing", "--junit", text(&below)]).starts_with("error: "));
}
