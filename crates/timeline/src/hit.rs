//! What is under a pointer.

use kernel::{FaultId, SimTime};

use crate::layout::{Block, Layout, PieceForm};
use crate::{Point, Rect};

/// Which part of a fault's block.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Part {
    /// The whole of it: moves it.
    Body,
    /// Its left edge: it begins earlier or later, and ends when it did.
    Start,
    /// Its right edge: it ends earlier or later.
    End,
}

/// What is under a pointer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Hit {
    /// A fault's block.
    Fault(FaultId, Part),
    /// The playhead's line.
    Playhead,
    /// A mark, by its place in `layout.marks`.
    Mark(usize),
    /// A length of a lease, by its place in `layout.grips`.
    Grip(usize),
    /// The axis.
    Axis,
    /// A lane, by its place, and nothing on it.
    Lane(usize),
}

/// How far from a thing a pointer may be and still mean it.
pub mod reach {
    /// For a mouse or a pen.
    pub const FINE: f64 = 6.0;
    /// For a finger.
    pub const COARSE: f64 = 20.0;
}

impl Layout {
    /// What is at a point, for a pointer that reaches so far. Edges of faults come first, then
    /// what of a lease can be pulled, the rest of faults, the axis, marks, the playhead.
    pub fn hit(&self, p: Point, reach: f64, playhead: Option<SimTime>) -> Option<Hit> {
        let fault = self.fault_at(p, reach);
        let by_its_edge = fault.is_some_and(|(fault, part)| {
            part != Part::Body || self.block(fault).is_some_and(|block| !block.stretches)
        });
        if let Some((fault, part)) = fault.filter(|_| by_its_edge) {
            return Some(Hit::Fault(fault, part));
        }
        // A stop time is most telling within a pause: who points at its thin line means that, a finger means the pause.
        if reach < reach::COARSE
            && let Some(grip) = self.grip_at(p, reach * 0.6)
            && self.mark_at(p, reach).is_none_or(|mark| {
                let centre = self.marks[mark].centre;
                (self.grips[grip].x - p.x).abs() < (centre.x - p.x).hypot(centre.y - p.y)
            })
        {
            return Some(Hit::Grip(grip));
        }
        if let Some((fault, part)) = fault {
            return Some(Hit::Fault(fault, part));
        }
        if self.axis.grown(reach, 0.0).contains(p) {
            return Some(Hit::Axis);
        }
        let on_playhead = playhead.is_some_and(|at| (self.scale.x(at) - p.x).abs() <= reach * 0.6);
        if let Some(mark) = self.mark_at(p, reach) {
            return Some(Hit::Mark(mark));
        }
        if on_playhead && self.plot.contains(p) {
            return Some(Hit::Playhead);
        }
        self.lanes.iter().position(|lane| lane.rect.contains(p)).map(Hit::Lane)
    }

    /// The mark at a point: of those within reach the nearest.
    pub fn mark_at(&self, p: Point, reach: f64) -> Option<usize> {
        let distance = |place: usize| {
            let mark = &self.marks[place];
            (mark.centre.x - p.x).hypot(mark.centre.y - p.y) - mark.radius
        };
        (0..self.marks.len())
            .filter(|place| distance(*place) <= reach * 0.7)
            .min_by(|a, b| distance(*a).total_cmp(&distance(*b)))
    }

    /// The fault at a point: of those within reach the nearest, the foremost of equals.
    pub fn fault_at(&self, p: Point, reach: f64) -> Option<(FaultId, Part)> {
        let mut best: Option<(f64, &Block, Rect)> = None;
        for block in &self.blocks {
            for piece in self.pieces[block.pieces.clone()].iter().filter(|piece| piece.form != PieceForm::Tie)
            {
                let low = (2.0 * reach - piece.rect.h).max(0.0) / 2.0;
                let around = piece.rect.grown(reach, low.min(reach));
                let distance = piece.rect.distance(p);
                if around.contains(p) && best.is_none_or(|(least, _, _)| distance <= least) {
                    best = Some((distance, block, piece.rect));
                }
            }
        }
        let (_, block, rect) = best?;
        Some((block.fault, block.part(rect, p.x, reach)))
    }
}

impl Block {
    /// Which part a pointer takes hold of: near an edge the edge, but the middle third stays the body.
    fn part(&self, rect: Rect, x: f64, reach: f64) -> Part {
        if !self.stretches {
            return Part::Body;
        }
        let inner = reach.min(rect.w / 3.0);
        if x < rect.x + inner {
            Part::Start
        } else if x > rect.right() - inner {
            Part::End
        } else {
            Part::Body
        }
    }
}
