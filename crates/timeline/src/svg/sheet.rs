//! The sheet that a picture is drawn on: the title and the verdict in words at the top, the lanes with their names below.

use scenario::{Play, Tone};

use super::colours::rules;
use super::pen::Quill;
use super::text::{escaped, lines, number};
use super::{Picture, Theme, WIDTH_MAX, WIDTH_MIN};
use crate::labels::width;
use crate::paint::{self, Accent, Align, Pen as _, Text, Tint};
use crate::{Captions, Layout, Options, Point, Rect, Scene};

/// Around everything.
const MARGIN: f64 = 16.0;
/// What is left of that where the layout has a margin of its own: when names stand above the lanes.
const MARGIN_NARROW: f64 = 2.0;
/// What was measured as type like Helvetica may be set in type as wide as DejaVu Sans: a file cannot know. (That is wider still
/// where it is bold.)
const TYPE_SCALE: f64 = 1.13;
const TYPE_SCALE_BOLD: f64 = 1.18;
/// What the layout measures its words by.
const FONT: &str = "\"Helvetica Neue\", Helvetica, Arial, \"Liberation Sans\", \"Noto Sans\", sans-serif";
/// Type size of the lanes' names.
const NAME: f64 = 12.5;
/// What the names have at least: as much as the headings need.
const NAMES_LEAST: f64 = 82.0;
/// What the names may have at most of the width, when they stand beside the lanes.
const NAMES_MOST: f64 = 0.25;
/// Between a name and its lane.
const NAME_GAP: f64 = 14.0;

/// A picture while it is put together.
pub(super) struct Sheet {
    quill: Quill,
    width: f64,
    /// How far down it is full.
    height: f64,
}

impl Sheet {
    pub(super) fn of(play: &Play, picture: &Picture) -> Self {
        let width = picture.width.clamp(WIDTH_MIN, WIDTH_MAX).round();
        let mut sheet = Self { quill: Quill::new(), width, height: MARGIN };
        sheet.head(play);
        sheet.lanes(play, picture);
        sheet
    }

    /// The title, what came out, and what led to it.
    fn head(&mut self, play: &Play) {
        let headline = &play.headline;
        let tone = match headline.tone {
            Tone::Good => Tint::Good,
            Tone::Bad => Tint::Bad,
            Tone::Plain | Tone::Fault => Tint::Ink,
        };
        self.words(&play.scenario.title, 15.0, true, Tint::Ink);
        self.height += 5.0;
        let top = self.height;
        self.words(&headline.sentence, 13.0, true, tone);
        self.words(&headline.because, 12.0, false, Tint::InkSoft);
        let bar = Rect::span(MARGIN, top, MARGIN + 3.0, self.height);
        self.quill.fill_round(&bar, 1.5, tone);
        self.height += 6.0;
    }

    /// Text over the whole width, in as many lines as it needs. What the bar stands beside is set in by its width.
    fn words(&mut self, text: &str, size: f64, bold: bool, tint: Tint) {
        let left = MARGIN + if size < 15.0 { 11.0 } else { 0.0 };
        let height = (size * 1.4).round();
        let scale = if bold { TYPE_SCALE_BOLD } else { TYPE_SCALE };
        let room = (self.width - left - MARGIN) / scale;
        for line in lines(text, size, bold, room) {
            let at = Point { x: left, y: self.height + height / 2.0 };
            self.quill.text(&Text { text: &line, at, align: Align::Left, size, bold, tint, halo: None });
            self.height += height;
        }
    }

    fn lanes(&mut self, play: &Play, picture: &Picture) {
        let layout = laid_out(play, picture, self.width);
        let margin = if layout.options.captions == Captions::Above { MARGIN_NARROW } else { MARGIN };
        let (x, y) = (number(margin), number(self.height));
        self.quill.elements.push_str(&format!("<g transform=\"translate({x} {y})\">\n"));
        let nothing = Accent::default();
        paint::picture(&mut self.quill, &layout, &nothing);
        self.names(play, &layout);
        paint::words(&mut self.quill, &layout, &nothing);
        self.quill.elements.push_str("</g>\n");
        self.height += layout.height + MARGIN - 4.0;
    }

