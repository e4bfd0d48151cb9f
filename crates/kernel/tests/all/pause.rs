//! A paused process: its memory, timers, inbox and unsent output survive, and its host's clocks run on.

use crate::common::*;
use kernel::*;

/// a sends 1 (arrives 11) and 2 (arrives 21); b has a timer 9 due at 15.
fn two_messages_and_a_timer() -> Stage {
    let mut stage = Stage::new(2);
    stage.sends(0, &[(10, 1, 1), (20, 1, 2)]);
    stage.on(1, On::Boot, &[Act::Arm(9, 15)]);
    stage
}

#[test]
fn before_input_everything_waits_and_is_taken_in_the_order_in_which_it_came_up() {
    let mut stage = two_messages_and_a_timer();
    stage.fault(5, 50, pause(1, Gap::BeforeInput));
    let mut run = stage.run_until(ms(30));
    assert_eq!(run.health(1), Health::Stopped);
    assert_eq!(run.world.inputs_waiting(ProcessId(1)), 3);
    run.go_on(stage.horizon);
    run.check(
        "b",
        "0 b boots
        5 b fault 0 begins
        50 b fault 0 ends
        50 b takes 1
        50 b timer 9
        50 b takes 2",
    );
    assert_eq!(run.health(1), Health::Runs);
    for memory in &run.actor(1).memory[1..] {
        assert_eq!(memory.now, Now { mono: mono(50), wall: wall(50) }, "the clocks ran on");
    }
}

#[test]
fn before_input_what_the_first_of_them_disarms_or_arms_anew_is_not_taken_as_it_was() {
    let mut stage = two_messages_and_a_timer();
    stage.on(1, On::Message(1), &[Act::Disarm(9)]);
    stage.fault(5, 50, pause(1, Gap::BeforeInput));
    stage
        .run()
        .check("b", "0 b boots\n 5 b fault 0 begins\n 50 b fault 0 ends\n 50 b takes 1\n 50 b takes 2");

    let mut stage = two_messages_and_a_timer();
    stage.on(1, On::Message(1), &[Act::Arm(9, 7)]);
    stage.fault(5, 50, pause(1, Gap::BeforeInput));
    stage.run().check(
        "b",
        "0 b boots
        5 b fault 0 begins
        50 b fault 0 ends
        50 b takes 1
        50 b takes 2
        57 b timer 9",
    );
}

#[test]
fn before_send_what_was_decided_is_held_and_sent_later_as_it_was_decided() {
    let mut stage = two_messages_and_a_timer();
    let decision = [Act::Note("checked"), Act::Arm(5, 10), Act::SendMono(0), Act::Persist(1)];
    stage.on(1, On::Message(1), &decision);
    stage.fault(5, 50, pause(1, Gap::BeforeSend));
    let run = stage.run();
    run.check(
        "b",
        "0 b boots
        5 b fault 0 begins
        11 b takes 1
        50 b fault 0 ends
        50 b notes checked
        50 b sends 11 to a (51)
        50 b keeps 1
        50 b timer 9
        50 b timer 5
        50 b takes 2",
    );
    assert_eq!(run.actor(1).memory[1].now.mono, mono(11), "it was decided at 11");
}

#[test]
fn before_send_a_pause_that_never_sees_an_input_goes_away() {
    let mut stage = two_messages_and_a_timer();
    stage.on(1, On::AnyMessage, &[Act::Echo]);
    stage.fault(2, 10, pause(1, Gap::BeforeSend));
    let run = stage.run();
    run.check(
        "b",
        "0 b boots
        2 b fault 0 begins
        10 b fault 0 ends
        11 b takes 1
        11 b sends 101 to a (12)
        15 b timer 9
        21 b takes 2
        21 b sends 102 to a (22)",
    );
}

#[test]
fn overlapping_pauses_hold_until_the_last_ends() {
    for (first, second) in [((5, 20), (12, 40)), ((5, 40), (12, 20))] {
        let mut stage = two_messages_and_a_timer();
        stage.fault(first.0, first.1, pause(1, Gap::BeforeInput));
        stage.fault(second.0, second.1, pause(1, Gap::BeforeInput));
        let run = stage.run();
        let taken: Vec<String> = run.lines("b").into_iter().filter(|line| !line.contains("fault")).collect();
        assert_eq!(taken, ["0 b boots", "40 b takes 1", "40 b timer 9", "40 b takes 2"]);
    }
}

