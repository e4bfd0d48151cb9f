//! What links do to messages: cut, lose, delay, deliver twice; one way or both, and who is struck.

use crate::common::*;
use kernel::*;

/// Every 10 ms from 10 to 50, a sends to b and b to a: a says 1 to 5, b says 11 to 15.
fn two_talkers() -> Stage {
    let mut stage = Stage::new(2);
    stage.sends(0, &[(10, 1, 1), (20, 1, 2), (30, 1, 3), (40, 1, 4), (50, 1, 5)]);
    stage.sends(1, &[(10, 0, 11), (20, 0, 12), (30, 0, 13), (40, 0, 14), (50, 0, 15)]);
    stage
}

/// What became of what a process sent, in order.
fn fates(run: &Run, from: u16) -> Vec<String> {
    let sent =
        |record: &&Record<Toy>| record.process == ProcessId(from) && matches!(record.what, What::Sent { .. });
    let fate = |record: &Record<Toy>| {
        let text = line(&run.trace, record);
        text[text.find('(').unwrap() + 1..text.len() - 1].to_string()
    };
    run.trace.records().iter().filter(sent).map(fate).collect()
}

#[test]
fn a_cut_one_way_leaves_the_other() {
    let mut stage = two_talkers();
    stage.fault(15, 35, cut(these(&[0]), these(&[1]), Manner::Silent));
    let run = stage.run();
    assert_eq!(fates(&run, 0), ["11", "cut", "cut", "41", "51"]);
    assert_eq!(fates(&run, 1), ["11", "21", "31", "41", "51"]);
    let run = stage.run_until(ms(20));
    assert!(run.world.is_cut(HostId(0), HostId(1)) && !run.world.is_cut(HostId(1), HostId(0)));
    let run = stage.run_until(ms(35));
    assert!(!run.world.is_cut(HostId(0), HostId(1)));
}

#[test]
fn a_cut_both_ways_is_both() {
    let mut stage = two_talkers();
    let (from, to) = (these(&[0]), these(&[1]));
    stage.fault(15, 35, FaultKind::Cut { from, to, both_ways: true, manner: Manner::Silent });
    let run = stage.run();
    assert_eq!(fates(&run, 0), ["11", "cut", "cut", "41", "51"]);
    assert_eq!(fates(&run, 1), ["11", "cut", "cut", "41", "51"]);
}

#[test]
fn a_cut_that_refuses_tells_the_sender_when_word_is_back() {
    let mut stage = two_talkers();
    stage.links.push((1, 0, LinkSpec { delay: len(4), ..LinkSpec::default() }));
    stage.fault(15, 35, cut(these(&[0]), these(&[1]), Manner::Refused));
    let run = stage.run();
    assert_eq!(fates(&run, 0), ["11", "refused 25", "refused 35", "41", "51"]);
    let refused: Vec<String> = run.lines("a").into_iter().filter(|line| line.contains("a refused")).collect();
    assert_eq!(refused, ["25 a refused 2", "35 a refused 3"]);
    assert!(run.lines("b").iter().all(|line| !line.contains("takes 2") && !line.contains("drops")));
}

#[test]
fn what_is_under_way_when_a_cut_begins_arrives() {
    let mut stage = two_talkers();
    stage.link.delay = len(7);
    stage.fault(11, 45, cut(Side::Others, Side::Others, Manner::Silent));
    let run = stage.run();
    assert_eq!(fates(&run, 0), ["17", "cut", "cut", "cut", "57"]);
    assert!(run.lines("b").contains(&"17 b takes 1".into()));
}

#[test]
fn cuts_that_overlap_hold_until_the_last_ends_and_the_one_that_struck_first_decides() {
    let mut stage = two_talkers();
    stage.fault(15, 35, cut(these(&[0]), these(&[1]), Manner::Refused));
    stage.fault(25, 45, cut(these(&[0]), these(&[1]), Manner::Silent));
    assert_eq!(fates(&stage.run(), 0), ["11", "refused 22", "refused 32", "cut", "51"]);
    let mut stage = two_talkers();
    stage.fault(15, 35, cut(these(&[0]), these(&[1]), Manner::Silent));
    stage.fault(25, 45, cut(these(&[0]), these(&[1]), Manner::Refused));
    assert_eq!(fates(&stage.run(), 0), ["11", "cut", "cut", "refused 42", "51"]);
}

