//! Which kind of thing a value is: how a document chooses among an enum's variants.

use serde::de::value::StrDeserializer;
use serde::de::{DeserializeSeed, EnumAccess, IntoDeserializer as _, VariantAccess, Visitor};
use toml::{Table, Value};

use super::super::nearest::{hint, list, nearest};
use super::stop::Stop;
use super::{Reader, Trail};

/// Keys of steps that say no verb.
const ADVERBS: [&str; 3] = ["every", "effects", "steps"];

/// A variant, with what it holds.
pub(super) struct Choice<'de, 't> {
    variant: &'static str,
    /// `None` for a bare word.
    content: Option<Reader<'de, 't>>,
    /// The key that leads to the content, when it is one more step down.
    key: Option<&'static str>,
}

/// Chooses by the rule of this enum of the model.
pub(super) fn choose<'de, 't>(
    reader: Reader<'de, 't>,
    name: &str,
    variants: &'static [&'static str],
) -> Result<Choice<'de, 't>, Stop> {
    match name {
        "Fault" => by_kind(reader, "a fault", variants),
        "Lock" => by_kind(reader, "a lock service", variants),
        "Step" => by_verb(reader, variants),
        "At" | "Names" => by_shape(reader, variants),
        _ => by_word(reader, variants),
    }
}

/// `{ kind = "pause", .. }`.
fn by_kind<'de, 't>(
    reader: Reader<'de, 't>,
    what: &str,
    variants: &'static [&'static str],
) -> Result<Choice<'de, 't>, Stop> {
    let kind = match reader.table()?.get("kind") {
        None => {
            return Err(Stop::new(format!("`kind` is missing: {what} is one of {}", list(variants, "or"))));
        }
        Some(Value::String(kind)) => kind,
        Some(_) => {
            let place = Trail::Key(&reader.trail, "kind").place();
            return Err(Stop::new("a text is wanted here").at(|| place));
        }
    };
    match find(kind, variants) {
        Some(variant) => {
            Ok(Choice { variant, content: Some(Reader { but: Some("kind"), ..reader }), key: None })
        }
        None => {
            let place = Trail::Key(&reader.trail, "kind").place();
            Err(unknown(kind, variants).at(|| place))
        }
    }
}

/// `{ acquire = "lock" }`: the verb is the key.
fn by_verb<'de, 't>(
    reader: Reader<'de, 't>,
    variants: &'static [&'static str],
) -> Result<Choice<'de, 't>, Stop> {
    if let Value::String(word) = reader.value {
        let verb = nearest(word, variants.iter().copied()).unwrap_or("acquire");
        return Err(Stop::new(format!("a step is a table like {{ {verb} = .. }}, not the text {word:?}")));
    }
    let table = reader.table()?;
    let verbs: Vec<&'static str> =
        variants.iter().copied().filter(|verb| table.contains_key(*verb)).collect();
    match verbs.as_slice() {
        [verb] => Ok(Choice { variant: verb, content: Some(reader), key: None }),
        [] => Err(no_verb(&reader, table, variants)),
        _ => Err(Stop::new(format!("a step does one thing, and this one has {}", list(&verbs, "and")))
            .hint(Some("make it several steps".to_owned()))),
    }
}

fn no_verb(reader: &Reader<'_, '_>, table: &Table, variants: &'static [&'static str]) -> Stop {
    let odd = table.keys().find(|key| !ADVERBS.contains(&key.as_str()));
    let Some(odd) = odd else {
        return Stop::new(format!("a step says what is done, with one of {}", list(variants, "or")));
    };
    let place = Trail::Key(&reader.trail, odd).place();
    Stop::new(format!("there is no step `{odd}`")).hint(hint(odd, variants.iter().copied())).at(|| place)
}

/// An instant is text or a table; names are text or a list: the first variant is the text.
fn by_shape<'de, 't>(
    reader: Reader<'de, 't>,
    variants: &'static [&'static str],
) -> Result<Choice<'de, 't>, Stop> {
    let is_compound = matches!(reader.value, Value::Table(_) | Value::Array(_));
    match variants.get(usize::from(is_compound)) {
        Some(variant) => Ok(Choice { variant, content: Some(reader), key: None }),
        None => Err(Stop::new("nothing fits here")),
    }
}

/// `"watch"`, or `{ poll = "1s" }` for a word that takes a value.
fn by_word<'de, 't>(
    reader: Reader<'de, 't>,
    variants: &'static [&'static str],
) -> Result<Choice<'de, 't>, Stop> {
    let one_of = || list(variants, "or");
    match reader.value {
        Value::String(word) => match find(word, variants) {
            Some(variant) => Ok(Choice { variant, content: None, key: None }),
            None => Err(unknown(word, variants)),
        },
        Value::Table(table) => match table.iter().next() {
            Some((word, _)) if table.len() == 1 => match find(word, variants) {
                Some(variant) => Ok(Choice { variant, content: Some(reader), key: Some(variant) }),
                None => Err(unknown(word, variants)),
            },
            _ => Err(Stop::new(format!("one of {} is wanted here", one_of()))),
        },
        Value::Integer(_) | Value::Float(_) | Value::Boolean(_) | Value::Datetime(_) | Value::Array(_) => {
            reader.wanted(&format!("one of {}", one_of()))
        }
    }
}

fn find(word: &str, variants: &'static [&'static str]) -> Option<&'static str> {
    variants.iter().copied().find(|variant| *variant == word)
}

fn unknown(word: &str, variants: &'static [&'static str]) -> Stop {
    Stop::new(format!("there is no `{word}` here")).hint(hint(word, variants.iter().copied()))
}

impl<'de> EnumAccess<'de> for Choice<'de, '_> {
    type Error = Stop;
    type Variant = Self;

    fn variant_seed<V: DeserializeSeed<'de>>(self, seed: V) -> Result<(V::Value, Self), Stop> {
        let word: StrDeserializer<'_, Stop> = self.variant.into_deserializer();
        Ok((seed.deserialize(word)?, self))
    }
}

impl<'de> VariantAccess<'de> for Choice<'de, '_> {
    type Error = Stop;

    fn unit_variant(self) -> Result<(), Stop> {
        match self.content {
            None => Ok(()),
            Some(_) => Err(Stop::new(format!("`{0}` takes no value: write \"{0}\"", self.variant))),
        }
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value, Stop> {
        let wants_value = || Stop::new(format!("`{0}` takes a value: write {{ {0} = .. }}", self.variant));
        let content = self.content.ok_or_else(wants_value)?;
        let Some(key) = self.key else { return seed.deserialize(content) };
        let value = content.value.get(key).ok_or_else(wants_value)?;
        seed.deserialize(Reader {
            value,
            trail: Trail::Key(&content.trail, key),
            but: None,
            notes: content.notes,
        })
    }

    fn tuple_variant<V: Visitor<'de>>(self, _: usize, _: V) -> Result<V::Value, Stop> {
        Err(Stop::new("no word of a document takes several values"))
    }

    fn struct_variant<V: Visitor<'de>>(self, _: &'static [&'static str], _: V) -> Result<V::Value, Stop> {
        Err(Stop::new("no word of a document takes a table of its own"))
    }
}
