//! The painter: plain functions from a layout to strokes on a canvas, from the back to the front.

mod bars;
mod blocks;
mod cone;
mod ground;
mod marks;
mod pen;
mod text;

use kernel::FaultId;
use timeline::{Arrow, Cone, Layout};
use web_sys::CanvasRenderingContext2d;

use super::palette::Palette;
use crate::shared::Shared;
use pen::Pen;

/// What is looked at and therefore drawn stronger.
#[derive(Clone, Default, PartialEq)]
pub(super) struct Accent {
    /// A fault's id.
    pub(super) fault: Option<String>,
    /// A mark, by its place.
    pub(super) mark: Option<usize>,
    /// The marks of what another play does not have.
    pub(super) differs: Vec<usize>,
    /// What can have led to a happening, and follow from it.
    pub(super) cone: Option<Shared<Cone>>,
    /// Messages, where they are asked for.
    pub(super) messages: Option<Shared<Vec<Arrow>>>,
}

/// Paints what lies below the playhead. `id` names a fault of the layout.
pub(super) fn picture<'a>(
    context: &CanvasRenderingContext2d,
    layout: &Layout,
    palette: &Palette,
    accent: &Accent,
    id: &dyn Fn(FaultId) -> Option<&'a str>,
) {
    let pen = Pen { context, palette };
    context.clear_rect(0.0, 0.0, layout.options.width, layout.height);
    ground::lanes(&pen, layout);
    ground::axis(&pen, layout);
    history(&pen, layout, accent, |fault| accent.fault.is_some() && id(fault) == accent.fault.as_deref());
    if let Some(messages) = &accent.messages {
        cone::messages(&pen, messages);
    }
    if let Some(cone) = &accent.cone {
        cone::paint(&pen, layout, cone);
    }
}

/// Paints all of it but the axis and the words, for a picture that is too small to read.
pub(super) fn small(context: &CanvasRenderingContext2d, layout: &Layout, palette: &Palette) {
    let pen = Pen { context, palette };
    let nothing = Accent::default();
    context.clear_rect(0.0, 0.0, layout.options.width, layout.height);
    ground::lanes(&pen, layout);
    history(&pen, layout, &nothing, |_| false);
    marks::marks(&pen, layout, &nothing);
}

/// What happened, from the back to the front.
fn history(pen: &Pen<'_>, layout: &Layout, accent: &Accent, looked_at: impl Fn(FaultId) -> bool) {
    bars::reigns(pen, layout);
    bars::leases(pen, layout);
    bars::beliefs(pen, layout);
    bars::waits(pen, layout);
    marks::fences(pen, layout);
    marks::arrows(pen, layout, accent);
    blocks::paint(pen, layout, looked_at);
    bars::outlived(pen, layout);
    bars::stops(pen, layout);
}

/// Paints the marks and the words: what is read lies above the playhead's line.
pub(super) fn words(context: &CanvasRenderingContext2d, layout: &Layout, palette: &Palette, accent: &Accent) {
    let pen = Pen { context, palette };
    context.clear_rect(0.0, 0.0, layout.options.width, layout.height);
    marks::marks(&pen, layout, accent);
    text::labels(&pen, layout);
}
