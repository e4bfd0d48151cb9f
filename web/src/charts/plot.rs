//! Draws a picture with plotters, on as many pixels as the canvas has.

use kernel::SimTime;
use plotters::backend::DrawingBackend;
use plotters::chart::{ChartBuilder, ChartContext};
use plotters::coord::Shift;
use plotters::coord::cartesian::Cartesian2d;
use plotters::drawing::{DrawingArea, DrawingAreaErrorKind, IntoDrawingArea as _};
use plotters::element::{Circle, PathElement, Rectangle};
use plotters::style::{Color as _, IntoFont as _, RGBAColor, RGBColor, ShapeStyle, TextStyle};
use plotters_canvas::CanvasBackend;
use scenario::document::text::{offset, reading};
use timeline::Scale;
use web_sys::{CanvasRenderingContext2d, HtmlCanvasElement};

use super::axis::Axis;
use super::picture::{Form, Ink, Picture};
use super::words::Words;
use crate::timeline::Palette;

/// How high a chart is, in CSS pixels like all that follows.
pub(super) const HEIGHT: f64 = 220.0;
const TOP: f64 = 8.0;
const RIGHT: f64 = 14.0;
pub(super) const BOTTOM: f64 = 24.0;
const LEFT: f64 = 64.0;
pub(super) const TYPE: f64 = 11.0;
const DOT: f64 = 4.0;
/// Between ticks: as on the timeline, and in the other direction.
const TICKS: (f64, f64) = (52.0, 26.0);

/// Where instants are on a chart of this width.
pub(super) fn scale(width: f64, horizon: SimTime) -> Scale {
    Scale::new(SimTime::ZERO, horizon, LEFT, width - LEFT - RIGHT)
}

/// What is drawn on.
pub(super) struct Sheet<'a> {
    pub(super) canvas: HtmlCanvasElement,
    pub(super) context: CanvasRenderingContext2d,
    /// How many of the canvas's pixels a CSS pixel is.
    pub(super) ratio: f64,
    pub(super) scale: Scale,
    pub(super) palette: &'a Palette,
}

type Fails = DrawingAreaErrorKind<<CanvasBackend as DrawingBackend>::ErrorType>;
type Root = DrawingArea<CanvasBackend, Shift>;
type Chart<'a> = ChartContext<'a, CanvasBackend, Cartesian2d<Axis, Axis>>;
type Plot = DrawingArea<CanvasBackend, Cartesian2d<Axis, Axis>>;

/// Draws the picture. Fails when the canvas does.
pub(super) fn draw(sheet: &Sheet<'_>, picture: &Picture) -> Result<(), Fails> {
    let Some(backend) = CanvasBackend::with_canvas_object(sheet.canvas.clone()) else { return Ok(()) };
    let (width, height) = (f64::from(sheet.canvas.width()), f64::from(sheet.canvas.height()));
    sheet.context.clear_rect(0.0, 0.0, width, height);
    let root = backend.into_drawing_area();
    let mut chart = sheet.axes(&root, picture)?;
    let plot = sheet.mesh(&mut chart)?;
    sheet.shades(plot, picture)?;
    let words = sheet.uprights(plot, picture)?;
    sheet.lines(plot, picture)?;
    sheet.dots(plot, picture)?;
    words.write();
    Ok(())
}

