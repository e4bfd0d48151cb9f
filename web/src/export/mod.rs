//! The menu that takes what is open elsewhere: as a picture, a report, a diagram, a document. Nothing of it is made before it is
//! asked for.

mod file;
mod give;
mod picture;

use leptos::ev::{FocusEvent, KeyboardEvent, MouseEvent};
use leptos::html;
use leptos::prelude::*;
use leptos::task::spawn_local;
use wasm_bindgen::JsCast as _;

use crate::session::Session;
use crate::slim::on;
use crate::theme::Theme;
use crate::zoom::Zoom;
use file::{FILES, File};

pub(crate) use give::copied;

/// A button that opens the menu.
#[component]
pub(crate) fn Export() -> impl IntoView {
    let session = Session::of_page();
    let zoom = Zoom::of_page();
    let menu = NodeRef::<html::Details>::new();
    let close = move || {
        if let Some(menu) = menu.get_untracked() {
            menu.set_open(false);
        }
    };
    let leave = on(move |event: FocusEvent| {
        let to = event.related_target().and_then(|to| to.dyn_into::<web_sys::Node>().ok());
        let stays = menu.get_untracked().is_some_and(|menu| menu.contains(to.as_ref()));
        if to.is_some() && !stays {
            close();
        }
    });
    let key = on(move |event: KeyboardEvent| {
        let open = menu.get_untracked().filter(|menu| menu.open());
        if let (Some(open), "Escape") = (open, event.key().as_str()) {
            open.set_open(false);
            if let Ok(Some(summary)) = open.query_selector("summary") {
                let _ = summary.unchecked_into::<web_sys::HtmlElement>().focus();
            }
            event.stop_propagation();
        }
    });
    // A press elsewhere closes it.
    let elsewhere = window_event_listener(leptos::ev::pointerdown, move |event| {
        let at = event.target().and_then(|target| target.dyn_into::<web_sys::Node>().ok());
        if !menu.get_untracked().is_some_and(|menu| menu.contains(at.as_ref())) {
            close();
        }
    });
    on_cleanup(move || elsewhere.remove());
    let press = on(move |event: MouseEvent| {
        let button: web_sys::Element = event_target(&event);
        let Some(asked) = button.get_attribute("data-do") else { return };
        let Some((act, word)) = asked.split_once(' ') else { return };
        let Some(file) = FILES.into_iter().find(|file| file.extension() == word) else { return };
        let is_copied = act == "copy";
        close();
        spawn_local(async move {
            if let Some(said) = take(session, zoom, file, is_copied).await {
                session.notice.set(Some(said));
            }
        });
    });
    view! {
        <details id="export" class="export" node_ref=menu on:keydown=key on:focusout=leave>
            <summary class="chip">"Export"</summary>
            <div class="export-menu" on:click=press inner_html=rows()></div>
        </details>
    }
}

fn rows() -> String {
    let row = |file: File| {
        let (word, label, about) = (file.extension(), file.label(), file.about());
        let copy = match file {
            File::Png => String::new(),
            File::Svg | File::Markdown | File::Mermaid | File::Json | File::Toml => format!(
                "<button type=button class=chip data-do='copy {word}' aria-label='Copy {label}'>Copy</button>"
            ),
        };
        format!(
            "<button type=button class=chip data-do='save {word}' aria-label='Save {label}: {about}'>{label}</button>\
             <span aria-hidden=true>{about}</span>{copy}"
        )
    };
    FILES.map(row).concat()
}

/// Saves a file or copies its text; what is to be said of it, if anything.
async fn take(session: Session, zoom: Zoom, file: File, is_copied: bool) -> Option<String> {
    let name = file::name(session, file);
    if file == File::Png {
        let theme = match Theme::of_page() {
            Theme::Light => timeline::svg::Theme::Light,
            Theme::Dark => timeline::svg::Theme::Dark,
        };
        let svg = file::picture(session, zoom, theme);
        return match picture::png(&svg).await {
            Some(png) => {
                give::save(&png, &name);
                None
            }
            None => Some("This browser cannot draw the picture.".to_string()),
        };
    }
    let text = file::text(session, zoom, file);
    if is_copied {
        let said = match give::copied(&text).await {
            true => format!("{} is copied.", file.label()),
            false => "The browser does not let the page copy.".to_string(),
        };
        return Some(said);
    }
    match give::blob(&text, file.media_type()) {
        Some(blob) => {
            give::save(&blob, &name);
            None
        }
        None => Some("The browser does not let the page save.".to_string()),
    }
}
