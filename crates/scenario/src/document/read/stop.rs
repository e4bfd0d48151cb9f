//! What stops the reading of a value.

use std::fmt;

use serde::de::{self, Expected, Unexpected};

use super::super::nearest;
use super::super::place::Place;

/// An error on its way up to whoever can go on without the value.
#[derive(Debug)]
pub(super) struct Stop {
    /// Where; whoever knows fills it in.
    pub(super) place: Option<Place>,
    pub(super) message: String,
    pub(super) hint: Option<String>,
    /// The key that is missing, when that is what is wrong.
    pub(super) missing: Option<&'static str>,
}

impl Stop {
    pub(super) fn new(message: impl Into<String>) -> Self {
        Self { place: None, message: message.into(), hint: None, missing: None }
    }
    /// And what would be right.
    pub(super) fn hint(self, hint: Option<String>) -> Self {
        Self { hint, ..self }
    }
    /// At this place, unless it has one already.
    pub(super) fn at(mut self, place: impl FnOnce() -> Place) -> Self {
        if self.place.is_none() {
            self.place = Some(place());
        }
        self
    }
}

impl fmt::Display for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Stop {}

impl de::Error for Stop {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self::new(message.to_string())
    }
    fn invalid_type(found: Unexpected<'_>, wanted: &dyn Expected) -> Self {
        Self::new(format!("{} is wanted here, not {}", kind(&wanted.to_string()), words(found)))
    }
    fn invalid_value(found: Unexpected<'_>, wanted: &dyn Expected) -> Self {
        Self::new(format!("{} is wanted here, not {}", range(&wanted.to_string()), words(found)))
    }
    fn unknown_variant(word: &str, known: &'static [&'static str]) -> Self {
        Self::new(format!("there is no `{word}` here")).hint(nearest::hint(word, known.iter().copied()))
    }
    fn unknown_field(word: &str, known: &'static [&'static str]) -> Self {
        Self::new("there is no such key").hint(nearest::hint(word, known.iter().copied()))
    }
    fn missing_field(field: &'static str) -> Self {
        Self { missing: Some(field), ..Self::new(format!("`{field}` is missing")) }
    }
}

/// A value in words.
pub(super) fn words(found: Unexpected<'_>) -> String {
    #[expect(clippy::wildcard_enum_match_arm, reason = "no value of a document is of the other kinds")]
    match found {
        Unexpected::Bool(yes) => yes.to_string(),
        Unexpected::Unsigned(number) => number.to_string(),
        Unexpected::Signed(number) => number.to_string(),
        Unexpected::Float(number) => number.to_string(),
        Unexpected::Str(text) if text.chars().count() > 60 => "a long text".to_owned(),
        Unexpected::Str(text) => format!("the text {text:?}"),
        Unexpected::Seq => "a list".to_owned(),
        Unexpected::Map => "a table".to_owned(),
        other => other.to_string(),
    }
}

/// What serde's visitors say that they want, in words.
fn kind(wanted: &str) -> &str {
    match wanted {
        "u8" | "u16" | "u32" | "u64" | "i8" | "i16" | "i32" | "i64" => "a whole number",
        "a string" => "a text",
        "a boolean" => "true or false",
        "a sequence" => "a list",
        "a map" => "a table",
        _ if wanted.starts_with("struct ") => "a table",
        _ => wanted,
    }
}

fn range(wanted: &str) -> String {
    match wanted {
        "u32" => "a whole number from 0 to 4294967295".to_owned(),
        "u64" => "a whole number from 0".to_owned(),
        "i32" => "a whole number from -2147483648 to 2147483647".to_owned(),
        _ => kind(wanted).to_owned(),
    }
}
