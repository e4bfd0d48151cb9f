//! Which kind of thing a value is: how a document chooses among an enum's variants.

use super::super::nearest::{hint, list, nearest};
use super::super::value::{Table, Value};
use super::{Read, Reader, Trail, is_compound};

/// Keys of steps that say no verb.
const ADVERBS: [&str; 3] = ["every", "effects", "steps"];

/// A variant, with what it holds.
pub(crate) struct Choice<'r> {
    /// Which, counted from 0.
    pub(crate) nth: usize,
    word: &'static str,
    of: &'r Reader<'r>,
    holds: Holds,
}

/// Where a variant's content is.
#[derive(Clone, Copy)]
enum Holds {
    /// Nowhere: it is a bare word.
    Nothing,
    /// It is the value.
    Value,
    /// It is the value, beside its `kind`.
    BesideKind,
    /// It is one more step down, at the variant's word.
    AtWord,
    /// Nobody knows; it was told why.
    Unknown,
}

type Variants<'v> = &'v [&'static str];

impl Reader<'_> {
    /// Chooses by the rule of this enum of the model.
    pub(crate) fn choose(&self, name: &str, variants: Variants<'_>) -> Choice<'_> {
        let chosen = match name {
            _ if self.value.is_none() => None,
            "Fault" => self.by_kind("a fault", variants),
            "Lock" => self.by_kind("a lock service", variants),
            "Step" => self.by_verb(variants),
            "At" | "Names" => self.by_shape(),
            _ => self.by_word(variants),
        };
        let (nth, holds) = chosen.unwrap_or((0, Holds::Unknown));
        Choice { nth, word: variants.get(nth).copied().unwrap_or_default(), of: self, holds }
    }

    /// `{ kind = "pause", .. }`.
    fn by_kind(&self, what: &str, variants: Variants<'_>) -> Option<(usize, Holds)> {
        match self.table()?.get("kind") {
            None => {
                self.spoil(format!("`kind` is missing: {what} is one of {}", list(variants, "or")), None);
            }
            Some(Value::String(kind)) => match find(kind, variants) {
                Some(nth) => return Some((nth, Holds::BesideKind)),
                None => self.unknown(&Trail::Key(&self.trail, "kind"), kind, variants),
            },
            Some(_) => {
                let place = Trail::Key(&self.trail, "kind").place();
                self.spoil_at(place, "a text is wanted here".to_owned(), None);
            }
        }
        None
    }

    /// `{ acquire = "lock" }`: the verb is the key.
    fn by_verb(&self, variants: Variants<'_>) -> Option<(usize, Holds)> {
        if let Some(Value::String(word)) = self.value {
            let verb = nearest(word, variants.iter().copied()).unwrap_or("acquire");
            self.spoil(format!("a step is a table like {{ {verb} = .. }}, not the text {word:?}"), None);
            return None;
        }
        let table = self.table()?;
        let verbs: Vec<&'static str> =
            variants.iter().copied().filter(|verb| table.get(verb).is_some()).collect();
        match verbs.as_slice() {
            [verb] => return Some((find(verb, variants)?, Holds::Value)),
            [] => self.no_verb(table, variants),
            _ => self.spoil(
                format!("a step does one thing, and this one has {}", list(&verbs, "and")),
                Some("make it several steps".to_owned()),
            ),
        }
        None
    }

    fn no_verb(&self, table: &Table, variants: Variants<'_>) {
        match table.keys().find(|key| !ADVERBS.contains(key)) {
            None => {
                self.spoil(format!("a step says what is done, with one of {}", list(variants, "or")), None);
            }
            Some(odd) => self.spoil_at(
                Trail::Key(&self.trail, odd).place(),
                format!("there is no step `{odd}`"),
                hint(odd, variants.iter().copied()),
            ),
        }
    }

    /// An instant is text or a table; names are text or a list: the first variant is the text.
    fn by_shape(&self) -> Option<(usize, Holds)> {
        Some((usize::from(is_compound(self.value?)), Holds::Value))
    }

    /// `"watch"`, or `{ poll = "1s" }` for a word that takes a value.
    fn by_word(&self, variants: Variants<'_>) -> Option<(usize, Holds)> {
        let (word, holds) = match self.value? {
            Value::String(word) => (word.as_str(), Holds::Nothing),
            Value::Table(table) => match table.keys().next() {
                Some(word) if table.len() == 1 => (word, Holds::AtWord),
                _ => {
                    self.spoil(format!("one of {} is wanted here", list(variants, "or")), None);
                    return None;
                }
            },
            Value::Integer(_)
            | Value::Float(_)
            | Value::Boolean(_)
            | Value::Datetime(_)
            | Value::Array(_) => {
                return self.want(&format!("one of {}", list(variants, "or")));
            }
        };
        let nth = find(word, variants);
        if nth.is_none() {
            self.unknown(&self.trail, word, variants);
        }
        Some((nth?, holds))
    }

    fn unknown(&self, trail: &Trail<'_>, word: &str, variants: Variants<'_>) {
        self.notes.at(trail, |wanted| wanted.words = variants.to_vec());
        let hint = hint(word, variants.iter().copied());
        self.spoil_at(trail.place(), format!("there is no `{word}` here"), hint);
    }
}

fn find(word: &str, variants: Variants<'_>) -> Option<usize> {
    variants.iter().position(|variant| *variant == word)
}

impl Choice<'_> {
    /// That it is a word that takes no value.
    pub(crate) fn bare(&self) {
        if matches!(self.holds, Holds::AtWord) {
            self.of.spoil(format!("`{0}` takes no value: write \"{0}\"", self.word), None);
        }
    }
    /// What it holds.
    pub(crate) fn content<T: Read>(&self) -> T {
        let reader = self.reader();
        let content = T::read(&reader);
        if reader.spoilt.get() {
            self.of.spoilt.set(true);
        }
        content
    }
    fn reader(&self) -> Reader<'_> {
        let of = self.of;
        let (value, trail, but) = match self.holds {
            Holds::Nothing => {
                of.spoil(format!("`{0}` takes a value: write {{ {0} = .. }}", self.word), None);
                (None, of.trail, None)
            }
            Holds::Value => (of.value, of.trail, None),
            Holds::BesideKind => (of.value, of.trail, Some("kind")),
            Holds::AtWord => {
                (of.value.and_then(|value| value.get(self.word)), Trail::Key(&of.trail, self.word), None)
            }
            Holds::Unknown => (None, of.trail, None),
        };
        Reader { but, ..Reader::new(value, trail, of.notes) }
    }
}
