//! What was left of each lease, as its holder believed and as the authority had it on record.

use kernel::ProcessId;
use leptos::prelude::*;
use scenario::Play;
use scenario::series::{leases, said_of_lease};
use timeline::Hue;

use super::frame::Frame;
use super::picture::{Form, Ink, Picture, Shade};
use super::{item, list};
use crate::session::Session;
use crate::slim::{Memo, State, memo};
use crate::theme::Theme;
use crate::timeline::Stage;

#[component]
pub(super) fn Leases(shown: Memo<bool>, theme: State<Theme>) -> impl IntoView {
    let session = Session::of_page();
    let stage = Stage::of_page();
    let picture = memo(move || {
        shown.get().then(|| session.play.with(|play| picture(play, &|worker| stage.hue(worker))))
    });
    let said = memo(move || {
        let hue = |worker| stage.hue(worker);
        if shown.get() { session.play.with(|play| said(play, &hue)) } else { String::new() }
    });
    view! {
        <h2>"Time left of the lease"</h2>
        <p class="hint">
            "A firm line is what its holder believed: how far its own clock was from its stop reading, below 0 when past it. A broken line is
            what the authority had on record, by its own clock. Shaded: one side had the lease and the other had not, in red where the
            holder alone believed in it."
        </p>
        <Frame id="chart-leases" label="Time left of each lease" said="leases-said" picture theme />
        <div id="leases-said">{list(said)}</div>
    }
}

fn picture(play: &Play, hue: &dyn Fn(ProcessId) -> Hue) -> Picture {
    let mut picture = Picture::default();
    for lines in leases(play) {
        let ink = Ink::Lane(hue(lines.worker));
        if let Some(side) = lines.record {
            picture.line(side.left, ink, Form::Dashed);
        }
        for side in lines.beliefs {
            picture.line(side.left, ink, Form::Firm);
        }
        picture.shades.extend(lines.apart.iter().map(|apart| Shade {
            from: apart.from,
            until: apart.until,
            ink: if apart.believed { Ink::Bad } else { Ink::Soft },
        }));
    }
    picture
}

fn said(play: &Play, hue: &dyn Fn(ProcessId) -> Hue) -> String {
    let all = leases(play);
    if all.is_empty() {
        return "<p class=hint>Nobody was granted a lease.</p>".into();
    }
    let mut out = String::from("<ul class=said>");
    for lines in &all {
        item(&mut out, hue(lines.worker), play.name(lines.worker), &said_of_lease(lines, &play.cast));
    }
    out.push_str("</ul>");
    out
}
