//! The story as a table: every event, and which the playhead is at.

use kernel::ProcessId;
use leptos::html;
use leptos::prelude::*;
use scenario::{Event, Group, Tone};
use timeline::paint::HUES;
use wasm_bindgen::JsCast as _;

use crate::canvas::resized;
use crate::format::column;
use crate::legend::Legend;
use crate::playback::Playback;
use crate::session::Session;
use crate::slim::{Memo, effect, mark, memo, on, rows, text};

/// The table. A click on a row moves the playhead there. `differs`: what the play that it is compared with does not have.
#[component]
pub(crate) fn Events(differs: Memo<Vec<usize>>) -> impl IntoView {
    let session = Session::of_page();
    let count = memo(move || session.play.with(|play| play.tale.len()));
    let current = memo(move || {
        let at = session.at();
        session.play.with(|play| play.tale.iter().rposition(|event| event.at <= at))
    });
    let scroller = NodeRef::<html::Div>::new();
    rows(scroller, "tbody", count, move |place| row(place, current, differs));
    let follow = move |scroller: &web_sys::HtmlDivElement| {
        let place = current.get_untracked().unwrap_or(0);
        let rows = scroller.query_selector("tbody").ok().flatten().map(|body| body.children());
        let row = rows.and_then(|rows| rows.item(place as u32));
        if let Some(row) = row.and_then(|row| row.dyn_into().ok()) {
            keep_in_view(scroller, &row);
        }
    };
    effect(move || {
        count.track();
        current.track();
        if let Some(scroller) = scroller.get() {
            follow(&scroller);
        }
    });
    resized(scroller, follow);
    view! {
        <section id="events" class="panel events" aria-labelledby="events-title">
            <div class="events-head">
                <h2 id="events-title">"What happens"</h2>
                <Legend />
            </div>
            <details class="about" open>
                <summary>"What this is about"</summary>
                <p class="hint">{text(move || session.about())}</p>
            </details>
            <div class="scroller" node_ref=scroller tabindex="0" role="region" aria-labelledby="events-title">
                <table>
                    <thead>
                        <tr>
                            <th scope="col" class="number">"s"</th>
                            <th scope="col">"what"</th>
                        </tr>
                    </thead>
                    <tbody></tbody>
                </table>
            </div>
        </section>
    }
}

/// The row of the event at a place of the tale. It stays while the tale changes; only its text does.
fn row(place: usize, current: Memo<Option<usize>>, differs: Memo<Vec<usize>>) -> impl IntoView {
    let session = Session::of_page();
    let playback = Playback::of_page();
    let of = move |read: fn(&scenario::Play, &Event) -> String| {
        text(move || {
            session.play.with(|play| play.tale.get(place).map_or_else(String::new, |event| read(play, event)))
        })
    };
    // How it stands to the happening that is looked at.
    let reach = text(move || {
        let record = session.play.with(|play| play.tale.get(place).map(|event| event.record));
        session.reach.with(|reach| match (reach, record) {
            (Some(reach), Some(record)) => reach.word(record).to_string(),
            _ => String::new(),
        })
    });
    let go = on(move |_: leptos::ev::MouseEvent| {
        let event =
            session.play.with_untracked(|play| play.tale.get(place).map(|event| (event.at, event.record)));
        if let Some((at, record)) = event {
            playback.stop();
            session.seek(at);
            session.look_at(Some(record));
        }
    });
    view! {
        <tr
            class=of(|_, event| tone(event.tone).into())
            data-reach=reach
            data-differs=mark(move || differs.with(|differs| differs.contains(&place)))
            data-event=place + 1
            data-process=of(|play, event| play.name(event.process).into())
            aria-current=mark(move || current.get() == Some(place))
            on:click=go
        >
            <td class="number">{of(|_, event| column(event.at))}</td>
            <td>
                <span class="dot" aria-hidden="true" style:color=of(|play, event| hue(play, event.process))></span>
                <button type="button" class="row-button">{of(|_, event| event.text.clone())}</button>
            </td>
        </tr>
    }
}

/// The colour of a process's lane.
fn hue(play: &scenario::Play, process: ProcessId) -> String {
    let place = play.cast.group(Group::Workers).position(|member| member.process == process);
    let service = play.cast.group(Group::LockService).any(|member| member.process == process);
    match place {
        Some(place) => format!("var(--hue-{})", place % HUES),
        None if service => "var(--accent)".into(),
        None => "var(--ink-soft)".into(),
    }
}

/// The class of what is told in this tone.
pub(crate) fn tone(tone: Tone) -> &'static str {
    match tone {
        Tone::Plain => "plain",
        Tone::Good => "good",
        Tone::Bad => "bad",
        Tone::Fault => "trouble",
    }
}

/// Scrolls the table, and nothing around it, so far that the row is in view.
fn keep_in_view(scroller: &web_sys::HtmlDivElement, row: &web_sys::HtmlElement) {
    let (top, height) = (row.offset_top(), row.offset_height());
    let (from, seen) = (scroller.scroll_top(), scroller.client_height());
    let margin = height;
    if top < from + margin {
        scroller.set_scroll_top((top - 2 * margin).max(0));
    } else if top + height > from + seen {
        scroller.set_scroll_top(top + height + margin - seen);
    }
}
