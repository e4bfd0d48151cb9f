//! Faults to add: dragged onto a lane of the timeline, or by a press, at the playhead.

use leptos::ev::{self, KeyboardEvent, MouseEvent, PointerEvent};
use leptos::prelude::*;
use web_sys::Element;

use crate::session::Session;
use crate::slim::{State, effect, memo, on, rows, text};
use crate::timeline::Stage;

/// Kinds of faults, with what they do in a few words.
const KINDS: [(&str, &str, &str); 15] = [
    ("pause", "Pause", "a process stops; its memory and what it believes survive, clocks run on"),
    ("suspend", "Suspend", "a host stops, its monotonic clock as well"),
    ("crash", "Crash", "a process dies; what its disk kept survives"),
    ("wall-step", "Wall step", "a wall clock is set ahead or back"),
    ("clock-rate", "Clock rate", "a host's clocks run faster or slower"),
    ("cut", "Cut", "links carry nothing"),
    ("loss", "Loss", "links lose some messages"),
    ("delay", "Delay", "links are slower"),
    ("duplicate", "Duplicate", "links deliver some messages twice"),
    ("disk-stall", "Disk stall", "a disk answers nothing"),
    ("disk-loss", "Disk loss", "a disk answers without keeping"),
    ("restore", "Restore", "a process comes back from an older backup"),
    ("power-off", "Power off", "an operator cuts a host's power"),
    ("promote", "Promote", "an operator makes a replica the primary"),
    ("fence-off", "Fence off", "an operator turns a store's fence off"),
];

/// The palette. A chip is dragged to where its fault shall strike; pressed, it strikes who is chosen, at the playhead.
#[component]
pub(super) fn Palette() -> impl IntoView {
    let session = Session::of_page();
    let stage = Stage::of_page();
    let names = memo(move || {
        session
            .play
            .with(|play| play.cast.members.iter().map(|member| member.name.to_string()).collect::<Vec<_>>())
    });
    let whom = NodeRef::<leptos::html::Select>::new();
    let root = NodeRef::<leptos::html::Div>::new();
    rows(root, "select", memo(move || names.with(Vec::len)), move |nth| {
        let name = text(move || names.with(|names| names.get(nth).cloned().unwrap_or_default()));
        view! { <option value=name>{name}</option> }
    });
    let chips = NodeRef::<leptos::html::Div>::new();
    effect(move || {
        let Some(chips) = chips.get() else { return };
        chips.set_inner_html(&KINDS.map(chip).concat());
    });
    // The kind that is being dragged, and whether it came as far as a lane.
    let dragged = State::new(None::<String>);
    let came = State::new(false);
    let taken = on(move |event: PointerEvent| {
        let chip: Element = event_target(&event);
        came.set(false);
        if event.button() == 0 && event.is_primary() {
            // So that it is heard of when it comes up outside the window.
            let _ = chip.set_pointer_capture(event.pointer_id());
            dragged.set(kind_of(&chip));
        }
    });
    let _ = window_event_listener(ev::pointermove, move |event| {
        if dragged.with_untracked(Option::is_some) {
            let landing = stage.landing(&event);
            came.update(|came| *came |= landing.is_some());
            stage.aim(landing);
        }
    });
    let _ = window_event_listener(ev::pointerup, move |event| {
        let kind = dragged.get_untracked();
        dragged.set(None);
        stage.aim(None);
        if let (Some(kind), Some((name, at)), true) = (kind, stage.landing(&event), came.get_untracked()) {
            session.add_fault(&kind, &name, at);
        }
    });
    let _ = window_event_listener(ev::pointercancel, move |_| {
        dragged.set(None);
        stage.aim(None);
    });
    let pressed = on(move |event: MouseEvent| {
        // What was dragged is clicked as well when the pointer comes up.
        let was_dragged = came.get_untracked();
        came.set(false);
        if let (Some(kind), Some(whom), false) =
            (kind_of(&event_target(&event)), whom.get_untracked(), was_dragged)
        {
            session.add_fault(&kind, &whom.value(), session.playhead.get_untracked());
        }
    });
    view! {
        <details class="palette">
            <summary>"Add a fault"</summary>
            <div node_ref=root>
                <p class="hint">
                    "Drag one onto a lane; or press it, and it strikes "
                    <label><span class="visually-hidden">"whom"</span><select id="add-whom" node_ref=whom></select></label>
                    " at the playhead."
                </p>
                <div class="chips" node_ref=chips on:pointerdown=taken on:click=pressed></div>
            </div>
        </details>
    }
}

fn chip((kind, label, about): (&str, &str, &str)) -> String {
    format!(
        "<button type=button class='chip fault-chip' data-kind={kind} title=\"{about}\" aria-label=\"Add {label}: {about}\">{label}</button>"
    )
}

fn kind_of(chip: &Element) -> Option<String> {
    chip.get_attribute("data-kind")
}

/// Keys on a fault of the timeline: take it out, or double it. Whether the key was one of them.
pub(crate) fn key(session: Session, event: &KeyboardEvent, name: &str) -> bool {
    if event.ctrl_key() || event.meta_key() || event.alt_key() {
        return false;
    }
    match event.key().as_str() {
        "Delete" | "Backspace" => session.remove_fault(name),
        "d" | "D" => session.double_fault(name),
        _ => return false,
    }
    true
}
