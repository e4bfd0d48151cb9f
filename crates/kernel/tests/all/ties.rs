//! What is due at one instant goes in one order, the same everywhere: faults, as they strike and as they end; then
//! processes that start or find what waited for them; then the rest, in the order in which it was sent or armed.

use crate::common::*;
use kernel::*;

/// At 20 ms everything happens to b: a message from a (sent at 19), a timer (armed at 0), a write done (begun at 17).
fn a_full_instant() -> Stage {
    let mut stage = Stage::new(2);
    stage.disk_latency(1, len(3));
    stage.sends(0, &[(19, 1, 1)]);
    stage.on(1, On::Boot, &[Act::Arm(8, 17), Act::Arm(9, 20)]);
    stage.on(1, On::Timer(8), &[Act::Persist(5)]);
    stage
}

#[test]
fn without_faults_the_order_is_that_of_scheduling() {
    let lines = a_full_instant().run().lines("b");
    assert_eq!(lines, ["0 b boots", "17 b timer 8", "20 b timer 9", "20 b keeps 5", "20 b takes 1"]);
}

#[test]
fn a_fault_that_strikes_then_comes_first() {
    let mut stage = a_full_instant();
    stage.fault(20, 30, crash(1));
    stage.run().check(
        "b",
        "0 b boots
        17 b timer 8
        20 b fault 0 begins
        20 b drops 1
        30 b fault 0 ends
        30 b boots
        47 b timer 8
        50 b timer 9
        50 b keeps 5",
    );
}

#[test]
fn a_fault_that_ends_then_comes_first_too() {
    let mut stage = a_full_instant();
    stage.fault(18, 20, pause(1, Gap::BeforeInput));
    assert_eq!(stage.run().lines("b")[3..5], ["20 b fault 0 ends", "20 b timer 9"]);
    // Sent at 20 itself, over a link whose cut ends then.
    let mut stage = a_full_instant();
    stage.sends(0, &[(20, 1, 1)]);
    stage.fault(10, 20, cut(these(&[0]), these(&[1]), Manner::Silent));
    assert!(stage.run().lines("a").contains(&"20 a sends 1 to b (21)".into()));
}

#[test]
fn of_faults_at_one_instant_those_that_strike_come_before_those_that_end() {
    let mut stage = a_full_instant();
    stage.fault(5, 20, pause(1, Gap::BeforeInput));
    stage.fault(20, 30, pause(1, Gap::BeforeInput));
    stage.run().check(
        "b",
        "0 b boots
        5 b fault 0 begins
        20 b fault 1 begins
        20 b fault 0 ends
        30 b fault 1 ends
        30 b timer 8
        30 b timer 9
        30 b takes 1
        33 b keeps 5",
    );
}

/// A message that arrives at the very instant of the restart is not taken by a process that has not booted.
#[test]
fn a_process_boots_before_it_takes_what_arrives_at_the_instant_of_its_restart() {
    for (from, kind) in [(5, crash(1)), (19, vanish(1)), (20, crash(1)), (10, restore(&[1], 0))] {
        let mut stage = a_full_instant();
        stage.fault(from, 20, kind);
        let lines = stage.run_until(ms(20)).lines("b");
        let ends = lines.iter().position(|line| line == "20 b fault 0 ends").unwrap();
        assert_eq!(lines[ends + 1..], ["20 b boots", "20 b takes 1"], "down from {from}");
    }
}

#[test]
fn what_waited_comes_before_what_arrives_at_the_instant_of_resume() {
    let mut stage = a_full_instant();
    stage.sends(0, &[(10, 1, 2), (19, 1, 1)]);
    stage.on(1, On::Boot, &[Act::Arm(9, 15)]);
    for kind in [pause(1, Gap::BeforeInput), suspend(1, WallAfter::Keeps)] {
        let mut stage = stage.clone();
        let suspended = matches!(kind, FaultKind::Suspend { .. });
        stage.fault(if suspended { 15 } else { 5 }, 20, kind);
        let lines = stage.run().lines("b");
        let taken: Vec<&str> =
            lines.iter().filter(|line| line.starts_with("20")).map(|line| &line[5..]).collect();
        let waited: &[&str] = if suspended { &["timer 9"] } else { &["takes 2", "timer 9"] };
        assert_eq!(taken, [&["fault 0 ends"], waited, &["takes 1"]].concat());
    }
}

/// A pause begins again while what waited for the first is being taken: the rest waits on, in its order.
#[test]
fn a_pause_set_off_by_the_first_of_what_waited_holds_the_others() {
    let mut stage = a_full_instant();
    stage.sends(0, &[(10, 1, 1), (11, 1, 2), (12, 1, 3)]);
    stage.on(1, On::Boot, &[]);
    stage.on(1, On::Message(1), &[Act::Note("first")]);
    stage.fault(5, 20, pause(1, Gap::BeforeInput));
    stage.fault_when(after(None, "first", 1, 0), Some(len(10)), pause(1, Gap::BeforeInput));
    stage.run().check(
        "b",
        "0 b boots
        5 b fault 0 begins
        20 b fault 0 ends
        20 b takes 1
        20 b notes first
        20 b fault 1 begins
        30 b fault 1 ends
        30 b takes 2
        30 b takes 3",
    );
}

#[test]
fn a_crash_while_what_waited_is_being_taken_drops_the_others() {
    let mut stage = a_full_instant();
    stage.sends(0, &[(10, 1, 1), (11, 1, 2)]);
    stage.on(1, On::Boot, &[]);
    stage.on(1, On::Message(1), &[Act::Note("first")]);
    stage.fault(5, 20, pause(1, Gap::BeforeInput));
    stage.fault_when(after(None, "first", 1, 0), Some(Span::ZERO), crash(1));
    stage.run().check(
        "b",
        "0 b boots
        5 b fault 0 begins
        20 b fault 0 ends
        20 b takes 1
        20 b notes first
        20 b fault 1 begins
        20 b drops 2
        20 b fault 1 ends
        20 b boots",
    );
}

#[test]
fn faults_at_the_beginning_strike_before_anything_boots() {
    let mut stage = a_full_instant();
    stage.fault(0, 4, pause(1, Gap::BeforeInput));
    stage.fault(0, 9, disk_stall(1));
    assert_eq!(
        stage.run().lines("b")[..4],
        ["0 b fault 0 begins", "0 b fault 1 begins", "4 b fault 0 ends", "4 b boots"]
    );
}

#[test]
fn what_is_due_at_the_horizon_happens_and_nothing_after_it() {
    let mut stage = a_full_instant();
    stage.horizon = ms(20);
    stage.fault(20, 21, disk_stall(1));
    let run = stage.run();
    assert_eq!(run.lines("b").last().unwrap(), "20 b takes 1");
    assert_eq!(run.world.now(), ms(20));
    assert_eq!(run.struck().len(), 1);
}
