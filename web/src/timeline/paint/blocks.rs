//! Faults as blocks, with handles where a hand can stretch them.

use kernel::FaultId;
use timeline::{Block, FaultWord, Layout, PieceForm, Point, Rect};

use super::pen::Pen;

pub(super) fn paint(pen: &Pen<'_>, layout: &Layout, looked_at: impl Fn(FaultId) -> bool) {
    for block in &layout.blocks {
        let strong = looked_at(block.fault);
        let colours = Colours::of(pen, block.word);
        for piece in &layout.pieces[block.pieces.clone()] {
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

struct Colours<'a> {
    line: &'a str,
    wash: &'a str,
    grip: &'a str,
}

impl<'a> Colours<'a> {
    /// Red for what loses something; grey for what only holds it up.
    fn of(pen: &'a Pen<'_>, word: FaultWord) -> Self {
        match word {
            FaultWord::Crash
            | FaultWord::Restore
            | FaultWord::PowerOff
            | FaultWord::Cut
            | FaultWord::Loss
            | FaultWord::DiskLoss => {
                Self { line: &pen.palette.bad, wash: &pen.palette.bad_wash, grip: &pen.palette.bad }
            }
            FaultWord::Pause
            | FaultWord::Promote
            | FaultWord::FenceOff
            | FaultWord::Suspend
            | FaultWord::WallStep
            | FaultWord::ClockRate
            | FaultWord::Delay
            | FaultWord::Duplicate
            | FaultWord::DiskStall => {
                Self { line: &pen.palette.fault, wash: &pen.palette.fault_wash, grip: &pen.palette.ink }
            }
        }
    }
}

/// A block that waits for something hangs on that by a line.
fn anchor(pen: &Pen<'_>, block: &Block, x: f64, colours: &Colours<'_>) {
    let y = block.main.y + block.main.h / 2.0;
    let to = Point { x: block.main.x, y };
    pen.line(Point { x, y }, to, 1.5, colours.line);
    pen.disc(Point { x, y }, 4.5, &pen.palette.paper);
    pen.ring(Point { x, y }, 4.0, 1.75, colours.line);
    pen.disc(Point { x, y }, 1.5, colours.line);
}

fn full(pen: &Pen<'_>, rect: &Rect, colours: &Colours<'_>, strong: bool) {
    pen.faint(0.55, || pen.fill_round(rect, 5.0, colours.wash));
    pen.faint(0.38, || pen.hatch(rect, 8.0, 1.3, colours.line));
    pen.stroke_round(rect, 5.0, if strong { 2.5 } else { 1.25 }, colours.line);
}

fn strip(pen: &Pen<'_>, rect: &Rect, colours: &Colours<'_>, strong: bool) {
    pen.fill_round(rect, 2.0, colours.wash);
    pen.hatch(rect, 5.0, 1.2, colours.line);
    pen.stroke_round(rect, 2.0, if strong { 2.0 } else { 1.0 }, colours.line);
}

fn point(pen: &Pen<'_>, rect: &Rect, colours: &Colours<'_>, strong: bool) {
    let centre = rect.centre();
    let half = if strong { 6.5 } else { 5.5 };
    let top = rect.y + 1.0;
    pen.shape(&[(centre.x - half, top), (centre.x + half, top), (centre.x, top + 1.5 * half)], colours.line);
    pen.line(Point { x: centre.x, y: top }, Point { x: centre.x, y: rect.bottom() }, 1.5, colours.line);
}

fn tie(pen: &Pen<'_>, rect: &Rect, colours: &Colours<'_>) {
    let x = rect.centre().x;
    pen.dashed(3.0, 3.0, || {
        pen.line(Point { x, y: rect.y }, Point { x, y: rect.bottom() }, 1.0, colours.line);
    });
}

/// A grip at each edge that can be taken, while there is room for it.
fn handles(pen: &Pen<'_>, layout: &Layout, block: &Block, colours: &Colours<'_>, strong: bool) {
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
