//! Faults as blocks, with handles where a hand can stretch them.

use kernel::FaultId;

use super::pen::{upright, wedge};
use super::{Pen, Tint};
use crate::{Block, FaultWord, Layout, PieceForm, Point, Rect};

pub(super) fn paint(pen: &mut dyn Pen, layout: &Layout, looked_at: Option<FaultId>) {
    for block in &layout.blocks {
        let strong = looked_at == Some(block.fault);
        let colours = Colours::of(block.word);
        for piece in layout.pieces.get(block.pieces.clone()).unwrap_or_default() {
            match piece.form {
                PieceForm::Full => full(pen, &piece.rect, &colours, strong),
                PieceForm::Strip => strip(pen, &piece.rect, &colours, strong),
                PieceForm::Point => point(pen, &piece.rect, &colours, strong),
                PieceForm::Tie => tie(pen, &piece.rect, &colours),
            }
        }
        if let Some(x) = block.anchor {
            anchor(pen, block, x, &colours);
        }
        if block.stretches {
            handles(pen, layout, block, &colours, strong);
        }
    }
}

struct Colours {
    line: Tint,
    wash: Tint,
    grip: Tint,
}

impl Colours {
    /// Red for what loses something; grey for what only holds it up.
    fn of(word: FaultWord) -> Self {
        match word {
            FaultWord::Crash
            | FaultWord::Restore
            | FaultWord::PowerOff
            | FaultWord::Cut
            | FaultWord::Loss
            | FaultWord::DiskLoss => Self { line: Tint::Bad, wash: Tint::BadWash, grip: Tint::Bad },
            FaultWord::Pause
            | FaultWord::Promote
            | FaultWord::FenceOff
            | FaultWord::Suspend
            | FaultWord::WallStep
            | FaultWord::ClockRate
            | FaultWord::Delay
            | FaultWord::Duplicate
            | FaultWord::DiskStall => Self { line: Tint::Fault, wash: Tint::FaultWash, grip: Tint::Ink },
        }
    }
}

/// A block that waits for something hangs on that by a line.
fn anchor(pen: &mut dyn Pen, block: &Block, x: f64, colours: &Colours) {
    let y = block.main.y + block.main.h / 2.0;
    let to = Point { x: block.main.x, y };
    pen.line(&[Point { x, y }, to], 1.5, colours.line);
    pen.disc(Point { x, y }, 4.5, Tint::Paper);
    pen.ring(Point { x, y }, 4.0, 1.75, colours.line);
    pen.disc(Point { x, y }, 1.5, colours.line);
}

fn full(pen: &mut dyn Pen, rect: &Rect, colours: &Colours, strong: bool) {
    pen.faint(0.55, |pen| pen.fill_round(rect, 5.0, colours.wash));
    pen.faint(0.38, |pen| pen.hatch(rect, 8.0, 1.3, colours.line));
    pen.stroke_round(rect, 5.0, if strong { 2.5 } else { 1.25 }, colours.line);
}

fn strip(pen: &mut dyn Pen, rect: &Rect, colours: &Colours, strong: bool) {
    pen.fill_round(rect, 2.0, colours.wash);
    pen.hatch(rect, 5.0, 1.2, colours.line);
    pen.stroke_round(rect, 2.0, if strong { 2.0 } else { 1.0 }, colours.line);
}

fn point(pen: &mut dyn Pen, rect: &Rect, colours: &Colours, strong: bool) {
    let centre = rect.centre();
    let half = if strong { 6.5 } else { 5.5 };
    let top = rect.y + 1.0;
    pen.shape(&wedge(centre.x, top, half, 1.5 * half), colours.line);
    pen.line(&upright(centre.x, top, rect.bottom()), 1.5, colours.line);
}

fn tie(pen: &mut dyn Pen, rect: &Rect, colours: &Colours) {
    let x = rect.centre().x;
    pen.dashed(3.0, 3.0, |pen| {
        pen.line(&upright(x, rect.y, rect.bottom()), 1.0, colours.line);
    });
}

/// A grip at each edge that can be taken, while there is room for it.
fn handles(pen: &mut dyn Pen, layout: &Layout, block: &Block, colours: &Colours, strong: bool) {
    let rect = &block.main;
    if rect.w < 14.0 {
        return;
    }
    let height = (rect.h * 0.5).clamp(8.0, 22.0).min(rect.h);
    let width = if strong { 7.0 } else { 5.0 };
    let starts = block.from >= layout.scale.from();
    let ends = block.until.unwrap_or(layout.scale.to()) <= layout.scale.to();
    for (x, shown) in [(rect.x, starts), (rect.right(), ends)] {
        if shown {
            let y = rect.centre().y - height / 2.0;
            let grip = Rect { x: x - width / 2.0, y, w: width, h: height };
            pen.fill_round(&grip, 2.5, colours.grip);
        }
    }
}