#[test]
fn a_cut_without_an_end_or_with_one_beyond_the_world_s_lasts() {
    for forever in [false, true] {
        let mut stage = two_talkers();
        let kind = cut(these(&[0]), these(&[1]), Manner::Silent);
        if forever {
            stage.fault_forever(15, kind)
        } else {
            stage.fault(15, 9_000, kind)
        };
        let run = stage.run();
        assert_eq!(fates(&run, 0), ["11", "cut", "cut", "cut", "cut"]);
        assert!(run.world.is_cut(HostId(0), HostId(1)));
    }
}

/// The directed pairs that the first fault struck, as letters.
fn pairs(run: &Run) -> Vec<String> {
    let name = |host: HostId| char::from(b'a' + host.0 as u8);
    run.struck()[0].links.iter().map(|&(from, to)| format!("{}{}", name(from), name(to))).collect()
}

#[test]
fn a_side_is_hosts_or_roles_or_all_others_and_each_link_is_struck_once() {
    let leader = Side::These(vec![Target::Role(Part::Leader)]);
    let nobody_and_b = Side::These(vec![Target::Role(Part::Follower), Target::Process(ProcessId(1))]);
    let cases = [
        (these(&[0]), these(&[1, 2]), false, "ab ac"),
        (these(&[0, 1]), Side::Others, false, "ac ad bc bd"),
        (Side::Others, these(&[3]), false, "ad bd cd"),
        (these(&[0]), Side::Others, true, "ab ba ac ca ad da"),
        (these(&[0, 1]), these(&[0, 1]), true, "ab ba"),
        (leader, Side::Others, false, "ca cb cd"),
        (nobody_and_b, these(&[0]), false, "ba"),
    ];
    for (from, to, both_ways, expected) in cases {
        let mut stage = Stage::new(4);
        stage.on(2, On::Boot, &[Act::Play(Part::Leader, 1)]);
        let text = format!("{from:?} to {to:?}");
        stage.fault(5, 9, FaultKind::Cut { from, to, both_ways, manner: Manner::Silent });
        assert_eq!(pairs(&stage.run()).join(" "), expected, "{text}");
    }
    let mut stage = Stage::new(3);
    stage.fault(5, 9, cut(Side::Others, Side::Others, Manner::Silent));
    assert_eq!(pairs(&stage.run()).len(), 6);
}

#[test]
fn a_role_s_links_stay_struck_when_somebody_else_plays_it() {
    let mut stage = two_talkers();
    let leader = || Side::These(vec![Target::Role(Part::Leader)]);
    stage.on(0, On::Message(11), &[Act::Play(Part::Leader, 1)]);
    stage.on(1, On::Timer(13), &[Act::Send(0, 13), Act::Play(Part::Leader, 2)]);
    stage.fault(15, 35, cut(leader(), Side::Others, Manner::Silent));
    stage.fault(41, 60, cut(leader(), Side::Others, Manner::Silent));
    let run = stage.run();
    assert_eq!(fates(&run, 0), ["11", "cut", "cut", "41", "51"]);
    assert_eq!(fates(&run, 1), ["11", "21", "31", "41", "cut"]);
}

#[test]
fn processes_of_one_host_reach_each_other_whatever_is_cut() {
    let mut stage = Stage::new(2);
    let sidecar = stage.beside(0);
    stage.sends(0, &[(10, sidecar, 1), (20, 0, 2)]);
    stage.fault_forever(5, cut(Side::Others, Side::Others, Manner::Silent));
    let (from, to) = (Side::Others, Side::Others);
    stage.fault_forever(5, FaultKind::Loss { from, to, both_ways: true, ratio: Ratio::new(1, 1) });
    let run = stage.run();
    assert_eq!(fates(&run, 0), ["10", "20"]);
    assert!(run.lines("a").contains(&"20 a takes 2".into()), "and itself");
    assert!(run.lines("c").contains(&"10 c takes 1".into()));
}

