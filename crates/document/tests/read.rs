//! What the reader says of documents that are wrong: each case changes one thing in a document that is right, and the
//! whole message is held, because messages are what people get.

use document::{Document, Problem, Problems};

/// A document that is right, with something of everything. Line numbers below are its own.
const RIGHT: &str = r#"version = 1
title = "Right"
horizon = "30s"
seed = 1

[network]
delay = "1ms"
link = [{ from = "A", to = ["n1", "n2"], delay = "2ms" }]

[[host]]
name = "box"
wall_offset = "-3s"

[lock]
kind = "etcd"
nodes = ["n1", "n2", "n3"]
ttl = "10s"

[[store]]
name = "disk"
kind = "fenced-row"

[[worker]]
name = "A"
margin = "2s"
renew = { every = "3s", timeout = "1s", give_up = "stop-time" }
wait = { poll = "1s" }
program = [
  { acquire = "job" },
  { raise = "disk" },
  { repeat = 3, steps = [
    { check = "stop-time" },
    { write = "disk", effects = 2 },
  ] },
  { release = "job" },
]

[[worker]]
name = "B"
like = "A"
host = "box"
start = "5s"

[[sweeper]]
name = "broom"
store = "disk"
every = "10s"

[[fault]]
id = "gc"
kind = "pause"
on = "A"
at = { after = "A checks", nth = 2, plus = "10ms" }
for = "16s"

[[fault]]
id = "split"
kind = "cut"
from = "leader"
to = "others"
at = "20s"
for = "5s"

[[expect]]
verdict = { stale_accepted = 0 }

[variant.unfenced]
about = "Without a fence"
set = { "store.disk.kind" = "unfenced" }
expect = [{ verdict = { stale_accepted = 1 } }, { grant = { worker = "A", token = 2 } }]
"#;

fn read(text: &str) -> Result<(), Problems> {
    Document::parse(text)?.scenario().map(|_| ())
}

fn complaint(text: &str) -> String {
    read(text).expect_err("something is wrong with it").to_string()
}

/// The document with `from` replaced by `to`.
fn with(from: &str, to: &str) -> String {
    assert_eq!(RIGHT.matches(from).count(), 1, "{from:?} is there once");
    RIGHT.replacen(from, to, 1)
}

/// Holds what is said after a replacement.
fn check(from: &str, to: &str, expected: &str) {
    assert_eq!(complaint(&with(from, to)), expected, "{from} -> {to}");
}

#[test]
fn the_right_document_is_right() {
    if let Err(problems) = read(RIGHT) {
        panic!("{problems}");
    }
}

#[test]
fn unknown_keys_find_the_nearest() {
    check("margin =", "marjin =", "line 25, worker.A.marjin: there is no such key; did you mean `margin`?");
    check(
        "timeout = \"1s\"",
        "time-out = \"1s\"",
        "line 26, worker.A.renew.time-out: there is no such key; did you mean `timeout`?",
    );
    check(
        "effects = 2",
        "effect = 2",
        "line 33, worker.A.program.2.steps.1.effect: there is no such key; did you mean `effects`?",
    );
    check("ttl =", "banana = 1\nttl =", "line 17, lock.banana: there is no such key");
    check(
        "for = \"16s\"",
        "fro = \"16s\"",
        "line 54, fault.gc.fro: there is no such key; did you mean `for`?",
    );
    check("plus =", "pluss =", "line 53, fault.gc.at.pluss: there is no such key; did you mean `plus`?");
    check(
        "[lock]",
        "[loc]",
        "line 1: `lock` is missing\nline 14, loc: there is no such key; did you mean `lock`?",
    );
}

