//! The painter: plain functions from a layout to strokes, from the back to the front. What makes the strokes is a [`Pen`]:
//! a canvas of the page, or a file. Shapes, words and their order are decided here alone, so that all of them show the same.

mod bars;
mod blocks;
mod cone;
mod ground;
mod marks;
mod pen;
mod tint;
mod words;

use kernel::FaultId;

use crate::{Arrow, Cone, Layout};

pub use pen::{Align, Pen, Text};
pub use tint::{HUES, Tint};

/// What is looked at and therefore drawn stronger.
#[derive(Clone, Copy, Default, Debug)]
pub struct Accent<'a> {
    /// A fault.
    pub fault: Option<FaultId>,
    /// A mark, by its place.
    pub mark: Option<usize>,
    /// The marks of what another play does not have.
    pub differs: &'a [usize],
    /// What can have led to a happening, and follow from it.
    pub cone: Option<&'a Cone>,
    /// Messages, where they are asked for.
    pub messages: &'a [Arrow],
}

/// Paints what lies below the page's playhead: all but the marks and the words.
pub fn picture(pen: &mut dyn Pen, layout: &Layout, accent: &Accent<'_>) {
    ground::lanes(pen, layout);
    ground::axis(pen, layout);
    history(pen, layout, accent);
    cone::messages(pen, accent.messages);
    if let Some(cone) = accent.cone {
        cone::paint(pen, layout, cone);
    }
}

/// Paints the marks and the words: what is read lies above the playhead's line.
pub fn words(pen: &mut dyn Pen, layout: &Layout, accent: &Accent<'_>) {
    marks::marks(pen, layout, accent);
    words::labels(pen, layout);
}

/// Paints all of it but the axis and the words, for a picture that is too small to read.
pub fn small(pen: &mut dyn Pen, layout: &Layout) {
    let nothing = Accent::default();
    ground::lanes(pen, layout);
    history(pen, layout, &nothing);
    marks::marks(pen, layout, &nothing);
}

/// What happened, from the back to the front.
fn history(pen: &mut dyn Pen, layout: &Layout, accent: &Accent<'_>) {
    bars::reigns(pen, layout);
    bars::leases(pen, layout);
    bars::beliefs(pen, layout);
    bars::waits(pen, layout);
    marks::fences(pen, layout);
    marks::arrows(pen, layout, accent);
    blocks::paint(pen, layout, accent.fault);
    bars::outlived(pen, layout);
    bars::stops(pen, layout);
}