impl Sheet<'_> {
    fn px(&self, css: f64) -> u32 {
        (css * self.ratio).round() as u32
    }

    fn axes<'a>(&self, root: &'a Root, picture: &Picture) -> Result<Chart<'a>, Fails> {
        let micros = |at: SimTime| at.as_micros() as i64;
        let span = (micros(self.scale.from()), micros(self.scale.to()));
        let x = Axis::new(span, self.scale.right() - self.scale.left(), TICKS.0, reading);
        let y = Axis::new(picture.range(), HEIGHT - TOP - BOTTOM, TICKS.1, offset);
        ChartBuilder::on(root)
            .margin_top(self.px(TOP))
            .margin_right(self.px(RIGHT))
            .x_label_area_size(self.px(BOTTOM))
            .y_label_area_size(self.px(LEFT))
            .build_cartesian_2d(x, y)
    }

    fn mesh<'c>(&self, chart: &'c mut Chart<'_>) -> Result<&'c Plot, Fails> {
        let line = self.stroke(colour(&self.palette.line).into(), 1.0);
        chart
            .configure_mesh()
            .bold_line_style(line)
            .axis_style(line)
            .label_style(self.type_of(&self.palette.ink_soft))
            .set_all_tick_mark_size(self.px(4.0))
            .draw()?;
        Ok(chart.plotting_area())
    }

    fn shades(&self, plot: &Plot, picture: &Picture) -> Result<(), Fails> {
        let (low, high) = picture.range();
        for shade in &picture.shades {
            let style = colour(self.ink(shade.ink)).mix(0.18).filled();
            plot.draw(&Rectangle::new([at(shade.from, high), at(shade.until, low)], style))?;
        }
        Ok(())
    }

    fn lines(&self, plot: &Plot, picture: &Picture) -> Result<(), Fails> {
        let end = self.scale.to();
        plot.draw(&PathElement::new(
            vec![at(SimTime::ZERO, 0), at(end, 0)],
            self.stroke(colour(&self.palette.ink_soft).into(), 1.0),
        ))?;
        for line in &picture.lines {
            let points: Vec<(i64, i64)> =
                line.corners.iter().map(|corner| at(corner.at, corner.micros)).collect();
            let (width, dashes) = match line.form {
                Form::Firm => (2.0, None),
                Form::Dashed => (2.0, Some((6.0, 4.0))),
                Form::Thin => (1.0, None),
                Form::ThinDashed => (1.0, Some((2.0, 3.0))),
            };
            let path = PathElement::new(points, self.stroke(colour(self.ink(line.ink)).into(), width));
            self.dashed(dashes, || plot.draw(&path))?;
        }
        Ok(())
    }

    /// Uprights, and where the words of them and of dots go.
    fn uprights<'a>(&'a self, plot: &Plot, picture: &'a Picture) -> Result<Words<'a>, Fails> {
        let (low, high) = picture.range();
        let place = |point: (i64, i64)| {
            let (x, y) = plot.map_coordinate(&point);
            (f64::from(x), f64::from(y))
        };
        let mut words = Words::new(self);
        let mut uprights = Vec::new();
        for upright in &picture.uprights {
            let ink = self.stroke(colour(self.ink(upright.ink)).into(), 1.0);
            let path = PathElement::new(vec![at(upright.at, low), at(upright.at, high)], ink);
            self.dashed(Some((2.0, 3.0)), || plot.draw(&path))?;
            let top = place(at(upright.at, high));
            uprights.push(top.0);
            words.add(&upright.label, top);
        }
        let mut taken = Vec::new();
        for dot in &picture.dots {
            let (x, y) = place(at(dot.at.at, dot.at.micros));
            let radius = DOT * self.ratio;
            taken.push([x - radius, y - radius, x + radius, y + radius]);
            words.add(&dot.label, (x, y));
        }
        words.place(taken, &uprights);
        Ok(words)
    }

    fn dots(&self, plot: &Plot, picture: &Picture) -> Result<(), Fails> {
        for dot in &picture.dots {
            let ink = colour(self.ink(dot.ink)).filled();
            plot.draw(&Circle::new(at(dot.at.at, dot.at.micros), self.px(DOT), ink))?;
        }
        Ok(())
    }

    fn stroke(&self, color: RGBAColor, width: f64) -> ShapeStyle {
        ShapeStyle { color, filled: false, stroke_width: self.px(width) }
    }

    fn type_of(&self, ink: &str) -> TextStyle<'_> {
        let font = (self.palette.font.as_str(), TYPE * self.ratio).into_font();
        TextStyle { color: colour(ink).to_backend_color(), ..TextStyle::from(font) }
    }

    fn ink(&self, ink: Ink) -> &str {
        match ink {
            Ink::Lane(hue) => self.palette.hue(hue),
            Ink::Bad => &self.palette.bad,
            Ink::Soft => &self.palette.ink_soft,
        }
    }

    /// Draws with lines broken like this. (Plotters breaks lines into many short ones itself; the canvas does it at once.)
    fn dashed(
        &self,
        dashes: Option<(f64, f64)>,
        draw: impl FnOnce() -> Result<(), Fails>,
    ) -> Result<(), Fails> {
        let pattern = js_sys::Array::new();
        if let Some((on, off)) = dashes {
            pattern.push(&(on * self.ratio).into());
            pattern.push(&(off * self.ratio).into());
        }
        let _ = self.context.set_line_dash(&pattern);
        let drawn = draw();
        let _ = self.context.set_line_dash(&js_sys::Array::new());
        drawn
    }
}

fn at(instant: SimTime, micros: i64) -> (i64, i64) {
    (instant.as_micros() as i64, micros)
}

/// A token's colour, "#2d6cc9"; one of another form is grey, which shows on light and on dark.
fn colour(token: &str) -> RGBColor {
    let number = token.strip_prefix('#').filter(|digits| digits.len() == 6);
    match number.and_then(|digits| u32::from_str_radix(digits, 16).ok()).map(u32::to_be_bytes) {
        Some([_, red, green, blue]) => RGBColor(red, green, blue),
        None => GREY,
    }
}

const GREY: RGBColor = RGBColor(128, 128, 128);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_colour_of_the_tokens_is_understood() {
        let tokens = include_str!("../../../assets/tokens.css");
        let colours = tokens.lines().filter_map(|line| line.trim().strip_suffix(';')?.split_once(": #"));
        let mut known = 0;
        for (name, digits) in colours {
            assert_ne!(colour(&format!("#{digits}")), GREY, "{name}");
            known += 1;
        }
        assert!(known > 50, "{known}");
        assert_eq!(colour("#2d6cc9"), RGBColor(0x2d, 0x6c, 0xc9));
        assert_eq!(colour("tomato"), GREY);
    }
}
