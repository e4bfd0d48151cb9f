//! Files that a browser saves, and texts that it copies.

use leptos::prelude::{document, window};
use wasm_bindgen::JsCast as _;
use wasm_bindgen_futures::JsFuture;
use web_sys::{Blob, BlobPropertyBag, HtmlAnchorElement, Url};

/// A text as a file.
pub(super) fn blob(text: &str, media_type: &str) -> Option<Blob> {
    let options = BlobPropertyBag::new();
    options.set_type(media_type);
    Blob::new_with_str_sequence_and_options(&js_sys::Array::of1(&text.into()), &options).ok()
}

/// Has the browser save a file under this name.
pub(super) fn save(blob: &Blob, name: &str) {
    let link = document().create_element("a").ok().and_then(|link| link.dyn_into::<HtmlAnchorElement>().ok());
    let (Some(link), Ok(address)) = (link, Url::create_object_url_with_blob(blob)) else { return };
    link.set_href(&address);
    link.set_download(name);
    link.click();
    // By then the browser has begun to read it.
    leptos::prelude::set_timeout(
        move || {
            let _ = Url::revoke_object_url(&address);
        },
        std::time::Duration::from_secs(60),
    );
}

/// Copies a text; whether the browser let that happen.
pub(crate) async fn copied(text: &str) -> bool {
    let clipboard = js_sys::Reflect::get(&window().navigator(), &"clipboard".into()).ok();
    if clipboard.is_none_or(|clipboard| clipboard.is_undefined()) {
        return false;
    }
    JsFuture::from(window().navigator().clipboard().write_text(text)).await.is_ok()
}
