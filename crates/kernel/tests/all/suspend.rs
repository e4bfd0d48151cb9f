//! A suspended host: its processes stop, its monotonic clock stands still, and what its wall clock reads afterwards
//! is a matter of choice.

use crate::common::*;
use kernel::*;

/// b has a timer 9 due when its monotonic clock reads 20 ms; a sends 1, which arrives at 15.
fn a_timer_and_a_message() -> Stage {
    let mut stage = Stage::new(2);
    stage.sends(0, &[(14, 1, 1)]);
    stage.on(1, On::Boot, &[Act::Arm(9, 20)]);
    stage
}

#[test]
fn the_monotonic_clock_stands_still_and_timers_shift_by_the_length() {
    for (after, wall_at_resume) in [(WallAfter::CatchesUp, 50), (WallAfter::Keeps, 10)] {
        let mut stage = a_timer_and_a_message();
        stage.fault(10, 50, suspend(1, after));
        let mut run = stage.run_until(ms(30));
        assert_eq!(run.health(1), Health::Stopped);
        assert_eq!(run.world.readings(ProcessId(1)), Now { mono: mono(10), wall: wall(10) });
        assert_eq!(run.world.timer_due(ProcessId(1), 9), Some(SimTime::NEVER));
        run.go_on(stage.horizon);
        run.check(
            "b",
            "0 b boots
            10 b fault 0 begins
            50 b fault 0 ends
            50 b takes 1
            60 b timer 9",
        );
        let memory = &run.actor(1).memory;
        assert_eq!(memory[1].now, Now { mono: mono(10), wall: wall(wall_at_resume) });
        assert_eq!(memory[2].now, Now { mono: mono(20), wall: wall(wall_at_resume + 10) });
    }
}

#[test]
fn a_timer_due_at_the_instant_of_the_suspension_waits_and_comes_first() {
    let mut stage = a_timer_and_a_message();
    stage.sends(0, &[(20, 1, 1)]);
    stage.fault(20, 50, suspend(1, WallAfter::Keeps));
    stage.run().check(
        "b",
        "0 b boots
        20 b fault 0 begins
        50 b fault 0 ends
        50 b timer 9
        50 b takes 1",
    );
}

#[test]
fn all_processes_of_the_host_stop_and_those_of_others_do_not() {
    let mut stage = a_timer_and_a_message();
    let sidecar = stage.beside(1);
    stage.on(sidecar, On::Boot, &[Act::Arm(8, 30)]);
    stage.on(0, On::Timer(1), &[Act::Send(1, 1), Act::Arm(7, 16)]);
    stage.fault(10, 50, suspend(1, WallAfter::CatchesUp));
    stage.run().check(
        "abc",
        "0 a boots
        0 b boots
        0 c boots
        10 b fault 0 begins
        14 a timer 1
        14 a sends 1 to b (15)
        30 a timer 7
        50 b fault 0 ends
        50 b takes 1
        60 b timer 9
        70 c timer 8",
    );
}

#[test]
fn a_disk_write_under_way_waits_and_is_done_at_resume() {
    let mut stage = a_timer_and_a_message();
    stage.disk_latency(1, len(5));
    stage.on(1, On::Message(1), &[Act::Persist(3), Act::Echo]);
    stage.fault(16, 50, suspend(1, WallAfter::CatchesUp));
    let run = stage.run_until(ms(40));
    assert_eq!(run.disk(1), [] as [u32; 0]);
    stage.run().check(
        "b",
        "0 b boots
        15 b takes 1
        16 b fault 0 begins
        50 b fault 0 ends
        50 b keeps 3
        50 b sends 101 to a (51)
        54 b timer 9",
    );
}

