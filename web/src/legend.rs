//! What the shapes of the timeline are, each beside a small one of its kind.

use leptos::prelude::*;

/// A shape, and its words. Shapes take their colours from the page's own.
const SHAPES: [(&str, &str); 13] = [
    (
        "<rect class=l-band width=32 height=10 y=3 /><rect class=l-accent width=2.5 height=10 y=3 />",
        "leads the lock service, in a term",
    ),
    (
        "<rect class=l-wash width=32 height=6 y=5 rx=2 /><path class=l-line d='M11 3v10M21 3v10' />",
        "a lease, as the lock service counts it; each upright is a renewal",
    ),
    (
        "<rect class=l-own width=32 height=12 y=2 rx=3 />",
        "what the worker believes: it holds the lock, with this token",
    ),
    (
        "<rect class=l-past width=30 height=11 x=1 y=2.5 rx=3 /><path class=l-line d='M6 13l8-10M14 13l8-10M22 13l8-10' />",
        "it holds on past its own stop time, when it may not act any more",
    ),
    ("<rect class=l-bad width=32 height=12 y=2 rx=3 />", "it believes so, and the lock service has ended it"),
    (
        "<path class=l-ink d='M12 2h8l-4 6zM15.2 6h1.6v9h-1.6z' />",
        "its own stop time: lease less margin, on its own clock",
    ),
    (
        "<path class=l-line d='M3 8l3 3 5-6' /><path class=l-cross d='M20 4l8 8M28 4l-8 8' />",
        "it looked at its clock and went on; a renewal failed",
    ),
    ("<path class=l-dots d='M0 8h32' />", "waits for the lock"),
    (
        "<path class=l-step d='M0 12h14V4h18' />",
        "the fence of a store: the highest token so far. What carries less is refused",
    ),
    (
        "<path class=l-own d='M6 3l5 5-5 5-5-5z' /><circle class=l-own cx=17 cy=8 r=4.5 /><rect class=l-own width=9 height=9 x=23 y=3.5 rx=1.5 />",
        "a claim that raises the fence; a write; the work is done, or its worker stops",
    ),
    (
        "<circle class=l-bad cx=16 cy=8 r=6.5 /><path class=l-on d='M13.5 5.5l5 5M18.5 5.5l-5 5' />",
        "a write that is refused",
    ),
    (
        "<circle class=l-bad cx=16 cy=8 r=6.5 /><path class=l-on d='M16 4.5v4M16 10.5v1' />",
        "a stale write that is accepted: the harm",
    ),
    (
        "<rect class=l-fault width=30 height=13 x=1 y=1.5 rx=3 /><path class=l-grip d='M1.5 3.5v9M30.5 3.5v9' />",
        "a fault: drag it, or stretch its edges",
    ),
];

/// The button that opens it, and the sheet: the browser closes that with Escape, or by a press beside it.
#[component]
pub(crate) fn Legend() -> impl IntoView {
    let rows = SHAPES.map(|(shape, words)| {
        format!("<li><svg viewBox='0 0 32 16' aria-hidden=true>{shape}</svg><span>{words}</span></li>")
    });
    view! {
        <button id="legend-open" class="chip" type="button" popovertarget="legend">"How to read it"</button>
        <div id="legend" popover="auto" role="dialog" aria-labelledby="legend-title">
            <h2 id="legend-title">"How to read the timeline"</h2>
            <ul inner_html=rows.concat()></ul>
            <p class="hint">
                "Each worker, and what is written with its tokens, has a colour of its own. Point at anything for its sentence, press it for its causes."
            </p>
        </div>
    }
}