    /// The groups of lanes, and the lanes' names.
    fn names(&mut self, play: &Play, layout: &Layout) {
        let above = layout.options.captions == Captions::Above;
        let left = if above { layout.scale.left() } else { 0.0 };
        for heading in &layout.headings {
            let at = Point { x: left, y: heading.rect.bottom() - 9.0 };
            let text = heading.title();
            let tint = Tint::InkSoft;
            self.quill.text(&Text { text, at, align: Align::Left, size: 11.0, bold: true, tint, halo: None });
        }
        for lane in &layout.lanes {
            let text = play.name(lane.process);
            let room = lane.caption.w.max(1.0);
            let size = NAME * (room / name_width(text)).min(1.0);
            let at = Point { x: lane.caption.x, y: lane.caption.centre().y };
            let halo = above.then_some(Tint::Paper);
            let tint = Tint::Ink;
            self.quill.text(&Text { text, at, align: Align::Left, size, bold: true, tint, halo });
        }
    }

    pub(super) fn finish(self, play: &Play, theme: Theme) -> String {
        let Self { quill, width, height } = self;
        let mut ground = Quill::new();
        let card = Rect { x: 0.5, y: 0.5, w: width - 1.0, h: height - 1.0 };
        ground.fill_round(&card, 10.0, Tint::Paper);
        ground.stroke_round(&card.grown(0.5, 0.5), 10.0, 1.0, Tint::Line);
        let mut used = quill.used;
        for colour in ground.used {
            crate::draft::insert(&mut used, colour);
        }
        let title = escaped(&play.scenario.title);
        let headline = &play.headline;
        let told = escaped(format!("{} {}", headline.sentence, headline.because).trim_end());
        let shown = ground.elements + &quill.elements;
        let id = format!("fencepost-{:08x}", name_of(&[&title, &told, &shown]));
        let rules = rules(&id, &used, theme);
        let (width, height) = (number(width), number(height));
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" id=\"{id}\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" \
             role=\"img\" aria-labelledby=\"{id}-title {id}-desc\">\n\
             <title id=\"{id}-title\">{title}</title>\n\
             <desc id=\"{id}-desc\">{told}</desc>\n\
             <style>\n#{id} {{ max-width: 100%; height: auto; font-family: {FONT} }}\n{rules}</style>\n\
             {shown}</svg>\n"
        )
    }
}

/// The page's layout for a sheet of this width, with as much room beside the lanes as the names need. In a file nothing can be
/// taken hold of.
fn laid_out(play: &Play, picture: &Picture, sheet: f64) -> Layout {
    let scene = Scene { cast: &play.cast, facts: &play.facts, horizon: play.horizon() };
    let mut options =
        Options { view: picture.view, type_scale: TYPE_SCALE_BOLD, ..Options::for_width(sheet) };
    match options.captions {
        Captions::Beside(_) => {
            let names = play.cast.members.iter().map(|member| name_width(&member.name));
            let widest = names.fold(NAMES_LEAST, f64::max);
            options.captions = Captions::Beside((widest + NAME_GAP).min(sheet * NAMES_MOST).round());
            // On the right the layout has a margin of its own.
            options.width -= MARGIN;
        }
        Captions::Above => options.width -= 2.0 * MARGIN_NARROW,
    }
    let mut layout = crate::layout(&scene, &options);
    for block in &mut layout.blocks {
        block.stretches = false;
    }
    layout
}

fn name_width(name: &str) -> f64 {
    width(name, NAME, true) * TYPE_SCALE_BOLD
}

/// A name for these texts, another one for others: 32 bits of FNV-1a. (The digest of a trace is far too large for the page.)
fn name_of(texts: &[&str]) -> u32 {
    let bytes = texts.iter().flat_map(|text| text.bytes());
    bytes.fold(0x811c_9dc5, |name, byte| (name ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}
