//! What the page is about: one document, and what follows from it. Nothing else on the page holds truth.

use kernel::{SimTime, Span};
use leptos::prelude::expect_context;
use scenario::document::{Dur, Problem, Problems};
use scenario::{Document, Play, Scenario, Tone};
use timeline::Edit;

use crate::format::millis;
use crate::keep;
use crate::measure::measured;
use crate::shared::Shared;
use crate::slim::{Memo, State, memo};

/// A document that was found good, with what it means.
pub(crate) struct Checked {
    pub(crate) document: Document,
    pub(crate) scenario: Scenario,
}

impl Checked {
    fn new(document: Document) -> Result<Self, Problems> {
        let scenario = document.scenario()?;
        Ok(Self { document, scenario })
    }

    /// The names of the document's faults, those that are switched off as well.
    pub(crate) fn fault_ids(&self) -> Vec<String> {
        self.scenario.fault.iter().map(|fault| fault.id().to_string()).collect()
    }
}

/// Which story, and which variant of it.
#[derive(Clone, PartialEq)]
pub(crate) struct Choice {
    /// The story's name.
    pub(crate) story: String,
    pub(crate) variant: Option<String>,
}

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
    past: State<Vec<Shared<Checked>>>,
    future: State<Vec<Shared<Checked>>>,
    /// Why the last edit was refused.
    pub(crate) refusal: State<Option<String>>,
    /// A text of the document that is no good yet, as it is being typed, and what is wrong with it.
    pub(crate) draft: State<Option<Draft>>,
    pub(crate) playhead: State<SimTime>,
    /// The fault that is looked at, by its id.
    pub(crate) selected: State<Option<String>>,
    pub(crate) play: Memo<Shared<Play>>,
}

impl Session {
    /// Opens the first story. Fails when it cannot be read, which the stories' own tests rule out.
    pub(crate) fn open() -> Result<Self, String> {
        let first = scenario::stories().first().ok_or("there are no stories")?;
        let first = Choice { story: first.name.to_string(), variant: None };
        let kept = keep::kept();
        let choice = kept.as_ref().map_or(&first, |kept| &kept.choice);
        let (choice, told) = match tell(choice) {
            Ok(told) => (choice.clone(), told),
            Err(_) => (first.clone(), tell(&first)?),
        };
        let told = Shared::new(told);
        // What was kept is taken up where it left off; a text that is no good any more stays as a draft.
        let (mut edited, mut draft) = (told.clone(), None);
        for text in kept.into_iter().flat_map(|kept| kept.texts) {
            match checked(&text) {
                Ok(good) => edited = Shared::new(good),
                Err(Problems(problems)) => draft = Some(Draft { text, problems }),
            }
        }
        let document = State::new(edited);
        let play = memo(move || {
            let checked = document.get();
            measured("play", || Shared::new(scenario::play(&checked.scenario)))
        });
        let playhead = State::new(decisive(&play.get_untracked()));
        Ok(Self {
            choice: State::new(choice),
            document,
            told: State::new(told),
            past: State::new(Vec::new()),
            future: State::new(Vec::new()),
            refusal: State::new(None),
            draft: State::new(draft),
            playhead,
            selected: State::new(None),
            play,
        })
    }

    /// The session of the page.
    pub(crate) fn of_page() -> Self {
        expect_context()
    }

    /// Turns to another story or variant.
    pub(crate) fn choose(self, choice: Choice) {
        match tell(&choice) {
            Ok(checked) => {
                let checked = Shared::new(checked);
                self.past.set(Vec::new());
                self.future.set(Vec::new());
                self.told.set(checked.clone());
                self.document.set(checked);
                self.choice.set(choice);
                self.refusal.set(None);
                self.draft.set(None);
                self.selected.set(None);
                self.playhead.set(decisive(&self.play.get_untracked()));
            }
            Err(problem) => self.refusal.set(Some(problem)),
        }
    }

