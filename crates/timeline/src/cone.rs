//! What can have led to a happening, and what it can have led to: along messages and each process's own steps, not by the
//! clock. And the messages themselves, as lines between lanes.

use kernel::{Fate, ProcessId, Record, RecordId, SimTime, What};
use scenario::Play;
use scenario::story::Story;

use crate::Point;
use crate::layout::{Lane, Layout};

/// A happening's past and future on a layout.
#[derive(Clone, PartialEq, Debug)]
pub struct Cone {
    /// Where it happened.
    pub at: Point,
    /// For each lane, up to where what happened on it can have led here; `None`: nothing on it can.
    pub past: Vec<Option<f64>>,
    /// For each lane, from where what happens on it can follow from here; `None`: nothing on it can.
    pub future: Vec<Option<f64>>,
    /// The message by which the last that each lane could tell came here, and the first that each heard of it.
    pub arrows: Vec<Arrow>,
}

/// A message, from where it was sent to where it arrived or was lost.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Arrow {
    /// Where it was sent.
    pub from: Point,
    /// Where it arrived; halfway there when it did not.
    pub to: Point,
    /// Whether it arrived.
    pub arrives: bool,
}

/// The cone of a record; `None` for one that happened to nobody.
pub fn cone(play: &Play, layout: &Layout, record: RecordId) -> Option<Cone> {
    let records = play.trace.records();
    let here = play.trace.get(record)?;
    let own = layout.lane_of(here.process)?;
    let at = Point { x: layout.scale.x(here.at), y: middle(&layout.lanes[own]) };
    let mut cone = Cone {
        at,
        past: vec![None; layout.lanes.len()],
        future: vec![None; layout.lanes.len()],
        arrows: Vec::new(),
    };
    let past = play.trace.past(record);
    for id in past.iter().rev().filter_map(|id| id.index()) {
        let Some(lane) = layout.lane_of(records[id].process).filter(|lane| cone.past[*lane].is_none()) else {
            continue;
        };
        cone.past[lane] = Some(layout.scale.x(records[id].at));
        if lane != own {
            cone.arrows.extend(arrow(layout, &records[id]));
        }
    }
    let future = play.trace.future(record);
    for id in future.iter().filter_map(|id| id.index()) {
        let Some(lane) = layout.lane_of(records[id].process).filter(|lane| cone.future[*lane].is_none())
        else {
            continue;
        };
        cone.future[lane] = Some(layout.scale.x(records[id].at));
        let cause = records[id].cause.index().and_then(|cause| records.get(cause));
        if lane != own {
            cone.arrows.extend(cause.and_then(|cause| arrow(layout, cause)));
        }
    }
    cone.past[own] = Some(at.x);
    cone.future[own] = Some(at.x);
    Some(cone)
}

/// All messages that are on their way within the view; of very many the first.
pub fn messages(play: &Play, layout: &Layout) -> Vec<Arrow> {
    let (from, to) = (layout.scale.from(), layout.scale.to());
    let in_view = |record: &&Record<Story>| record.at <= to && arrival(record).is_some_and(|at| at >= from);
    play.trace
        .records()
        .iter()
        .filter(in_view)
        .filter_map(|record| arrow(layout, record))
        .take(MESSAGES_MAX)
        .collect()
}

/// More lines than this are a carpet.
const MESSAGES_MAX: usize = 6_000;

/// When a message arrives, or when it would be looked for in vain; `None` for what is no message.
fn arrival(record: &Record<Story>) -> Option<SimTime> {
    let What::Sent { fate, .. } = &record.what else { return None };
    Some(match fate {
        Fate::Arrives(at) | Fate::ArrivesTwice(at, _) | Fate::Refused(at) => *at,
        Fate::Lost | Fate::Cut => record.at,
    })
}

fn arrow(layout: &Layout, record: &Record<Story>) -> Option<Arrow> {
    let What::Sent { to, fate, .. } = &record.what else { return None };
    let place = |process: ProcessId| layout.lanes.get(layout.lane_of(process)?);
    let (here, there) = (place(record.process)?, place(*to)?);
    let from = Point { x: layout.scale.x(record.at), y: middle(here) };
    let whole =
        |at: SimTime| Arrow { from, to: Point { x: layout.scale.x(at), y: middle(there) }, arrives: true };
    Some(match fate {
        Fate::Arrives(at) | Fate::ArrivesTwice(at, _) => whole(*at),
        Fate::Refused(_) | Fate::Lost | Fate::Cut => {
            let halfway = from.y + (middle(there) - from.y) / 2.0;
            Arrow { from, to: Point { x: from.x, y: halfway }, arrives: false }
        }
    })
}

fn middle(lane: &Lane) -> f64 {
    lane.rect.y + lane.rect.h / 2.0
}
