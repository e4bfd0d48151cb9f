//! Changing documents by paths, variants, and writing them again.

use document::{Document, Value};

const TEXT: &str = r#"# A comment that stays as long as nothing changes.
version = 1
title = "Edits"
horizon = "30s"
lock = { kind = "etcd", nodes = ["n1", "n2"], ttl = "10s" }

[[store]]
name = "disk.1"
kind = "fenced-row"

[[worker]]
name = "A"
renew = { every = "3s" }
program = [{ acquire = "lock" }, { raise = "disk.1" }, { repeat = 2, steps = [{ prepare = "1s" }, { write = "disk.1" }] }, { release = "lock" }]

[[worker]]
name = "B"
like = "A"

[[fault]]
id = "pause"
kind = "pause"
on = "A"
at = "4s"
for = "15s"

[[expect]]
verdict = { overlap = "0s" }

[variant.short]
about = "A short pause"
set = { "fault.pause.for" = "1s", "worker.B.margin" = "1s" }

[variant."odd.name"]
set = { "fault.puase.for" = "1s" }
expect = [{ grant = { worker = "Z" } }]
"#;

fn document() -> Document {
    Document::parse(TEXT).expect("it is TOML")
}

#[test]
fn paths_reach_what_they_name() {
    let document = document();
    for (path, value) in [
        ("title", "Edits"),
        ("lock.ttl", "10s"),
        ("lock.nodes", "[\"n1\", \"n2\"]"),
        ("lock.nodes.1", "n2"),
        ("store.disk.1.kind", "fenced-row"),
        ("store.0.kind", "fenced-row"),
        ("worker.A.renew.every", "3s"),
        ("worker.A.program.2.steps.0.prepare", "1s"),
        ("worker.A.program.2.repeat", "2"),
        ("fault.pause.for", "15s"),
        ("expect.0.verdict.overlap", "0s"),
        ("variant.odd.name.expect.0.grant.worker", "Z"),
    ] {
        assert_eq!(document.get(path).as_deref(), Some(value), "{path}");
    }
    for path in [
        "",
        ".",
        "lock.",
        "lock..ttl",
        "worker.Z.name",
        "worker.7",
        "lock.ttl.x",
        "worker.B.margin",
        "nothing",
    ] {
        assert_eq!(document.get(path), None, "{path}");
    }
}

#[test]
fn what_is_set_is_read() {
    let mut document = document();
    for (path, value) in [
        ("worker.A.margin", "3s"),
        ("worker.B.margin", "\"1s\""),
        ("worker.B.renew.timeout", "700ms"),
        ("worker.A.wait", "{ poll = \"1s\" }"),
        ("store.disk.1.kind", "unfenced"),
        ("fault.pause.for", "8s"),
        ("fault.pause.at", "{ after = \"A writes\" }"),
        ("worker.A.program.2.repeat", "5"),
        ("lock.nodes", "[\"n1\", \"n2\", \"n3\"]"),
        ("lock.checkpoint.every", "1s"),
        ("network.delay", "5ms"),
        ("host.B.wall_offset", "3s"),
        ("host.B.drift_ppm", "-100"),
        ("title", "2026"),
        ("worker.A.attach_token", "false"),
        ("fault.pause.on", "holder"),
    ] {
        document.set(path, value).unwrap_or_else(|problem| panic!("{problem}"));
    }
    let scenario = document.scenario().unwrap_or_else(|problems| panic!("{problems}"));
    assert_eq!(scenario.title, "2026");
    assert_eq!(scenario.worker[0].margin.map(|margin| margin.to_string()).as_deref(), Some("3s"));
    assert_eq!(scenario.host[0].name, "B");
    assert_eq!((scenario.host[0].wall_offset.0, scenario.host[0].drift_ppm), (3_000_000, -100));
    assert_eq!(scenario.worker[1].attach_token, Some(false), "B is like A");
    let renew = scenario.worker[1].renew.clone().expect("B renews");
    assert_eq!(
        renew.every.map(|every| every.to_string()).as_deref(),
        Some("3s"),
        "where it does not say otherwise"
    );
    assert_eq!(renew.timeout.map(|timeout| timeout.to_string()).as_deref(), Some("700ms"));
    assert_eq!(scenario.fault[0].span().map(|span| span.to_string()).as_deref(), Some("8s"));
}

