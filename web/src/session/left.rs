//! What was open before something else was: nothing that was tried with it is lost.

use scenario::Headline;

use super::{Choice, Draft, Opened, Session};
use crate::tries::Tries;

/// A story that was left, or what a link led to.
pub(super) struct Left {
    opened: Opened,
    tries: Tries,
    draft: Option<Draft>,
    headline: Headline,
}

/// What is shown of it.
pub(crate) struct ListedLeft {
    pub(crate) title: String,
    pub(crate) variant: Option<String>,
    pub(crate) headline: Headline,
}

impl Session {
    /// Keeps what is open, if there is anything that the story itself does not have.
    pub(super) fn leave(self) {
        let (text, said) = (self.text(), self.said());
        let mut tries = self.with_tries(|tries| std::mem::replace(tries, Tries::new()));
        let opened = Opened {
            choice: self.choice.get_untracked(),
            told: self.told.get_untracked(),
            document: self.document.get_untracked(),
            at: Some(self.playhead.get_untracked()),
            fault: self.selected.get_untracked(),
        };
        let draft = self.draft.get_untracked();
        if tries.is_new() && draft.is_none() && !opened.choice.story.is_empty() {
            return;
        }
        tries.leave(&text, said);
        let headline = self.play.with_untracked(|play| play.headline.clone());
        self.with_left(|left| left.push(Left { opened, tries, draft, headline }));
    }

    /// What was tried and typed of this before; it is no longer among what was left.
    pub(super) fn take_left(self, choice: &Choice) -> Option<(Tries, Option<Draft>)> {
        self.with_left(|left| {
            let nth = left.iter().position(|each| each.opened.choice == *choice)?;
            let Left { tries, draft, .. } = left.remove(nth);
            Some((tries, draft))
        })
    }

    /// What was left and can be gone back to, the last first.
    pub(crate) fn listed_left(self) -> Vec<ListedLeft> {
        self.turn.track();
        let listed = |each: &Left| ListedLeft {
            title: each.opened.document.scenario.title.clone(),
            variant: each.opened.choice.variant.clone(),
            headline: each.headline.clone(),
        };
        self.with_left(|left| left.iter().rev().map(listed).collect())
    }

    /// Goes back to what was left, as it was.
    pub(crate) fn go_back(self, nth: usize) {
        let Some(to) = self.with_left(|left| {
            let at = left.len().checked_sub(nth + 1)?;
            Some(left.remove(at))
        }) else {
            return;
        };
        self.leave();
        self.with_tries(|now| *now = to.tries);
        self.settle(to.opened, to.draft);
    }

    fn with_left<R>(self, read: impl FnOnce(&mut Vec<Left>) -> R) -> R {
        self.left.with_untracked(|left| read(&mut left.borrow_mut()))
    }
}
