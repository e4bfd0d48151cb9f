//! Canvases: how wide they can be, as many pixels as the screen has for them, and when they are painted anew. Nothing is painted
//! while nothing changes.

use std::cell::Cell;
use std::rc::Rc;

use leptos::html;
use leptos::prelude::*;
use send_wrapper::SendWrapper;
use wasm_bindgen::JsCast as _;
use wasm_bindgen::closure::Closure;
use web_sys::{CanvasRenderingContext2d, HtmlCanvasElement, HtmlDivElement, ResizeObserver};

use crate::format::px;
use crate::slim::{State, effect};

/// The width of an element, as it changes. While it is not shown, the last one.
pub(crate) fn width_of(root: NodeRef<html::Div>) -> State<f64> {
    let viewport = window().inner_width().ok().and_then(|width| width.as_f64()).unwrap_or(1_000.0);
    let width = State::new(viewport);
    resized(root, move |element| {
        let now = f64::from(element.client_width());
        if now > 0.0 {
            width.set(now);
        }
    });
    width
}

/// Does something with an element when it is there, and whenever its size has changed.
pub(crate) fn resized(root: NodeRef<html::Div>, run: impl Fn(&HtmlDivElement) + 'static) {
    let run: Rc<dyn Fn(&HtmlDivElement)> = Rc::new(run);
    effect(move || {
        let Some(element) = root.get() else { return };
        run(&element);
        let (run, of) = (Rc::clone(&run), element.clone());
        let observer = Closure::<dyn FnMut()>::new(move || run(&of));
        if let Ok(watching) = ResizeObserver::new(observer.as_ref().unchecked_ref()) {
            watching.observe(&element);
            let watching = SendWrapper::new((watching, observer));
            on_cleanup(move || watching.0.disconnect());
        }
    });
}

/// Paints in the next frame, and again in the one after a signal that `track` reads has changed.
pub(crate) fn painted(track: impl Fn() + 'static, paint: impl Fn() + 'static) {
    let due = Rc::new(Cell::new(Due::Not));
    let paint: Rc<dyn Fn()> = Rc::new(paint);
    let of_part = SendWrapper::new(Rc::clone(&due));
    // A frame that was asked for may come when the part of the page is gone.
    on_cleanup(move || of_part.set(Due::Never));
    let ask = move || {
        if due.get() == Due::Not {
            due.set(Due::Soon);
            let (paint, due) = (Rc::clone(&paint), Rc::clone(&due));
            request_animation_frame(move || {
                if due.get() == Due::Soon {
                    due.set(Due::Not);
                    paint();
                }
            });
        }
    };
    let resized = ask.clone();
    effect(move || {
        track();
        ask();
    });
    // Another screen with another pixel ratio, or zoom: the element's width may stay as it is.
    let listener = window_event_listener(leptos::ev::resize, move |_| resized());
    on_cleanup(move || listener.remove());
}

/// Whether a frame is asked for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Due {
    Not,
    Soon,
    Never,
}

/// A canvas below an element, of this size in CSS pixels and with as many pixels as the screen has for it; and how many a
/// CSS pixel is.
pub(crate) fn fitted(root: &HtmlDivElement, css: &str, size: (f64, f64)) -> Option<(HtmlCanvasElement, f64)> {
    let canvas: HtmlCanvasElement = root.query_selector(css).ok().flatten()?.dyn_into().ok()?;
    let ratio = window().device_pixel_ratio().max(1.0);
    let (width, height) = ((size.0 * ratio).round() as u32, (size.1 * ratio).round() as u32);
    if canvas.width() != width || canvas.height() != height {
        canvas.set_width(width);
        canvas.set_height(height);
        // Through the object model: a page may forbid styles in attributes.
        let style = format!("width:{};height:{}", px(size.0), px(size.1));
        web_sys::HtmlElement::style(&canvas).set_css_text(&style);
    }
    Some((canvas, ratio))
}

/// What draws on a canvas.
pub(crate) fn context_of(canvas: &HtmlCanvasElement) -> Option<CanvasRenderingContext2d> {
    canvas.get_context("2d").ok().flatten()?.dyn_into().ok()
}
