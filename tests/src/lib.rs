//! What the tests and benches of this crate share: the built-in stories with their variants, golden files, and bare
//! Raft clusters.

pub mod cluster;
#[cfg(not(target_arch = "wasm32"))]
pub mod golden;
pub mod measures;
pub mod summary;

use scenario::{Document, Play, play, stories, story};

/// A built-in story, as it is or as one of its variants has it.
#[derive(Clone, Debug)]
pub struct Case {
    /// The story's name.
    pub story: &'static str,
    /// The variant's name.
    pub variant: Option<String>,
    /// The document.
    pub document: Document,
}

/// Every built-in story, and every variant of each.
pub fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    for story in stories() {
        let document = parsed(story.text);
        let variants = document.variants();
        cases.push(Case { story: story.name, variant: None, document });
        cases.extend(variants.into_iter().map(|(variant, _)| case(story.name, Some(&variant))));
    }
    cases
}

/// A built-in story by its name, as it is or as a variant has it.
pub fn case(name: &str, variant: Option<&str>) -> Case {
    let story = story(name).unwrap_or_else(|| panic!("there is no story `{name}`"));
    let mut document = parsed(story.text);
    if let Some(variant) = variant {
        document = document.with_variant(variant).unwrap_or_else(|problems| panic!("{problems}"));
    }
    Case { story: story.name, variant: variant.map(str::to_owned), document }
}

/// A story played, with a variant and with edits as `--set` and a drag on the page make them.
pub fn played(name: &str, variant: Option<&str>, edits: &[(&str, &str)]) -> Play {
    let mut case = case(name, variant);
    for (path, value) in edits {
        case.document.set(path, value).unwrap_or_else(|problem| panic!("{problem}"));
    }
    case.play()
}

/// The digest of every case's trace, a line each.
pub fn digests() -> String {
    cases().iter().map(|case| format!("{} {}\n", case.play().digest(), case.name())).collect()
}

/// A document played, given as text.
pub fn played_text(text: &str) -> Play {
    play(&parsed(text).scenario().unwrap_or_else(|problems| panic!("{problems}")))
}

fn parsed(text: &str) -> Document {
    Document::parse(text).unwrap_or_else(|problems| panic!("{problems}"))
}

impl Case {
    /// `billing`, `billing/unfenced`
    pub fn name(&self) -> String {
        match &self.variant {
            Some(variant) => format!("{}/{variant}", self.story),
            None => self.story.to_owned(),
        }
    }

    /// Plays it.
    pub fn play(&self) -> Play {
        let scenario =
            self.document.scenario().unwrap_or_else(|problems| panic!("{}: {problems}", self.name()));
        play(&scenario)
    }
}
