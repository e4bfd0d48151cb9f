//! A layout while it is put together: each subject adds its own parts.

use kernel::{ProcessId, SimTime};
use scenario::Cast;
use scenario::facts::Facts;

use crate::labels::{self, LabelStyle, Obstacle, Wish};
use crate::lanes::{Lanes, lanes};
use crate::layout::{Hue, Lane, Layout, Mark, MarkKind};
use crate::options::{Captions, Options, Sizes};
use crate::{Point, Rect, Scale, View, bars, blocks, grips, marks, stores};

/// What a picture is made of.
#[derive(Clone, Copy, Debug)]
pub struct Scene<'a> {
    /// Who plays, and which faults are planned.
    pub cast: &'a Cast,
    /// What happened.
    pub facts: &'a Facts,
    /// When the play ends.
    pub horizon: SimTime,
}

/// Lays a scene out.
pub fn layout(scene: &Scene<'_>, options: &Options) -> Layout {
    let mut draft = Draft::new(scene, options);
    bars::add(&mut draft);
    grips::add(&mut draft);
    stores::add(&mut draft);
    marks::add(&mut draft);
    blocks::add(&mut draft);
    draft.finish()
}

pub(crate) struct Draft<'a> {
    pub(crate) scene: &'a Scene<'a>,
    pub(crate) sizes: Sizes,
    pub(crate) lanes: Lanes,
    pub(crate) layout: Layout,
    pub(crate) wishes: Vec<Wish>,
    pub(crate) obstacles: Vec<Obstacle>,
}

impl<'a> Draft<'a> {
    fn new(scene: &'a Scene<'a>, options: &Options) -> Self {
        let sizes = Sizes::of(scene.cast.members.len(), options.captions);
        let left = match options.captions {
            Captions::Beside(width) => width,
            Captions::Above => sizes.side_pad,
        };
        let View { from, to } = options.view.unwrap_or(View { from: SimTime::ZERO, to: scene.horizon });
        let scale = Scale::new(from, to, left, options.width - left - sizes.right_pad);
        let lanes = lanes(scene, options, &sizes, &scale);
        let axis = Rect::span(scale.left(), 0.0, scale.right(), sizes.axis);
        let layout = Layout {
            options: *options,
            scale,
            height: lanes.height,
            axis,
            plot: Rect::span(scale.left(), sizes.axis, scale.right(), lanes.height),
            ticks: scale.ticks(52.0),
            headings: Vec::new(),
            lanes: Vec::new(),
            hosts: Vec::new(),
            reigns: Vec::with_capacity(scene.facts.reigns.len()),
            leases: Vec::with_capacity(scene.facts.leases.len()),
            beliefs: Vec::with_capacity(scene.facts.beliefs.len() * 3),
            waits: Vec::with_capacity(scene.facts.wants.len()),
            notches: Vec::with_capacity(64),
            grips: Vec::with_capacity(32),
            fences: Vec::new(),
            blocks: Vec::with_capacity(scene.facts.blocks.len()),
            pieces: Vec::with_capacity(scene.facts.blocks.len() * 2),
            marks: Vec::with_capacity(scene.facts.writes.len() + scene.facts.sweeps.len()),
            labels: Vec::new(),
        };
        Self {
            scene,
            sizes,
            lanes,
            layout,
            wishes: Vec::with_capacity(64),
            obstacles: Vec::with_capacity(64),
        }
    }

    /// The lane of a process, by its place.
    pub(crate) fn lane(&self, process: ProcessId) -> Option<(usize, Lane)> {
        self.lanes.of(process).map(|(place, lane)| (place, *lane))
    }

    /// The colour of a process.
    pub(crate) fn hue(&self, process: ProcessId) -> Hue {
        self.lanes.of(process).map_or(Hue::Plain, |(_, lane)| lane.hue)
    }

    /// The stretch of a lane from one instant to another, as far as it is in view.
    pub(crate) fn stretch(&self, from: SimTime, until: SimTime) -> Option<(f64, f64)> {
        let scale = &self.layout.scale;
        if until < scale.from() || from > scale.to() {
            return None;
        }
        Some((scale.x_within(from), scale.x_within(until)))
    }

    /// Where an instant is, if it is in view.
    pub(crate) fn x(&self, at: SimTime) -> Option<f64> {
        let scale = &self.layout.scale;
        (at >= scale.from() && at <= scale.to()).then(|| scale.x(at))
    }

    /// About how wide a text is in the painter's type.
    pub(crate) fn text_width(&self, text: &str, style: LabelStyle) -> f64 {
        labels::text_width(text, style) * self.layout.options.type_scale
    }

    pub(crate) fn wish(
        &mut self,
        lane: usize,
        text: String,
        style: LabelStyle,
        hue: Hue,
        places: [Option<Point>; 3],
        rank: u8,
    ) {
        debug_assert!(rank <= labels::RANK_LAST, "ranks are few");
        let must = rank == 0;
        self.wishes.push(Wish { lane, text, style, hue, places, rank, must });
    }

    pub(crate) fn mark(&mut self, mark: Mark) {
        let Point { x, y } = mark.centre;
        let r = mark.radius;
        let rect = Rect { x: x - r, y: y - r, w: 2.0 * r, h: 2.0 * r };
        if mark.kind != MarkKind::CheckPassed {
            self.obstacles.push(Obstacle { lane: mark.lane, rect });
        }
        self.layout.marks.push(mark);
    }

    fn finish(self) -> Layout {
        let Self { mut layout, lanes, wishes, obstacles, .. } = self;
        let bounds = Rect::span(layout.scale.left(), 0.0, layout.options.width, layout.height);
        layout.labels =
            labels::place(&wishes, &obstacles, lanes.lanes.len(), bounds, layout.options.type_scale);
        layout.lanes = lanes.lanes;
        layout.headings = lanes.headings;
        layout.hosts = lanes.hosts;
        layout
    }
}

/// Puts an item into an ordered list, if it is not there yet. For lists of a few: a sort would be compiled for each.
pub(crate) fn insert<T: Ord>(list: &mut Vec<T>, item: T) {
    if let Err(place) = list.binary_search(&item) {
        list.insert(place, item);
    }
}