#[test]
fn wrong_paths_are_told_with_the_nearest_name() {
    for (path, expected) in [
        ("worker.C.margin", "worker.C.margin: there is no worker `C`; there are `A` and `B`"),
        ("fault.puase.for", "fault.puase.for: there is no fault `puase`; did you mean `pause`?"),
        ("sweeper.x.every", "sweeper.x.every: there is no sweeper `x`: there is none at all"),
        (
            "expect.3.verdict.overlap",
            "expect.3.verdict.overlap: there is no number 3 in `expect`, which counts from 0 to 0",
        ),
        ("lock.ttl.x", "lock.ttl.x: `lock.ttl` is a value that has no parts"),
        ("", "a path is keys and names with single dots between them"),
        ("lock..ttl", "lock..ttl: a path is keys and names with single dots between them"),
        (
            "worker.B.program.0.acquire",
            "worker.B.program.0.acquire: `B` has no program of its own: it is like another",
        ),
    ] {
        let problem = document().set(path, "1s").expect_err(path);
        assert_eq!(problem.to_string(), expected);
    }
}

#[test]
fn wrong_values_are_told_without_a_line_of_the_text() {
    let complaint = |path: &str, value: &str| {
        let mut document = document();
        document.set(path, value).unwrap_or_else(|problem| panic!("{problem}"));
        document.scenario().expect_err(path).to_string()
    };
    assert_eq!(
        complaint("fault.pause.for", "8"),
        "fault.pause.for: \"8\" has no unit: write \"8s\" or \"8ms\""
    );
    assert_eq!(
        complaint("worker.A.marjin", "8s"),
        "worker.A.marjin: there is no such key; did you mean `margin`?"
    );
    assert_eq!(complaint("lokc.ttl", "8s"), "lokc: there is no such key; did you mean `lock`?");
    assert_eq!(
        complaint("worker.B.like", "B"),
        "worker.B.like: in the end it is like itself: `B` is like `B`"
    );
    // What is wrong elsewhere because of it has its line.
    assert_eq!(
        complaint("horizon", "3s"),
        "line 24, fault.pause.at: it never strikes at 4s: the play ends at 3s"
    );
}

#[test]
fn variants_are_named_applied_and_checked() {
    let document = document();
    assert_eq!(
        document.variants(),
        [("short".into(), "A short pause".into()), ("odd.name".into(), String::new())]
    );

    let short = document.with_variant("short").unwrap_or_else(|problems| panic!("{problems}"));
    assert_eq!(short.get("fault.pause.for").as_deref(), Some("1s"));
    assert!(short.scenario().is_ok_and(|scenario| scenario.expect.is_empty()), "expectations are replaced");

    let problems = document.with_variant("odd.name").expect_err("no such fault");
    assert_eq!(
        problems.to_string(),
        "line 35, variant.odd.name.set.fault.puase.for: there is no fault `puase`; did you mean `pause`?"
    );
    let problems = document.with_variant("shrot").expect_err("no such variant");
    assert_eq!(problems.to_string(), "variant: there is no variant `shrot`; did you mean `short`?");
}

#[test]
fn what_a_variant_sets_has_the_line_where_it_is_set() {
    let text = TEXT
        .replace("\"worker.B.margin\" = \"1s\"", "\"worker.B.margin\" = \"11s\"")
        .replace("puase", "pause");
    let document = Document::parse(&text).expect("it is TOML");
    let problems = document.with_variant("short").expect("it applies").scenario().expect_err("too long");
    assert_eq!(
        problems.to_string(),
        "line 32, worker.B.margin: a margin of 11s leaves nothing of a lease of 10s (`lock.ttl`); \
         make the margin shorter or the lease longer"
    );
    let problems = document.with_variant("odd.name").expect("it applies").scenario().expect_err("nobody");
    assert_eq!(
        problems.to_string(),
        "line 36, expect.0.grant.worker: there is no worker `Z`; there are `A` and `B`"
    );
}

#[test]
fn things_are_added_and_removed() {
    let mut document = document();
    document.remove("fault.pause.for").expect("it is there");
    assert_eq!(document.get("fault.pause.for"), None);
    document.remove("fault.pause").expect("it is there");
    let text = "id = \"crash\"\nkind = \"crash\"\non = \"n1\"\nat = \"5s\"";
    document.add("fault", Value::Table(text.parse().expect("it is TOML"))).expect("there is such a list");
    assert_eq!(document.get("fault.crash.on").as_deref(), Some("n1"));
    let scenario = document.scenario().unwrap_or_else(|problems| panic!("{problems}"));
    assert_eq!(scenario.fault.len(), 1);

    assert!(document.remove("fault.pause").is_err());
    assert!(document.remove("nothing.at.all").is_err());
    assert!(document.add("falut", Value::Boolean(true)).is_err());
}