#[test]
fn a_disk_write_that_takes_longer_than_the_suspension_is_not_hurried() {
    let mut stage = a_timer_and_a_message();
    stage.disk_latency(1, len(5));
    stage.on(1, On::Message(1), &[Act::Persist(3)]);
    stage.fault(16, 18, suspend(1, WallAfter::CatchesUp));
    stage.run().check(
        "b",
        "0 b boots
        15 b takes 1
        16 b fault 0 begins
        18 b fault 0 ends
        20 b keeps 3
        22 b timer 9",
    );
}

#[test]
fn overlapping_suspensions_are_one_and_the_last_to_end_says_what_the_wall_clock_reads() {
    for (last, wall_at_resume) in [(WallAfter::CatchesUp, 50), (WallAfter::Keeps, 10)] {
        let mut stage = a_timer_and_a_message();
        stage.fault(
            10,
            30,
            suspend(1, if wall_at_resume == 50 { WallAfter::Keeps } else { WallAfter::CatchesUp }),
        );
        stage.fault(20, 50, suspend(1, last));
        let run = stage.run();
        run.check(
            "b",
            "0 b boots
            10 b fault 0 begins
            20 b fault 1 begins
            30 b fault 0 ends
            50 b fault 1 ends
            50 b takes 1
            60 b timer 9",
        );
        assert_eq!(run.actor(1).memory[1].now, Now { mono: mono(10), wall: wall(wall_at_resume) });
    }
}

#[test]
fn a_pause_that_outlasts_a_suspension_still_holds_and_the_other_way_round() {
    let mut stage = a_timer_and_a_message();
    stage.fault(5, 80, pause(1, Gap::BeforeInput));
    stage.fault(10, 50, suspend(1, WallAfter::CatchesUp));
    let paused_longer = stage.run();
    paused_longer.check(
        "b",
        "0 b boots
        5 b fault 0 begins
        10 b fault 1 begins
        50 b fault 1 ends
        80 b fault 0 ends
        80 b takes 1
        80 b timer 9",
    );
    assert_eq!(paused_longer.actor(1).memory[1].now, Now { mono: mono(40), wall: wall(80) });

    let mut stage = a_timer_and_a_message();
    stage.fault(5, 30, pause(1, Gap::BeforeInput));
    stage.fault(10, 50, suspend(1, WallAfter::CatchesUp));
    stage.run().check(
        "b",
        "0 b boots
        5 b fault 0 begins
        10 b fault 1 begins
        30 b fault 0 ends
        50 b fault 1 ends
        50 b takes 1
        60 b timer 9",
    );
}

#[test]
fn what_a_pause_before_sending_holds_back_is_not_sent_while_the_host_sleeps() {
    let mut stage = a_timer_and_a_message();
    stage.on(1, On::Message(1), &[Act::Echo]);
    stage.fault(5, 30, pause(1, Gap::BeforeSend));
    stage.fault(20, 50, suspend(1, WallAfter::CatchesUp));
    stage.run().check(
        "b",
        "0 b boots
        5 b fault 0 begins
        15 b takes 1
        20 b fault 1 begins
        30 b fault 0 ends
        50 b fault 1 ends
        50 b sends 101 to a (51)
        50 b timer 9",
    );
}

#[test]
fn a_suspended_host_s_wall_clock_can_still_be_set() {
    let mut stage = a_timer_and_a_message();
    stage.fault(10, 50, suspend(1, WallAfter::CatchesUp));
    stage.fault(20, 20, wall_step(1, 7));
    let run = stage.run_until(ms(30));
    assert_eq!(run.world.readings(ProcessId(1)), Now { mono: mono(10), wall: wall(17) });
    let run = stage.run();
    assert_eq!(run.actor(1).memory[1].now, Now { mono: mono(10), wall: wall(57) });
}

#[test]
fn a_suspension_that_outlasts_the_world_never_ends() {
    let mut stage = a_timer_and_a_message();
    stage.fault_forever(10, suspend(1, WallAfter::CatchesUp));
    let run = stage.run();
    run.check("b", "0 b boots\n 10 b fault 0 begins");
    assert_eq!(run.world.readings(ProcessId(1)).mono, mono(10));
}