#[test]
fn unknown_kinds_and_words_find_the_nearest() {
    check(
        "kind = \"etcd\"",
        "kind = \"etc\"",
        "line 15, lock.kind: there is no `etc` here; did you mean `etcd`?",
    );
    check(
        "kind = \"pause\"",
        "kind = \"puase\"",
        "line 51, fault.gc.kind: there is no `puase` here; did you mean `pause`?",
    );
    check(
        "kind = \"fenced-row\"",
        "kind = \"fenced\"",
        "line 21, store.disk.kind: there is no `fenced` here; did you mean `fenced-row`?",
    );
    check(
        "give_up = \"stop-time\"",
        "give_up = \"stop\"",
        "line 26, worker.A.renew.give_up: there is no `stop` here; did you mean `stop-time`?",
    );
    check(
        "{ poll = \"1s\" }",
        "\"pol\"",
        "line 27, worker.A.wait: there is no `pol` here; did you mean `poll`?",
    );
    check(
        "{ poll = \"1s\" }",
        "\"poll\"",
        "line 27, worker.A.wait: `poll` takes a value: write { poll = .. }",
    );
    check(
        "{ poll = \"1s\" }",
        "{ queue = 1 }",
        "line 27, worker.A.wait: `queue` takes no value: write \"queue\"",
    );
    check(
        "kind = \"cut\"\n",
        "",
        "line 56, fault.split: `kind` is missing: a fault is one of `pause`, `suspend`, `crash`, `wall-step`, \
         `clock-rate`, `cut`, `loss`, `delay`, `duplicate`, `disk-stall`, `disk-loss`, `power-off`, `promote`, `fence-off` or `restore`",
    );
}

#[test]
fn steps_are_told_by_their_verb() {
    check(
        "{ acquire = \"job\" }",
        "{ aquire = \"job\" }",
        "line 29, worker.A.program.0.aquire: there is no step `aquire`; did you mean `acquire`?",
    );
    check(
        "{ check = \"stop-time\" }",
        "{ check = \"stop-time\", read = \"disk\" }",
        "line 32, worker.A.program.2.steps.0: a step does one thing, and this one has `read` and `check`; \
         make it several steps",
    );
    check(
        "{ raise = \"disk\" }",
        "\"raise\"",
        "line 30, worker.A.program.1: a step is a table like { raise = .. }, not the text \"raise\"",
    );
    check(
        "{ raise = \"disk\" }",
        "{}",
        "line 30, worker.A.program.1: a step says what is done, with one of `acquire`, `release`, `raise`, `read`, \
         `take`, `prepare`, `until`, `check`, `write`, `finish`, `put`, `repeat` or `items`",
    );
    check("{ raise = \"disk\" }", "{ take = \"disk\" }", "line 30, worker.A.program.1: `every` is missing");
    check(
        "{ check = \"stop-time\" }",
        "{ check = \"deadline\" }",
        "line 32, worker.A.program.2.steps.0.check: there is no `deadline` here; there is only `stop-time`",
    );
}

#[test]
fn values_of_the_wrong_kind_are_told() {
    let (duration, number) = ("a duration like \"10s\" is wanted here", "a whole number");
    check("ttl = \"10s\"", "ttl = 10", "line 17, lock.ttl: 10 has no unit: write \"10s\" or \"10ms\"");
    check(
        "margin = \"2s\"",
        "margin = \"2\"",
        "line 25, worker.A.margin: \"2\" has no unit: write \"2s\" or \"2ms\"",
    );
    check(
        "margin = \"2s\"",
        "margin = [\"2s\"]",
        &format!("line 25, worker.A.margin: {duration}, not a list"),
    );
    check("seed = 1", "seed = -1", &format!("line 4, seed: {number} from 0 is wanted here, not -1"));
    check(
        "seed = 1",
        "seed = \"one\"",
        &format!("line 4, seed: {number} is wanted here, not the text \"one\""),
    );
    check(
        "nodes = [\"n1\", \"n2\", \"n3\"]",
        "nodes = \"n1\"",
        "line 16, lock.nodes: a list is wanted here, not the text \"n1\"",
    );
    check("[[host]]", "[[host.x]]", "line 10, host: a list is wanted here, not a table");
    check("renew = {", "renew = 3 # {", "line 26, worker.A.renew: a table is wanted here, not 3");
    check("on = \"A\"", "on = true", "line 52, fault.gc.on: a text is wanted here, not true");
    check(
        "{ poll = \"1s\" }",
        "3",
        "line 27, worker.A.wait: one of `poll`, `watch` or `queue` is wanted here, not 3",
    );
    check("at = \"20s\"", "at = 2026-01-01", &format!("line 61, fault.split.at: {duration}, not a date"));
    check("to = \"others\"", "to = [1]", "line 60, fault.split.to.0: a text is wanted here, not 1");
}

