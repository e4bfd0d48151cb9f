//! Lessons: what can be asked, and what is wrong with one that cannot be given.

use document::Document;

const TEXT: &str = r#"
version = 1
title = "A lesson"
horizon = "30s"
lock = { kind = "etcd", nodes = ["n1"], ttl = "10s" }
store = [{ name = "disk", kind = "fenced-row" }]
worker = [{ name = "A", program = [{ acquire = "job" }, { raise = "disk" }, { write = "disk" }, { release = "job" }] }]
fault = [{ id = "gc", kind = "pause", on = "A", at = "4s", for = "1s" }]

[variant.open]
set = { "store.disk.kind" = "unfenced" }

[[step]]
at    = "4s"
say   = "A is paused."
fault = "gc"

[[step]]
at      = { after = "A writes", plus = "1ms" }
say     = "A has written."
variant = "open"

[step.ask]
question = "What becomes of it?"
options  = ["It is taken", "It is refused"]
answer   = "It is taken"
because  = "Nothing checks it."
expect   = [{ write = { worker = "A", accepted = true } }]
"#;

/// Holds that after this change this, and nothing else, is wrong.
fn check(path: &str, value: &str, expected: &str) {
    let mut document = Document::parse(TEXT).unwrap_or_else(|problems| panic!("{problems}"));
    document.set(path, value).unwrap_or_else(|problem| panic!("{problem}"));
    let problems = document.scenario().expect_err(expected).0;
    let told: Vec<String> =
        problems.into_iter().map(|problem| document::Problem { line: None, ..problem }.to_string()).collect();
    assert_eq!(told.join("\n"), expected, "{path} = {value}");
}

#[test]
fn a_variant_keeps_the_steps_that_show_it() {
    let document = Document::parse(TEXT).unwrap();
    assert_eq!(document.scenario().unwrap().step.len(), 2);
    let variant = document.with_variant("open").unwrap().scenario().unwrap();
    let told: Vec<&str> = variant.step.iter().map(|step| step.say.as_str()).collect();
    assert_eq!(told, ["A has written."]);
}

/// Where and what, with the line of the text.
#[test]
fn a_problem_has_its_line() {
    let text = TEXT.replace("answer   = \"It is taken\"", "answer   = \"It is take\"");
    let line = text.lines().position(|line| line.starts_with("answer")).unwrap() + 1;
    let problems = Document::parse(&text).unwrap().scenario().expect_err("no such option");
    assert_eq!(
        problems.to_string(),
        format!("line {line}, step.1.ask.answer: this is none of the options; did you mean `It is taken`?")
    );
}

#[test]
fn a_lesson_stops_within_the_play_and_speaks_of_what_there_is() {
    check("step.0.at", "31s", "step.0.at: 31s is after the end: the play ends at 30s");
    check(
        "step.0.at",
        "{ after = \"leader grants\" }",
        "step.0.at.after: a lesson cannot wait for whoever is leader then; name somebody, or \"anyone\"",
    );
    check(
        "step.0.at",
        "{ after = \"B writes\" }",
        "step.0.at.after: there is no process `B` to wait for; there are `A`, `leader`, `follower`, `holder` and `anyone`",
    );
    check("step.1.variant", "opens", "step.1.variant: there is no variant `opens`; did you mean `open`?");
    check("step.0.fault", "pause", "step.0.fault: there is no fault `pause`; there is only `gc`");
}

#[test]
fn a_question_has_options_an_answer_among_them_and_something_that_bears_it_out() {
    let ask = "step.1.ask.";
    let check = |key: &str, value: &str, expected: &str| {
        check(&format!("{ask}{key}"), value, &format!("{ask}{expected}"));
    };
    check("options", "[\"It is taken\"]", "options: a choice has at least two options");
    check(
        "options",
        "[\"It is taken\", \"b\", \"c\", \"d\", \"e\", \"f\", \"g\"]",
        "options: 7 are too many: at most 6",
    );
    check(
        "options",
        "[\"It is taken\", \"It is taken\"]",
        "options.1: \"It is taken\" is among the options twice",
    );
    check(
        "answer",
        "Nobody knows",
        "answer: this is none of the options; there are `It is taken` and `It is refused`",
    );
    check("expect", "[]", "expect: nothing bears the answer out: name what must come out for it to be right");
    check(
        "expect",
        "[{ write = { worker = \"B\" } }]",
        "expect.0.write.worker: there is no worker `B`; there is only `A`",
    );
    check("becuase", "\"?\"", "becuase: there is no such key; did you mean `because`?");
}
