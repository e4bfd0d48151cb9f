//! What is within a table or a list, without what is known to be wrong.

use std::cell::RefCell;

use serde::de::value::BorrowedStrDeserializer;
use serde::de::{DeserializeSeed, MapAccess, SeqAccess};
use toml::{Table, Value};

use super::super::nearest;
use super::super::place::name_of;
use super::stop::Stop;
use super::{Notes, Reader, Trail};

/// The entries of a table.
pub(super) struct Entries<'de, 't> {
    rest: toml::map::Iter<'de, String, Value>,
    value: Option<(&'de str, &'de Value)>,
    /// The keys that there are; `None` for a table of any keys.
    fields: Option<&'static [&'static str]>,
    but: Option<&'static str>,
    trail: &'t Trail<'t>,
    notes: &'t RefCell<Notes>,
}

impl<'de, 't> Entries<'de, 't> {
    pub(super) fn new(
        table: &'de Table,
        fields: Option<&'static [&'static str]>,
        reader: &'t Reader<'de, '_>,
    ) -> Self {
        Self {
            rest: table.iter(),
            value: None,
            fields,
            but: reader.but,
            trail: &reader.trail,
            notes: reader.notes,
        }
    }

    /// Whether an entry is there to be read; notes a key that does not exist.
    fn wants(&self, key: &str) -> bool {
        if self.but == Some(key) {
            return false;
        }
        if let Some(fields) = self.fields
            && !fields.contains(&key)
        {
            let hint = nearest::hint(key, fields.iter().copied());
            let finding = Trail::Key(self.trail, key).place().finding("there is no such key").hint(hint);
            self.notes.borrow_mut().find(finding);
            return false;
        }
        !is_spoilt(self.notes, &Trail::Key(self.trail, key))
    }
}

fn is_spoilt(notes: &RefCell<Notes>, trail: &Trail<'_>) -> bool {
    let notes = notes.borrow();
    !notes.spoilt.is_empty() && notes.spoilt.contains(&trail.place())
}

impl<'de> MapAccess<'de> for Entries<'de, '_> {
    type Error = Stop;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, Stop> {
        while let Some((key, value)) = self.rest.next() {
            if self.wants(key) {
                self.value = Some((key, value));
                return seed.deserialize(BorrowedStrDeserializer::new(key)).map(Some);
            }
        }
        Ok(None)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Stop> {
        let Some((key, value)) = self.value.take() else {
            return Err(Stop::new("a value was asked for before its key"));
        };
        seed.deserialize(Reader { value, trail: Trail::Key(self.trail, key), but: None, notes: self.notes })
    }
}

/// The items of a list.
pub(super) struct Items<'de, 't> {
    rest: std::iter::Enumerate<std::slice::Iter<'de, Value>>,
    trail: &'t Trail<'t>,
    notes: &'t RefCell<Notes>,
}

impl<'de, 't> Items<'de, 't> {
    pub(super) fn new(list: &'de [Value], reader: &'t Reader<'de, '_>) -> Self {
        Self { rest: list.iter().enumerate(), trail: &reader.trail, notes: reader.notes }
    }
}

impl<'de> SeqAccess<'de> for Items<'de, '_> {
    type Error = Stop;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, Stop> {
        for (index, value) in self.rest.by_ref() {
            let trail = Trail::Item(self.trail, index, name_of(value));
            if !is_spoilt(self.notes, &trail) {
                return seed.deserialize(Reader { value, trail, but: None, notes: self.notes }).map(Some);
            }
        }
        Ok(None)
    }
}
