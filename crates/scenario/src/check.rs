//! Checking a document: it and each of its variants are played, and held to what they expect and to what their lessons say.

use document::model::Scenario;
use document::{Document, Problems};

use crate::expect::{self, Outcome};
use crate::lesson;
use crate::play::play;

/// A document as it is played: by itself, or as one of its variants.
#[derive(Clone, Debug)]
pub struct Case {
    /// The variant's name; `None` when the document is played as it is written.
    pub variant: Option<String>,
    /// What is played.
    pub scenario: Scenario,
}

/// The document and each of its variants, in its order.
///
/// # Errors
/// What is wrong with each that cannot be played. When the document itself cannot, that alone: its variants would be told to be
/// wrong in the same way.
pub fn cases(document: &Document) -> Result<Vec<Case>, Vec<(Option<String>, Problems)>> {
    let scenario = document.scenario().map_err(|problems| vec![(None, problems)])?;
    let (mut cases, mut unplayable) = (vec![Case { variant: None, scenario }], Vec::new());
    for (variant, _) in document.variants() {
        match document.with_variant(&variant).and_then(|document| document.scenario()) {
            Ok(scenario) => cases.push(Case { variant: Some(variant), scenario }),
            Err(problems) => unplayable.push((Some(variant), problems)),
        }
    }
    if unplayable.is_empty() { Ok(cases) } else { Err(unplayable) }
}

impl Case {
    /// Plays it, and says how each expectation came out.
    pub fn hold(&self) -> Vec<Outcome> {
        let play = play(&self.scenario);
        let mut outcomes = expect::hold(&play);
        outcomes.extend(lesson::hold(&play, self.variant.as_deref()));
        outcomes
    }
}
