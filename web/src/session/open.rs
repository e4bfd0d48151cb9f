//! Opening: a story or a variant of it, what a link leads to, what was being edited when the page was left.

use std::cell::RefCell;

use kernel::SimTime;
use scenario::document::Problems;
use scenario::link::Link;
use scenario::{Document, Play, Scenario, Tone};

use super::{Draft, Looked, Reach, Session};
use crate::address;
use crate::keep;
use crate::measure::measured;
use crate::mishap::watched;
use crate::shared::Shared;
use crate::slim::{State, memo};
use crate::tries::Tries;

/// Said where tries were taken up.
const BESIDE: &str = "What you tried with it before stands under Tries.";

/// A document that was found good, with what it means.
pub(crate) struct Checked {
    pub(crate) document: Document,
    pub(crate) scenario: Scenario,
}

impl Checked {
    pub(super) fn new(document: Document) -> Result<Self, Problems> {
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

/// What is opened: a document, what it was made of, and what is looked at.
pub(crate) struct Opened {
    pub(super) choice: Choice,
    pub(super) told: Shared<Checked>,
    pub(super) document: Shared<Checked>,
    pub(super) at: Option<SimTime>,
    pub(super) fault: Option<String>,
}

impl Opened {
    fn story(choice: &Choice) -> Result<Self, String> {
        let told = Shared::new(tell(choice)?);
        Ok(Self { choice: choice.clone(), document: told.clone(), told, at: None, fault: None })
    }

    /// What a link leads to.
    pub(crate) fn of(link: &Link) -> Result<Self, String> {
        let good =
            |document| Checked::new(document).map(Shared::new).map_err(|problems| problems.to_string());
        let document = good(link.document()?)?;
        let told = match link.told()? {
            Some(told) => good(told)?,
            None => document.clone(),
        };
        let choice = Choice { story: link.story.clone().unwrap_or_default(), variant: link.variant.clone() };
        Ok(Self { choice, told, document, at: link.at, fault: link.fault.clone() })
    }
}

impl Session {
    /// Opens what the address asks for; otherwise what was being edited when the page was left, or the first story. Fails when
    /// that cannot be read, which the stories' own tests rule out.
    pub(crate) fn open() -> Result<Self, String> {
        let first = scenario::stories().first().ok_or("there are no stories")?;
        let first = Opened::story(&Choice { story: first.name.to_string(), variant: None })?;
        let kept = keep::kept();
        // What was kept is taken up where it left off; a text that is no good any more stays as a draft.
        let (mut left, mut draft) = (None, None);
        let choice = kept.as_ref().map(|kept| kept.choice.clone());
        for text in kept.into_iter().flat_map(|kept| kept.texts) {
            match checked(&text) {
                Ok(good) => left = Some(Shared::new(good)),
                Err(Problems(problems)) => draft = Some(Draft { text, problems }),
            }
        }
        let (asked, refusal) = match address::asked().map(|link| Opened::of(&link?)) {
            Some(Ok(opened)) => (Some(opened), None),
            Some(Err(why)) => (None, Some(why)),
            None => (None, None),
        };
        let (opened, beside) = match asked {
            // What was left is a try beside what was asked for.
            Some(opened) => (opened, left),
            None => {
                let opened = choice.and_then(|choice| Opened::story(&choice).ok()).unwrap_or(first);
                let document = left.unwrap_or_else(|| opened.document.clone());
                (Opened { document, ..opened }, None)
            }
        };
        let session = Self::of(opened, beside);
        session.refusal.set(refusal);
        session.draft.set(draft);
        Ok(session)
    }

    /// A session over what is opened, with another document as a try beside it.
    pub(crate) fn of(opened: Opened, beside: Option<Shared<Checked>>) -> Self {
        let mut tries = Tries::new();
        if let Some(beside) = beside.filter(|beside| beside.document != opened.document.document) {
            tries.put_beside(&opened.told, &beside);
        }
        tries.come_to(&opened.told, &opened.document);
        let document = State::new(opened.document);
        let play = memo(move || {
            let checked = document.get();
            watched(&checked, || measured("play", || Shared::new(scenario::play(&checked.scenario))))
        });
        let playhead = State::new(opened.at.unwrap_or_else(|| decisive(&play.get_untracked())));
        let looked: State<Option<Looked>> = State::new(None);
        let happening = memo(move || {
            let (of, at, record) = looked.get()?;
            (of == play.get() && at == playhead.get()).then_some(record)
        });
        let reach = memo(move || {
            let of = happening.get()?;
            let (past, future) = play.with(|play| (play.trace.past(of), play.trace.future(of)));
            Some(Shared::new(Reach { of, past, future }))
        });
        Self {
            choice: State::new(opened.choice),
            document,
            told: State::new(opened.told),
            tries: State::new(Shared::new(RefCell::new(tries))),
            left: State::new(Shared::new(RefCell::default())),
            turn: State::new(0),
            refusal: State::new(None),
            notice: State::new(None),
            draft: State::new(None),
            playhead,
            selected: State::new(opened.fault),
            play,
            looked,
            happening,
            reach,
        }
    }

    /// Turns to another story or variant.
    pub(crate) fn choose(self, choice: &Choice) {
        match Opened::story(choice) {
            Ok(opened) => self.visit(opened),
            Err(problem) => self.refusal.set(Some(problem)),
        }
    }

    /// Turns to something else, and says so where there are tries of it.
    pub(crate) fn visit(self, opened: Opened) {
        if self.turn_to(opened) {
            self.notice.set(Some(BESIDE.to_string()));
        }
    }

    /// Turns to something else. What was open is left, and can be gone back to; what was tried with this before is beside it.
    /// Whether anything was.
    pub(crate) fn turn_to(self, opened: Opened) -> bool {
        self.leave();
        let left = self.take_left(&opened.choice);
        let was_tried = left.is_some();
        let (mut tries, draft) = left.unwrap_or_else(|| (Tries::new(), None));
        tries.come_to(&opened.told, &opened.document);
        self.with_tries(|now| *now = tries);
        self.settle(opened, draft);
        was_tried
    }

    /// Shows what is opened, whose tries are in their place.
    pub(super) fn settle(self, opened: Opened, draft: Option<Draft>) {
        self.told.set(opened.told);
        self.document.set(opened.document);
        self.choice.set(opened.choice);
        self.refusal.set(None);
        self.draft.set(draft);
        self.selected.set(opened.fault);
        self.playhead.set(opened.at.unwrap_or_else(|| decisive(&self.play.get_untracked())));
    }

    /// A link to what is open.
    pub(crate) fn link(self) -> Link {
        let (told, now) = (self.told.get_untracked(), self.document.get_untracked());
        let choice = self.choice.get_untracked();
        let link = if choice.story.is_empty() {
            Link { text: Some(now.document.to_toml()), ..Link::default() }
        } else {
            Link::to(&choice.story, choice.variant.as_deref(), &told.document, &now.document)
        };
        Link { at: Some(self.playhead.get_untracked()), fault: self.selected.get_untracked(), ..link }
    }
}

/// A text as a document that is good.
pub(super) fn checked(text: &str) -> Result<Checked, Problems> {
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

/// The instant that a story turns on: that of the first event that is good or bad news; otherwise the beginning.
fn decisive(play: &Play) -> SimTime {
    let turns = play.tale.iter().find(|event| match event.tone {
        Tone::Good | Tone::Bad => true,
        Tone::Plain | Tone::Fault => false,
    });
    turns.map_or(SimTime::ZERO, |event| event.at)
}
