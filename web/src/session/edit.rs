//! Changing the document: all of an edit or nothing, and why not.

use kernel::{SimTime, Span};
use scenario::Document;
use scenario::document::{Dur, Problem, Problems};
use timeline::Edit;

use super::open::checked;
use super::{Checked, Draft, Session};
use crate::shared::Shared;

impl Session {
    /// Changes the document, all edits or none. When the result is no good, says why and keeps the last good one.
    pub(crate) fn edit(self, edits: &[Edit]) -> bool {
        self.change(&|document| edits.iter().try_for_each(|(path, value)| document.set(path, value)))
    }

    fn change(self, change: &dyn Fn(&mut Document) -> Result<(), Problem>) -> bool {
        let mut document = self.document.with_untracked(|checked| checked.document.clone());
        match change(&mut document).map_err(Problems::from).and_then(|()| Checked::new(document)) {
            Ok(checked) => {
                self.document.set(Shared::new(checked));
                self.refusal.set(None);
                true
            }
            Err(problems) => {
                self.refusal.set(Some(problems.to_string()));
                false
            }
        }
    }

    /// Takes a text for the document as it is typed; one that is no good waits as a draft. Whether it was good. `begins`
    /// says that what was before is to be remembered.
    pub(crate) fn write(self, text: &str, begins: bool) -> bool {
        match checked(text) {
            Ok(checked) => {
                if begins {
                    self.remember();
                }
                self.document.set(Shared::new(checked));
                self.refusal.set(None);
                self.draft.set(None);
                true
            }
            Err(Problems(problems)) => {
                self.draft.set(Some(Draft { text: text.to_string(), problems }));
                false
            }
        }
    }

    /// One edit that stands for itself and can be undone.
    pub(crate) fn commit(self, edits: &[Edit]) {
        self.commit_change(&|document| edits.iter().try_for_each(|(path, value)| document.set(path, value)));
    }

    /// The same for any change of the document.
    pub(crate) fn commit_change(self, change: &dyn Fn(&mut Document) -> Result<(), Problem>) {
        let (text, said) = (self.text(), self.said());
        if self.change(change) {
            self.with_tries(|tries| tries.branch(&text, said));
        }
    }

    /// Adds a fault of a kind that strikes this process, and looks at it.
    pub(crate) fn add_fault(self, kind: &str, on: &str, at: SimTime) {
        let horizon = self.play.with_untracked(|play| play.horizon());
        let span = Dur(usual_span(horizon));
        // Where nothing would follow there is no point in striking.
        let at = Dur(at.min(horizon).since(SimTime::ZERO));
        self.with_new_fault(&|document| document.add_fault(kind, on, at, span));
    }

    /// Adds a fault once more, a little later, and looks at the new one.
    pub(crate) fn double_fault(self, id: &str) {
        let later = Dur(usual_span(self.play.with_untracked(|play| play.horizon())));
        self.with_new_fault(&|document| document.duplicate_fault(id, later));
    }

    fn with_new_fault(self, add: &dyn Fn(&mut Document) -> Result<String, Problem>) {
        let mut new = None;
        let new = std::cell::RefCell::new(&mut new);
        self.commit_change(&|document| {
            let id = add(document)?;
            **new.borrow_mut() = Some(id);
            Ok(())
        });
        if let Some(id) = new.into_inner().take() {
            self.selected.set(Some(id));
        }
    }

    /// Takes a fault out.
    pub(crate) fn remove_fault(self, id: &str) {
        self.commit_change(&|document| document.remove_fault(id));
    }

    /// Sets what a path leads to, or takes it out where nothing is typed: then it is as it usually is.
    pub(crate) fn put(self, path: &str, text: &str) {
        self.commit_change(&|document| {
            if !text.is_empty() {
                document.set(path, text)
            } else if document.at(path).is_some() {
                document.remove(path)
            } else {
                Ok(())
            }
        });
    }

    /// Back to the document as the story tells it.
    pub(crate) fn reset(self) {
        if self.is_edited() {
            self.remember();
            self.document.set(self.told.get_untracked());
        }
        self.refusal.set(None);
    }
}

/// How long a fault lasts at first: a tenth of the play, in whole seconds where it is long enough.
fn usual_span(horizon: SimTime) -> Span {
    let tenth = horizon.as_micros() / 10;
    Span::from_micros(if tenth >= 1_000_000 { tenth / 1_000_000 * 1_000_000 } else { tenth.max(1) })
}