#[test]
fn several_things_are_told_at_once() {
    let text = RIGHT
        .replace("margin =", "marjin =")
        .replace("timeout = \"1s\"", "timeout = 1")
        .replace("kind = \"pause\"", "kind = \"puase\"")
        .replace("seed = 1", "seed = true")
        .replace("{ raise = \"disk\" }", "{ rise = \"disk\" }");
    assert_eq!(
        complaint(&text),
        "line 4, seed: a whole number is wanted here, not true\n\
         line 25, worker.A.marjin: there is no such key; did you mean `margin`?\n\
         line 26, worker.A.renew.timeout: 1 has no unit: write \"1s\" or \"1ms\"\n\
         line 30, worker.A.program.1.rise: there is no step `rise`; did you mean `raise`?\n\
         line 51, fault.gc.kind: there is no `puase` here; did you mean `pause`?"
    );
}

#[test]
fn syntax_errors_have_their_lines() {
    let problem = |text: &str| Document::parse(text).expect_err("it is no syntax").0;
    assert_eq!(problem("version = 1\ntitle = \n")[0].line, Some(2));
    assert_eq!(problem("a = 1\nb = 2\na = 3\n")[0].line, Some(3));
    assert_eq!(problem("{\n \"a\": 1,\n \"b\" 2}")[0].line, Some(3));
    assert_eq!(problem("{\"lock\": {\"ttl\": null}}")[0].path, "lock.ttl");
    assert_eq!(problem("{ \"a\": 1 } and more")[0].line, Some(1));
    let long = format!("# {}\n", "x".repeat(1000)).repeat(300);
    assert_eq!(problem(&long)[0].to_string(), "line 262: the text is longer than 256 kB");
    let deep = format!("a = {}{}", "[".repeat(10_000), "]".repeat(10_000));
    assert_eq!(problem(&deep)[0].line, Some(1));
    let deep = format!("{{\"a\": {}{}}}", "[".repeat(10_000), "]".repeat(10_000));
    assert_eq!(problem(&deep)[0].line, Some(1));
}

#[test]
fn json_says_the_same_with_lines_of_its_own() {
    let text = "{\n\"version\": 1, \"title\": \"t\",\n\"horizon\": \"10s\",\n\"lock\": {\n\"kind\": \"etcd\", \
                \"nodes\": [\"n1\"],\n\"tll\": \"5s\"},\n\"worker\": [{\"name\": \"A\",\n\"program\": \
                [{\"prepare\":\n 5}]}]}";
    assert_eq!(
        complaint(text),
        "line 6, lock.tll: there is no such key; did you mean `ttl`?\n\
         line 9, worker.A.program.0.prepare: 5 has no unit: write \"5s\" or \"5ms\""
    );
}

#[test]
fn an_empty_document_is_told_what_it_lacks() {
    assert_eq!(complaint(""), "line 1: `version` is missing");
    assert_eq!(complaint("{}"), "line 1: `version` is missing");
}

#[test]
fn problems_are_plain_data() {
    let Problem { path, line, message, hint } =
        read(&with("margin", "mragin")).expect_err("a wrong key").0.remove(0);
    assert_eq!((path.as_str(), line), ("worker.A.mragin", Some(25)));
    assert_eq!((message.as_str(), hint.as_deref()), ("there is no such key", Some("did you mean `margin`?")));
}
