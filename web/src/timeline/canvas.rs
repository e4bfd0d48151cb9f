//! Two canvases, the picture and above the playhead its marks and words: their size, and when they are painted anew.
//! Nothing is painted while nothing changes.

use leptos::html;
use leptos::prelude::*;
use wasm_bindgen::JsCast as _;
use wasm_bindgen::closure::Closure;
use web_sys::{CanvasRenderingContext2d, ResizeObserver};

use super::Stage;
use super::paint::{self, Accent};
use super::palette::Palette;
use crate::format::px;
use crate::measure::measured;
use crate::session::Session;
use crate::shared::Shared;
use crate::slim::{State, effect, memo};
use crate::theme::Theme;
use crate::zoom::Zoom;

/// The width of an element, as it changes.
pub(super) fn width_of(root: NodeRef<html::Div>) -> State<f64> {
    let viewport = window().inner_width().ok().and_then(|width| width.as_f64()).unwrap_or(1_000.0);
    let width = State::new(viewport);
    effect(move || {
        let Some(element) = root.get() else { return };
        let measure = {
            let element = element.clone();
            move || {
                let now = f64::from(element.client_width());
                if now > 0.0 {
                    width.set(now);
                }
            }
        };
        measure();
        let observer = Closure::<dyn FnMut()>::new(measure);
        if let Ok(watching) = ResizeObserver::new(observer.as_ref().unchecked_ref()) {
            watching.observe(&element);
        }
        // The timeline lives as long as the page.
        observer.forget();
    });
    width
}

/// Both.
#[component]
pub(super) fn Picture(theme: State<Theme>) -> impl IntoView {
    let session = Session::of_page();
    let stage = Stage::of_page();
    let palette = memo(move || {
        theme.track();
        Shared::new(Palette::read())
    });
    let zoom = Zoom::of_page();
    let messages = memo(move || {
        zoom.messages.get().then(|| {
            stage.layout.with(|layout| stage.play.with(|play| Shared::new(timeline::messages(play, layout))))
        })
    });
    let accent = memo(move || Accent {
        fault: stage.hover.with(|hover| hover.fault.clone()).or_else(|| session.selected.get()),
        mark: stage.hover.with(|hover| hover.mark),
        differs: stage.differs.with(|differs| stage.marks_of(differs)),
        cone: stage.cone.get(),
        messages: messages.get(),
    });
    let due = State::new(false);
    let paint_now = move || {
        due.set(false);
        let Some(root) = stage.root.get_untracked() else { return };
        let play = stage.play.get_untracked();
        let layout = stage.layout.get_untracked();
        let (palette, accent) = (palette.get_untracked(), accent.get_untracked());
        let (Some(picture), Some(words)) =
            (context_in(&root, ".picture", &layout), context_in(&root, ".words", &layout))
        else {
            return;
        };
        measured("paint", || {
            let id =
                |fault: kernel::FaultId| play.cast.faults.get(usize::from(fault.0)).map(|card| &*card.id);
            paint::picture(&picture, &layout, &palette, &accent, &id);
            paint::words(&words, &layout, &palette, &accent);
        });
    };
    effect(move || {
        stage.layout.track();
        palette.track();
        accent.track();
        stage.root.track();
        if !due.get_untracked() {
            due.set(true);
            request_animation_frame(paint_now);
        }
    });
    // Another screen with another pixel ratio, or zoom: the element's width may stay as it is.
    let _ = window_event_listener(leptos::ev::resize, move |_| {
        if !due.get_untracked() {
            due.set(true);
            request_animation_frame(paint_now);
        }
    });
    view! {
        <canvas class="picture" aria-hidden="true"></canvas>
        <canvas class="words" aria-hidden="true"></canvas>
    }
}

impl Stage {
    /// The marks of these events.
    fn marks_of(self, events: &[usize]) -> Vec<usize> {
        if events.is_empty() {
            return Vec::new();
        }
        self.play.with(|play| {
            let records: Vec<_> =
                events.iter().filter_map(|nth| Some(play.tale.get(*nth)?.record)).collect();
            self.layout.with(|layout| {
                let of_them = |(nth, mark)| {
                    timeline::record(&play.facts, mark).filter(|of| records.contains(of)).map(|_| nth)
                };
                layout.marks.iter().enumerate().filter_map(of_them).collect()
            })
        })
    }
}

/// A canvas of the stage, as large as the layout and in CSS pixels.
fn context_in(
    root: &web_sys::HtmlDivElement,
    canvas: &str,
    layout: &timeline::Layout,
) -> Option<CanvasRenderingContext2d> {
    let canvas = root.query_selector(canvas).ok().flatten()?.dyn_into().ok()?;
    let ratio = fit(&canvas, layout.options.width, layout.height);
    let context = context_of(&canvas)?;
    let _ = context.set_transform(ratio, 0.0, 0.0, ratio, 0.0, 0.0);
    Some(context)
}

pub(super) fn context_of(canvas: &web_sys::HtmlCanvasElement) -> Option<CanvasRenderingContext2d> {
    canvas.get_context("2d").ok().flatten()?.dyn_into().ok()
}

/// Gives the canvas as many pixels as the screen has for it; answers how many a CSS pixel is.
pub(super) fn fit(canvas: &web_sys::HtmlCanvasElement, wide: f64, high: f64) -> f64 {
    let ratio = window().device_pixel_ratio().max(1.0);
    let (width, height) = ((wide * ratio).round() as u32, (high * ratio).round() as u32);
    if canvas.width() != width || canvas.height() != height {
        canvas.set_width(width);
        canvas.set_height(height);
        let style = format!("width:{};height:{}", px(wide), px(high));
        let _ = canvas.set_attribute("style", &style);
    }
    ratio
}
