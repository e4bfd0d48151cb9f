//! Every try of a document that is being edited. Undo goes back to what a try came from; what is edited from there is a try
//! of its own beside the one that was left, and nothing is thrown away.

use scenario::{Headline, Tone};

/// A tree of tries. One of them is open: its document is the page's, and is kept here when it is left.
pub(crate) struct Tries {
    all: Vec<Try>,
    open: usize,
}

struct Try {
    /// The try that it was made of; the first was made of nothing.
    from: Option<usize>,
    /// The try to which redo goes: of those that were made of this one, the last that was open.
    next: Option<usize>,
    /// How many tries there are from the first to here.
    depth: usize,
    kept: Option<Kept>,
}

/// A try that was left.
struct Kept {
    text: Text,
    said: Said,
}

/// What is shown of a try: what was changed to come to it, and what came out.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Said {
    pub(crate) change: String,
    pub(crate) sentence: String,
    pub(crate) tone: Tone,
}

impl Said {
    pub(crate) fn new(change: String, headline: &Headline) -> Self {
        Self { change, sentence: headline.sentence.clone(), tone: headline.tone }
    }
}

/// A document's text: whole, or as the place where it differs from that of the try it was made of. Thousands of tries that
/// each change a figure take no more room than the figures.
enum Text {
    Whole(Box<str>),
    Differs { head: usize, tail: usize, middle: Box<str> },
}

/// After so many tries a text is kept whole, so that it is soon found.
const WHOLE_EVERY: usize = 32;

/// A try as the page lists it.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Listed {
    pub(crate) nth: usize,
    /// How far it is set in: one more beside each fork.
    pub(crate) inset: usize,
    /// How many tries before it are left out.
    pub(crate) skipped: usize,
    /// `None` for the one that is open.
    pub(crate) said: Option<Said>,
}

impl Tries {
    /// One, which is open.
    pub(crate) fn new() -> Self {
        Self { all: vec![Try { from: None, next: None, depth: 0, kept: None }], open: 0 }
    }

    /// Leaves the open try as it is now, and opens a new one that is made of it.
    pub(crate) fn branch(&mut self, text: &str, said: Said) {
        self.leave(text, said);
        self.grow();
    }

    /// Opens a new one that is made of the open one, which was left.
    pub(crate) fn grow(&mut self) {
        let new = self.all.len();
        let depth = self.all[self.open].depth + 1;
        self.all.push(Try { from: Some(self.open), next: None, depth, kept: None });
        self.all[self.open].next = Some(new);
        self.open = new;
    }

    /// Leaves the open try as it is now and opens another; answers that one's text.
    pub(crate) fn go(&mut self, to: usize, text: &str, said: Said) -> Option<String> {
        if to == self.open || to >= self.all.len() {
            return None;
        }
        self.leave(text, said);
        self.open = to;
        let mut at = to;
        while let Some(from) = self.all[at].from {
            self.all[from].next = Some(at);
            at = from;
        }
        Some(self.text_of(to))
    }

    /// Back to the first, from a try that was left.
    pub(crate) fn rewind(&mut self) -> String {
        self.open = 0;
        self.text_of(0)
    }

    /// Whether there is but one, which was never left.
    pub(crate) fn is_new(&self) -> bool {
        self.all.len() == 1 && self.all[0].kept.is_none()
    }

    /// What is said of a try that was left, and its text.
    pub(crate) fn kept(&self, nth: usize) -> Option<(Said, String)> {
        let said = self.all.get(nth)?.kept.as_ref()?.said.clone();
        Some((said, self.text_of(nth)))
    }

    /// The try that undo goes to.
    pub(crate) fn before(&self) -> Option<usize> {
        self.all[self.open].from
    }

    /// The try that redo goes to.
    pub(crate) fn after(&self) -> Option<usize> {
        self.all[self.open].next
    }

    /// The text of the try that the open one was made of.
    pub(crate) fn text_before(&self) -> Option<String> {
        self.before().map(|from| self.text_of(from))
    }

    /// About how many bytes the texts take.
    #[cfg(test)]
    fn bytes(&self) -> usize {
        let of = |text: &Text| match text {
            Text::Whole(text) | Text::Differs { middle: text, .. } => text.len(),
        };
        self.all.iter().filter_map(|each| each.kept.as_ref()).map(|kept| of(&kept.text)).sum()
    }

    /// Keeps the open try as it is now.
    pub(crate) fn leave(&mut self, text: &str, said: Said) {
        let Try { from, depth, kept: ref known, .. } = self.all[self.open];
        if known.is_some() {
            return; // What is opened again is not changed: a change is a try of its own.
        }
        let text = match from.filter(|_| !depth.is_multiple_of(WHOLE_EVERY)) {
            Some(from) => differs(&self.text_of(from), text),
            None => Text::Whole(text.into()),
        };
        self.all[self.open].kept = Some(Kept { text, said });
    }

    fn text_of(&self, nth: usize) -> String {
        let mut differences = Vec::new();
        let mut at = Some(nth);
        let mut text = String::new();
        while let Some(each) = at.map(|at| &self.all[at]) {
            match each.kept.as_ref().map(|kept| &kept.text) {
                Some(Text::Whole(whole)) => {
                    text = whole.to_string();
                    break;
                }
                Some(Text::Differs { head, tail, middle }) => differences.push((*head, *tail, middle)),
                None => break,
            }
            at = each.from;
        }
        for (head, tail, middle) in differences.into_iter().rev() {
            text.replace_range(head..text.len() - tail, middle);
        }
        text
    }