fn loss(ratio: Ratio) -> FaultKind<Part> {
    FaultKind::Loss { from: these(&[0]), to: these(&[1]), both_ways: false, ratio }
}

fn delay(extra: u64) -> FaultKind<Part> {
    FaultKind::Delay { from: these(&[0]), to: these(&[1]), both_ways: false, extra: len(extra) }
}

fn duplicate(ratio: Ratio) -> FaultKind<Part> {
    FaultKind::Duplicate { from: these(&[0]), to: these(&[1]), both_ways: false, ratio }
}

#[test]
fn loss_loses_without_a_word_and_a_refusal_comes_before_it() {
    let mut stage = two_talkers();
    stage.fault(15, 35, loss(Ratio::new(1, 1)));
    stage.fault(36, 45, loss(Ratio::NEVER));
    let run = stage.run();
    assert_eq!(fates(&run, 0), ["11", "lost", "lost", "41", "51"]);
    assert_eq!(fates(&run, 1), ["11", "21", "31", "41", "51"]);
    stage.fault(15, 25, cut(these(&[0]), these(&[1]), Manner::Refused));
    assert_eq!(fates(&stage.run(), 0), ["11", "refused 22", "lost", "41", "51"]);
}

#[test]
fn delays_add_up_and_let_a_later_message_overtake() {
    let mut stage = two_talkers();
    stage.fault(15, 35, delay(25));
    stage.fault(25, 35, delay(100));
    let run = stage.run();
    assert_eq!(fates(&run, 0), ["11", "46", "156", "41", "51"]);
    let taken: Vec<String> = run.lines("b").into_iter().filter(|line| line.contains("takes")).collect();
    assert_eq!(taken, ["11 b takes 1", "41 b takes 4", "46 b takes 2", "51 b takes 5", "156 b takes 3"]);
}

#[test]
fn a_duplicate_is_late_by_the_link_s_own_delay() {
    let mut stage = two_talkers();
    stage.fault(15, 35, duplicate(Ratio::new(1, 1)));
    stage.fault(25, 35, delay(3));
    let run = stage.run();
    assert_eq!(fates(&run, 0), ["11", "21 and 22", "34 and 35", "41", "51"]);
    let taken: Vec<String> = run.lines("b").into_iter().filter(|line| line.contains("takes")).collect();
    assert_eq!(taken[..3], ["11 b takes 1", "21 b takes 2", "22 b takes 2"]);
}

#[test]
fn a_link_s_own_loss_and_duplicates_come_out_as_they_say() {
    let mut stage = Stage::new(2);
    stage.horizon = SimTime::from_secs(100);
    stage.link = LinkSpec { loss: Ratio::new(1, 4), duplicate: Ratio::new(1, 10), ..stage.link };
    stage.on(0, On::Boot, &[Act::Arm(1, 10)]);
    stage.on(0, On::Timer(1), &[Act::Send(1, 1), Act::Arm(1, 10)]);
    let fates = fates(&stage.run(), 0);
    let count = |what: &str| fates.iter().filter(|fate| fate.contains(what)).count();
    assert_eq!(fates.len(), 10_000);
    assert!((2_350..2_650).contains(&count("lost")), "{} lost", count("lost"));
    assert!((670..830).contains(&count("and")), "{} twice", count("and"));
}

#[test]
fn a_link_of_its_own_differs_in_its_direction_alone_and_the_last_word_counts() {
    let mut stage = two_talkers();
    stage.links.push((0, 1, LinkSpec { delay: len(9), ..LinkSpec::default() }));
    stage.links.push((0, 1, LinkSpec { delay: len(5), ..LinkSpec::default() }));
    let run = stage.run();
    assert_eq!(fates(&run, 0)[0], "15");
    assert_eq!(fates(&run, 1)[0], "11");
}
