//! An SVG in pixels, drawn by the browser.

use leptos::prelude::document;
use wasm_bindgen::JsCast as _;
use wasm_bindgen::closure::Closure;
use wasm_bindgen_futures::JsFuture;
use web_sys::{Blob, HtmlCanvasElement, HtmlImageElement, Url};

use super::give::blob;
use crate::canvas::context_of;

/// Sharp on today's screens.
const SCALE: u32 = 2;

/// A picture as PNG, two pixels for each of its own.
pub(super) async fn png(svg: &str) -> Option<Blob> {
    let address = Url::create_object_url_with_blob(&blob(svg, "image/svg+xml")?).ok()?;
    let canvas = drawn(&address).await;
    let _ = Url::revoke_object_url(&address);
    let canvas = canvas?;
    let given = js_sys::Promise::new(&mut |resolve, _| {
        let take = Closure::once_into_js(move |blob: wasm_bindgen::JsValue| {
            let _ = resolve.call1(&wasm_bindgen::JsValue::UNDEFINED, &blob);
        });
        let _ = canvas.to_blob(take.unchecked_ref());
    });
    JsFuture::from(given).await.ok()?.dyn_into().ok()
}

/// What stands at an address, on a canvas. It has nothing from elsewhere, so that the canvas can be read.
async fn drawn(address: &str) -> Option<HtmlCanvasElement> {
    let image = HtmlImageElement::new().ok()?;
    image.set_src(address);
    JsFuture::from(image.decode()).await.ok()?;
    let (width, height) = (image.natural_width() * SCALE, image.natural_height() * SCALE);
    let canvas: HtmlCanvasElement = document().create_element("canvas").ok()?.dyn_into().ok()?;
    canvas.set_width(width);
    canvas.set_height(height);
    let context = context_of(&canvas)?;
    context
        .draw_image_with_html_image_element_and_dw_and_dh(&image, 0.0, 0.0, width.into(), height.into())
        .ok()?;
    Some(canvas)
}
