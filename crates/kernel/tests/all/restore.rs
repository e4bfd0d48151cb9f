//! A restore: somebody puts an older backup in place of disks and starts the processes from it.

use crate::common::*;
use kernel::*;

/// Three processes that each keep a page of their own at 10, 20, 30, ...: 101, 201, 301 after 10 ms and so on.
fn three_writers() -> Stage {
    let mut stage = Stage::new(3);
    for process in 0..3 {
        stage.on(process, On::Boot, &[Act::Arm(1, 10)]);
        stage.on(
            process,
            On::Timer(1),
            &[Act::Persist(u32::from(process + 1) * 100), Act::Count, Act::Arm(1, 10)],
        );
    }
    stage
}

fn from(process: u16, targets: &[u16], taken: u64) -> FaultKind<Part> {
    let targets = targets.iter().map(|process| Target::Process(ProcessId(*process))).collect();
    FaultKind::Restore { targets, taken: ms(taken), from: Some(Target::Process(ProcessId(process))) }
}

#[test]
fn a_process_comes_back_with_its_disk_as_it_was() {
    let mut stage = three_writers();
    stage.fault(45, 55, restore(&[1], 25));
    let run = stage.run_until(ms(50));
    assert_eq!(run.health(1), Health::Down);
    assert_eq!(run.disk(1).len(), 8);
    let run = stage.run_until(ms(60));
    run.check(
        "b",
        "0 b boots
        10 b timer 1
        10 b keeps 200
        10 b keeps 1
        20 b timer 1
        20 b keeps 200
        20 b keeps 2
        30 b timer 1
        30 b keeps 200
        30 b keeps 3
        40 b timer 1
        40 b keeps 200
        40 b keeps 4
        45 b fault 0 begins
        55 b fault 0 ends
        55 b boots",
    );
    assert_eq!(run.actor(1).started, Some(Start::Restored));
    assert_eq!(run.actor(1).found, [200, 1, 200, 2]);
    assert_eq!(run.disk(0).len(), 12, "the others go on");
}

#[test]
fn a_restore_without_a_span_takes_no_time() {
    let mut stage = three_writers();
    stage.fault_forever(45, restore(&[1], 25));
    let run = stage.run_until(ms(45));
    assert_eq!(
        run.lines("b")[10..],
        [
            "40 b timer 1",
            "40 b keeps 200",
            "40 b keeps 4",
            "45 b fault 0 begins",
            "45 b fault 0 ends",
            "45 b boots"
        ]
    );
}

#[test]
fn all_of_them_can_get_the_backup_of_one() {
    let mut stage = three_writers();
    stage.fault(45, 55, from(2, &[0, 1, 2], 15));
    let run = stage.run_until(ms(55));
    for process in 0..3 {
        assert_eq!(run.actor(process).found, [300, 1]);
        assert_eq!(run.actor(process).started, Some(Start::Restored));
    }
    assert_eq!(run.struck()[0].processes[..], [ProcessId(0), ProcessId(1), ProcessId(2)]);
    for process in ["a", "b", "c"] {
        assert_eq!(run.lines(process).last().unwrap(), &format!("55 {process} boots"));
    }
}

/// The leader's backup, and the leader is among those that go down for it: who that is was settled when it struck.
#[test]
fn whose_backup_it_is_is_settled_when_the_restore_strikes() {
    let mut stage = three_writers();
    stage.on(1, On::Boot, &[Act::Play(Part::Leader, 1), Act::Arm(1, 10)]);
    let targets: Vec<Target<Part>> = (0..3).map(|process| Target::Process(ProcessId(process))).collect();
    let kind = FaultKind::Restore { targets, taken: ms(15), from: Some(Target::Role(Part::Leader)) };
    stage.fault(45, 55, kind.clone());
    let run = stage.run_until(ms(55));
    for process in 0..3 {
        assert_eq!(run.actor(process).found, [200, 1]);
    }
    let mut nobody = three_writers();
    nobody.fault(45, 55, kind);
    let run = nobody.run_until(ms(55));
    assert_eq!(run.lines("-"), ["45 - fault 0 misses"]);
}