/// A stops b before its input until 20; the first input then falls into B, which holds what it leads to until 30.
#[test]
fn a_pause_before_input_ends_on_time_while_one_before_send_still_waits() {
    let mut stage = two_messages_and_a_timer();
    stage.on(1, On::Message(1), &[Act::Echo]);
    stage.fault(5, 20, pause(1, Gap::BeforeInput));
    stage.fault(10, 30, pause(1, Gap::BeforeSend));
    stage.run().check(
        "b",
        "0 b boots
        5 b fault 0 begins
        10 b fault 1 begins
        20 b fault 0 ends
        20 b takes 1
        30 b fault 1 ends
        30 b sends 101 to a (31)
        30 b timer 9
        30 b takes 2",
    );
}

/// The first pause holds what message 1 led to; the second still waits for an input when it is over.
#[test]
fn of_two_pauses_before_send_the_one_that_caught_something_ends_when_it_says() {
    let mut stage = two_messages_and_a_timer();
    stage.on(1, On::AnyMessage, &[Act::Echo]);
    stage.fault(5, 40, pause(1, Gap::BeforeSend));
    stage.fault(20, 30, pause(1, Gap::BeforeSend));
    stage.run().check(
        "b",
        "0 b boots
        5 b fault 0 begins
        11 b takes 1
        20 b fault 1 begins
        30 b fault 1 ends
        40 b fault 0 ends
        40 b sends 101 to a (41)
        40 b timer 9
        40 b takes 2
        40 b sends 102 to a (41)",
    );
}

#[test]
fn two_pauses_before_send_can_catch_two_inputs_one_after_the_other() {
    let mut stage = two_messages_and_a_timer();
    stage.on(1, On::AnyMessage, &[Act::Echo]);
    stage.fault(5, 18, pause(1, Gap::BeforeSend));
    stage.fault(16, 40, pause(1, Gap::BeforeSend));
    stage.run().check(
        "b",
        "0 b boots
        5 b fault 0 begins
        11 b takes 1
        16 b fault 1 begins
        18 b fault 0 ends
        18 b sends 101 to a (19)
        18 b timer 9
        40 b fault 1 ends
        40 b takes 2
        40 b sends 102 to a (41)",
    );
}

#[test]
fn a_pause_that_outlasts_the_world_never_ends() {
    let mut stage = two_messages_and_a_timer();
    stage.fault(5, 5_000, pause(1, Gap::BeforeInput));
    stage.fault_forever(500, pause(0, Gap::BeforeSend));
    let run = stage.run();
    run.check("b", "0 b boots\n 5 b fault 0 begins");
    assert_eq!(run.world.inputs_waiting(ProcessId(1)), 3);
    assert_eq!(run.world.now(), stage.horizon, "the world stands at its horizon");
}

/// A paused process still has clocks, and they can be bent: what waits must neither double nor change its place.
#[test]
fn a_timer_that_waits_out_a_pause_is_taken_once_and_in_its_place_although_its_clock_was_bent() {
    for kind in [rate(1, 2_000_000), suspend(1, WallAfter::CatchesUp)] {
        let mut stage = two_messages_and_a_timer();
        stage.fault(5, 50, pause(1, Gap::BeforeInput));
        stage.fault(30, 40, kind);
        let run = stage.run_until(ms(45));
        assert_eq!(run.world.inputs_waiting(ProcessId(1)), 3, "each waits once");
        let run = stage.run();
        let lines = run.lines("b");
        let taken: Vec<&String> = lines.iter().filter(|line| line.starts_with("50")).collect();
        assert_eq!(taken, ["50 b fault 0 ends", "50 b takes 1", "50 b timer 9", "50 b takes 2"]);
    }
}

#[test]
fn a_persist_under_way_when_the_pause_begins_is_kept_but_what_waited_for_it_is_not_sent() {
    let mut stage = two_messages_and_a_timer();
    stage.disk_latency(1, len(4));
    stage.on(1, On::Message(1), &[Act::Persist(7), Act::Echo]);
    stage.fault(12, 50, pause(1, Gap::BeforeInput));
    stage.run().check(
        "b",
        "0 b boots
        11 b takes 1
        12 b fault 0 begins
        15 b keeps 7
        50 b fault 0 ends
        50 b sends 101 to a (51)
        50 b timer 9
        50 b takes 2",
    );
}

#[test]
fn a_pause_of_no_length_changes_nothing() {
    let mut stage = two_messages_and_a_timer();
    let plain = stage.run().lines("ab");
    stage.fault(11, 11, pause(1, Gap::BeforeInput));
    stage.fault(11, 11, pause(1, Gap::BeforeSend));
    let lines: Vec<String> =
        stage.run().lines("ab").into_iter().filter(|line| !line.contains("fault")).collect();
    assert_eq!(lines, plain);
}
