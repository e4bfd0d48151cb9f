//! Reigns, leases, beliefs, waits and stop times.

use timeline::{BeliefPiece, Layout, Notch, NotchKind, Point, Rect, Standing};

use super::pen::Pen;

pub(super) fn reigns(pen: &Pen<'_>, layout: &Layout) {
    for band in &layout.reigns {
        pen.fill_round(&band.rect, 3.0, &pen.palette.accent_wash);
        let edge = Rect { w: band.rect.w.min(2.5), ..band.rect };
        pen.fill(&edge, &pen.palette.accent);
    }
}

pub(super) fn leases(pen: &Pen<'_>, layout: &Layout) {
    for bar in &layout.leases {
        pen.fill_round(&bar.rect, 2.0, pen.wash(bar.hue));
    }
    for notch in &layout.notches {
        let colour = pen.hue(notch.hue);
        match notch.kind {
            NotchKind::Renewal => upright(pen, notch, 1.5, colour),
            NotchKind::Restart => {
                upright(pen, notch, 1.5, colour);
                let (x, y) = (notch.x, notch.top - 1.0);
                pen.shape(&[(x - 3.5, y - 3.5), (x + 3.5, y - 3.5), (x, y + 1.5)], colour);
            }
            NotchKind::Deadline => pen.dashed(2.0, 1.5, || upright(pen, notch, 1.0, colour)),
            NotchKind::Stop => {}
        }
    }
}

fn upright(pen: &Pen<'_>, notch: &Notch, width: f64, colour: &str) {
    let (top, bottom) = (Point { x: notch.x, y: notch.top }, Point { x: notch.x, y: notch.bottom });
    pen.line(top, bottom, width, colour);
}

pub(super) fn beliefs(pen: &Pen<'_>, layout: &Layout) {
    for piece in &layout.beliefs {
        match piece.standing {
            Standing::Sound => pen.fill_round(&piece.rect, 3.0, pen.hue(piece.hue)),
            Standing::PastStop => past_stop(pen, piece),
            Standing::Outlived => {}
        }
    }
}

/// Still held, but the holder may not act any more: an outline, hatched.
fn past_stop(pen: &Pen<'_>, piece: &BeliefPiece) {
    let colour = pen.hue(piece.hue);
    pen.fill_round(&piece.rect, 3.0, pen.wash(piece.hue));
    pen.hatch(&piece.rect, 5.0, 1.2, colour);
    pen.stroke_round(&piece.rect, 3.0, 1.2, colour);
}

/// Believed in, though the authority has ended it: the loudest thing on the lane, above the pause that may be why.
pub(super) fn outlived(pen: &Pen<'_>, layout: &Layout) {
    for piece in layout.beliefs.iter().filter(|piece| piece.standing == Standing::Outlived) {
        pen.fill_round(&piece.rect, 3.0, &pen.palette.bad);
        pen.faint(0.22, || pen.hatch(&piece.rect, 7.0, 2.0, &pen.palette.on_hue));
    }
}

pub(super) fn waits(pen: &Pen<'_>, layout: &Layout) {
    for wait in &layout.waits {
        let (from, to) = (Point { x: wait.x0, y: wait.y }, Point { x: wait.x1, y: wait.y });
        pen.dashed(2.0, 4.0, || pen.line(from, to, 1.5, pen.hue(wait.hue)));
    }
}

/// Stop times lie above the blocks: whether a pause goes past one is the question.
pub(super) fn stops(pen: &Pen<'_>, layout: &Layout) {
    for notch in layout.notches.iter().filter(|notch| notch.kind == NotchKind::Stop) {
        let colour = &pen.palette.ink;
        upright(pen, notch, 1.5, colour);
        let (x, y) = (notch.x, notch.top);
        pen.shape(&[(x - 4.0, y - 5.0), (x + 4.0, y - 5.0), (x, y + 1.0)], colour);
    }
}
