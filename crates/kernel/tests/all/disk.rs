//! Disks: a persist holds back what is behind it; a stall makes that long, and a lying disk makes it worth nothing.

use crate::common::*;
use kernel::*;

/// b persists what it hears and then answers; 2 ms for a write. a sends 1 and 2, which arrive at 11 and 12.
fn a_careful_writer() -> Stage {
    let mut stage = Stage::new(2);
    stage.disk_latency(1, len(2));
    stage.sends(0, &[(10, 1, 1), (11, 1, 2)]);
    for msg in [1, 2] {
        stage.on(
            1,
            On::Message(msg),
            &[Act::Note("heard"), Act::Persist(msg), Act::Echo, Act::Arm(msg as u8, 5)],
        );
    }
    stage
}

#[test]
fn sends_and_notes_behind_a_persist_wait_for_it_and_timers_do_not() {
    let run = a_careful_writer().run();
    run.check(
        "b",
        "0 b boots
        11 b takes 1
        11 b notes heard
        12 b takes 2
        13 b keeps 1
        13 b sends 101 to a (14)
        13 b notes heard
        15 b keeps 2
        15 b sends 102 to a (16)
        16 b timer 1
        17 b timer 2",
    );
    assert_eq!(run.disk(1), [1, 2]);
    assert_eq!(run.world.disk_latency(ProcessId(1)), len(2));
}

#[test]
fn a_disk_that_answers_at_once_holds_nothing_back() {
    let mut stage = a_careful_writer();
    stage.disk_latency(1, Span::ZERO);
    stage.run_until(ms(11)).check(
        "b",
        "0 b boots
        11 b takes 1
        11 b notes heard
        11 b keeps 1
        11 b sends 101 to a (12)",
    );
}

#[test]
fn a_stall_holds_sends_but_not_inputs_and_timers() {
    for latency in [Span::ZERO, len(2)] {
        let mut stage = a_careful_writer();
        stage.disk_latency(1, latency);
        stage.fault(5, 40, disk_stall(1));
        let run = stage.run();
        let lines = run.lines("b");
        assert_eq!(
            lines[..11],
            [
                "0 b boots",
                "5 b fault 0 begins",
                "11 b takes 1",
                "11 b notes heard",
                "12 b takes 2",
                "16 b timer 1",
                "17 b timer 2",
                "40 b fault 0 ends",
                "40 b keeps 1",
                "40 b sends 101 to a (41)",
                "40 b notes heard",
            ],
        );
        let later = if latency == Span::ZERO { 40 } else { 42 };
        assert_eq!(
            lines[11..],
            [format!("{later} b keeps 2"), format!("{later} b sends 102 to a ({})", later + 1)]
        );
    }
}

#[test]
fn a_write_that_takes_longer_than_the_stall_is_not_hurried() {
    let mut stage = a_careful_writer();
    stage.fault(11, 12, disk_stall(1));
    assert!(stage.run().lines("b").contains(&"13 b keeps 1".into()));
}

/// That a write once waited for a stall must not make the end of a later stall finish another write.
#[test]
fn a_write_in_flight_when_a_second_stall_ends_is_not_hurried() {
    let mut stage = a_careful_writer();
    stage.sends(0, &[(10, 1, 1), (50, 1, 2)]);
    stage.fault(5, 40, disk_stall(1));
    stage.fault(51, 52, disk_stall(1));
    let lines = stage.run().lines("b");
    assert!(lines.contains(&"40 b keeps 1".into()) && lines.contains(&"53 b keeps 2".into()), "{lines:?}");
}

#[test]
fn overlapping_stalls_hold_until_the_last_ends() {
    let mut stage = a_careful_writer();
    stage.fault(5, 40, disk_stall(1));
    stage.fault(8, 20, disk_stall(1));
    stage.fault(30, 60, disk_stall(1));
    assert!(stage.run().lines("b").contains(&"60 b keeps 1".into()));
}

