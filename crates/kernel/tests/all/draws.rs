//! Chance is a pure function of (seed, who, how many draws so far): an edit in one place does not move it in another.

use crate::common::*;
use kernel::*;

/// a talks to b and to c, b to c, over links that jitter, lose and duplicate.
fn a_noisy_network() -> Stage {
    let mut stage = Stage::new(3);
    let jitter = Span::from_micros(999);
    let (loss, duplicate) = (Ratio::new(1, 5), Ratio::new(1, 5));
    stage.link = LinkSpec { delay: len(2), jitter, loss, duplicate };
    stage.on(0, On::Boot, &[Act::Arm(1, 10)]);
    stage.on(0, On::Timer(1), &[Act::Send(1, 1), Act::Send(2, 2), Act::Arm(1, 10)]);
    stage.on(1, On::Boot, &[Act::Arm(1, 10)]);
    stage.on(1, On::Timer(1), &[Act::Send(2, 3), Act::Arm(1, 10)]);
    stage
}

/// What became of all that was sent from one process to another.
fn fates(stage: &Stage, from: u16, to: u16) -> Vec<Fate> {
    let mut fates = Vec::new();
    for record in stage.run().trace.records() {
        if let What::Sent { to: sent_to, fate, .. } = record.what
            && (record.process, sent_to) == (ProcessId(from), ProcessId(to))
        {
            fates.push(fate);
        }
    }
    fates
}

/// How long each message takes that arrives, with the number of its sending.
fn arrivals(stage: &Stage, from: u16, to: u16) -> Vec<(usize, SimTime)> {
    let arrival = |(number, fate)| match fate {
        Fate::Arrives(at) | Fate::ArrivesTwice(at, _) => Some((number, at)),
        Fate::Lost | Fate::Cut | Fate::Refused(_) => None,
    };
    fates(stage, from, to).into_iter().enumerate().filter_map(arrival).collect()
}

#[test]
fn the_seed_decides() {
    let stage = a_noisy_network();
    let mut other = stage.clone();
    other.seed = 2;
    assert_eq!(fates(&stage, 0, 1), fates(&stage, 0, 1));
    assert_ne!(fates(&stage, 0, 1), fates(&other, 0, 1));
    assert_ne!(fates(&stage, 0, 1), fates(&stage, 0, 2), "each link draws for itself");
    assert_ne!(fates(&stage, 0, 1), fates(&stage, 1, 2));
}

#[test]
fn a_fault_on_one_link_does_not_move_another_s_draws() {
    let plain = a_noisy_network();
    let mut struck = plain.clone();
    let (from, to) = (these(&[0]), these(&[1]));
    let ratio = Ratio::new(1, 2);
    struck.fault(100, 300, FaultKind::Loss { from: from.clone(), to: to.clone(), both_ways: false, ratio });
    struck.fault(350, 500, cut(from.clone(), to.clone(), Manner::Refused));
    struck.fault(550, 700, FaultKind::Duplicate { from, to, both_ways: false, ratio });
    assert_ne!(fates(&plain, 0, 1), fates(&struck, 0, 1));
    assert_eq!(fates(&plain, 0, 2), fates(&struck, 0, 2));
    assert_eq!(fates(&plain, 1, 2), fates(&struck, 1, 2));
}

#[test]
fn on_the_struck_link_itself_everything_is_as_before_once_the_fault_is_over() {
    let plain = a_noisy_network();
    let mut struck = plain.clone();
    struck.fault(105, 305, cut(these(&[0]), these(&[1]), Manner::Silent));
    let (plain, struck) = (fates(&plain, 0, 1), fates(&struck, 0, 1));
    assert!(struck[10..30].iter().all(|fate| *fate == Fate::Cut));
    assert_eq!(plain[..10], struck[..10]);
    assert_eq!(plain[30..], struck[30..]);
}

#[test]
fn one_message_more_on_one_link_does_not_move_another_s_draws() {
    let plain = a_noisy_network();
    let mut more = plain.clone();
    more.on(0, On::Boot, &[Act::Send(1, 9), Act::Arm(1, 10)]);
    assert_ne!(fates(&plain, 0, 1), fates(&more, 0, 1)[1..]);
    assert_eq!(fates(&plain, 0, 2), fates(&more, 0, 2));
    assert_eq!(fates(&plain, 1, 2), fates(&more, 1, 2));
}

#[test]
fn one_host_more_does_not_move_the_draws_of_the_others() {
    let plain = a_noisy_network();
    let mut more = plain.clone();
    more.hosts.push(HostSpec::new("d"));
    for (from, to) in [(0, 1), (0, 2), (1, 2)] {
        assert_eq!(fates(&plain, from, to), fates(&more, from, to));
    }
}

#[test]
fn changing_the_loss_does_not_move_the_jitter() {
    let few = a_noisy_network();
    let mut many = few.clone();
    many.link.loss = Ratio::new(1, 2);
    let (few, many) = (arrivals(&few, 0, 1), arrivals(&many, 0, 1));
    assert!(many.len() < few.len());
    assert!(many.iter().all(|arrival| few.contains(arrival)), "more are lost; the others come as before");
}

#[test]
fn changing_the_duplicates_does_not_move_jitter_or_loss() {
    let some = a_noisy_network();
    let mut none = some.clone();
    none.link.duplicate = Ratio::NEVER;
    assert_eq!(arrivals(&some, 0, 1), arrivals(&none, 0, 1));
}

#[test]
fn a_machine_s_draws_are_its_own() {
    let mut plain = a_noisy_network();
    plain.on(2, On::Boot, &[Act::Draw, Act::Draw, Act::Draw]);
    let mut more = plain.clone();
    more.on(1, On::AnyMessage, &[Act::Draw]);
    more.fault(100, 200, crash(0));
    let (plain, more) = (plain.run(), more.run());
    assert_eq!(plain.actor(2).drawn, more.actor(2).drawn);
    assert!(!more.actor(1).drawn.is_empty());
}

/// These are in every link that was ever shared: what a link draws must never change.
#[test]
fn known_answers_of_a_link() {
    let arrived: Vec<u64> =
        arrivals(&a_noisy_network(), 1, 2).iter().take(5).map(|(_, at)| at.as_micros()).collect();
    assert_eq!(arrived, [12_542, 22_119, 32_562, 42_127, 52_044]);
}
