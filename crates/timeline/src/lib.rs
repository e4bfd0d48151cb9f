//! A played scenario as a picture that a page or a file can draw: lanes, bars, blocks, marks, labels and the ticks of
//! the axis, with time against pixels and what is under a pointer. Plain numbers; no colours, and no browser.
//!
//! [`layout`] makes a [`Layout`] of a [`Scene`]: who plays and what happened. It never steps a world, and it judges
//! nothing: whether a write was stale is in the facts.

mod bars;
mod blocks;
mod caption;
mod clocks;
mod cone;
mod draft;
#[cfg(test)]
mod fixture;
mod geometry;
mod grips;
mod hit;
mod hold;
mod labels;
mod lanes;
mod layout;
mod marks;
mod options;
pub mod paint;
mod scale;
mod stores;
pub mod svg;
#[cfg(test)]
mod tests;
mod text;
mod tip;
mod view;
mod word;

pub use caption::caption;
pub use clocks::clocks;
pub use cone::{Arrow, Cone, cone, messages};
pub use draft::{Scene, layout};
pub use geometry::{Point, Rect};
pub use grips::{Grip, Pull, Timing};
pub use hit::{Hit, Part, reach};
pub use hold::{Edit, Hold, duration};
pub use labels::{Label, LabelStyle, text_width};
pub use layout::{
    BeliefPiece, Block, FenceLine, Heading, HostBracket, Hue, Lane, Layout, LeaseBar, Mark, MarkKind,
    MarkTone, Notch, NotchKind, Piece, PieceForm, ReignBand, Source, Standing, WaitLine,
};
pub use options::{Captions, Options};
pub use scale::{Scale, Tick, round_step};
pub use stores::thousands;
pub use text::describe;
pub use tip::{record, tip};
pub use view::View;
pub use word::FaultWord;
