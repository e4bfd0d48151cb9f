//! The whole play in small, with a window for what is in view. It is there while that is not all.

use kernel::SimTime;
use leptos::ev::{KeyboardEvent, PointerEvent};
use leptos::html;
use leptos::prelude::*;
use timeline::{Layout, Options, Scene, View, paint};
use web_sys::HtmlDivElement;

use super::Stage;
use super::brush::Brush;
use super::palette::Palette;
use crate::canvas::{context_of, fitted, painted};
use crate::format::{px, steady};
use crate::session::Session;
use crate::shared::Shared;
use crate::slim::{State, flag, memo, on, text};
use crate::theme::Theme;
use crate::zoom::Zoom;

const HEIGHT: f64 = 44.0;

/// The strip below the timeline.
#[component]
pub(super) fn Minimap(theme: State<Theme>) -> impl IntoView {
    let session = Session::of_page();
    let stage = Stage::of_page();
    let zoom = Zoom::of_page();
    let view = memo(move || zoom.of(session.play.with(|play| play.horizon())));
    let whole = memo(move || {
        view.with(Option::is_some).then(|| {
            let options = Options { view: None, ..stage.layout.with(|layout| layout.options) };
            session.play.with(|play| {
                let scene = Scene { cast: &play.cast, facts: &play.facts, horizon: play.horizon() };
                Shared::new(timeline::layout(&scene, &options))
            })
        })
    });
    let root = NodeRef::<html::Div>::new();
    let palette = Palette::of(theme);
    let track = move || {
        whole.track();
        palette.track();
    };
    painted(track, move || {
        if let (Some(root), Some(layout)) = (root.get_untracked(), whole.get_untracked()) {
            paint_small(&root, &layout, &palette.get_untracked());
        }
    });
    let place = text(move || {
        let (Some(View { from, to }), Some(layout)) = (view.get(), whole.get()) else { return String::new() };
        let (left, right) = (layout.scale.x(from), layout.scale.x(to));
        format!("left:{};width:{}", px(left), px((right - left).max(2.0)))
    });
    // Where in the window it was taken hold of, as an instant from its beginning.
    let held = State::new(None::<i64>);
    let at = move |event: &PointerEvent| -> Option<SimTime> {
        let left = root.get_untracked()?.get_bounding_client_rect().left();
        Some(whole.get_untracked()?.scale.at(f64::from(event.client_x()) - left))
    };
    let micros = |at: SimTime| at.as_micros() as i64;
    let move_to = move |event: &PointerEvent| {
        let (Some(held), Some(at), Some(view)) = (held.get_untracked(), at(event), view.get_untracked())
        else {
            return;
        };
        zoom.pan(micros(at) - held - micros(view.from));
    };
    let down = on(move |event: PointerEvent| {
        let (Some(at), Some(view)) = (at(&event), view.get_untracked()) else { return };
        if let Some(root) = root.get_untracked() {
            let _ = root.set_pointer_capture(event.pointer_id());
        }
        let inside = at >= view.from && at <= view.to;
        let half = micros(view.to) / 2 - micros(view.from) / 2;
        held.set(Some(if inside { micros(at) - micros(view.from) } else { half }));
        move_to(&event);
    });
    let moved = on(move |event: PointerEvent| move_to(&event));
    let up = move || on(move |_: PointerEvent| held.set(None));
    let key = on(move |event: KeyboardEvent| {
        match event.key().as_str() {
            "ArrowLeft" | "ArrowUp" => zoom.pan_by(-0.1),
            "ArrowRight" | "ArrowDown" => zoom.pan_by(0.1),
            "PageUp" => zoom.pan_by(-0.9),
            "PageDown" => zoom.pan_by(0.9),
            "Home" => zoom.pan(i64::MIN / 2),
            "End" => zoom.pan(i64::MAX / 2),
            _ => return,
        }
        event.prevent_default();
        event.stop_propagation();
    });
    let from = move || view.get().map_or(SimTime::ZERO, |view| view.from);
    let said = text(move || {
        view.get().map_or_else(String::new, |view| format!("{} to {}", steady(view.from), steady(view.to)))
    });
    view! {
        <div class="minimap" node_ref=root hidden=flag(move || view.with(Option::is_none))
            on:pointerdown=down on:pointermove=moved on:pointerup=up() on:pointercancel=up()>
            <canvas aria-hidden="true"></canvas>
            <div id="in-view" class="in-view" prop:style=place role="slider" tabindex="0" aria-label="In view"
                aria-valuemin="0"
                aria-valuemax=text(move || session.play.with(|play| crate::format::millis(play.horizon())).to_string())
                aria-valuenow=text(move || crate::format::millis(from()).to_string())
                aria-valuetext=said
                on:keydown=key></div>
        </div>
    }
}

/// The picture without its words, squeezed.
fn paint_small(root: &HtmlDivElement, layout: &Layout, palette: &Palette) {
    let fitted = fitted(root, "canvas", (layout.options.width, HEIGHT));
    let Some((context, ratio)) = fitted.and_then(|(canvas, ratio)| Some((context_of(&canvas)?, ratio)))
    else {
        return;
    };
    let _ = context.set_transform(ratio, 0.0, 0.0, ratio * HEIGHT / layout.height, 0.0, 0.0);
    context.clear_rect(0.0, 0.0, layout.options.width, layout.height);
    paint::small(&mut Brush::new(&context, palette), layout);
}