#[test]
fn one_named_twice_goes_down_once() {
    let mut stage = three_writers();
    stage.on(1, On::Boot, &[Act::Play(Part::Leader, 1), Act::Arm(1, 10)]);
    let targets = vec![
        Target::Process(ProcessId(1)),
        Target::Role(Part::Leader),
        Target::Host(HostId(1)),
        Target::Role(Part::Follower),
    ];
    stage.fault(45, 55, FaultKind::Restore { targets, taken: ms(15), from: None });
    let run = stage.run_until(ms(55));
    let last = run.lines("b");
    assert_eq!(last[last.len() - 3..], ["45 b fault 0 begins", "55 b fault 0 ends", "55 b boots"]);
    assert_eq!(run.actor(1).found, [200, 1]);
}

#[test]
fn a_process_that_would_never_have_come_back_is_brought_back() {
    let mut stage = three_writers();
    stage.fault_forever(35, vanish(1));
    stage.fault(45, 55, restore(&[1], 25));
    let run = stage.run_until(ms(55));
    assert_eq!(run.lines("b").last().unwrap(), "55 b boots");
    assert_eq!(run.actor(1).started, Some(Start::Restored));
    assert_eq!(run.actor(1).found, [200, 1, 200, 2]);
}

#[test]
fn a_process_whose_crash_outlasts_the_restore_starts_from_the_backup_when_that_is_over() {
    let mut stage = three_writers();
    stage.fault(35, 70, crash(1));
    stage.fault(45, 55, restore(&[1], 25));
    let run = stage.run_until(ms(70));
    let lines = run.lines("b");
    assert_eq!(lines[lines.len() - 3..], ["55 b fault 1 ends", "70 b fault 0 ends", "70 b boots"]);
    assert_eq!(run.actor(1).started, Some(Start::Restored));
    assert_eq!(run.actor(1).found, [200, 1, 200, 2]);
    // And once it has started, a later crash is one like any other.
    stage.fault(80, 82, crash(1));
    assert_eq!(stage.run_until(ms(82)).actor(1).started, Some(Start::Again));
}

#[test]
fn a_crash_that_ends_within_the_restore_does_not_start_it_early() {
    let mut stage = three_writers();
    stage.fault(35, 50, crash(1));
    stage.fault(45, 55, restore(&[1], 25));
    let run = stage.run_until(ms(55));
    let lines = run.lines("b");
    assert_eq!(
        lines[lines.len() - 4..],
        ["45 b fault 1 begins", "50 b fault 0 ends", "55 b fault 1 ends", "55 b boots"]
    );
}

#[test]
fn what_was_put_back_is_safe_from_a_disk_that_lies() {
    let mut stage = three_writers();
    stage.fault(5, 500, disk_loss(1));
    stage.fault(45, 55, restore(&[1], 25));
    stage.fault(58, 59, crash(1));
    let run = stage.run_until(ms(59));
    assert_eq!(run.actor(1).found, [200, 1, 200, 2]);
}

#[test]
fn a_backup_that_is_not_taken_yet_puts_nothing_back() {
    let mut stage = three_writers();
    stage.fault(45, 55, restore(&[1], 90));
    let run = stage.run_until(ms(200));
    assert_eq!(run.actor(1).started, Some(Start::Again));
    assert_eq!(run.actor(1).found.len(), 8);
}

#[test]
fn the_backup_is_of_the_beginning_of_its_instant() {
    let mut stage = three_writers();
    stage.fault(45, 55, restore(&[1], 20));
    assert_eq!(stage.run_until(ms(55)).actor(1).found, [200, 1]);
}

#[test]
fn connections_are_refused_while_it_is_down() {
    let mut stage = three_writers();
    stage.sends(0, &[(50, 1, 1)]);
    stage.fault(45, 55, restore(&[1], 25));
    assert_eq!(stage.run().lines("a").last().unwrap(), "52 a refused 1");
}
