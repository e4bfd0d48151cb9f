//! What was tried, as a tree: each try with what it changed and what came out, and a way back to it.

use std::fmt::Write as _;
use std::rc::Rc;

use leptos::prelude::*;

use crate::compare::Compare;
use crate::events::tone;
use crate::form::{escaped, form};
use crate::session::{ListedLeft, Session};
use crate::slim::{Memo, memo};
use crate::tries::Listed;

/// How many rows there are at the most.
const ROWS: usize = 100;

#[component]
pub(super) fn TriesPanel(shown: Memo<bool>) -> impl IntoView {
    let session = Session::of_page();
    let compare = Compare::of_page();
    let list = memo(move || {
        if !shown.get() {
            return String::new();
        }
        let rows = session.listed_tries(ROWS);
        session.document.track();
        session.play.track();
        let mut out = String::from(
            "<p class=hint>What you change is a try of its own. Going back and changing something else keeps both.</p><ol class=tries>",
        );
        rows.iter().for_each(|row| self::row(&mut out, session, row));
        out.push_str("</ol>");
        let left = session.listed_left();
        if !left.is_empty() {
            out.push_str("<p class=hint>What you left, as it was:</p><ol class=tries>");
            left.iter().enumerate().for_each(|(nth, left)| self::left(&mut out, nth, left));
            out.push_str("</ol>");
        }
        out
    });
    form(
        list,
        Rc::new(move |session: Session, what: &str| {
            match what.split_once(' ').and_then(|(what, nth)| Some((what, nth.parse().ok()?))) {
                Some(("open", nth)) => session.go_to_try(nth),
                Some(("back", nth)) => session.go_back(nth),
                Some(("beside", nth)) => {
                    if let Some((said, other)) = session.kept_try(nth) {
                        compare.edited(said.change, |document| *document = other);
                    }
                }
                _ => {}
            }
        }),
    )
}

fn row(out: &mut String, session: Session, row: &Listed) {
    match row.skipped {
        0 => {}
        1 => out.push_str("<li class=hint>one more</li>"),
        more => {
            let _ = write!(out, "<li class=hint>{more} more</li>");
        }
    }
    let beside = match &row.said {
        None => String::new(),
        Some(said) => format!(
            " <button type=button class=chip data-do='beside {}' aria-label='Compare: {}'>Compare</button>",
            row.nth,
            escaped(&said.change)
        ),
    };
    let current = if row.said.is_none() { " aria-current=true" } else { "" };
    let said = row.said.clone().unwrap_or_else(|| session.said());
    let (nth, inset, tone) = (row.nth, row.inset.min(12), tone(said.tone));
    let _ = write!(
        out,
        "<li class={tone} style='--inset:{inset}'{current}><button type=button class=row-button data-do='open {nth}'><b>{}</b> <span>{}</span></button>{beside}</li>",
        escaped(&said.change),
        escaped(&said.sentence),
    );
}

fn left(out: &mut String, nth: usize, left: &ListedLeft) {
    let ListedLeft { title, variant, headline } = left;
    let variant = variant.as_ref().map_or_else(String::new, |name| format!(", {}", name.replace('-', " ")));
    let _ = write!(
        out,
        "<li class={}><button type=button class=row-button data-do='back {nth}'><b>{}{}</b> <span>{}</span></button></li>",
        tone(headline.tone),
        escaped(title),
        escaped(&variant),
        escaped(&headline.sentence),
    );
}
