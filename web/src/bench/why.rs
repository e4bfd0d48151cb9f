//! Why the verdict is what it is, and what would have come out otherwise.

use std::fmt::Write as _;
use std::rc::Rc;
use std::time::Duration;

use leptos::prelude::*;
use scenario::Play;
use scenario::document::text::count;
use scenario::why::{Otherwise, Why, otherwise, why};

use crate::compare::Compare;
use crate::events::tone;
use crate::form::{escaped, form};
use crate::format::column;
use crate::session::{Checked, Session};
use crate::shared::Shared;
use crate::slim::{Memo, State, effect, memo};

/// How long nothing has to change before every fault is taken away in turn: that is as many plays.
const WHEN_STILL: Duration = Duration::from_millis(250);

/// What would come out otherwise, and of which document that is said.
type Others = (Shared<Checked>, Shared<Vec<Otherwise>>);

#[component]
pub(super) fn WhyPanel(shown: Memo<bool>) -> impl IntoView {
    let session = Session::of_page();
    let compare = Compare::of_page();
    let others: State<Option<Others>> = State::new(None);
    let waiting = StoredValue::new(None::<TimeoutHandle>);
    effect(move || {
        session.document.track();
        if let Some(timer) = waiting.get_value() {
            timer.clear();
        }
        if shown.get() {
            waiting.set_value(
                set_timeout_with_handle(move || others.set(Some(played(session))), WHEN_STILL).ok(),
            );
        }
    });
    let chains =
        memo(move || if shown.get() { session.play.with(|play| self::chains(play)) } else { String::new() });
    let alternatives = memo(move || {
        let now = session.document.get();
        let others = others
            .with(|others| others.as_ref().filter(|(of, _)| *of == now).map(|(_, others)| others.clone()));
        if shown.get() { alternatives(others.as_deref().map(Vec::as_slice)) } else { String::new() }
    });
    let press = move |session: Session, what: &str| match what.split_once(' ') {
        Some(("go", micros)) => {
            if let Ok(micros) = micros.parse() {
                session.seek(kernel::SimTime::from_micros(micros));
            }
        }
        Some(("try", nth)) => {
            let edits = others.with_untracked(|others| {
                let (_, others) = others.as_ref()?;
                Some(others.get(nth.parse::<usize>().ok()?)?.edits.clone())
            });
            session.commit(&edits.unwrap_or_default());
        }
        Some(("beside", nth)) => {
            let other = others.with_untracked(|others| {
                let (_, others) = others.as_ref()?;
                let other = others.get(nth.parse::<usize>().ok()?)?;
                Some((other.what.clone(), other.edits.clone()))
            });
            if let Some((what, edits)) = other {
                compare.edited(what, |document| {
                    // They were played already.
                    let _ = edits.iter().try_for_each(|(path, value)| document.set(path, value));
                });
            }
        }
        _ => {}
    };
    let press = Rc::new(press);
    view! {
        {form(chains, press.clone())}
        <h2>"Otherwise"</h2>
        {form(alternatives, press)}
    }
}

fn played(session: Session) -> Others {
    let now = session.document.get_untracked();
    let others = session.play.with_untracked(|play| otherwise(&now.document, play));
    (now, Shared::new(others))
}

fn chains(play: &Play) -> String {
    let mut out = String::new();
    let all = why(play);
    if all.is_empty() {
        out.push_str("<p>Nothing went wrong, and nothing had to be stopped.</p>");
    }
    for why in &all {
        chain(&mut out, play, why);
    }
    out
}

fn alternatives(others: Option<&[Otherwise]>) -> String {
    let mut out = String::new();
    match others {
        None => {
            out.push_str("<p class=hint>Each fault is taken away in turn, and each protection switched…</p>")
        }
        Some([]) => {
            out.push_str("<p class=hint>There is no fault to take away, and no protection to switch.</p>")
        }
        Some(others) => {
            out.push_str("<p class=hint>Each was played. Press one to go on from there, undo comes back; or compare it.</p><ul class=otherwise>");
            others.iter().enumerate().for_each(|(nth, other)| alternative(&mut out, nth, other));
            out.push_str("</ul>");
        }
    }
    out
}

fn chain(out: &mut String, play: &Play, why: &Why) {
    let others = match why.others {
        0 => String::new(),
        others => format!(", the first of {}", count(others + 1)),
    };
    let _ = write!(out, "<h2>Why {}{others}</h2><ol class=chain>", why.question());
    for link in &why.chain {
        let Some(event) = link.told_in(play) else { continue };
        let unknown = if link.known == Some(false) { " <i>which it could not know</i>" } else { "" };
        let (tone, at, text) = (tone(event.tone), event.at, escaped(&event.text));
        let _ = write!(
            out,
            "<li class={tone}><button type=button class=row-button data-do='go {}'><span class=figure>{}</span> {text}{unknown}</button></li>",
            at.as_micros(),
            column(at)
        );
    }
    out.push_str("</ol>");
}

fn alternative(out: &mut String, nth: usize, other: &Otherwise) {
    let differs: Vec<String> = other
        .differs
        .iter()
        .map(|differs| {
            format!("{} {}, not {}", differs.name.replace('_', " "), differs.then.text(), differs.now.text())
        })
        .collect();
    let differs = if differs.is_empty() { "nothing else comes out".to_string() } else { differs.join("; ") };
    let _ = write!(
        out,
        "<li class={}><button type=button class=row-button data-do='try {nth}'><b>{}</b> {}<br><span class=hint>{}</span></button> <button type=button class=chip data-do='beside {nth}' aria-label='Compare: {}'>Compare</button></li>",
        tone(other.headline.tone),
        escaped(&other.what),
        escaped(&other.headline.sentence),
        escaped(&differs),
        escaped(&other.what)
    );
}
