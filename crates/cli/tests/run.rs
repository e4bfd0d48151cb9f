//! `fencepost run` and `fencepost stories`.

mod common;

use common::{bad, fencepost, good, with_input};
use serde_json::{Value, json};

fn run_json(args: &[&str]) -> Value {
    let text = good(&[&["run", "--format", "json"], args].concat());
    serde_json::from_str(&text).expect("it is JSON")
}

fn keys(value: &Value) -> Vec<&str> {
    value.as_object().expect("it is an object").keys().map(String::as_str).collect()
}

/// Others read this: the fields and their order are a contract.
#[test]
fn json_has_its_fields_in_their_order() {
    let play = run_json(&["billing"]);
    assert_eq!(
        keys(&play),
        ["scenario", "seed", "verdict", "grants", "writes", "events", "load", "why", "otherwise"]
    );
    assert_eq!(keys(&play["why"][0]), ["lines", "others", "chain"]);
    assert_eq!(keys(&play["why"][0]["chain"][0]), ["n", "at_us", "process", "text", "known"]);
    assert_eq!(keys(&play["otherwise"][0]), ["what", "set", "sentence", "verdict"]);
    assert_eq!(
        keys(&play["verdict"]),
        [
            "overlap_us",
            "stale_accepted",
            "corrupting",
            "stale_rejected",
            "valid_rejected",
            "duplicates",
            "token_regressions",
            "lost_acks",
            "stale_reads",
            "gap_us",
            "longest_takeover_us",
            "spurious_losses",
            "orphans"
        ]
    );
    assert_eq!(keys(&play["grants"][0]), ["at_us", "worker", "token", "until_us"]);
    assert_eq!(
        keys(&play["writes"][0]),
        ["at_us", "store", "worker", "token", "accepted", "stale", "reason"]
    );
    assert_eq!(keys(&play["events"][0]), ["n", "at_us", "process", "kind", "text"]);
    for write in play["writes"].as_array().expect("writes") {
        assert!(write["reason"].is_string() && write["accepted"].is_boolean() && write["stale"].is_boolean());
    }
}

#[test]
fn the_billing_story_comes_out_as_it_is_told() {
    let play = run_json(&["billing"]);
    assert_eq!(play["scenario"], "The billing job changes hands");
    let verdict = &play["verdict"];
    assert_eq!((&verdict["stale_rejected"], &verdict["duplicates"]), (&json!(1), &json!(0)));
    let grants: Vec<(f64, &str, u64)> = play["grants"]
        .as_array()
        .expect("grants")
        .iter()
        .map(|grant| {
            let at = grant["at_us"].as_u64().expect("an instant") as f64 / 1e6;
            (at, grant["worker"].as_str().expect("a name"), grant["token"].as_u64().expect("a token"))
        })
        .collect();
    assert_eq!(
        grants.iter().map(|grant| (grant.1, grant.2)).collect::<Vec<_>>(),
        [("A", 7), ("B", 12), ("C", 15)]
    );
    for (grant, at) in grants.iter().zip([0.0, 13.5, 40.2]) {
        assert!((grant.0 - at).abs() < 0.0005, "{grant:?} at {at}");
    }
}

#[test]
fn settings_variants_and_seeds_change_the_play() {
    let unfenced = run_json(&["billing", "--set", "store.billing.kind=unfenced"]);
    assert_eq!(
        (&unfenced["verdict"]["stale_accepted"], &unfenced["verdict"]["duplicates"]),
        (&json!(1), &json!(5000))
    );
    assert_eq!(unfenced["verdict"], run_json(&["billing", "--variant", "unfenced"])["verdict"]);
    // The variant first, then what is set.
    let back = run_json(&["billing", "--variant", "unfenced", "--set", "store.billing.kind=fenced-row"]);
    assert_eq!(back["verdict"]["stale_accepted"], 0);
    let short = run_json(&["billing", "--set", "fault.a-pause.for=1s", "--set", "worker.A.margin=3s"]);
    assert_eq!(short["verdict"]["stale_rejected"], 0);
    assert_eq!(run_json(&["billing", "--set", "seed=3", "--seed", "7"])["seed"], 7);
}

#[test]
fn a_write_without_a_token_has_none() {
    let play = run_json(&["kleppmann-gc-pause", "--set", "worker.0.attach_token=false"]);
    assert!(
        play["writes"].as_array().is_some_and(|writes| writes.iter().any(|write| write["token"].is_null()))
    );
}

