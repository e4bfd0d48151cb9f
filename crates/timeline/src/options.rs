//! How much room there is, and what is made of it.

use crate::View;

/// What a layout is made for.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Options {
    /// The whole width.
    pub width: f64,
    /// Where the lanes' captions go.
    pub captions: Captions,
    /// The stretch of true time in view; `None`: all of it.
    pub view: Option<View>,
    /// How much wider than [`text_width`](crate::text_width) says the painter's type runs: 1 for Helvetica and its like.
    pub type_scale: f64,
}

/// Where the lanes' captions go.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Captions {
    /// Left of the lanes, in a gutter of this width.
    Beside(f64),
    /// Above each lane: for narrow screens.
    Above,
}

impl Options {
    /// What suits a width: captions beside the lanes where there is room for both.
    pub fn for_width(width: f64) -> Self {
        let captions = match width {
            w if w >= 900.0 => Captions::Beside(148.0),
            w if w >= 640.0 => Captions::Beside(120.0),
            _ => Captions::Above,
        };
        Self { width, captions, view: None, type_scale: 1.0 }
    }
}

/// Heights, for few lanes or for many.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Sizes {
    pub(crate) axis: f64,
    pub(crate) heading: f64,
    pub(crate) heading_gap: f64,
    pub(crate) gap: f64,
    pub(crate) caption: f64,
    pub(crate) right_pad: f64,
    pub(crate) side_pad: f64,
    pub(crate) server: f64,
    pub(crate) worker: f64,
    pub(crate) store: f64,
    pub(crate) small: f64,
    pub(crate) worker_rows: WorkerRows,
    pub(crate) mark: f64,
}

/// Where, within a worker's lane, its rows are: from the top, and how high.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct WorkerRows {
    pub(crate) lease: (f64, f64),
    pub(crate) belief: (f64, f64),
}

/// Lanes beyond which they are drawn lower.
const MANY: usize = 16;

impl Sizes {
    pub(crate) fn of(lanes: usize, captions: Captions) -> Self {
        let above = captions == Captions::Above;
        let roomy = Self {
            axis: 34.0,
            heading: if above { 18.0 } else { 22.0 },
            heading_gap: 3.0,
            gap: 4.0,
            caption: if above { 17.0 } else { 0.0 },
            right_pad: if above { 14.0 } else { 22.0 },
            side_pad: if above { 14.0 } else { 0.0 },
            server: if above { 24.0 } else { 28.0 },
            worker: if above { 44.0 } else { 48.0 },
            store: 68.0,
            small: 28.0,
            worker_rows: WorkerRows { lease: (18.0, 7.0), belief: (27.0, 15.0) },
            mark: 5.5,
        };
        if lanes <= MANY {
            return roomy;
        }
        Self {
            heading: 18.0,
            gap: 2.0,
            caption: if above { 16.0 } else { 0.0 },
            server: 20.0,
            worker: 34.0,
            store: 48.0,
            small: 20.0,
            worker_rows: WorkerRows { lease: (11.0, 5.0), belief: (18.0, 12.0) },
            mark: 4.5,
            ..roomy
        }
    }
}
