//! Undo, redo, and every other try.

use scenario::Document;

use super::open::checked;
use super::{Checked, Session};
use crate::shared::Shared;
use crate::tries::{Listed, Said, Tries};

impl Session {
    /// Keeps the document as it is now, so that `undo` comes back to it. Called once before each gesture.
    pub(crate) fn remember(self) {
        let (text, said) = (self.text(), self.said());
        self.with_tries(|tries| tries.branch(&text, said));
    }

    pub(super) fn text(self) -> String {
        self.document.with_untracked(|now| now.document.to_toml())
    }

    /// What is said of the open try: what it changes, and what came out.
    pub(crate) fn said(self) -> Said {
        let before = self.tries.with_untracked(|tries| tries.borrow().text_before());
        let before = before.and_then(|text| Document::parse(&text).ok());
        let change = before.map_or_else(
            || AS_TOLD.to_string(),
            |before| self.document.with_untracked(|now| told_of(&before, &now.document)),
        );
        self.play.with_untracked(|play| Said::new(change, &play.headline))
    }

    /// Changes the tries, which is news to whoever reads them.
    pub(super) fn with_tries<R>(self, change: impl FnOnce(&mut Tries) -> R) -> R {
        let done = self.tries.with_untracked(|tries| change(&mut tries.borrow_mut()));
        self.turn.set(self.turn.get_untracked().wrapping_add(1));
        done
    }

    /// Which turn of the tries it is: another after each step that can be undone, and after each that was.
    pub(crate) fn turn(self) -> u32 {
        self.turn.get_untracked()
    }

    fn read_tries<R>(self, read: impl FnOnce(&Tries) -> R) -> R {
        self.turn.track();
        self.tries.with_untracked(|tries| read(&tries.borrow()))
    }

    /// The tries that are worth a row.
    pub(crate) fn listed_tries(self, at_most: usize) -> Vec<Listed> {
        self.read_tries(|tries| tries.listed(at_most))
    }

    /// Another try, with what is said of it.
    pub(crate) fn kept_try(self, nth: usize) -> Option<(Said, Document)> {
        let (said, text) = self.tries.with_untracked(|tries| tries.borrow().kept(nth))?;
        Some((said, Document::parse(&text).ok()?))
    }

    /// Opens another try.
    pub(crate) fn go_to_try(self, nth: usize) {
        let (text, said) = (self.text(), self.said());
        let Some(found) = self.with_tries(|tries| tries.go(nth, &text, said)) else { return };
        match checked(&found) {
            Ok(checked) => {
                self.document.set(Shared::new(checked));
                self.refusal.set(None);
            }
            // It was good when it was left.
            Err(problems) => self.refusal.set(Some(problems.to_string())),
        }
    }

    pub(crate) fn undo(self) {
        if let Some(before) = self.tries.with_untracked(|tries| tries.borrow().before()) {
            self.go_to_try(before);
        }
    }

    pub(crate) fn redo(self) {
        if let Some(after) = self.tries.with_untracked(|tries| tries.borrow().after()) {
            self.go_to_try(after);
        }
    }

    pub(crate) fn can_undo(self) -> bool {
        self.read_tries(|tries| tries.before().is_some())
    }

    pub(crate) fn can_redo(self) -> bool {
        self.read_tries(|tries| tries.after().is_some())
    }
}

/// What is said of a document that nobody changed.
const AS_TOLD: &str = "as the story tells it";

impl Tries {
    /// From tries that were left, or from none: opens this document, as a try of its own unless it is the first one.
    pub(super) fn come_to(&mut self, told: &Checked, document: &Checked) {
        if self.is_new() {
            if document.document == told.document {
                return;
            }
            self.leave(&told.document.to_toml(), said_of(told, AS_TOLD));
        }
        if self.rewind() != document.document.to_toml() {
            self.grow();
        }
    }

    /// A document that was made of what is told is a try beside those to come.
    pub(super) fn put_beside(&mut self, told: &Checked, left: &Checked) {
        self.branch(&told.document.to_toml(), said_of(told, AS_TOLD));
        self.leave(&left.document.to_toml(), said_of(left, &told_of(&told.document, &left.document)));
    }
}

fn said_of(checked: &Checked, change: &str) -> Said {
    Said::new(change.into(), &scenario::play(&checked.scenario).headline)
}

/// What was changed between two documents, in few words.
fn told_of(before: &Document, now: &Document) -> String {
    let changes = before.changes_to(now);
    let first =
        changes.first().map_or_else(|| "nothing is another".to_string(), |change| before.told(change));
    match changes.len() {
        0 | 1 => first,
        2 => format!("{first}, and one change more"),
        more => format!("{first}, and {} changes more", more - 1),
    }
}