    /// Keeps the document as it is now, so that `undo` comes back to it. Called once before each gesture.
    pub(crate) fn remember(self) {
        let now = self.document.get_untracked();
        self.past.update(|past| past.push(now));
        self.future.update(Vec::clear);
    }

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
        let before = self.document.get_untracked();
        if self.change(change) {
            self.past.update(|past| past.push(before));
            self.future.update(Vec::clear);
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

    pub(crate) fn undo(self) {
        self.swap(self.past, self.future);
    }

    pub(crate) fn redo(self) {
        self.swap(self.future, self.past);
    }

    fn swap(self, from: State<Vec<Shared<Checked>>>, to: State<Vec<Shared<Checked>>>) {
        let mut last = None;
        from.update(|kept| last = kept.pop());
        if let Some(checked) = last {
            let now = self.document.get_untracked();
            to.update(|kept| kept.push(now));
            self.document.set(checked);
            self.refusal.set(None);
        }
    }

    pub(crate) fn can_undo(self) -> bool {
        self.past.with(|past| !past.is_empty())
    }

    pub(crate) fn can_redo(self) -> bool {
        self.future.with(|future| !future.is_empty())
    }

    /// Back to the document as the story tells it.
    pub(crate) fn reset(self) {
        if self.is_edited() {
            self.remember();
            self.document.set(self.told.get_untracked());
        }
        self.refusal.set(None);
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

    /// Moves the playhead, within the play.
    pub(crate) fn seek(self, at: SimTime) {
        let horizon = self.play.with_untracked(|play| play.horizon());
        self.playhead.set(at.min(horizon));
    }

    /// The playhead, within the play.
    pub(crate) fn at(self) -> SimTime {
        self.playhead.get().min(self.play.with(|play| play.horizon()))
    }

    /// To the next instant at which something happens, or to the one before.
    pub(crate) fn step(self, forward: bool) {
        let now = self.playhead.get_untracked();
        let next = self.play.with_untracked(|play| {
            let instants: Vec<SimTime> = play.tale.iter().map(|event| event.at).collect();
            next(&instants, now, forward)
        });
        if let Some(at) = next {
            self.playhead.set(at);
        }
    }
}

/// The next of these instants that the page shows as another than `now`, or the one before. Of several that it shows as
/// the same, the last: then all that the page shows at this instant has happened.
fn next(instants: &[SimTime], now: SimTime, forward: bool) -> Option<SimTime> {
    let now = millis(now);
    if !forward {
        return instants.iter().rfind(|at| millis(**at) < now).copied();
    }
    let shown = instants.iter().map(|at| millis(*at)).find(|shown| *shown > now)?;
    instants.iter().rfind(|at| millis(**at) == shown).copied()
}

/// A text as a document that is good.
fn checked(text: &str) -> Result<Checked, Problems> {
    Document::parse(text).and_then(Checked::new)
}

/// The document of a choice.
fn tell(choice: &Choice) -> Result<Checked, String> {
    let story = scenario::story(&choice.story).ok_or("there is no such story")?;
    let document = Document::parse(story.text).and_then(|document| match &choice.variant {
        Some(variant) => document.with_variant(variant),
        None => Ok(document),
    });
    document.and_then(Checked::new).map_err(|problems| problems.to_string())
}

/// How long a fault lasts at first: a tenth of the play, in whole seconds where it is long enough.
fn usual_span(horizon: SimTime) -> Span {
    let tenth = horizon.as_micros() / 10;
    Span::from_micros(if tenth >= 1_000_000 { tenth / 1_000_000 * 1_000_000 } else { tenth.max(1) })
}

/// The instant that a story turns on: that of the first event that is good or bad news; otherwise the beginning.
fn decisive(play: &Play) -> SimTime {
    let turns = play.tale.iter().find(|event| match event.tone {
        Tone::Good | Tone::Bad => true,
        Tone::Plain | Tone::Fault => false,
    });
    turns.map_or(SimTime::ZERO, |event| event.at)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 0 and 0.22 ms are the same to whoever reads the page, and so are the two events at 3 s.
    #[test]
    fn a_step_changes_what_is_shown() {
        let instants = [0, 220, 3_000_100, 3_000_400, 3_900_240].map(SimTime::from_micros);
        let step =
            |now: u64, forward| next(&instants, SimTime::from_micros(now), forward).map(SimTime::as_micros);
        for (now, back, on) in [
            (0, None, Some(3_000_400)),
            (3_000_100, Some(220), Some(3_900_240)),
            (3_000_400, Some(220), Some(3_900_240)),
            (3_500_000, Some(3_000_400), Some(3_900_240)),
            (3_900_240, Some(3_000_400), None),
        ] {
            assert_eq!((step(now, false), step(now, true)), (back, on), "from {now} µs");
        }
    }
}
