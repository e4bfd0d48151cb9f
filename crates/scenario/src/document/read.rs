//! From the tree of values to the model, with errors that say where and what would be right.
//!
//! This is a serde deserializer of its own, for three reasons. It knows the place of each value. It goes on after an
//! error, so that one reading tells of several. And it knows how a document chooses among kinds: faults and lock services
//! by their `kind`, a step by its verb, an instant by whether it is text or a table. Serde's own ways of choosing
//! (`tag`, `untagged`) forget the place and say "did not match any variant".

mod choice;
mod stop;
mod within;

use std::cell::RefCell;
use std::collections::BTreeSet;

use serde::de::{self, Deserialize, Deserializer, Unexpected, Visitor};
use toml::{Table, Value};

use self::stop::Stop;
use self::within::{Entries, Items};
use super::place::{Finding, Place};

/// How deep a document can be.
const DEPTH_MAX: usize = 64;
/// How often it is read again to find more that is wrong.
const PASSES_MAX: usize = 24;

/// Reads a tree as a `T`, or tells what is wrong with it.
pub(super) fn read<'de, T: Deserialize<'de>>(root: &'de Value) -> Result<T, Vec<Finding>> {
    let notes = RefCell::new(Notes::default());
    for _ in 0..PASSES_MAX {
        // What stops the reading spoils its place; the next pass goes around that and may find more.
        match T::deserialize(Reader { value: root, trail: Trail::Root, but: None, notes: &notes }) {
            Ok(read) if notes.borrow().findings.is_empty() => return Ok(read),
            Ok(_) => break,
            Err(stop) => {
                if !notes.borrow_mut().take(stop) {
                    break;
                }
            }
        }
    }
    Err(notes.into_inner().findings)
}

/// What is known to be wrong.
#[derive(Default)]
struct Notes {
    findings: Vec<Finding>,
    /// Places that cannot be read: the next pass goes around them.
    spoilt: BTreeSet<Place>,
}

impl Notes {
    /// Notes what stopped the reading; answers whether another pass may come further.
    fn take(&mut self, stop: Stop) -> bool {
        let mut place = stop.place.unwrap_or_default();
        // What is missing because this pass goes around it was told already.
        let known = stop.missing.is_some_and(|key| self.spoilt.contains(&place.key(key)));
        if !known && !self.spoilt.contains(&place) {
            self.find(place.clone().finding(stop.message).hint(stop.hint));
        }
        // A value that cannot be gone around takes with it what it is in.
        while !self.spoilt.insert(place.clone()) {
            if place.0.pop().is_none() {
                return false;
            }
        }
        true
    }
    fn find(&mut self, finding: Finding) {
        if !self.findings.contains(&finding) {
            self.findings.push(finding);
        }
    }
}

/// The way to a value, kept on the stack: almost all of them are right and need no [`Place`].
#[derive(Clone, Copy)]
enum Trail<'t> {
    Root,
    Key(&'t Trail<'t>, &'t str),
    Item(&'t Trail<'t>, usize, Option<&'t str>),
}

impl Trail<'_> {
    fn place(&self) -> Place {
        match self {
            Self::Root => Place::root(),
            Self::Key(up, key) => up.place().key(key),
            Self::Item(up, index, name) => up.place().item(*index, *name),
        }
    }
    fn depth(&self) -> usize {
        match self {
            Self::Root => 0,
            Self::Key(up, _) | Self::Item(up, ..) => up.depth() + 1,
        }
    }
}

/// Reads one value.
#[derive(Clone, Copy)]
struct Reader<'de, 't> {
    value: &'de Value,
    trail: Trail<'t>,
    /// A key of the table that is read already.
    but: Option<&'static str>,
    notes: &'t RefCell<Notes>,
}

impl<'de, 't> Reader<'de, 't> {
    /// Gives an error the place of this value, unless it has one.
    fn placed<T>(&self, outcome: Result<T, Stop>) -> Result<T, Stop> {
        outcome.map_err(|stop| stop.at(|| self.trail.place()))
    }
    fn wanted<T>(&self, what: &str) -> Result<T, Stop> {
        self.placed(Err(Stop::new(format!(
            "{what} is wanted here, not {}",
            stop::words(unexpected(self.value))
        ))))
    }
    fn table(&self) -> Result<&'de Table, Stop> {
        if self.trail.depth() > DEPTH_MAX {
            return self.placed(Err(Stop::new("nested too deeply")));
        }
        self.value.as_table().map_or_else(|| self.wanted("a table"), Ok)
    }
}

/// What a value is, for messages.
fn unexpected(value: &Value) -> Unexpected<'_> {
    match value {
        Value::String(text) => Unexpected::Str(text),
        Value::Integer(number) => Unexpected::Signed(*number),
        Value::Float(number) => Unexpected::Float(*number),
        Value::Boolean(yes) => Unexpected::Bool(*yes),
        Value::Datetime(_) => Unexpected::Other("a date"),
        Value::Array(_) => Unexpected::Seq,
        Value::Table(_) => Unexpected::Map,
    }
}

impl<'de> Deserializer<'de> for Reader<'de, '_> {
    type Error = Stop;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Stop> {
        match self.value {
            Value::String(text) => self.placed(visitor.visit_borrowed_str(text)),
            Value::Integer(number) => self.placed(visitor.visit_i64(*number)),
            Value::Float(number) => self.placed(visitor.visit_f64(*number)),
            Value::Boolean(yes) => self.placed(visitor.visit_bool(*yes)),
            Value::Datetime(_) => self.placed(Err(de::Error::invalid_type(unexpected(self.value), &visitor))),
            Value::Array(_) => self.deserialize_seq(visitor),
            Value::Table(_) => self.deserialize_map(visitor),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Stop> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Stop> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Stop> {
        let Value::Array(list) = self.value else { return self.wanted("a list") };
        if self.trail.depth() > DEPTH_MAX {
            return self.placed(Err(Stop::new("nested too deeply")));
        }
        self.placed(visitor.visit_seq(Items::new(list, &self)))
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Stop> {
        let table = self.table()?;
        self.placed(visitor.visit_map(Entries::new(table, None, &self)))
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Stop> {
        let table = self.table()?;
        self.placed(visitor.visit_map(Entries::new(table, Some(fields), &self)))
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Stop> {
        let choice = self.placed(choice::choose(self, name, variants))?;
        self.placed(visitor.visit_enum(choice))
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct
        tuple tuple_struct identifier ignored_any
    }
}
