//! Whom a fault strikes, and when: names, hosts, roles; instants, and anchors on what happens.

use crate::common::*;
use kernel::*;

/// Five processes: a leads with term 3, b with 5 (from 20 ms on with 2), c with 4, d never; e follows.
fn a_cluster() -> Stage {
    let mut stage = Stage::new(5);
    stage.on(0, On::Boot, &[Act::Play(Part::Leader, 3)]);
    stage.on(1, On::Boot, &[Act::Play(Part::Leader, 5), Act::Arm(1, 20)]);
    stage.on(1, On::Timer(1), &[Act::Play(Part::Leader, 2)]);
    stage.on(2, On::Boot, &[Act::Play(Part::Leader, 4)]);
    stage.on(4, On::Boot, &[Act::Play(Part::Follower, 0)]);
    stage
}

const LEADER: Target<Part> = Target::Role(Part::Leader);

fn crash_of(target: Target<Part>) -> FaultKind<Part> {
    FaultKind::Crash { target, manner: Manner::Refused }
}

/// The processes that faults struck as they began, as letters; `-` for a miss.
fn victims(run: &Run) -> String {
    let name = |struck: &&Struck| match struck.phase {
        Phase::Begins => struck.processes.iter().map(|process| char::from(b'a' + process.0 as u8)).collect(),
        Phase::Misses => "-".to_string(),
        Phase::Ends => String::new(),
    };
    run.struck().iter().map(name).collect()
}

#[test]
fn a_role_is_whoever_plays_it_with_the_highest_rank_when_the_fault_strikes() {
    let mut stage = a_cluster();
    stage.fault(10, 11, pause(3, Gap::BeforeInput));
    stage.fault(15, 16, FaultKind::Pause { target: LEADER, gap: Gap::BeforeInput });
    stage.fault(30, 31, FaultKind::Pause { target: LEADER, gap: Gap::BeforeInput });
    stage.fault(40, 41, FaultKind::Pause { target: Target::Role(Part::Follower), gap: Gap::BeforeInput });
    assert_eq!(victims(&stage.run()), "dbce");
}

#[test]
fn equal_ranks_go_to_the_first_process() {
    let mut stage = a_cluster();
    stage.on(3, On::Boot, &[Act::Play(Part::Leader, 5)]);
    stage.fault(10, 11, crash_of(LEADER));
    assert_eq!(victims(&stage.run()), "b");
}

#[test]
fn one_that_is_down_plays_nothing_and_one_that_is_paused_still_does() {
    let mut stage = a_cluster();
    stage.fault(10, 50, FaultKind::Pause { target: LEADER, gap: Gap::BeforeInput });
    stage.fault(11, 50, crash_of(LEADER));
    stage.fault(12, 50, crash_of(LEADER));
    stage.fault(13, 50, crash_of(LEADER));
    stage.fault(14, 50, crash_of(LEADER));
    assert_eq!(victims(&stage.run()), "bbca-", "b is paused, then b, c and a crash, and nobody is left");
}

#[test]
fn when_nobody_plays_it_nothing_is_struck() {
    let mut stage = Stage::new(2);
    stage.fault(10, 20, crash_of(LEADER));
    stage.fault(10, 20, FaultKind::Suspend { target: LEADER, wall: WallAfter::Keeps });
    stage.fault(10, 20, cut(Side::These(vec![LEADER]), Side::Others, Manner::Silent));
    stage.fault(10, 20, FaultKind::Restore { targets: vec![LEADER], taken: ms(5), from: None });
    let run = stage.run();
    run.check("-", "10 - fault 0 misses\n 10 - fault 1 misses\n 10 - fault 2 misses\n 10 - fault 3 misses");
    assert_eq!(run.lines("ab"), ["0 a boots", "0 b boots"]);
}

/// What struck one process ends for that one, whoever plays the role by then.
#[test]
fn a_fault_ends_for_the_one_that_it_struck() {
    let mut stage = a_cluster();
    stage.fault(10, 40, FaultKind::Pause { target: LEADER, gap: Gap::BeforeInput });
    let run = stage.run();
    run.check("b", "0 b boots\n 10 b fault 0 begins\n 40 b fault 0 ends\n 40 b timer 1");
}

#[test]
fn a_host_stands_for_its_first_process_and_a_process_for_its_host() {
    let mut stage = Stage::new(2);
    let sidecar = stage.beside(1);
    stage.fault(10, 20, crash_of(Target::Host(HostId(1))));
    let suspended = Target::Process(ProcessId(sidecar));
    stage.fault(30, 40, FaultKind::Suspend { target: suspended, wall: WallAfter::Keeps });
    let run = stage.run();
    assert_eq!(run.struck()[0].processes[..], [ProcessId(1)]);
    assert_eq!(run.struck()[2].host, Some(HostId(1)));
    assert_eq!(run.world.readings(ProcessId(1)).mono, mono(990), "both slept");
}

#[test]
fn a_fault_at_the_very_beginning_asks_the_machines_as_they_were_started() {
    let mut stage = a_cluster();
    stage.fault(0, 10, crash_of(LEADER));
    assert_eq!(victims(&stage.run()), "-", "nobody has booted");
}

/// a notes "beat" at 10, 20, 30, ...; b at 15, 25, 35, ...
fn two_beats() -> Stage {
    let mut stage = Stage::new(3);
    for process in 0..2 {
        stage.on(process, On::Boot, &[Act::Arm(1, 10 + 5 * u64::from(process))]);
        stage.on(process, On::Timer(1), &[Act::Note("beat"), Act::Note("rest"), Act::Arm(1, 10)]);
    }
    stage
}