    /// The tries that are worth a row, at most so many: the first, forks and what comes after them, ends, and those near
    /// the open one. Each stands below what it was made of.
    pub(crate) fn listed(&self, at_most: usize) -> Vec<Listed> {
        let mut made: Vec<Vec<usize>> = vec![Vec::new(); self.all.len()];
        for (nth, each) in self.all.iter().enumerate() {
            if let Some(from) = each.from {
                made[from].push(nth);
            }
        }
        let near = |nth: usize| nth.abs_diff(self.open) <= NEAR;
        let mut rows = Vec::new();
        let mut skipped = 0;
        let mut todo = vec![(0, 0)];
        while let Some((nth, inset)) = todo.pop() {
            let each = &self.all[nth];
            let after_fork = each.from.is_some_and(|from| made[from].len() > 1);
            if nth == 0 || made[nth].len() != 1 || after_fork || near(nth) {
                let said = each.kept.as_ref().map(|kept| kept.said.clone()).filter(|_| nth != self.open);
                rows.push(Listed { nth, inset, skipped, said });
                skipped = 0;
            } else {
                skipped += 1;
            }
            // The first that was made goes straight on, below those that were made later and are set in.
            for (place, child) in made[nth].iter().enumerate() {
                todo.push((*child, if place == 0 { inset } else { inset + 1 }));
            }
        }
        let open = rows.iter().position(|row| row.nth == self.open).unwrap_or(0);
        if rows.len() > at_most {
            let from = open.saturating_sub(at_most / 2).min(rows.len() - at_most);
            rows.drain(..from);
            rows.truncate(at_most);
        }
        rows
    }
}

/// Tries so near to the open one, counted as they were made, are listed each.
const NEAR: usize = 6;

/// What differs between two texts: what is between the beginning and the end that they share.
fn differs(from: &str, to: &str) -> Text {
    let head = from.char_indices().zip(to.chars()).find(|((_, a), b)| a != b).map(|((at, _), _)| at);
    let head = head.unwrap_or_else(|| from.len().min(to.len()));
    let (from_rest, to_rest) = (&from[head..], &to[head..]);
    let same = from_rest.chars().rev().zip(to_rest.chars().rev()).take_while(|(a, b)| a == b);
    let tail: usize = same.map(|(a, _)| a.len_utf8()).sum();
    Text::Differs { head, tail, middle: to_rest[..to_rest.len() - tail].into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(what: &str) -> Said {
        Said { change: what.into(), sentence: String::new(), tone: Tone::Plain }
    }

    #[test]
    fn every_text_comes_back_as_it_was() {
        let texts =
            ["at = \"4s\"\n", "at = \"4.5s\"\n", "at = \"4.5s\" # für\n", "", "at = \"4.5s\" # fur\n"];
        let mut tries = Tries::new();
        for text in &texts[..4] {
            tries.branch(text, said(text));
        }
        let mut open = texts[4].to_string();
        for nth in [2, 0, 4, 3, 1, 4] {
            open = tries.go(nth, &open, said(&open)).expect("it is another");
            assert_eq!(open, texts[nth]);
        }
        assert_eq!(tries.go(4, &open, said("")), None, "it is open");
    }

    #[test]
    fn redo_goes_where_one_came_from_and_nothing_is_lost() {
        let mut tries = Tries::new();
        tries.branch("a", said("a"));
        tries.branch("b", said("b"));
        // Back from "c" to "a", and another way from there.
        assert_eq!(tries.before(), Some(1));
        assert_eq!(tries.go(0, "c", said("c")).as_deref(), Some("a"));
        assert_eq!((tries.before(), tries.after()), (None, Some(1)));
        tries.branch("a", said("a"));
        assert_eq!((tries.before(), tries.after()), (Some(0), None));
        assert_eq!(tries.go(2, "d", said("d")).as_deref(), Some("c"));
        assert_eq!(tries.go(0, "c", said("c")).as_deref(), Some("a"));
        assert_eq!(tries.after(), Some(1), "of the two, the one that was open last");
        let rows: Vec<(usize, usize)> = tries.listed(99).iter().map(|row| (row.nth, row.inset)).collect();
        assert_eq!(rows, [(0, 0), (3, 1), (1, 0), (2, 0)]);
    }

    #[test]
    fn a_long_way_is_told_short() {
        let mut tries = Tries::new();
        for nth in 0..100 {
            tries.branch(&nth.to_string(), said("on"));
        }
        let rows: Vec<(usize, usize)> = tries.listed(99).iter().map(|row| (row.nth, row.skipped)).collect();
        assert_eq!(rows, [(0, 0), (94, 93), (95, 0), (96, 0), (97, 0), (98, 0), (99, 0), (100, 0)]);
        assert_eq!(tries.listed(3).last().map(|row| row.nth), Some(100));
    }

    /// Ten thousand edits of one figure in a document of 3 kB: what is kept grows by the figure, not by the document.
    #[test]
    fn what_is_kept_is_bounded() {
        let rest = "# what stays the same\n".repeat(140);
        let mut tries = Tries::new();
        for nth in 0..10_000 {
            tries.branch(&format!("for = \"{nth}ms\"\n{rest}"), said("fault.a-pause.for"));
        }
        assert!(tries.bytes() < 1_200_000, "{} bytes", tries.bytes());
        let text = tries.go(4_321, "", said("")).expect("it is another");
        assert!(text.starts_with("for = \"4321ms\"\n#"), "{}", &text[..20]);
    }
}