#[test]
fn the_trace_comes_when_it_is_asked_for() {
    let play = run_json(&["billing", "--trace"]);
    assert_eq!(keys(&play)[5..], ["events", "load", "why", "otherwise", "digest", "trace"]);
    assert!(play["digest"].as_str().is_some_and(|digest| digest.len() == 64));
    let lines = play["trace"].as_array().expect("lines");
    assert!(lines.len() > 100 && lines.iter().all(Value::is_string));
    assert_eq!(play, run_json(&["billing", "--trace"]), "the same scenario is the same trace");

    let digest = play["digest"].as_str().expect("a text");
    for format in ["table", "markdown"] {
        let text = good(&["run", "billing", "--format", format, "--trace"]);
        assert!(text.contains(digest) && text.contains(lines[0].as_str().expect("a text")), "{format}");
    }
}

#[test]
fn people_get_a_table_or_markdown() {
    let table = good(&["run", "billing"]);
    for line in ["  stale_rejected          1", "  13.500  23.500     12  B       job"] {
        assert!(table.contains(line), "{line:?} is not in\n{table}");
    }
    assert!(
        table.contains("19.050      7  A       billing  refused, stale  token 7 is below the fence 12"),
        "{table}"
    );
    let markdown = good(&["run", "billing", "--format", "markdown"]);
    for line in ["# The billing job changes hands\n", "\n| `stale_rejected` | 1 |\n", "\n| 1 | 0.000 | A |"] {
        assert!(markdown.contains(line), "{line:?} is not in\n{markdown}");
    }
}

#[test]
fn files_and_standard_input_are_scenarios_too() {
    let story = good(&["run", "billing", "--format", "json"]);
    assert_eq!(good(&["run", "crates/scenario/stories/billing.toml", "--format", "json"]), story);
    let text = std::fs::read_to_string(common::root().join("crates/scenario/stories/billing.toml"))
        .expect("it is there");
    let ran = with_input(&["run", "-", "--format", "json"], &text);
    assert_eq!((ran.code, ran.stdout), (Some(0), story));
}

#[test]
fn bad_input_is_told_on_stderr_alone() {
    for (args, told) in [
        (vec!["run", "biling"], "error: there is no story or file `biling`; did you mean `billing`?\n"),
        (
            vec!["run", "crates/scenario/stories/biling.toml"],
            "error: there is no story or file `crates/scenario/stories/biling.toml`; did you mean `crates/scenario/stories/billing.toml`?\n",
        ),
        (vec!["run", "assets"], "error: assets is a directory; `fencepost check` takes those\n"),
        (
            vec!["run", "billing", "--variant", "unfensed"],
            "error: billing, variant: there is no variant `unfensed`; did you mean `unfenced`?\n",
        ),
        (
            vec!["run", "billing", "--set", "worker.A.marjin=3s"],
            "error: billing, worker.A.marjin: there is no such key; did you mean `margin`?\n",
        ),
        (
            vec!["run", "billing", "--set", "fault.a-puase.for=3s"],
            "error: --set fault.a-puase.for=3s: fault.a-puase.for: there is no fault `a-puase`; did you mean `a-pause`?\n",
        ),
        (
            vec!["run", "billing", "--set", "store.billing.kind=fenced"],
            "error: billing, store.billing.kind: there is no `fenced` here; did you mean `fenced-row`?\n",
        ),
        (
            vec!["run", "billing", "--set", "worker.A.margin=10s"],
            "error: billing, worker.A.margin: a margin of 10s leaves nothing of a lease of 10s (`lock.ttl`); \
             make the margin shorter or the lease longer\n",
        ),
    ] {
        assert_eq!(bad(&args), told);
    }
    for args in [
        vec!["run"],
        vec!["play", "billing"],
        vec!["run", "billing", "--set", "nothing"],
        vec!["run", "billing", "--seed", "9007199254740992"],
        vec!["run", "billing", "--format", "yaml"],
        vec![],
    ] {
        assert!(!bad(&args).is_empty());
    }
}

