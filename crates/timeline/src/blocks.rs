//! Faults as blocks that a hand can take hold of.

use kernel::{HostId, ProcessId, SimTime};

use scenario::document::text::length;
use scenario::facts::{self, Struck};

use crate::draft::{Draft, insert};
use crate::labels::{LabelStyle, Obstacle};
use crate::layout::{Block, Hue, Piece, PieceForm};
use crate::{FaultWord, Point, Rect};

pub(crate) fn add(draft: &mut Draft<'_>) {
    for block in &draft.scene.facts.blocks {
        self::block(draft, block);
    }
}

/// How high the strip of a link fault or a clock fault is.
const STRIP: f64 = 8.0;
/// Half the width that an edge takes, and how far down a lane the names of faults reach.
const EDGE: f64 = 3.5;
const NAMES: f64 = 17.0;
/// Half the width of a mark at an instant.
const POINT: f64 = 6.0;

fn block(draft: &mut Draft<'_>, struck: &facts::Block) {
    let Some(card) = draft.scene.cast.faults.get(usize::from(struck.fault.0)) else { return };
    let Some(word) = FaultWord::of(card.kind) else { return };
    let until = struck.until.unwrap_or(draft.scene.horizon);
    let instant = word.is_instant();
    let Some((x0, x1)) = draft.stretch(struck.from, if instant { struck.from } else { until }) else {
        return;
    };
    let first = draft.layout.pieces.len();
    let name_lane = match &struck.struck {
        Struck::Processes(processes) if instant => {
            let place = processes.first().and_then(|process| draft.lanes.of(*process));
            let host = place.map(|(_, lane)| lane.host);
            host.and_then(|host| points(draft, host, x0))
        }
        Struck::Processes(processes) => full(draft, processes, x0, x1),
        Struck::Host(host) if instant => points(draft, *host, x0),
        Struck::Host(host) if word == FaultWord::ClockRate => strips(draft, &[*host], x0, x1),
        Struck::Host(host) => {
            let processes = on_host(draft, *host);
            full(draft, &processes, x0, x1)
        }
        Struck::Links(links) => self::links(draft, links, x0, x1),
        Struck::Nobody => None,
    };
    let Some(lane) = name_lane else { return };
    let main = draft.layout.pieces[first].rect;
    if !instant {
        edges(draft, lane, main);
    }
    let pieces = first..draft.layout.pieces.len();
    label(draft, lane, struck, word, main, until);
    draft.layout.blocks.push(Block {
        fault: struck.fault,
        word,
        from: struck.from,
        until: struck.until,
        pieces,
        main,
        stretches: !instant,
        anchor: card.after.as_ref().map(|(_, plus)| {
            let waited = struck.from.since(SimTime::ZERO).less(*plus);
            draft.layout.scale.x_within(SimTime::ZERO + waited)
        }),
    });
}

/// No name of a fault lies across the edge of another.
fn edges(draft: &mut Draft<'_>, lane: usize, main: Rect) {
    for x in [main.x, main.right()] {
        let rect = Rect { x: x - EDGE, y: main.y, w: 2.0 * EDGE, h: main.h.min(NAMES) };
        draft.obstacles.push(Obstacle { lane, rect });
    }
}

fn on_host(draft: &Draft<'_>, host: HostId) -> Vec<ProcessId> {
    let lanes = draft.lanes.lanes.iter().filter(|lane| lane.host == host);
    lanes.map(|lane| lane.process).collect()
}

/// A block over the lanes of these processes; neighbouring lanes share one.
fn full(draft: &mut Draft<'_>, processes: &[ProcessId], x0: f64, x1: f64) -> Option<usize> {
    let mut places: Vec<usize> = Vec::new();
    for (place, _) in processes.iter().filter_map(|process| draft.lanes.of(*process)) {
        insert(&mut places, place);
    }
    let mut before: Option<usize> = None;
    for place in &places {
        let lane = &draft.lanes.lanes[*place];
        let rect = Rect::span(x0, lane.rect.y, x1, lane.rect.bottom());
        let joins = before.is_some_and(|before| {
            before + 1 == *place
                && draft.lanes.lanes[before].group == lane.group
                && lane.caption.x < lane.rect.x
        });
        match draft.layout.pieces.last_mut().filter(|_| joins) {
            Some(piece) => piece.rect = piece.rect.with(&rect),
            None => draft.layout.pieces.push(Piece { rect, form: PieceForm::Full }),
        }
        before = Some(*place);
    }
    places.first().copied()
}

