//! A crash: memory is lost, what the disk kept is not, and nothing meant for the earlier life is taken by the next.

use crate::common::*;
use kernel::*;

/// a sends 1 (arrives 11) and 2 (arrives 31); b persists what it heard of and has a timer 9 due at 25.
fn a_writer() -> Stage {
    let mut stage = Stage::new(2);
    stage.sends(0, &[(10, 1, 1), (30, 1, 2)]);
    stage.on(1, On::Message(1), &[Act::Count, Act::Arm(9, 14), Act::Echo]);
    stage.on(1, On::Message(2), &[Act::Count, Act::Echo]);
    stage
}

#[test]
fn memory_and_timers_are_lost_and_the_disk_is_kept() {
    let mut stage = a_writer();
    stage.fault(20, 40, crash(1));
    let mut run = stage.run_until(ms(19));
    assert_eq!(run.actor(1).started, Some(Start::First));
    assert_eq!(run.actor(1).memory.len(), 2);
    run.go_on(ms(39));
    assert_eq!(run.health(1), Health::Down);
    assert_eq!(run.actor(1).memory.len(), 2, "of one that is down, as it was when it crashed");
    run.go_on(stage.horizon);
    run.check(
        "b",
        "0 b boots
        11 b takes 1
        11 b keeps 1
        11 b sends 101 to a (12)
        20 b fault 0 begins
        31 b drops 2
        40 b fault 0 ends
        40 b boots",
    );
    assert_eq!(run.actor(1).started, Some(Start::Again));
    assert_eq!(run.actor(1).found, [1]);
    assert_eq!(run.actor(1).memory.len(), 1);
}

#[test]
fn a_host_that_still_stands_refuses_and_one_that_is_gone_is_silent() {
    let mut stage = a_writer();
    stage.fault(20, 40, crash(1));
    let run = stage.run();
    assert_eq!(run.lines("a").last().unwrap(), "32 a refused 2");

    let mut stage = a_writer();
    stage.fault(20, 40, vanish(1));
    let run = stage.run();
    assert_eq!(run.lines("b")[5], "31 b drops 2");
    assert_eq!(run.lines("a").last().unwrap(), "30 a sends 2 to b (31)");
}

#[test]
fn a_refusal_takes_the_way_back_and_does_not_come_when_that_is_cut() {
    let mut stage = a_writer();
    stage.links.push((1, 0, LinkSpec { delay: len(6), ..LinkSpec::default() }));
    stage.fault(20, 40, crash(1));
    assert_eq!(stage.run().lines("a").last().unwrap(), "37 a refused 2");
    for manner in [Manner::Silent, Manner::Refused] {
        let mut stage = stage.clone();
        stage.fault(25, 35, cut(these(&[1]), these(&[0]), manner));
        assert_eq!(stage.run().lines("a").last().unwrap(), "30 a sends 2 to b (31)");
    }
}

#[test]
fn a_sidecar_learns_at_once_that_its_neighbour_is_down() {
    let mut stage = Stage::new(1);
    let sidecar = stage.beside(0);
    stage.sends(sidecar, &[(30, 0, 1)]);
    stage.fault(20, 40, crash(0));
    stage.run().check(
        "b",
        "0 b boots
        30 b timer 1
        30 b sends 1 to a (30)
        30 b refused 1",
    );
}

#[test]
fn a_write_in_flight_is_lost_and_so_is_what_waited_for_it() {
    let mut stage = a_writer();
    stage.disk_latency(1, len(10));
    stage.fault(20, 25, crash(1));
    let run = stage.run();
    run.check(
        "b",
        "0 b boots
        11 b takes 1
        20 b fault 0 begins
        25 b fault 0 ends
        25 b boots
        31 b takes 2
        41 b keeps 1
        41 b sends 102 to a (42)",
    );
    assert_eq!(run.disk(1), [1]);
}

/// The disk had answered, if it had not been stalled; the next life must not find that answer.
#[test]
fn a_write_that_waited_for_a_stalled_disk_is_lost_and_the_next_life_s_write_is_not_done_by_it() {
    let mut stage = a_writer();
    stage.disk_latency(1, len(3));
    stage.fault(5, 50, disk_stall(1));
    stage.fault(20, 25, crash(1));
    let run = stage.run();
    run.check(
        "b",
        "0 b boots
        5 b fault 0 begins
        11 b takes 1
        20 b fault 1 begins
        25 b fault 1 ends
        25 b boots
        31 b takes 2
        50 b fault 0 ends
        50 b keeps 1
        50 b sends 102 to a (51)",
    );
    stage.faults[0].span = Some(len(32 - 5));
    assert!(
        stage.run().lines("b").contains(&"34 b keeps 1".into()),
        "nor is it hurried by the end of the stall"
    );
}

#[test]
fn what_waited_out_a_pause_is_dropped_by_a_crash_within_it() {
    let mut stage = a_writer();
    stage.on(1, On::Boot, &[Act::Arm(8, 12)]);
    stage.fault(5, 60, pause(1, Gap::BeforeInput));
    stage.fault(20, 25, crash(1));
    let run = stage.run();
    run.check(
        "b",
        "0 b boots
        5 b fault 0 begins
        20 b fault 1 begins
        20 b drops 1
        25 b fault 1 ends
        60 b fault 0 ends
        60 b boots
        60 b takes 2
        60 b keeps 1
        60 b sends 102 to a (61)
        72 b timer 8",
    );
    assert_eq!(run.lines("a")[3], "21 a refused 1");
}

