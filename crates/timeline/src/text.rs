//! A layout as text, a line a thing: for golden files, and for whoever wants to read one.

use std::fmt::Write as _;

use scenario::document::text::token;

use crate::layout::Layout;
use crate::{Point, Rect, Scene};

/// The layout in words and rounded pixels.
pub fn describe(scene: &Scene<'_>, layout: &Layout) -> String {
    let mut text = String::with_capacity(4096);
    write_all(&mut text, scene, layout).expect("a string takes all that is written to it");
    text
}

fn rect(r: &Rect) -> String {
    format!("x {:.1}..{:.1} y {:.0}..{:.0}", r.x, r.right(), r.y, r.bottom())
}

fn point(p: &Point) -> String {
    format!("{:.1},{:.0}", p.x, p.y)
}

fn write_all(text: &mut String, scene: &Scene<'_>, layout: &Layout) -> std::fmt::Result {
    let names: Vec<&str> = layout.lanes.iter().map(|lane| scene.cast.name(lane.process)).collect();
    writeln!(text, "{:.0} × {:.0}, plot {}", layout.options.width, layout.height, rect(&layout.plot))?;
    let ticks: Vec<String> =
        layout.ticks.iter().map(|tick| format!("{} at {:.1}", tick.at, tick.x)).collect();
    writeln!(text, "ticks: {}", ticks.join(", "))?;
    for (name, lane) in names.iter().zip(&layout.lanes) {
        writeln!(text, "lane {name}: {:?} {:?} {}", lane.group, lane.hue, rect(&lane.rect))?;
    }
    for band in &layout.reigns {
        writeln!(text, "{} leads term {}: {}", names[band.lane], band.term, rect(&band.rect))?;
    }
    for bar in &layout.leases {
        writeln!(
            text,
            "{} lease, {}: {}{}",
            names[bar.lane],
            token(bar.token),
            rect(&bar.rect),
            open(bar.open)
        )?;
    }
    for piece in &layout.beliefs {
        writeln!(
            text,
            "{} belief, {}, {:?}: {}",
            names[piece.lane],
            token(piece.token),
            piece.standing,
            rect(&piece.rect)
        )?;
    }
    for wait in &layout.waits {
        writeln!(text, "{} waits: x {:.1}..{:.1}", names[wait.lane], wait.x0, wait.x1)?;
    }
    for notch in &layout.notches {
        writeln!(text, "{} notch {:?}: x {:.1}", names[notch.lane], notch.kind, notch.x)?;
    }
    for fence in &layout.fences {
        let corners: Vec<String> = fence.corners.iter().map(point).collect();
        writeln!(text, "{} fence: {}", names[fence.lane], corners.join(" "))?;
    }
    for block in &layout.blocks {
        let id = scene.cast.faults.get(usize::from(block.fault.0)).map_or("?", |fault| &*fault.id);
        writeln!(text, "fault {id} {:?}: {}", block.word, rect(&block.main))?;
        for piece in &layout.pieces[block.pieces.clone()] {
            writeln!(text, "  {:?} {}", piece.form, rect(&piece.rect))?;
        }
    }
    for mark in &layout.marks {
        let from = mark.origin.map_or_else(String::new, |origin| format!(" from {}", point(&origin)));
        let (kind, tone) = (mark.kind, mark.tone);
        writeln!(text, "{} {kind:?} {tone:?} {}: {}{from}", names[mark.lane], mark.at, point(&mark.centre))?;
    }
    for label in &layout.labels {
        writeln!(text, "label {:?} {}: {}", label.style, point(&label.at), label.text)?;
    }
    Ok(())
}

fn open(open: bool) -> &'static str {
    if open { ", still runs" } else { "" }
}