/// A mark on each lane of a host whose wall clock is set.
fn points(draft: &mut Draft<'_>, host: HostId, x: f64) -> Option<usize> {
    let height = draft.sizes.worker_rows.lease.0;
    let mut first = None;
    for place in 0..draft.lanes.lanes.len() {
        let lane = &draft.lanes.lanes[place];
        if lane.host != host {
            continue;
        }
        let rect =
            Rect { x: x - POINT, y: lane.rect.y + 1.0, w: 2.0 * POINT, h: height.min(lane.rect.h) - 2.0 };
        draft.layout.pieces.push(Piece { rect, form: PieceForm::Point });
        first.get_or_insert(place);
    }
    first
}

/// A strip along the foot of each lane of these hosts, tied together at both ends.
fn strips(draft: &mut Draft<'_>, hosts: &[HostId], x0: f64, x1: f64) -> Option<usize> {
    let mut first = None;
    for place in 0..draft.lanes.lanes.len() {
        let lane = &draft.lanes.lanes[place];
        if !hosts.contains(&lane.host) {
            continue;
        }
        let bottom = lane.rect.bottom();
        let rect = Rect::span(x0, bottom - STRIP, x1, bottom);
        draft.layout.pieces.push(Piece { rect, form: PieceForm::Strip });
        first.get_or_insert(place);
    }
    first
}

/// A link fault: a block on the one host that all its links have in common, strips on the others, and ties between.
fn links(draft: &mut Draft<'_>, links: &[(HostId, HostId)], x0: f64, x1: f64) -> Option<usize> {
    let mut hosts: Vec<HostId> = Vec::new();
    for host in links.iter().flat_map(|(from, to)| [*from, *to]) {
        insert(&mut hosts, host);
    }
    let hub = hosts.iter().copied().find(|host| links.iter().all(|(from, to)| from == host || to == host));
    let begin = draft.layout.pieces.len();
    let mut lane = None;
    if let Some(hub) = hub.filter(|_| hosts.len() > 2) {
        let processes = on_host(draft, hub);
        lane = full(draft, &processes, x0, x1);
        hosts.retain(|host| *host != hub);
    }
    let strip_lane = strips(draft, &hosts, x0, x1);
    let pieces = &draft.layout.pieces[begin..];
    let around = pieces.iter().map(|piece| piece.rect).reduce(|around, rect| around.with(&rect))?;
    for x in [x0, x1] {
        let rect = Rect::span(x - 0.5, around.y, x + 0.5, around.bottom());
        draft.layout.pieces.push(Piece { rect, form: PieceForm::Tie });
    }
    lane.or(strip_lane)
}

fn label(
    draft: &mut Draft<'_>,
    lane: usize,
    struck: &facts::Block,
    word: FaultWord,
    main: Rect,
    until: SimTime,
) {
    let Some(card) = draft.scene.cast.faults.get(usize::from(struck.fault.0)) else { return };
    let name = card.label.clone();
    let long = match struck.until {
        Some(_) if !word.is_instant() => format!("{name} {}", length(until.since(struck.from))),
        Some(_) | None => name.clone(),
    };
    let strip = main.h <= STRIP + 1.0;
    let row = draft.lanes.lanes[lane].rect;
    let y = match () {
        () if strip => main.y - 7.0,
        () if row.h > 30.0 => row.y + 10.0,
        () => row.centre().y,
    };
    let width = draft.text_width(&long, LabelStyle::Fault);
    let short = draft.text_width(&name, LabelStyle::Fault);
    let room = main.w - 2.0 * 8.0;
    let (text, width) = if width <= room || short > room { (long, width) } else { (name, short) };
    let inside = (width <= room || strip).then_some(Point { x: main.x + 8.0, y });
    let places = [
        inside.or(Some(Point { x: main.right() + 5.0, y })),
        Some(Point { x: main.x - 5.0 - width, y }),
        inside.map(|at| Point { x: main.right() - 8.0 - width, y: at.y }),
    ];
    draft.wish(lane, text, LabelStyle::Fault, Hue::Plain, places, 0);
}
