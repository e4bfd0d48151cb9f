//! A play's picture, small and without words.

use scenario::Play;
use timeline::{Captions, Layout, Options, Scene, paint};
use web_sys::{CanvasRenderingContext2d, HtmlCanvasElement};

use super::brush::Brush;
use super::palette::Palette;
use leptos::prelude::window;
use wasm_bindgen::JsCast as _;

/// How much wider than high it is.
const RATIO: f64 = 2.25;
/// What a picture is laid out for at least: with fewer lanes it is not drawn larger than that.
const WIDTH_MIN: f64 = 620.0;

/// A play's picture, ready to be painted in any colours.
pub(crate) struct Thumbnail(Layout);

impl Thumbnail {
    pub(crate) fn of(play: &Play) -> Self {
        let scene = Scene { cast: &play.cast, facts: &play.facts, horizon: play.horizon() };
        let layout = |width: f64| {
            let options = Options { captions: Captions::Beside(0.0), ..Options::for_width(width) };
            timeline::layout(&scene, &options)
        };
        // How high it is does not depend on how wide it is: the second fills the canvas.
        let height = height(&layout(WIDTH_MIN));
        Self(layout((height * RATIO).max(WIDTH_MIN)))
    }

    /// Paints it over the whole canvas, which has its place in the page.
    pub(crate) fn paint(&self, canvas: &HtmlCanvasElement) {
        let ratio = window().device_pixel_ratio().max(1.0);
        let width = f64::from(canvas.client_width()) * ratio;
        canvas.set_width(width.round() as u32);
        canvas.set_height((width / RATIO).round() as u32);
        let context = canvas.get_context("2d").ok().flatten();
        let Some(context) = context.and_then(|context| context.dyn_into::<CanvasRenderingContext2d>().ok())
        else {
            return;
        };
        let scale = width / self.0.options.width;
        let above = (width / RATIO - scale * height(&self.0)) / 2.0;
        let axis = scale * self.0.axis.bottom();
        let _ = context.set_transform(scale, 0.0, 0.0, scale, 0.0, above - axis);
        context.clear_rect(0.0, 0.0, self.0.options.width, self.0.height);
        paint::small(&mut Brush::new(&context, &Palette::read()), &self.0);
    }
}

/// The height below the axis, which a small picture does without.
fn height(layout: &Layout) -> f64 {
    layout.height - layout.axis.bottom()
}
