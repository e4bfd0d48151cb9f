//! Clocks that step and clocks that run wrong, and the timers that hang on them.

use crate::common::*;
use kernel::*;

/// a has a timer 1 due when its monotonic clock reads 100 ms; b likewise, and no fault strikes it.
fn two_timers() -> Stage {
    let mut stage = Stage::new(2);
    stage.on(0, On::Boot, &[Act::Arm(1, 100)]);
    stage.on(1, On::Boot, &[Act::Arm(1, 100)]);
    stage
}

#[test]
fn a_step_moves_the_wall_clock_alone_and_no_timer() {
    for by in [-3_000, 500] {
        let mut stage = two_timers();
        stage.fault(40, 90, wall_step(0, by)); // A step of an instant: its span is ignored.
        let run = stage.run();
        run.check("a", "0 a boots\n 40 a fault 0 begins\n 100 a timer 1");
        assert_eq!(run.actor(0).memory[1].now, Now { mono: mono(100), wall: wall(100 + by) });
        assert_eq!(run.actor(1).memory[1].now, Now { mono: mono(100), wall: wall(100) });
    }
}

#[test]
fn a_step_can_set_the_wall_clock_to_anything_at_all() {
    let mut stage = two_timers();
    let far = |by_micros| FaultKind::WallStep { target: Target::Host(HostId(0)), by_micros };
    stage.fault(40, 40, far(i64::MAX));
    assert_eq!(stage.run().actor(0).memory[1].now.wall, Wall::from_micros(i64::MAX));
    stage.fault(50, 50, far(i64::MIN));
    stage.fault(60, 60, far(i64::MIN));
    assert_eq!(stage.run().actor(0).memory[1].now.mono, mono(100));
}

#[test]
fn a_rate_moves_the_timers_of_its_host_for_as_long_as_it_lasts() {
    // Twice as fast: 30 ms of true time count for 60.
    let mut stage = two_timers();
    stage.fault(40, 200, rate(0, 2_000_000));
    let run = stage.run();
    run.check(
        "ab",
        "0 a boots\n 0 b boots\n 40 a fault 0 begins\n 70 a timer 1\n 100 b timer 1\n 200 a fault 0 ends",
    );
    assert_eq!(run.actor(0).memory[1].now, Now { mono: mono(100), wall: wall(100) });

    // Half as fast for 40 ms, and then as before: 20 ms late.
    let mut stage = two_timers();
    stage.fault(40, 80, rate(0, 500_000));
    let run = stage.run_until(ms(60));
    assert_eq!(run.world.timer_due(ProcessId(0), 1), Some(ms(160)));
    stage.run().check("a", "0 a boots\n 40 a fault 0 begins\n 80 a fault 0 ends\n 120 a timer 1");
}

#[test]
fn of_overlapping_rates_the_latest_rules_and_the_host_s_own_comes_back() {
    let mut stage = two_timers();
    stage.hosts[0].rate = Rate::from_millionths(1_250_000);
    stage.fault(8, 40, rate(0, 500_000)); // 10 on the clock at 8; 16 at 20, ...
    stage.fault(20, 30, rate(0, 3_000_000)); // ... 46 at 30, 51 at 40, 100 at 79.2.
    stage.run().check(
        "a",
        "0 a boots
        8 a fault 0 begins
        20 a fault 1 begins
        30 a fault 1 ends
        40 a fault 0 ends
        79.200 a timer 1",
    );
    let lines = stage.run().trace.clocks().iter().filter(|(host, _)| *host == HostId(0)).count();
    assert_eq!(lines, 5, "one stretch at the beginning and one from each bend");

    // The one that struck first ends first: the latest still rules.
    let mut stage = two_timers();
    stage.fault(10, 30, rate(0, 500_000)); // 15 at 20 ...
    stage.fault(20, 40, rate(0, 3_000_000)); // ... 75 at 40, 100 at 65.
    assert_eq!(stage.run().lines("a").last().unwrap(), "65 a timer 1");
}

#[test]
fn a_rate_that_changes_while_the_host_sleeps_counts_when_it_wakes() {
    let mut stage = two_timers();
    stage.fault(40, 60, suspend(0, WallAfter::CatchesUp));
    stage.fault(50, 500, rate(0, 2_000_000));
    let run = stage.run();
    assert!(run.lines("a").contains(&"90 a timer 1".into()), "60 ms at twice the rate from 60 on");
    assert_eq!(run.actor(0).memory[1].now, Now { mono: mono(100), wall: wall(120) });
}

#[test]
fn a_timer_is_never_early_at_any_rate() {
    for millionths in [1, 3, 333_333, 999_999, 1_000_001, 1_234_567, 99_999_999, 100_000_000] {
        let mut stage = two_timers();
        stage.horizon = SimTime::from_secs(24 * 60 * 60);
        stage.on(0, On::Timer(1), &[Act::Arm(2, 1)]);
        stage.fault(33, 34, rate(0, millionths));
        stage.fault(77, 86_400_000, rate(0, millionths));
        let run = stage.run();
        let memory = &run.actor(0).memory;
        assert!(memory.len() == 3 || millionths < 3, "both came up at rate {millionths}");
        for (taken, due) in
            memory[1..].iter().zip([mono(100), memory.get(1).map_or(mono(0), |m| m.now.mono) + len(1)])
        {
            assert!(taken.now.mono >= due, "{taken:?} at rate {millionths}");
            assert!(taken.now.mono.since(due) <= Span::from_micros(1 + u64::from(millionths / 1_000_000)));
        }
    }
}

#[test]
fn a_timer_armed_for_ever_never_comes_up_whatever_the_rate() {
    for millionths in [500_000, 999_999, 1_000_000, 2_000_000, 100_000_000] {
        let mut stage = two_timers();
        stage.on(0, On::Boot, &[Act::Arm(1, u64::MAX / 1_000)]);
        stage.hosts[0].rate = Rate::from_millionths(millionths);
        stage.fault(50, 100, rate(0, 1_500_000));
        let run = stage.run();
        assert_eq!(run.actor(0).memory.len(), 1, "at rate {millionths}");
    }
}

#[test]
fn clocks_begin_where_they_are_set() {
    let mut stage = two_timers();
    stage.hosts[0].mono = mono(5_000);
    stage.hosts[0].wall = wall(-7_000);
    let run = stage.run();
    assert_eq!(run.actor(0).memory[1].now, Now { mono: mono(5_100), wall: wall(-6_900) });
    assert_eq!(run.lines("a").last().unwrap(), "100 a timer 1");
}

#[test]
fn the_trace_knows_what_every_clock_read_at_any_instant() {
    let mut stage = two_timers();
    stage.fault(40, 50, rate(0, 2_000_000));
    stage.fault(60, 60, wall_step(0, -1_000));
    stage.fault(70, 80, suspend(0, WallAfter::Keeps));
    let trace = stage.run().trace;
    let read = |at| {
        let line = trace.clock(HostId(0), ms(at)).expect("it has always had a clock");
        (line.mono_at(ms(at)), line.wall_at(ms(at)))
    };
    for (at, mono_reads, wall_reads) in
        [(0, 0, 0), (39, 39, 39), (45, 50, 50), (55, 65, 65), (60, 70, -930), (75, 80, -920), (90, 90, -910)]
    {
        assert_eq!(read(at), (mono(mono_reads), wall(wall_reads)), "at {at}");
    }
    assert_eq!(trace.clock(HostId(1), ms(500)).unwrap().from, SimTime::ZERO);
}
