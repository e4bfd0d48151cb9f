//! The faults as fields: for exact figures, for adding, doubling, switching off and leaving out, and for whoever would
//! rather type than drag.

mod add;
mod row;

pub(crate) use add::key;

use leptos::html;
use leptos::prelude::*;

use crate::session::Session;
use crate::slim::{memo, rows};

/// A row for each fault of the document, those that are switched off as well, and what can be added.
#[component]
pub(crate) fn FaultsPanel() -> impl IntoView {
    let session = Session::of_page();
    let ids = memo(move || session.document.with(|checked| checked.fault_ids()));
    let place = NodeRef::<html::Div>::new();
    let count = memo(move || ids.with(Vec::len));
    rows(place, "", count, move |nth| row::row(ids, nth));
    view! {
        <section id="faults" class="panel faults-panel" aria-labelledby="faults-title">
            <h2 id="faults-title">"Faults"</h2>
            <p class="hint">"Drag a block on the timeline, stretch its edges, or type. Delete takes a block out, D doubles it."</p>
            <add::Palette />
            <div class="fault-rows" node_ref=place></div>
        </section>
    }
}