#[test]
fn what_a_pause_before_sending_held_back_is_lost_by_a_crash() {
    let mut stage = a_writer();
    stage.fault(5, 28, pause(1, Gap::BeforeSend));
    stage.fault(20, 25, crash(1));
    let run = stage.run();
    run.check(
        "b",
        "0 b boots
        5 b fault 0 begins
        11 b takes 1
        20 b fault 1 begins
        25 b fault 1 ends
        28 b fault 0 ends
        28 b boots
        31 b takes 2
        31 b keeps 1
        31 b sends 102 to a (32)",
    );
}

#[test]
fn a_process_whose_host_sleeps_when_it_is_restarted_boots_at_resume() {
    let mut stage = a_writer();
    stage.fault(15, 22, crash(1));
    stage.fault(20, 50, suspend(1, WallAfter::CatchesUp));
    stage.run().check(
        "b",
        "0 b boots
        11 b takes 1
        11 b keeps 1
        11 b sends 101 to a (12)
        15 b fault 0 begins
        20 b fault 1 begins
        22 b fault 0 ends
        50 b fault 1 ends
        50 b boots
        50 b takes 2
        50 b keeps 2
        50 b sends 102 to a (51)",
    );
}

/// a's message is sent at 30 and dropped at 33; word of that arrives at 36. When a crashes in between, while its
/// message or the refusal is on its way, the next life must not hear of it: it never sent that.
#[test]
fn a_refusal_of_what_an_earlier_life_sent_is_not_taken() {
    let mut stage = a_writer();
    stage.link.delay = len(3);
    stage.fault_forever(20, crash(1));
    assert!(stage.run().lines("a").contains(&"36 a refused 2".into()));
    for (from, until) in [(31, 32), (34, 35), (31, 34), (33, 33)] {
        let mut stage = stage.clone();
        stage.fault(from, until, crash(0));
        let run = stage.run_until(ms(40));
        assert!(run.lines("b").contains(&"33 b drops 2".into()));
        assert_eq!(run.lines("a").last().unwrap(), &format!("{until} a boots"));
    }
}

#[test]
fn overlapping_crashes_hold_it_down_until_the_last_ends_and_it_starts_once() {
    let mut stage = a_writer();
    stage.fault(20, 40, crash(1));
    stage.fault(25, 60, vanish(1));
    let run = stage.run();
    run.check(
        "b",
        "0 b boots
        11 b takes 1
        11 b keeps 1
        11 b sends 101 to a (12)
        20 b fault 0 begins
        25 b fault 1 begins
        31 b drops 2
        40 b fault 0 ends
        60 b fault 1 ends
        60 b boots",
    );
    assert_eq!(run.lines("a").last().unwrap(), "30 a sends 2 to b (31)", "its host is gone: nobody refuses");
}

/// Once the host is back and only the process is down, its host answers for it.
#[test]
fn who_answers_is_decided_by_the_crashes_in_force() {
    let mut stage = a_writer();
    stage.fault(20, 60, crash(1));
    stage.fault(22, 28, vanish(1));
    assert_eq!(stage.run().lines("a").last().unwrap(), "32 a refused 2");

    let mut stage = a_writer();
    stage.fault(20, 60, vanish(1));
    stage.fault(22, 35, crash(1));
    assert_eq!(stage.run().lines("a").last().unwrap(), "30 a sends 2 to b (31)");
}

#[test]
fn a_crash_without_an_end_is_one() {
    let mut stage = a_writer();
    stage.fault_forever(20, crash(1));
    stage.fault(25, 40, crash(1));
    let run = stage.run();
    assert_eq!(run.health(1), Health::Down);
    assert_eq!(run.lines("b").last().unwrap(), "40 b fault 1 ends");
}

#[test]
fn a_crash_before_the_first_boot_makes_the_first_start_another() {
    let mut stage = a_writer();
    stage.fault(0, 8, crash(1));
    let run = stage.run_until(ms(8));
    run.check("b", "0 b fault 0 begins\n 8 b fault 0 ends\n 8 b boots");
    assert_eq!(run.actor(1).started, Some(Start::Again));
}

#[test]
fn each_life_draws_anew_and_the_same_life_draws_the_same() {
    let mut stage = Stage::new(2);
    for process in 0..2 {
        stage.on(process, On::Boot, &[Act::Draw, Act::Draw]);
    }
    let first = stage.run();
    assert_eq!(first.actor(0).drawn, stage.run().actor(0).drawn);
    assert_ne!(first.actor(0).drawn, first.actor(1).drawn);
    stage.fault(20, 25, crash(0));
    let again = stage.run();
    assert_ne!(again.actor(0).drawn, first.actor(0).drawn);
    assert_eq!(again.actor(1).drawn, first.actor(1).drawn);
}

/// The network forgets no message because its receiver does: one still under way reaches whoever is there.
#[test]
fn a_message_under_way_reaches_the_next_life() {
    let mut stage = a_writer();
    stage.links.push((0, 1, LinkSpec { delay: len(20), ..LinkSpec::default() }));
    stage.fault(15, 20, crash(1));
    stage.run_until(ms(30)).check(
        "b",
        "0 b boots
        15 b fault 0 begins
        20 b fault 0 ends
        20 b boots
        30 b takes 1
        30 b keeps 1
        30 b sends 101 to a (31)",
    );
}
