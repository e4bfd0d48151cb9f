//! What the page is about: one document, and what follows from it. Nothing else on the page holds truth.

mod edit;
mod left;
mod look;
mod open;
mod undo;

use std::cell::RefCell;

use kernel::{RecordId, SimTime};
use leptos::prelude::expect_context;
use scenario::Play;
use scenario::document::Problem;

use left::Left;
pub(crate) use left::ListedLeft;
pub(crate) use look::Reach;
pub(crate) use open::{Checked, Choice, Opened};

use crate::shared::Shared;
use crate::slim::{Memo, State};
use crate::tries::Tries;

/// A text that is no document.
#[derive(Clone, PartialEq)]
pub(crate) struct Draft {
    pub(crate) text: String,
    pub(crate) problems: Vec<Problem>,
}

/// The page's state. `document` is the only thing that a user changes about the play; `play` follows from it.
#[derive(Clone, Copy)]
pub(crate) struct Session {
    pub(crate) choice: State<Choice>,
    pub(crate) document: State<Shared<Checked>>,
    /// The document as the story tells it.
    told: State<Shared<Checked>>,
    /// The open one of these is `document`. They change in place; `turn` is news of it.
    tries: State<Shared<RefCell<Tries>>>,
    turn: State<u32>,
    /// What was open before, each with its tries.
    left: State<Shared<RefCell<Vec<Left>>>>,
    /// Why the last edit was refused.
    pub(crate) refusal: State<Option<String>>,
    /// What was done that is not seen otherwise.
    pub(crate) notice: State<Option<String>>,
    /// A text of the document that is no good yet, as it is being typed, and what is wrong with it.
    pub(crate) draft: State<Option<Draft>>,
    pub(crate) playhead: State<SimTime>,
    /// The fault that is looked at, by its id.
    pub(crate) selected: State<Option<String>>,
    pub(crate) play: Memo<Shared<Play>>,
    /// The record that was looked at last, in which play, and where the playhead was.
    looked: State<Option<Looked>>,
    /// The record that is looked at: as long as neither the play nor the playhead is another.
    pub(crate) happening: Memo<Option<RecordId>>,
    /// What happened before that, and after it.
    pub(crate) reach: Memo<Option<Shared<Reach>>>,
}

type Looked = (Shared<Play>, SimTime, RecordId);

impl Session {
    /// The session of the page.
    pub(crate) fn of_page() -> Self {
        expect_context()
    }

    /// Whether the document is not as the story tells it.
    pub(crate) fn is_edited(self) -> bool {
        self.document.with(|now| self.told.with(|told| now != told && now.document != told.document))
    }

    /// The same, asked once.
    pub(crate) fn is_edited_untracked(self) -> bool {
        self.document.with_untracked(|now| {
            self.told.with_untracked(|told| now != told && now.document != told.document)
        })
    }

    /// What is told, in a few sentences: of the story, or of its variant.
    pub(crate) fn about(self) -> String {
        let variant = self.choice.with(|choice| choice.variant.clone());
        self.document.with(|checked| {
            let variants = checked.document.variants();
            let of_variant = variants.into_iter().find(|(name, _)| Some(name) == variant.as_ref());
            of_variant.map_or_else(|| checked.scenario.about.clone(), |(_, about)| about)
        })
    }
}