/// When faults began.
fn begun(run: &Run) -> Vec<SimTime> {
    let begins = |record: &&Record<Toy>| matches!(&record.what, What::Struck(s) if s.phase == Phase::Begins);
    run.trace.records().iter().filter(begins).map(|record| record.at).collect()
}

#[test]
fn an_anchor_counts_the_notes_of_its_process_and_waits_so_long_after() {
    let kind = || pause(2, Gap::BeforeInput);
    for (whose, nth, plus, at) in [
        (Some(0), 1, 0, 10),
        (Some(0), 3, 7, 37),
        (Some(1), 1, 0, 15),
        (Some(1), 2, 100, 125),
        (None, 1, 0, 10),
        (None, 2, 0, 15),
        (None, 5, 1, 31),
    ] {
        let mut stage = two_beats();
        stage.fault_when(after(whose, "beat", nth, plus), Some(len(5)), kind());
        assert_eq!(
            begun(&stage.run()),
            [ms(at)],
            "after {whose:?} beats for the {nth}. time, plus {plus} ms"
        );
    }
    for never in [after(Some(2), "beat", 1, 0), after(None, "bang", 1, 0), after(Some(0), "beat", 500, 0)] {
        let mut stage = two_beats();
        stage.fault_when(never, Some(len(5)), kind());
        assert_eq!(begun(&stage.run()), []);
    }
}

#[test]
fn an_anchor_can_wait_for_a_host_or_for_whoever_plays_a_role_then() {
    let anchored = |who, nth| When::After(Anchor { who: Some(who), topic: Topic("beat"), nth, plus: len(1) });
    // a beats at 10, 20, 30, ... and leads from 27 on; b at 15, 25, 35, ... and leads all along; c, beside b, at 12, 22, ...
    let mut stage = two_beats();
    stage.processes[2].host = HostId(1);
    stage.on(2, On::Boot, &[Act::Arm(1, 12)]);
    stage.on(2, On::Timer(1), &[Act::Note("beat"), Act::Arm(1, 10)]);
    stage.on(1, On::Boot, &[Act::Play(Part::Leader, 1), Act::Arm(1, 15)]);
    stage.on(0, On::Timer(2), &[Act::Play(Part::Leader, 2)]);
    stage.on(0, On::Boot, &[Act::Arm(1, 10), Act::Arm(2, 27)]);
    for (who, nth, at) in [
        (Target::Host(HostId(1)), 1, 13),
        (Target::Host(HostId(1)), 3, 23),
        (LEADER, 1, 16),
        (LEADER, 2, 26),
        (LEADER, 3, 31),
    ] {
        let mut stage = stage.clone();
        stage.fault_when(anchored(who, nth), Some(len(1)), wall_step(0, 1));
        assert_eq!(begun(&stage.run()), [ms(at)], "after {who:?} beats for the {nth}. time");
    }
    let mut nobody = stage.clone();
    nobody.fault_when(anchored(Target::Role(Part::Follower), 1), Some(len(1)), wall_step(0, 1));
    assert_eq!(begun(&nobody.run()), []);
}

#[test]
fn an_anchored_fault_strikes_once_and_names_the_note_as_its_cause() {
    let mut stage = two_beats();
    stage.fault_when(after(Some(0), "beat", 2, 3), Some(len(5)), pause(2, Gap::BeforeInput));
    let run = stage.run();
    run.check("c", "0 c boots\n 23 c fault 0 begins\n 28 c fault 0 ends");
    let struck = run.trace.records().iter().find(|record| matches!(record.what, What::Struck(_))).unwrap();
    let cause = run.trace.get(struck.cause).unwrap();
    assert!(matches!(cause.what, What::Noted("beat")) && cause.at == ms(20) && cause.process == ProcessId(0));
}

/// What hangs on a note that is held back hangs on when it is told.
#[test]
fn an_anchor_sees_a_note_when_it_is_told() {
    let mut stage = two_beats();
    stage.fault(8, 24, pause(0, Gap::BeforeSend));
    stage.fault_when(after(Some(0), "beat", 1, 2), Some(len(5)), pause(2, Gap::BeforeInput));
    assert_eq!(begun(&stage.run()), [ms(8), ms(26)]);
}

/// The very next thing that happens is the fault: nothing that is due at the same instant slips in between.
#[test]
fn a_fault_right_after_a_note_comes_before_all_else_that_is_due_then() {
    let mut stage = two_beats();
    stage.on(1, On::Boot, &[Act::Arm(1, 10)]);
    stage.on(2, On::Boot, &[Act::Arm(1, 10)]);
    stage.fault_when(after(Some(0), "beat", 1, 0), Some(len(5)), pause(1, Gap::BeforeInput));
    let lines = stage.run().lines("abc");
    assert_eq!(
        lines[3..11],
        [
            "10 a timer 1",
            "10 a notes beat",
            "10 a notes rest",
            "10 b fault 0 begins",
            "10 c timer 1",
            "15 b fault 0 ends",
            "15 b timer 1",
            "15 b notes beat",
        ],
    );
}

#[test]
fn one_note_can_set_off_several_faults_and_a_chain_of_them() {
    let mut stage = two_beats();
    stage.fault_when(after(Some(0), "beat", 1, 4), Some(len(5)), pause(2, Gap::BeforeInput));
    stage.fault_when(after(Some(0), "beat", 1, 2), Some(len(5)), pause(1, Gap::BeforeInput));
    stage.fault_when(after(None, "beat", 1, 2), Some(len(5)), wall_step(2, 5));
    let run = stage.run();
    assert_eq!(begun(&run), [ms(12), ms(12), ms(14)]);
    assert_eq!(run.struck()[0].fault, FaultId(1), "those due at one instant strike in the order of the plan");
}
