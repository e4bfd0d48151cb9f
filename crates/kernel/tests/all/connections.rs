//! Connections: who learns that a peer is gone, when, and when nobody does.

use crate::common::*;
use kernel::*;

/// a sends 1 at 10; b takes it at 11 and keeps a connection from then on: it asks when it has heard nothing for 20 ms,
/// then every 10 ms, twice.
fn connected() -> Stage {
    let mut stage = Stage::new(2);
    stage.sends(0, &[(10, 1, 1)]);
    stage.on(1, On::Message(1), &[Act::Connect(0, 7, 20)]);
    stage
}

#[track_caller]
fn closes(stage: &Stage, process: &str, at: Option<u64>) {
    let run = stage.run();
    let closed: Vec<String> =
        run.lines(process).into_iter().filter(|line| line.ends_with("closed")).collect();
    let expected: Vec<String> = at.iter().map(|at| format!("{at} {process} closed")).collect();
    assert_eq!(closed, expected);
}

#[test]
fn the_host_of_a_dead_process_closes_its_connections_at_once() {
    let mut stage = connected();
    closes(&stage, "b", None);
    stage.fault_forever(20, crash(0));
    closes(&stage, "b", Some(21));
    let run = stage.run();
    let closed = run.trace.records().iter().find(|record| matches!(record.what, What::Took(Took::Closed)));
    let cause = closed.and_then(|closed| run.trace.get(closed.cause)).expect("it has a cause");
    assert!(matches!(cause.what, What::Struck(_)), "the crash");
}

/// What it had sent before is there first: the end of a stream comes behind the stream.
#[test]
fn it_is_closed_behind_all_that_was_sent_on_it() {
    let mut stage = connected();
    stage.links.push((0, 1, LinkSpec { delay: len(3), jitter: len(2), ..LinkSpec::default() }));
    stage.fault_forever(20, crash(0));
    closes(&stage, "b", Some(25));
    stage.fault(
        15,
        30,
        FaultKind::Delay { from: these(&[0]), to: these(&[1]), both_ways: false, extra: len(40) },
    );
    closes(&stage, "b", Some(65));
}

/// A cut swallows the word; the first probe is answered by a host that knows of no such connection.
#[test]
fn when_that_is_lost_the_next_question_finds_out() {
    let mut stage = connected();
    stage.fault_forever(20, crash(0));
    stage.fault(15, 25, cut(these(&[0]), these(&[1]), Manner::Silent));
    closes(&stage, "b", Some(33));
}

#[test]
fn a_host_that_is_gone_is_asked_three_times_in_vain() {
    let mut stage = connected();
    stage.fault_forever(20, vanish(0));
    closes(&stage, "b", Some(51));
}

#[test]
fn a_host_that_is_back_says_that_it_knows_of_no_connection() {
    let mut stage = connected();
    stage.fault(20, 35, vanish(0));
    closes(&stage, "b", Some(43));
}

#[test]
fn a_paused_process_keeps_its_connections_and_a_suspended_host_does_not() {
    let mut stage = connected();
    stage.fault(12, 900, pause(0, Gap::BeforeInput));
    closes(&stage, "b", None);
    for (until, closed) in [(900, Some(51)), (42, Some(51)), (40, None)] {
        let mut stage = connected();
        stage.fault(12, until, suspend(0, WallAfter::CatchesUp));
        closes(&stage, "b", closed);
    }
}

#[test]
fn a_cut_of_either_way_is_silence() {
    for (from, to) in [(0, 1), (1, 0)] {
        let mut stage = connected();
        stage.fault_forever(12, cut(these(&[from]), these(&[to]), Manner::Silent));
        closes(&stage, "b", Some(51));
        stage.faults[0].span = Some(len(28));
        closes(&stage, "b", None);
    }
}

