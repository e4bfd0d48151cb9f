//! To clone a world is to take a snapshot.

use crate::common::*;
use kernel::*;

/// A stage with one of every fault on it.
fn everything() -> Stage {
    let mut stage = Stage::new(3);
    stage.horizon = ms(200);
    stage.link = LinkSpec { jitter: Span::from_micros(700), duplicate: Ratio::new(1, 8), ..stage.link };
    for process in 0..3 {
        stage.disk_latency(process, len(u64::from(process)));
        stage.on(process, On::Boot, &[Act::Arm(1, 10), Act::Play(Part::Leader, u64::from(process))]);
        let next = (process + 1) % 3;
        stage.on(
            process,
            On::Timer(1),
            &[Act::Note("beat"), Act::Count, Act::Send(next, 1), Act::Draw, Act::Arm(1, 10)],
        );
        stage.on(process, On::Message(1), &[Act::Count, Act::Echo]);
    }
    stage.fault(15, 35, pause(0, Gap::BeforeInput));
    stage.fault(55, 75, pause(1, Gap::BeforeSend));
    stage.fault(20, 40, suspend(2, WallAfter::CatchesUp));
    stage.fault(60, 85, FaultKind::Crash { target: Target::Role(Part::Leader), manner: Manner::Refused });
    stage.fault(70, 70, wall_step(0, -500));
    stage.fault(80, 120, rate(1, 1_300_000));
    stage.fault(90, 100, cut(these(&[0]), Side::Others, Manner::Refused));
    let (from, to) = (Side::Others, these(&[2]));
    stage.fault(100, 130, FaultKind::Loss { from, to, both_ways: true, ratio: Ratio::new(1, 2) });
    let (from, to) = (these(&[1]), Side::Others);
    stage.fault(105, 140, FaultKind::Delay { from, to, both_ways: false, extra: len(15) });
    stage.fault(110, 125, disk_stall(2));
    stage.fault(120, 160, disk_loss(1));
    stage.fault(150, 155, crash(1));
    stage.fault(165, 170, restore(&[0, 2], 50));
    stage.fault_when(after(Some(0), "beat", 5, 3), Some(len(4)), pause(0, Gap::BeforeInput));
    stage
}

fn text(run: &Run) -> String {
    format!("{:#?}\n{:?}", run.world, run.trace)
}

#[test]
fn from_every_step_a_clone_goes_on_as_the_original_does() {
    let stage = everything();
    let whole = text(&stage.run());
    let mut run = Run { world: World::new(stage.plan()), trace: Trace::recording() };
    let mut steps = 0;
    loop {
        let mut clone = run.clone();
        clone.go_on(stage.horizon);
        assert_eq!(text(&clone), whole, "from step {steps}");
        if !run.world.step(&mut run.trace) {
            break;
        }
        steps += 1;
    }
    assert!(steps > 100, "{steps} steps");
    assert_eq!(text(&run), whole);
}

#[test]
fn a_snapshot_shows_every_process_as_it_was() {
    let stage = everything();
    let mut run = stage.run_until(ms(30));
    let snapshot = run.world.clone();
    let (memory, disk) = (run.actor(1).memory.clone(), run.disk(1).to_vec());
    run.go_on(stage.horizon);
    assert!(run.actor(1).memory != memory && run.disk(1) != disk);
    assert_eq!(snapshot.machine(ProcessId(1)).memory, memory);
    assert_eq!(snapshot.disk(ProcessId(1)).0, disk);
    assert_eq!(snapshot.now(), ms(30));
    assert_eq!(snapshot.health(ProcessId(0)), Health::Stopped);
}

#[test]
fn a_snapshot_can_be_scrubbed_without_a_trace() {
    let stage = everything();
    let snapshot = stage.run_until(ms(30)).world;
    for until in (30..200).step_by(7) {
        let mut scrubbed = snapshot.clone();
        scrubbed.run_until(ms(until), &mut Trace::off());
        let played = stage.run_until(ms(until)).world;
        for process in (0..3).map(ProcessId) {
            assert_eq!(scrubbed.machine(process).memory, played.machine(process).memory, "at {until}");
            assert_eq!(scrubbed.readings(process), played.readings(process));
            assert_eq!(scrubbed.disk(process), played.disk(process));
        }
    }
}