#[test]
fn every_line_that_is_wrong_is_told_with_its_file() {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("wrong.toml");
    std::fs::write(&path, "version = 1\ntitle = \"t\"\nhorizon = 10\nlock = { kind = \"etcd\", nodes = [\"n1\"], tll = \"1s\" }\n")
        .expect("it is written");
    let path = path.to_str().expect("a text");
    assert_eq!(
        bad(&["run", path]),
        format!(
            "error: {path}, line 3, horizon: 10 has no unit: write \"10s\" or \"10ms\"\n\
             error: {path}, line 4, lock.tll: there is no such key; did you mean `ttl`?\n"
        )
    );
    std::fs::write(path, b"title = \"\xff\xfe\"").expect("it is written");
    assert_eq!(bad(&["run", path]), format!("error: {path}, line 1: this is not UTF-8 text\n"));
    std::fs::write(path, "# x\n".repeat(100_000)).expect("it is written");
    assert_eq!(bad(&["run", path]), format!("error: {path}, line 65537: the text is longer than 256 kB\n"));
    let ran = with_input(&["run", "-"], "{ \"version\": 1,\n }");
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""));
    assert!(ran.stderr.starts_with("error: standard input, line 2: not JSON: "), "{}", ran.stderr);
}

#[test]
fn stories_are_listed() {
    let table = good(&["stories"]);
    let width = scenario::stories().iter().map(|story| story.name.len()).max().expect("there are stories");
    assert!(table.starts_with(&format!("{:width$}  The billing job changes hands\n", "billing")), "{table}");
    assert!(table.contains("\n  --variant unfenced "), "{table}");
    let list: Value = serde_json::from_str(&good(&["stories", "--format", "json"])).expect("it is JSON");
    assert_eq!(keys(&list[0]), ["name", "title", "about", "moral", "variants"]);
    assert_eq!(list[0]["name"], "billing");
    assert_eq!(keys(&list[0]["variants"][0]), ["name", "about"]);
}

#[test]
fn help_and_version_are_no_errors() {
    for args in [["--help"], ["--version"], ["help"]] {
        assert!(!good(&args).is_empty());
    }
}

/// `fencepost run .. | head -1` ends quietly.
#[cfg(unix)]
#[test]
fn nobody_needs_to_read_to_the_end() {
    use std::io::{BufRead as _, BufReader, Read as _};
    use std::process::{Command, Stdio};

    let mut child = Command::new(env!("CARGO_BIN_EXE_fencepost"))
        .args(["run", "billing", "--format", "json", "--trace"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command is built");
    let mut line = String::new();
    BufReader::with_capacity(16, child.stdout.take().expect("it is piped"))
        .read_line(&mut line)
        .expect("a line");
    let mut told = String::new();
    child.stderr.take().expect("it is piped").read_to_string(&mut told).expect("it is text");
    let status = child.wait().expect("it ends");
    assert_eq!((line.as_str(), told.as_str(), status.code()), ("{\n", "", Some(0)));
    assert_eq!(fencepost(&["run", "billing"]).code, Some(0));
}

/// A stale write is explained by what its worker could not know, and each alternative is an edit with its own outcome.
#[test]
fn why_and_otherwise_are_told() {
    let play = run_json(&["billing", "--variant", "unfenced"]);
    assert_eq!(play["why"][0]["lines"], serde_json::json!(["stale_accepted", "corrupting", "duplicates"]));
    let unknown = play["why"][0]["chain"].as_array().unwrap().iter().filter(|link| link["known"] == false);
    assert_eq!(
        unknown.clone().filter_map(|link| link["at_us"].as_u64()).map(|at| at / 1_000).next(),
        Some(13_000)
    );
    let fence =
        play["otherwise"].as_array().unwrap().iter().find(|other| other["what"] == "with a fence at billing");
    let fence = fence.expect("the store has no fence");
    assert_eq!(fence["set"], serde_json::json!({ "store.billing.kind": "fenced-row" }));
    assert_eq!(
        (fence["verdict"]["duplicates"].as_u64(), fence["verdict"]["stale_rejected"].as_u64()),
        (Some(0), Some(1))
    );

    let text = good(&["run", "billing", "--format", "markdown"]);
    assert!(text.contains("Why a stale write was refused (`stale_rejected`):"), "{text}");
    assert!(
        text.contains(
            "| with the fence of billing off | 1 stale write accepted: 5,000 invoices charged twice. |"
        ),
        "{text}"
    );
}