#[test]
fn a_message_puts_the_next_question_off() {
    let mut stage = connected();
    stage.sends(0, &[(10, 1, 1), (25, 1, 2)]);
    stage.fault_forever(27, vanish(0));
    closes(&stage, "b", Some(66));
}

/// b says something at 25, which is there at 26; a's host has said so at 27. A cut of the way back leaves b without it.
#[test]
fn what_arrives_at_the_other_end_puts_it_off_as_well() {
    let mut stage = connected();
    stage.sends(1, &[(25, 0, 2)]);
    stage.fault(12, 900, pause(0, Gap::BeforeInput));
    stage.fault_forever(28, vanish(0));
    closes(&stage, "b", Some(67));
    stage.fault_forever(24, cut(these(&[0]), these(&[1]), Manner::Silent));
    closes(&stage, "b", Some(51));
}

/// b's first connection is with the life of a that ends at 8, its second with the next one, which says something at 22: what
/// b says on that is no word on the first, and the first question finds out, at 35.
#[test]
fn what_is_said_to_the_next_life_puts_off_no_question_to_the_last() {
    let mut stage = Stage::new(2);
    stage.sends(0, &[(12, 1, 1)]);
    stage.sends(1, &[(30, 0, 2)]);
    stage.on(1, On::Boot, &[Act::Arm(9, 5), Act::Arm(2, 30)]);
    stage.on(1, On::Timer(9), &[Act::Connect(0, 7, 30)]);
    stage.on(1, On::Message(1), &[Act::Connect(0, 8, 500)]);
    stage.fault(8, 10, vanish(0));
    closes(&stage, "b", Some(37));
}

#[test]
fn what_is_sent_to_a_host_that_knows_of_no_connection_is_answered_by_its_end() {
    for fault in [crash(0), vanish(0)] {
        let mut stage = connected();
        stage.sends(1, &[(28, 0, 2)]);
        stage.fault(20, 25, fault);
        stage.fault(15, 22, cut(these(&[0]), these(&[1]), Manner::Silent));
        closes(&stage, "b", Some(30));
    }
}

#[test]
fn the_owner_takes_it_when_it_runs_again() {
    let mut stage = connected();
    stage.fault_forever(20, crash(0));
    stage.fault(15, 80, pause(1, Gap::BeforeInput));
    closes(&stage, "b", Some(80));
    let mut stage = connected();
    stage.fault_forever(20, crash(0));
    stage.fault(15, 80, crash(1));
    closes(&stage, "b", None);
}

/// Keepalive runs on the owner's host's monotonic clock.
#[test]
fn a_host_asks_by_its_own_clock() {
    let mut stage = connected();
    stage.fault_forever(20, vanish(0));
    stage.fault(15, 35, suspend(1, WallAfter::CatchesUp));
    closes(&stage, "b", Some(71));
    let mut stage = connected();
    stage.fault_forever(20, vanish(0));
    stage.fault_forever(11, rate(1, 2_000_000));
    closes(&stage, "b", Some(31));
}

#[test]
fn an_end_that_is_closed_closes_the_other() {
    let mut stage = Stage::new(2);
    stage.on(0, On::Boot, &[Act::Connect(1, 7, 500), Act::Connect(1, 8, 500)]);
    stage.on(1, On::Boot, &[Act::Connect(0, 7, 500), Act::Connect(0, 8, 500), Act::Arm(1, 20)]);
    stage.on(1, On::Timer(1), &[Act::Disconnect(0, 7)]);
    closes(&stage, "a", Some(21));
    closes(&stage, "b", None);
    assert!(stage.run().actor(0).memory.iter().any(|memory| memory.on == On::Closed(7)));
}

/// a's message is under way when a dies: b opens a connection with a life that is over.
#[test]
fn a_connection_with_a_life_that_is_over_is_none() {
    let mut stage = connected();
    stage.links.push((0, 1, LinkSpec { delay: len(20), ..LinkSpec::default() }));
    stage.fault(15, 45, crash(0));
    closes(&stage, "b", Some(51));
}
