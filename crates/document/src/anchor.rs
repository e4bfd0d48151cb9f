//! Anchored instants: "A checks", "n2 becomes leader", "anyone acquires".

use kernel::Topic;

use super::nearest::{hint, list};

/// What kind of process can do something.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Part {
    /// A member of the lock service.
    Server,
    /// A worker.
    Worker,
    /// A store.
    Store,
    /// A sweeper.
    Sweeper,
    /// A worker's sidecar.
    Sidecar,
    /// A further node of a journal.
    Node,
}

impl Part {
    /// "a worker".
    pub const fn words(self) -> &'static str {
        match self {
            Self::Server => "a member of the lock service",
            Self::Worker => "a worker",
            Self::Store => "a store",
            Self::Sweeper => "a sweeper",
            Self::Sidecar => "a sidecar",
            Self::Node => "a node of a journal",
        }
    }
}

/// Every verb, with whose it is. A verb is at the same time the topic of the notes that it waits for
/// ([`Topic`]).
pub const VERBS: [(&str, Part); 24] = [
    ("acquires", Part::Worker),
    ("renews", Part::Worker),
    ("fails to renew", Part::Worker),
    ("checks", Part::Worker),
    ("raises", Part::Worker),
    ("writes", Part::Worker),
    ("finishes", Part::Worker),
    ("releases", Part::Worker),
    ("loses", Part::Worker),
    ("stops", Part::Worker),
    ("restarts", Part::Worker),
    ("wants", Part::Worker),
    ("wakes", Part::Worker),
    ("accepts", Part::Store),
    ("refuses", Part::Store),
    ("campaigns", Part::Server),
    ("becomes leader", Part::Server),
    ("steps down", Part::Server),
    ("grants", Part::Server),
    ("expires", Part::Server),
    ("frees", Part::Server),
    ("takes over", Part::Server),
    ("sees an orphan", Part::Sweeper),
    ("re-queues", Part::Sweeper),
];

/// Who does what, as an anchored instant says it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sentence<'a> {
    /// Who: a process, a role, or "anyone".
    pub who: &'a str,
    /// What: one of [`VERBS`].
    pub verb: &'static str,
    /// Who can do that.
    pub part: Part,
}

/// Takes a sentence apart. The error is what is wrong with it, and perhaps what would be right.
pub fn parse(sentence: &str) -> Result<Sentence<'_>, (String, Option<String>)> {
    let sentence = sentence.trim();
    let Some((who, what)) = sentence.split_once(char::is_whitespace) else {
        return Err((format!("{sentence:?} does not say who does what, like \"A checks\""), None));
    };
    let what = what.split_whitespace().collect::<Vec<_>>().join(" ");
    match VERBS.iter().find(|(verb, _)| *verb == what) {
        Some((verb, part)) => Ok(Sentence { who, verb, part: *part }),
        None => Err((format!("nothing waits for \"{what}\""), verb_hint(&what))),
    }
}

/// Who does what, for the kernel; `None` for a sentence that a checked document does not have.
pub fn split(sentence: &str) -> Option<(&str, Topic)> {
    parse(sentence).ok().map(|sentence| (sentence.who, Topic(sentence.verb)))
}

fn verb_hint(what: &str) -> Option<String> {
    let verbs = VERBS.map(|(verb, _)| verb);
    hint(what, verbs).or_else(|| Some(format!("the verbs are {}", list(&verbs, "and"))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_are_taken_apart() {
        let parsed = parse(" n2  becomes   leader ");
        assert_eq!(parsed, Ok(Sentence { who: "n2", verb: "becomes leader", part: Part::Server }));
        assert_eq!(parse("anyone acquires").map(|sentence| sentence.who), Ok("anyone"));
    }

    #[test]
    fn a_wrong_verb_finds_the_right_one() {
        let (_, hint) = parse("A acquire").expect_err("no such verb");
        assert_eq!(hint.as_deref(), Some("did you mean `acquires`?"));
        let (_, hint) = parse("A sings").expect_err("no such verb");
        assert!(hint.is_some_and(|hint| hint.contains("re-queues")));
        assert!(parse("checks").is_err() && parse("").is_err());
    }
}
