//! The figure: what other pages embed. A play with its verdict, timeline and controls, in a place that a page gives it. Several
//! share one program, and each has a session of its own.

mod tell;
mod view;

use std::any::Any;
use std::cell::RefCell;
use std::rc::Rc;

use js_sys::Function;
use kernel::SimTime;
use leptos::mount::mount_to;
use leptos::prelude::Owner;
use scenario::link::Link;
use web_sys::HtmlElement;

use crate::session::Opened;
use crate::theme::Theme;
use tell::Teller;
use view::Parts;

/// What a figure shows.
#[derive(Clone, Copy)]
pub enum Source<'a> {
    /// What stands after the `#` of the page's address.
    Link(&'a str),
    /// What stands in a block of code: see [`Link::of_block`].
    Block(&'a str),
}

impl Source<'_> {
    fn open(self) -> Result<Opened, String> {
        Opened::of(&match self {
            Self::Link(link) => Link::parse(link)?,
            Self::Block(block) => Link::of_block(block)?,
        })
    }
}

/// A figure in its place. It is gone when this is.
pub struct Figure {
    parts: Parts,
    place: HtmlElement,
    tells: Teller,
    /// Has all that the figure listens to and computes.
    owner: Owner,
    /// Kept for as long as the figure is to be seen.
    _mounted: Box<dyn Any>,
}

impl Figure {
    /// Puts a figure into `place`. `laboratory` is the address of the page, if the figure is to lead there. `tell` is called
    /// with a name and an object, for each thing that happens.
    ///
    /// # Errors
    ///
    /// Why it cannot be shown; then nothing is put there.
    pub fn new(
        place: HtmlElement,
        source: Source<'_>,
        is_dark: bool,
        laboratory: Option<String>,
        tell: Function,
    ) -> Result<Self, String> {
        let opened = source.open()?;
        let tells = Teller::new(tell);
        let theme = Theme::of(is_dark);
        theme.apply_to(&place);
        let made: Rc<RefCell<Option<Parts>>> = Rc::default();
        let owner = Owner::new();
        let mounted = {
            let (made, ground, tells) = (Rc::clone(&made), place.clone(), tells.clone());
            owner.with(|| {
                mount_to(place.clone(), move || {
                    let (parts, seen) = view::figure(opened, theme, ground, laboratory, &tells);
                    *made.borrow_mut() = Some(parts);
                    seen
                })
            })
        };
        let parts = made.borrow_mut().take().ok_or("the figure has no place in the page")?;
        Ok(Self { parts, place, tells, owner, _mounted: Box::new(mounted) })
    }

    /// Turns to something else.
    ///
    /// # Errors
    ///
    /// Why it cannot be shown; then all stays as it is.
    pub fn show(&self, source: Source<'_>) -> Result<(), String> {
        let opened = source.open()?;
        self.parts.playback.stop();
        self.parts.session.turn_to(opened);
        Ok(())
    }

    /// Moves the playhead to an instant, in microseconds; beyond the end, to the end.
    pub fn seek(&self, at_us: u64) {
        self.parts.playback.stop();
        self.parts.session.seek(SimTime::from_micros(at_us));
    }

    /// Plays from where the playhead is, so many times as fast as true time; from the beginning when it is at the end.
    pub fn play(&self, speed: u32) {
        self.parts.playback.speed.set(speed.clamp(1, 1_000));
        if !self.parts.playback.playing.get_untracked() {
            self.parts.playback.toggle();
        }
    }

    /// Stops playing.
    pub fn pause(&self) {
        self.parts.playback.stop();
    }

    /// Light or dark.
    pub fn darken(&self, is_dark: bool) {
        let theme = Theme::of(is_dark);
        theme.apply_to(&self.place);
        self.parts.theme.set(theme);
    }

    /// A link to what is shown: what stands after the `#` of the page's address.
    pub fn link(&self) -> String {
        self.parts.session.link().fragment()
    }

    /// The document as it is now, as text.
    pub fn document(&self) -> String {
        self.parts.session.document.with_untracked(|now| now.document.to_toml())
    }
}

impl Drop for Figure {
    fn drop(&mut self) {
        self.parts.playback.stop();
        self.tells.forget();
        self.owner.cleanup();
    }
}
