//! A played history as a file: one SVG that needs nothing beside it. Lanes, bars, blocks, marks and words are those of the
//! page, from the same [`layout`](crate::layout()) and the same [`paint`](crate::paint); above them stand the title and the verdict in words.
//!
//! Text is text, so that it can be searched, read aloud and copied. Colours are plain rules of a style sheet within the picture,
//! the dark ones behind a media query: what knows no media queries shows the light ones. Every id and every rule goes by a name
//! that is made of the picture itself, so that several can stand in one page.

mod colours;
mod pen;
mod sheet;
mod text;

use scenario::Play;

use crate::View;

use sheet::Sheet;

/// How wide a picture is when nobody says otherwise, in CSS pixels.
pub const WIDTH: f64 = 1_000.0;
/// How narrow it can be.
pub const WIDTH_MIN: f64 = 320.0;
/// How wide it can be.
pub const WIDTH_MAX: f64 = 4_000.0;

/// How a picture is made.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Picture {
    /// How wide, in CSS pixels; held between [`WIDTH_MIN`] and [`WIDTH_MAX`]. How high follows from what is in it.
    pub width: f64,
    /// In which colours.
    pub theme: Theme,
    /// The stretch of true time in view; `None`: all of it.
    pub view: Option<View>,
}

/// Which colours a picture has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Theme {
    /// Dark ink on light paper.
    Light,
    /// Light ink on dark paper.
    Dark,
    /// Those that the reader's system prefers.
    Both,
}

impl Default for Picture {
    fn default() -> Self {
        Self { width: WIDTH, theme: Theme::Both, view: None }
    }
}

/// A play as an SVG: the same text each time.
pub fn svg(play: &Play, picture: &Picture) -> String {
    Sheet::of(play, picture).finish(play, picture.theme)
}