#[test]
fn a_stall_and_a_suspension_both_hold_the_disk() {
    for (stalled_until, asleep_until) in [(60, 30), (30, 60)] {
        let mut stage = a_careful_writer();
        stage.fault(12, stalled_until, disk_stall(1));
        stage.fault(12, asleep_until, suspend(1, WallAfter::CatchesUp));
        let run = stage.run();
        assert!(run.lines("b").contains(&"60 b keeps 1".into()), "{:?}", run.lines("b"));
    }
}

#[test]
fn a_stall_that_ends_within_a_pause_lets_the_disk_go_on_but_nothing_is_sent() {
    let mut stage = a_careful_writer();
    stage.fault(5, 20, disk_stall(1));
    stage.fault(15, 50, pause(1, Gap::BeforeInput));
    let run = stage.run();
    let lines = run.lines("b");
    let from = lines.iter().position(|line| line == "20 b fault 0 ends").unwrap();
    assert_eq!(
        lines[from..],
        [
            "20 b fault 0 ends",
            "20 b keeps 1",
            "50 b fault 1 ends",
            "50 b sends 101 to a (51)",
            "50 b notes heard",
            "50 b timer 1",
            "50 b timer 2",
            "52 b keeps 2",
            "52 b sends 102 to a (53)",
        ],
    );
}

/// a sends 1, 2 and 3, which b keeps at once at 11, 21 and 31.
fn three_writes() -> Stage {
    let mut stage = Stage::new(2);
    stage.sends(0, &[(10, 1, 1), (20, 1, 2), (30, 1, 3)]);
    for msg in 1..=3 {
        stage.on(1, On::Message(msg), &[Act::Persist(msg), Act::Echo]);
    }
    stage
}

#[test]
fn a_crash_while_the_disk_lies_loses_what_was_written_since_it_began_to() {
    let mut stage = three_writes();
    stage.fault(15, 50, disk_loss(1));
    stage.fault(25, 28, crash(1));
    let run = stage.run_until(ms(24));
    assert_eq!(run.disk(1), [1, 2], "the process believes it");
    let run = stage.run();
    assert_eq!(run.actor(1).found, [1]);
    assert_eq!(run.disk(1), [1, 3], "2 was answered for and is gone");
    assert!(run.lines("a").contains(&"22 a takes 102".into()));
}

#[test]
fn a_second_crash_within_the_span_loses_to_the_same_point() {
    let mut stage = three_writes();
    stage.fault(15, 50, disk_loss(1));
    stage.fault(25, 28, crash(1));
    stage.fault(35, 38, crash(1));
    assert_eq!(stage.run().actor(1).found, [1]);
}

#[test]
fn a_crash_after_the_span_loses_nothing() {
    let mut stage = three_writes();
    stage.fault(15, 35, disk_loss(1));
    stage.fault(36, 40, crash(1));
    let run = stage.run();
    assert_eq!(run.actor(1).found, [1, 2, 3]);
}

/// A fault that strikes at an instant comes before one that ends at it, when both were planned.
#[test]
fn a_crash_at_the_instant_at_which_the_span_ends_still_loses() {
    let mut stage = three_writes();
    stage.fault(15, 35, disk_loss(1));
    stage.fault(35, 40, crash(1));
    assert_eq!(stage.run().actor(1).found, [1]);
}

#[test]
fn overlapping_losses_lose_from_the_first_and_until_the_last() {
    let mut stage = three_writes();
    stage.fault(15, 25, disk_loss(1));
    stage.fault(22, 45, disk_loss(1));
    stage.fault(40, 42, crash(1));
    assert_eq!(stage.run().actor(1).found, [1]);
}

#[test]
fn a_disk_that_lies_for_ever_loses_at_any_crash() {
    let mut stage = three_writes();
    stage.fault_forever(0, disk_loss(1));
    stage.fault(900, 901, crash(1));
    assert_eq!(stage.run().actor(1).found, [] as [u32; 0]);
}
