//! Colours by what they mean. Their values, light and dark, are the tokens in `assets/tokens.css`.

use crate::Hue;

/// How many colours there are for workers; further ones begin anew.
pub const HUES: usize = 6;

/// A colour.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Tint {
    /// What everything lies on.
    Paper,
    /// A lane.
    Lane,
    /// Lines that part and measure.
    Line,
    /// Words.
    Ink,
    /// Words of less weight.
    InkSoft,
    /// The lock service, and what is chosen.
    Accent,
    /// The same, pale.
    AccentWash,
    /// A protection that held.
    Good,
    /// Harm, and what nearly was.
    Bad,
    /// The same, pale.
    BadWash,
    /// A fault that only holds up.
    Fault,
    /// The same, pale.
    FaultWash,
    /// What stands on a strong colour.
    OnHue,
    /// A worker's colour, below [`HUES`].
    Worker(usize),
    /// The same, pale.
    WorkerWash(usize),
}

impl Tint {
    /// The strong colour of whom something belongs to.
    pub fn of(hue: Hue) -> Self {
        match hue {
            Hue::Worker(nth) => Self::Worker(usize::from(nth) % HUES),
            Hue::Service => Self::Accent,
            Hue::Plain => Self::InkSoft,
        }
    }

    /// The pale one.
    pub fn wash(hue: Hue) -> Self {
        match hue {
            Hue::Worker(nth) => Self::WorkerWash(usize::from(nth) % HUES),
            Hue::Service => Self::AccentWash,
            Hue::Plain => Self::Line,
        }
    }
}
