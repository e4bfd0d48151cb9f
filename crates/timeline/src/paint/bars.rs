//! Reigns, leases, beliefs, waits and stop times.

use super::pen::{self, wedge};
use super::{Pen, Tint};
use crate::{BeliefPiece, Layout, Notch, NotchKind, Point, Rect, Standing};

pub(super) fn reigns(pen: &mut dyn Pen, layout: &Layout) {
    for band in &layout.reigns {
        pen.fill_round(&band.rect, 3.0, Tint::AccentWash);
        let edge = Rect { w: band.rect.w.min(2.5), ..band.rect };
        pen.fill(&edge, Tint::Accent);
    }
}

pub(super) fn leases(pen: &mut dyn Pen, layout: &Layout) {
    for bar in &layout.leases {
        pen.fill_round(&bar.rect, 2.0, Tint::wash(bar.hue));
    }
    for notch in &layout.notches {
        let colour = Tint::of(notch.hue);
        match notch.kind {
            NotchKind::Renewal => upright(pen, notch, 1.5, colour),
            NotchKind::Restart => {
                upright(pen, notch, 1.5, colour);
                let (x, y) = (notch.x, notch.top - 1.0);
                pen.shape(&wedge(x, y - 3.5, 3.5, 5.0), colour);
            }
            NotchKind::Deadline => pen.dashed(2.0, 1.5, |pen| upright(pen, notch, 1.0, colour)),
            NotchKind::Stop => {}
        }
    }
}

fn upright(pen: &mut dyn Pen, notch: &Notch, width: f64, colour: Tint) {
    pen.line(&pen::upright(notch.x, notch.top, notch.bottom), width, colour);
}

pub(super) fn beliefs(pen: &mut dyn Pen, layout: &Layout) {
    for piece in &layout.beliefs {
        match piece.standing {
            Standing::Sound => pen.fill_round(&piece.rect, 3.0, Tint::of(piece.hue)),
            Standing::PastStop => past_stop(pen, piece),
            Standing::Outlived => {}
        }
    }
}

/// Still held, but the holder may not act any more: an outline, hatched.
fn past_stop(pen: &mut dyn Pen, piece: &BeliefPiece) {
    let colour = Tint::of(piece.hue);
    pen.fill_round(&piece.rect, 3.0, Tint::wash(piece.hue));
    pen.hatch(&piece.rect, 5.0, 1.2, colour);
    pen.stroke_round(&piece.rect, 3.0, 1.2, colour);
}

/// Believed in, though the authority has ended it: the loudest thing on the lane, above the pause that may be why.
pub(super) fn outlived(pen: &mut dyn Pen, layout: &Layout) {
    for piece in layout.beliefs.iter().filter(|piece| piece.standing == Standing::Outlived) {
        pen.fill_round(&piece.rect, 3.0, Tint::Bad);
        pen.faint(0.22, |pen| pen.hatch(&piece.rect, 7.0, 2.0, Tint::OnHue));
    }
}

pub(super) fn waits(pen: &mut dyn Pen, layout: &Layout) {
    for wait in &layout.waits {
        let (from, to) = (Point { x: wait.x0, y: wait.y }, Point { x: wait.x1, y: wait.y });
        pen.dashed(2.0, 4.0, |pen| pen.line(&[from, to], 1.5, Tint::of(wait.hue)));
    }
}

/// Stop times lie above the blocks: whether a pause goes past one is the question.
pub(super) fn stops(pen: &mut dyn Pen, layout: &Layout) {
    for notch in layout.notches.iter().filter(|notch| notch.kind == NotchKind::Stop) {
        let colour = Tint::Ink;
        upright(pen, notch, 1.5, colour);
        let (x, y) = (notch.x, notch.top);
        pen.shape(&wedge(x, y - 5.0, 4.0, 6.0), colour);
    }
}
