//! What the trace says of what led to what.

use crate::common::*;
use kernel::*;

/// a asks b, b asks c and answers when c has; d minds its own business. c crashes and comes back.
fn a_conversation() -> Run {
    let mut stage = Stage::new(4);
    stage.sends(0, &[(10, 1, 1), (50, 1, 2)]);
    stage.on(1, On::Message(1), &[Act::Send(2, 3)]);
    stage.on(1, On::Message(103), &[Act::Persist(1), Act::Send(0, 4)]);
    stage.on(2, On::Message(3), &[Act::Echo]);
    stage.on(3, On::Boot, &[Act::Arm(1, 5)]);
    stage.on(3, On::Timer(1), &[Act::Note("still here"), Act::Arm(1, 5)]);
    stage.fault(30, 40, crash(2));
    stage.run_until(ms(60))
}

/// The record that reads like this.
fn find(run: &Run, text: &str) -> RecordId {
    let lines = run.lines("abcd-");
    RecordId(
        lines.iter().position(|line| line == text).unwrap_or_else(|| panic!("no {text} in {lines:?}")) as u32
    )
}

#[test]
fn previous_is_the_same_process_s_record_before_and_cause_is_what_led_to_it() {
    let run = a_conversation();
    let chain = |text: &str| {
        let record = run.trace.get(find(&run, text)).unwrap();
        let text = |id| run.trace.get(id).map_or("nothing".to_string(), |record| line(&run.trace, record));
        (text(record.cause), text(record.previous))
    };
    let pair = |cause: &str, previous: &str| (cause.to_string(), previous.to_string());
    assert_eq!(chain("0 a boots"), pair("nothing", "nothing"));
    assert_eq!(chain("10 a timer 1"), pair("0 a boots", "0 a boots"));
    assert_eq!(chain("10 a sends 1 to b (11)"), pair("10 a timer 1", "10 a timer 1"));
    assert_eq!(chain("11 b takes 1"), pair("10 a sends 1 to b (11)", "0 b boots"));
    assert_eq!(chain("12 c takes 3"), pair("11 b sends 3 to c (12)", "0 c boots"));
    assert_eq!(chain("13 b keeps 1"), pair("13 b takes 103", "13 b takes 103"));
    assert_eq!(chain("13 b sends 4 to a (14)"), pair("13 b takes 103", "13 b keeps 1"));
    assert_eq!(chain("30 c fault 0 begins"), pair("nothing", "12 c sends 103 to b (13)"));
    assert_eq!(chain("40 c fault 0 ends"), pair("30 c fault 0 begins", "30 c fault 0 begins"));
    assert_eq!(chain("40 c boots"), pair("40 c fault 0 ends", "40 c fault 0 ends"));
    assert_eq!(chain("10 d timer 1"), pair("5 d timer 1", "5 d notes still here"));
}

#[test]
fn what_happened_before_is_the_closure_of_the_two() {
    let run = a_conversation();
    let before = |one: &str, other: &str| run.trace.happened_before(find(&run, one), find(&run, other));
    assert!(before("10 a timer 1", "14 a takes 4"));
    assert!(before("12 c takes 3", "14 a takes 4"), "through b");
    assert!(before("11 b takes 1", "50 a timer 2"), "and through a's own order");
    assert!(!before("14 a takes 4", "12 c takes 3"), "not backwards");
    assert!(!before("10 d timer 1", "14 a takes 4"), "nobody heard of d");
    assert!(!before("30 c fault 0 begins", "50 a timer 2"), "nor of the crash");
    assert!(!before("10 a timer 1", "10 a timer 1"), "nothing is before itself");
    let past: Vec<String> = run
        .trace
        .past(find(&run, "12 c takes 3"))
        .into_iter()
        .map(|id| line(&run.trace, run.trace.get(id).unwrap()))
        .collect();
    assert_eq!(
        past,
        [
            "0 a boots",
            "0 b boots",
            "0 c boots",
            "10 a timer 1",
            "10 a sends 1 to b (11)",
            "11 b takes 1",
            "11 b sends 3 to c (12)",
        ],
    );
    assert!(run.trace.past(RecordId::NONE).is_empty());
    assert!(run.trace.past(RecordId(1_000_000)).is_empty());
    assert!(!run.trace.happened_before(RecordId(0), RecordId::NONE));
}

#[test]
fn what_was_held_back_keeps_its_cause() {
    let mut stage = Stage::new(2);
    stage.sends(0, &[(10, 1, 1)]);
    stage.on(1, On::Message(1), &[Act::Note("decided")]);
    stage.fault(5, 30, pause(1, Gap::BeforeSend));
    let run = stage.run();
    let noted = run.trace.get(find_in(&run, "30 b notes decided")).unwrap();
    assert_eq!(noted.cause, find_in(&run, "11 b takes 1"));
    assert_eq!(noted.previous, find_in(&run, "30 b fault 0 ends"));
}

fn find_in(run: &Run, text: &str) -> RecordId {
    RecordId(run.lines("ab-").iter().position(|line| line == text).expect(text) as u32)
}

#[test]
fn a_fault_names_all_that_it_struck_when_it_begins_and_when_it_ends() {
    let mut stage = Stage::new(2);
    stage.fault(5, 10, suspend(1, WallAfter::Keeps));
    stage.fault(20, 30, cut(these(&[0]), these(&[1]), Manner::Silent));
    let run = stage.run();
    let struck = run.struck();
    assert_eq!(struck.len(), 4);
    for pair in struck.chunks(2) {
        assert_eq!((pair[0].phase, pair[1].phase), (Phase::Begins, Phase::Ends));
        assert_eq!((pair[0].host, &pair[0].links), (pair[1].host, &pair[1].links));
        assert_eq!(pair[0].processes, pair[1].processes);
    }
    assert_eq!(struck[0].host, Some(HostId(1)));
    assert_eq!(struck[2].links[..], [(HostId(0), HostId(1))]);
    run.check("-", "20 - fault 1 begins\n 30 - fault 1 ends");
}

#[test]
fn a_trace_that_is_off_keeps_nothing() {
    let mut stage = Stage::new(2);
    stage.fault(5, 10, rate(1, 2_000_000));
    let mut trace = Trace::off();
    World::new(stage.plan()).run_until(ms(50), &mut trace);
    assert!(trace.records().is_empty() && trace.clocks().is_empty() && trace.record_bytes() == 0);
}
