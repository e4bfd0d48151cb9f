use std::time::Duration;

use super::{Output, Program};
use crate::say::Stopwatch;

fn shell(script: &str) -> Program {
    Program::new("sh").args(["-c", script])
}

#[test]
fn both_streams_are_kept() {
    let ended = shell("echo out; echo err >&2; exit 3").run().unwrap();
    assert_eq!(ended.status.and_then(|s| s.code()), Some(3));
    assert!(ended.text.contains("out\n") && ended.text.contains("err\n"));
}

#[test]
fn a_deadline_ends_the_program_and_what_it_started() {
    let dir = tempfile::tempdir().unwrap();
    let witness = dir.path().join("still-alive");
    // The grandchild would write its witness after the deadline, if it were left alive.
    let script = format!("(sleep 2; touch {}) & sleep 60", witness.display());
    let watch = Stopwatch::start();
    let ended = shell(&script).deadline_secs(1).run().unwrap();
    assert!(ended.status.is_none());
    assert!(watch.elapsed() < Duration::from_secs(10));
    std::thread::sleep(Duration::from_secs(2));
    assert!(!witness.exists(), "the grandchild outlived the deadline");
}

#[test]
fn a_leftover_that_holds_the_streams_does_not_hold_us() {
    let watch = Stopwatch::start();
    let ended = shell("sleep 60 & echo done").deadline_secs(30).run().unwrap();
    assert!(ended.success());
    assert!(watch.elapsed() < Duration::from_secs(10));
}

#[test]
fn an_error_tells_the_command_and_the_end_of_its_output() {
    let error = shell("echo the reason; exit 1").succeed().unwrap_err();
    let error = error.to_string();
    assert!(error.contains("the reason") && error.contains("sh -c"), "{error}");
}

#[test]
fn an_error_tells_of_the_deadline() {
    let error = shell("sleep 60").deadline_secs(1).succeed().unwrap_err();
    assert!(error.to_string().contains("did not end within 1 s"));
}

#[test]
fn a_program_that_is_not_there_is_an_error() {
    let error = Program::new("no-such-program-anywhere").output(Output::Kept).run();
    assert!(error.is_err());
}
