//! The picture of the billing story as it is told in the reference, and of shapes that it does not have.

use kernel::{FaultId, HostId, ProcessId, SimTime};
use scenario::facts::{Block, Facts, Struck};
use scenario::{Cast, Group, Member};

use crate::*;

const fn ms(millis: u64) -> SimTime {
    SimTime::from_millis(millis)
}

fn billing(width: f64) -> Layout {
    fixture::with_scene(|scene| layout(scene, &Options::for_width(width)))
}

/// A cast of so many workers on hosts of two, with a pause each.
fn crowd(workers: u16) -> (Cast, Facts) {
    let members = (0..workers).map(|nth| Member {
        process: ProcessId(nth),
        name: format!("w{nth}").into(),
        host: HostId(nth / 2),
        group: Group::Workers,
    });
    let pauses =
        (0..workers).map(|nth| fixture::fault(&format!("p{nth}"), "pause", "pause", 1_000, Some(9_000)));
    let blocks = (0..workers).map(|nth| Block {
        fault: FaultId(nth),
        struck: Struck::Processes(vec![ProcessId(nth)]),
        from: ms(1_000),
        until: Some(ms(10_000)),
        record: kernel::RecordId::NONE,
    });
    let beliefs = (0..workers)
        .map(|nth| fixture::belief(ProcessId(nth), nth.into(), ms(500), &[(500, 8_000)], Some(ms(10_010))));
    let facts = Facts { blocks: blocks.collect(), beliefs: beliefs.collect(), ..Facts::default() };
    let hosts = (0..workers.div_ceil(2)).map(|nth| format!("h{nth}").into()).collect();
    (
        Cast {
            copies: 1,
            members: members.collect(),
            hosts,
            faults: pauses.collect(),
            protects: Vec::new(),
            stores: Vec::new(),
            sidecars: Vec::new(),
            journals: Vec::new(),
        },
        facts,
    )
}

fn boxes_of(labels: &[Label]) -> Vec<Rect> {
    let half = |label: &Label| label.style.font().0 / 2.0;
    labels
        .iter()
        .map(|label| Rect {
            x: label.at.x,
            y: label.at.y - half(label),
            w: text_width(&label.text, label.style),
            h: 2.0 * half(label),
        })
        .collect()
}

fn labels_that_overlap(layout: &Layout) -> Vec<(&str, &str)> {
    let boxes = boxes_of(&layout.labels);
    let mut overlaps = Vec::new();
    for (nth, one) in boxes.iter().enumerate() {
        for (other, another) in boxes.iter().enumerate().skip(nth + 1) {
            if one.overlaps(another) {
                overlaps.push((layout.labels[nth].text.as_str(), layout.labels[other].text.as_str()));
            }
        }
    }
    overlaps
}

#[test]
fn the_billing_story_by_hand() {
    fixture::with_scene(|scene| {
        let layout = layout(scene, &Options::for_width(1_000.0));
        insta::assert_snapshot!(describe(scene, &layout));
    });
}

#[test]
fn a_belief_that_outlives_its_record_is_said_in_words() {
    let layout = billing(1_000.0);
    let outlived: Vec<&BeliefPiece> =
        layout.beliefs.iter().filter(|piece| piece.standing == Standing::Outlived).collect();
    assert_eq!(outlived.len(), 1, "A's, from 13.0 s to 19.06 s");
    assert_eq!(layout.scale.at(outlived[0].rect.x), ms(13_000));
    assert!(layout.labels.iter().any(|label| label.text == "thinks it holds"));
}

#[test]
fn no_two_labels_cover_each_other_at_any_width() {
    for width in [360.0, 390.0, 640.0, 760.0, 1_000.0, 1_400.0] {
        assert_eq!(labels_that_overlap(&billing(width)), [], "at {width} px");
    }
}

#[test]
fn a_stale_write_is_drawn_below_the_fence_that_refused_it() {
    let layout = billing(1_000.0);
    let refused = layout.marks.iter().find(|mark| mark.tone == MarkTone::Stopped).expect("it was refused");
    let fence =
        layout.fences[0].corners.iter().rfind(|corner| corner.x <= refused.centre.x).expect("a fence");
    assert!(refused.centre.y > fence.y);
    assert_eq!(refused.origin.map(|origin| layout.scale.at(origin.x)), Some(ms(19_040)));
}

#[test]
fn a_pause_is_taken_by_its_body_and_by_its_edges() {
    let layout = billing(1_000.0);
    let pause = layout.block(FaultId(0)).expect("it struck").main;
    let y = pause.centre().y;
    let at = |x: f64, reach: f64| layout.hit(Point { x, y }, reach, None);
    let hit = |part| Some(Hit::Fault(FaultId(0), part));
    assert_eq!(at(pause.centre().x, reach::FINE), hit(Part::Body));
    assert_eq!(at(pause.x - 4.0, reach::FINE), hit(Part::Start), "just outside counts");
    assert_eq!(at(pause.x + 4.0, reach::FINE), hit(Part::Start));
    assert_eq!(at(pause.right() + 15.0, reach::COARSE), hit(Part::End), "a finger reaches further");
    assert_eq!(at(pause.right() + 15.0, reach::FINE), Some(Hit::Lane(3)));
}

#[test]
fn a_short_pause_keeps_a_body() {
    let (cast, mut facts) = crowd(1);
    facts.blocks[0].until = Some(ms(1_300));
    let scene = Scene { cast: &cast, facts: &facts, horizon: fixture::HORIZON };
    let layout = layout(&scene, &Options::for_width(1_000.0));
    let main = layout.blocks[0].main;
    assert!(main.w < 5.0);
    assert_eq!(layout.hit(main.centre(), reach::COARSE, None), Some(Hit::Fault(FaultId(0), Part::Body)));
}