#[test]
fn a_document_is_written_as_it_was_or_as_it_is() {
    let mut document = document();
    assert_eq!(document.to_toml(), TEXT, "comments stay");
    document.set("fault.pause.for", "8s").expect("it is there");
    let written = document.to_toml();
    let line = TEXT.lines().find(|line| line.contains("for = ")).expect("the pause has a length");
    assert_eq!(written, TEXT.replacen(line, "for = \"8s\"", 1), "nothing else is touched");
}

#[test]
fn what_is_changed_is_written_into_the_text() {
    const TEXT: &str = r#"# The story's sources.
version = 1
title   = "Kept"  # as it is
horizon = "10s"

[lock]  # the service
kind  = "etcd"
nodes = ["n1"] # alone

# Who works.
[[worker]]
name = "A"
program = [
  { acquire = "lock" },  # first
]

# The second.
[[worker]]
name = "B"
like = "A"
margin = "1s" # enough

# What goes wrong.
[[fault]]
id = "p" # a pause
kind = "pause"
on = "A"
at = "1s"
"#;
    let document = Document::parse(TEXT).unwrap();
    let edited = |edit: fn(&mut Document)| {
        let mut document = document.clone();
        edit(&mut document);
        let written = document.to_toml();
        assert_eq!(Document::parse(&written).unwrap(), document, "{written}");
        written
    };
    assert_eq!(
        edited(|document| document.set("lock.ttl", "5s").unwrap()),
        TEXT.replace("# alone\n", "# alone\nttl = \"5s\"\n"),
        "a new key comes after the others"
    );
    assert_eq!(edited(|document| document.set("title", "New").unwrap()), TEXT.replace("\"Kept\"", "\"New\""),);
    assert_eq!(
        edited(|document| document.remove("worker.B.margin").unwrap()),
        TEXT.replace("margin = \"1s\" # enough\n", ""),
    );
    assert_eq!(
        edited(|document| document.remove("worker.B").unwrap()),
        TEXT.replace("[[worker]]\nname = \"B\"\nlike = \"A\"\nmargin = \"1s\" # enough\n", ""),
        "comments stay, also those above what goes"
    );
    assert_eq!(
        edited(|document| {
            let fault =
                "v = { id = \"q\", kind = \"crash\", on = \"B\", at = \"2s\" }".parse::<document::Table>();
            document.add("fault", fault.unwrap().get("v").unwrap().clone()).unwrap();
        }),
        format!("{TEXT}\n[[fault]]\nid = \"q\"\nkind = \"crash\"\non = \"B\"\nat = \"2s\"\n"),
    );
    assert_eq!(
        edited(|document| document.set("network.delay", "1ms").unwrap()),
        format!("{TEXT}\n[network]\ndelay = \"1ms\"\n"),
    );
    assert_eq!(
        edited(|document| document.set("worker.A.program.0.acquire", "other").unwrap()),
        TEXT.replace("[\n  { acquire = \"lock\" },  # first\n]", "[{ acquire = \"other\" }]"),
        "a value is written anew as a whole"
    );
}

#[test]
fn json_is_written_as_toml() {
    let json = r#"{"version": 1, "title": "J\nK", "horizon": "10s", "odd key": [1, {"x\u007f\u0001": [true, 1.5]}],
        "lock": {"kind": "etcd", "nodes": ["n1"], "ttl": "5s"}, "worker": [{"name": "A", "program": [{"acquire": "lock"}, {"prepare": "1s"},
        {"repeat": 2, "steps": [{"prepare": "1s"}, {"prepare": "2s"}]}, {"release": "lock"}]}], "variant": {"odd.name": {"about": "x"}}}"#;
    let document = Document::parse(json).expect("it is JSON");
    let written = document.to_toml();
    let again = Document::parse(&written).unwrap_or_else(|problems| panic!("{problems}\n{written}"));
    assert_eq!(again, document, "{written}");
    assert!(written.contains("\n[[worker]]\nname = \"A\"\n"), "sections have headers: {written}");
    assert!(
        written.contains("program = [\n  { acquire = \"lock\" },\n"),
        "a long list has an item a line: {written}"
    );
    assert!(written.contains("[variant.\"odd.name\"]\n"), "{written}");
}
