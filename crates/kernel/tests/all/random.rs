//! Random casts, networks and faults, held to what must be so in every world. (What every machine may count on is
//! held by the actors themselves, see `Actor::hold_to_account`.)

use std::collections::BTreeMap;

use crate::common::random::a_stage;
use crate::common::*;
use kernel::*;
use proptest::prelude::{ProptestConfig, any, prop_assert, prop_assert_eq, proptest};

/// Everything about a run as text: the world with all that waits in it (`{:?}` leaves that out), and the trace.
fn text(run: &Run) -> String {
    format!("{:#?}\n{:?}", run.world, run.trace)
}

/// What is left of a world when nobody wrote down what happened.
fn end_state(world: &World<Actor>) -> String {
    let mut text = format!("{:?} {:?}", world.now(), world.inputs_taken());
    for process in (0..world.process_count() as u16).map(ProcessId) {
        let waiting = world.inputs_waiting(process);
        text += &format!(
            "\n{:?} {:?} {waiting} {:?} {:?}",
            world.health(process),
            world.readings(process),
            world.disk(process),
            world.machine(process)
        );
    }
    text
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn every_record_is_in_order_and_names_what_led_to_it(stage in a_stage()) {
        let run = stage.run();
        let mut last: BTreeMap<ProcessId, RecordId> = BTreeMap::new();
        let mut now = SimTime::ZERO;
        for (id, record) in (0..).map(RecordId).zip(run.trace.records()) {
            prop_assert!(now <= record.at && record.at <= stage.horizon, "time goes on, up to the horizon");
            now = record.at;
            let before = last.insert(record.process, id).filter(|_| record.process != ProcessId::NOBODY);
            prop_assert_eq!(record.previous, before.unwrap_or(RecordId::NONE));
            if let Some(cause) = run.trace.get(record.cause) {
                prop_assert!(record.cause < id && cause.at <= record.at);
            } else {
                prop_assert_eq!(record.cause, RecordId::NONE);
                let first = matches!(record.what, What::Took(Took::Boot) | What::Struck(_));
                prop_assert!(first, "only boots and faults begin of themselves: {:?}", record);
            }
        }
    }

    #[test]
    fn a_message_comes_up_as_often_as_its_fate_says_and_not_before(stage in a_stage()) {
        let run = stage.run();
        // For each message: how often it was taken or dropped, and how often word of a refusal was.
        let mut copies: BTreeMap<RecordId, (usize, usize, usize)> = BTreeMap::new();
        for record in run.trace.records() {
            let cause = run.trace.get(record.cause).map(|cause| (&cause.what, cause.process));
            let count = copies.entry(record.cause).or_default();
            match (&record.what, cause) {
                (What::Took(Took::Message) | What::Dropped, Some((What::Sent { to, fate, .. }, _))) => {
                    prop_assert_eq!(*to, record.process);
                    let number = count.0 + count.1;
                    let at = match (fate, number) {
                        (Fate::Arrives(at), 0) | (Fate::ArrivesTwice(at, _), 0) => Some(*at),
                        (Fate::ArrivesTwice(_, again), 1) => Some(*again),
                        (Fate::Arrives(_) | Fate::ArrivesTwice(..) | Fate::Lost | Fate::Cut | Fate::Refused(_), _) => None,
                    };
                    prop_assert!(at.is_some_and(|at| at <= record.at), "{:?} and {:?}", fate, record);
                    if matches!(record.what, What::Dropped) { count.1 += 1 } else { count.0 += 1 }
                }
                (What::Took(Took::Refused), Some((What::Sent { fate, .. }, sender))) => {
                    prop_assert_eq!(sender, record.process);
                    count.2 += 1;
                    let refused = if let Fate::Refused(at) = fate { usize::from(*at <= record.at) } else { count.1 };
                    prop_assert!(count.2 <= refused, "word comes once for each that was refused or dropped");
                }
                (What::Took(Took::Message) | What::Dropped, Some((What::Struck(struck), _))) => {
                    let kind = &stage.faults[usize::from(struck.fault.0)].kind;
                    let is_order = matches!(kind, FaultKind::Order { .. });
                    prop_assert!(is_order && struck.processes.contains(&record.process), "{:?}", record);
                }
                (What::Took(Took::Message | Took::Refused) | What::Dropped, cause) => {
                    prop_assert!(false, "{:?} cannot have led to {:?}", cause, record);
                }
                (What::Took(_) | What::Sent { .. } | What::Kept(_) | What::Noted(_) | What::Struck(_), _) => {}
            }
        }
    }

    #[test]
    fn only_a_process_that_runs_takes_anything(stage in a_stage()) {
        let mut run = Run { world: World::new(stage.plan()), trace: Trace::recording() };
        loop {
            let health: Vec<Health> = (0..stage.processes.len() as u16).map(|process| run.health(process)).collect();
            let (seen, taken) = (run.trace.records().len(), run.world.inputs_taken());
            if !run.world.step(&mut run.trace) {
                break;
            }
            let new = &run.trace.records()[seen..];
            for record in new {
                let process = record.process.index();
                match record.what {
                    What::Took(_) => prop_assert_eq!(health[process], Health::Runs),
                    What::Sent { .. } | What::Noted(_) => prop_assert!(health[process] == Health::Runs || is_lift(&new[0])),
                    What::Kept(_) => prop_assert!(health[process] != Health::Down),
                    What::Dropped => prop_assert_eq!(run.health(record.process.0), Health::Down),
                    What::Struck(_) => {}
                }
            }
            prop_assert!(run.world.inputs_taken() - taken <= 1, "one thing at a time");
        }
        prop_assert_eq!(run.world.now(), stage.horizon);
        prop_assert!(run.world.next_at().is_none_or(|at| at > stage.horizon));
    }

    #[test]
    fn a_world_goes_on_from_any_snapshot_as_the_original_does(stage in a_stage(), steps in any::<u16>()) {
        let mut run = Run { world: World::new(stage.plan()), trace: Trace::recording() };
        for _ in 0..steps % 300 {
            run.world.step(&mut run.trace);
        }
        let before = text(&run);
        let mut snapshot = run.clone();
        run.go_on(stage.horizon);
        prop_assert_eq!(before, text(&snapshot), "what the original does leaves the snapshot alone");
        snapshot.go_on(stage.horizon);
        prop_assert_eq!(text(&run), text(&snapshot));
        prop_assert_eq!(text(&run), text(&stage.run()), "and a second run of the same plan is the same");
    }

    #[test]
    fn stopping_on_the_way_or_not_writing_it_down_changes_nothing(stage in a_stage(), stops in any::<[u8; 4]>()) {
        let whole = stage.run();
        let mut stopped = stage.run_until(SimTime::ZERO);
        for stop in stops {
            let until = SimTime::from_micros(u64::from(stop) * 617);
            let now = stopped.world.now();
            stopped.go_on(until);
            prop_assert_eq!(stopped.world.now(), until.max(now).min(stage.horizon));
        }
        stopped.go_on(SimTime::NEVER);
        prop_assert_eq!(text(&whole), text(&stopped));
        let mut unwritten = World::new(stage.plan());
        unwritten.run_until(SimTime::NEVER, &mut Trace::off());
        prop_assert_eq!(end_state(&whole.world), end_state(&unwritten));
    }

    #[test]
    fn clocks_are_unbroken_and_read_what_the_trace_says(stage in a_stage()) {
        let run = stage.run();
        for (index, _) in stage.hosts.iter().enumerate() {
            let host = HostId(index as u16);
            let lines: Vec<&ClockLine> =
                run.trace.clocks().iter().filter(|(of, _)| *of == host).map(|(_, line)| line).collect();
            for pair in lines.windows(2) {
                prop_assert!(pair[0].from <= pair[1].from);
                prop_assert_eq!(pair[0].mono_at(pair[1].from), pair[1].mono, "the monotonic clock never steps");
            }
            prop_assert_eq!(*lines.last().unwrap(), run.world.clock(host).line());
        }
    }
}

fn is_lift(record: &Record<Toy>) -> bool {
    matches!(&record.what, What::Struck(struck) if struck.phase == Phase::Ends)
}