#[test]
fn an_instant_has_no_edges() {
    let layout = billing(1_000.0);
    let step = layout.block(FaultId(1)).expect("it struck");
    assert!(!step.stretches);
    let left = Point { x: step.main.x - 3.0, y: step.main.centre().y };
    assert_eq!(layout.hit(left, reach::FINE, None), Some(Hit::Fault(FaultId(1), Part::Body)));
}

#[test]
fn the_axis_and_the_playhead_are_taken_where_no_fault_is() {
    let layout = billing(1_000.0);
    let playhead = Some(ms(35_000));
    let x = layout.scale.x(ms(35_000));
    let y = layout.lanes[2].rect.centre().y;
    assert_eq!(layout.hit(Point { x, y: 10.0 }, reach::FINE, playhead), Some(Hit::Axis));
    assert_eq!(layout.hit(Point { x: x + 2.0, y }, reach::FINE, playhead), Some(Hit::Playhead));
    assert_eq!(layout.hit(Point { x: x + 20.0, y }, reach::FINE, playhead), Some(Hit::Lane(2)));
    assert_eq!(layout.hit(Point { x: 3.0, y }, reach::FINE, playhead), None, "the captions are no place");
    let write = layout.marks.iter().position(|mark| mark.at == ms(14_000)).expect("B's chunk 2");
    assert_eq!(layout.hit(layout.marks[write].centre, reach::FINE, playhead), Some(Hit::Mark(write)));
}

#[test]
fn a_cut_off_host_has_the_block_and_the_others_have_strips() {
    let (cast, mut facts) = crowd(6);
    let (lonely, others) = (HostId(0), [HostId(1), HostId(2)]);
    let links = others.iter().flat_map(|other| [(lonely, *other), (*other, lonely)]).collect();
    facts.blocks = vec![Block { struck: Struck::Links(links), ..facts.blocks[0].clone() }];
    let scene = Scene { cast: &cast, facts: &facts, horizon: fixture::HORIZON };
    let layout = layout(&scene, &Options::for_width(1_000.0));
    let forms: Vec<PieceForm> = layout.pieces.iter().map(|piece| piece.form).collect();
    use PieceForm::{Full, Strip, Tie};
    assert_eq!(forms, [Full, Strip, Strip, Strip, Strip, Tie, Tie]);
    assert_eq!(layout.blocks[0].main, layout.pieces[0].rect);
    assert_eq!(
        layout.pieces[0].rect.bottom(),
        layout.lanes[1].rect.bottom(),
        "both lanes of the host in one block"
    );
}

#[test]
fn sixty_lanes_lie_one_below_the_other_and_say_who_shares_a_host() {
    let (cast, facts) = crowd(60);
    let scene = Scene { cast: &cast, facts: &facts, horizon: fixture::HORIZON };
    for width in [390.0, 1_000.0] {
        let layout = layout(&scene, &Options::for_width(width));
        assert_eq!(layout.lanes.len(), 60);
        assert!(layout.lanes.windows(2).all(|pair| pair[0].rect.bottom() < pair[1].rect.y));
        assert!(layout.height < 3_400.0, "{}", layout.height);
        assert_eq!(layout.hosts.len(), 30);
        assert_eq!(labels_that_overlap(&layout), []);
    }
}

#[test]
fn a_view_of_a_part_leaves_out_what_is_not_in_it() {
    fixture::with_scene(|scene| {
        let options =
            Options { view: Some(View { from: ms(18_000), to: ms(22_000) }), ..Options::for_width(1_000.0) };
        let layout = layout(scene, &options);
        let at: Vec<SimTime> = layout.marks.iter().map(|mark| mark.at).collect();
        assert_eq!(at, [ms(19_050), ms(20_000)]);
        assert_eq!(layout.blocks.len(), 2, "A's pause and B's crash");
        assert_eq!(layout.block(FaultId(0)).map(|pause| pause.main.x), Some(layout.scale.left()));
    });
}

#[test]
fn a_fault_that_struck_nobody_has_no_block() {
    let (cast, mut facts) = crowd(2);
    facts.blocks[0].struck = Struck::Nobody;
    let scene = Scene { cast: &cast, facts: &facts, horizon: fixture::HORIZON };
    let layout = layout(&scene, &Options::for_width(1_000.0));
    assert_eq!(layout.block(FaultId(0)), None);
    assert!(layout.block(FaultId(1)).is_some());
}

#[test]
fn captions_say_how_a_process_was_at_the_playhead() {
    fixture::with_scene(|scene| {
        let said = |process, at| caption(scene, process, ms(at));
        assert_eq!(said(fixture::N1, 0), "leader · term 4");
        assert_eq!(said(fixture::N2, 48_000), "follower");
        assert_eq!(said(fixture::N1, 50_000), "down");
        assert_eq!(said(fixture::A, 3_000), "holds · token 7");
        assert_eq!(said(fixture::A, 10_000), "paused");
        assert_eq!(said(fixture::C, 10_000), "");
        assert_eq!(said(fixture::BILLING, 14_000), "fence 12 · running");
        assert_eq!(said(fixture::SWEEPER, 14_000), "");
    });
}

#[test]
fn tips_tell_a_mark_in_a_sentence() {
    fixture::with_scene(|scene| {
        let layout = layout(scene, &Options::for_width(1_000.0));
        let tips: Vec<String> = layout.marks.iter().map(|mark| tip(scene, mark)).collect();
        assert!(tips.contains(
            &"19.05 s: A writes chunk 2 (5,000 effects) with token 7: 7 < 12, refused".to_string()
        ));
        assert!(tips.contains(&"3.9 s: A checks its stop time, and goes on".to_string()));
    });
}
