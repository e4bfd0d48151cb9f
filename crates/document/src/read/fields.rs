//! What is within a table or a list.

use kernel::Map;

use super::super::nearest;
use super::super::place::name_of;
use super::super::value::{Table, Value};
use super::{Read, Reader, Trail};

/// The fields of a struct, which are the entries of a table.
pub(crate) struct Fields<'r> {
    of: &'r Reader<'r>,
    table: Option<&'r Table>,
    /// Whether a field that must be there is not: the first one is told of.
    lacks: bool,
}

impl<'r> Fields<'r> {
    /// The fields of a table that has only these keys.
    pub(super) fn new(of: &'r Reader<'_>, keys: &[&'static str]) -> Self {
        let table = of.table();
        of.notes.at(&of.trail, |wanted| wanted.keys = keys.to_vec());
        for key in table.into_iter().flat_map(Table::keys) {
            if of.but != Some(key) && !keys.contains(&key) {
                let hint = nearest::hint(key, keys.iter().copied());
                let place = Trail::Key(&of.trail, key).place();
                of.notes.tell(place.finding("there is no such key").hint(hint));
            }
        }
        Self { of, table, lacks: false }
    }
    /// A field that must be there.
    pub(crate) fn required<T: Read>(&mut self, key: &'static str) -> T {
        let value = self.value(key);
        let reader = Reader::new(value, Trail::Key(&self.of.trail, key), self.of.notes);
        let read = T::read(&reader);
        self.note(key, value.is_none(), reader.spoilt.get());
        read
    }
    /// A field that can be left out.
    pub(crate) fn optional<T: Read>(&mut self, key: &'static str, default: fn() -> T) -> T {
        match self.value(key) {
            None => default(),
            value => T::read(&Reader::new(value, Trail::Key(&self.of.trail, key), self.of.notes)),
        }
    }
    fn value(&self, key: &str) -> Option<&'r Value> {
        self.table?.get(key)
    }
    fn note(&mut self, key: &str, is_missing: bool, is_spoilt: bool) {
        if self.lacks || !(is_missing || is_spoilt) {
            return;
        }
        self.lacks = true;
        if is_missing && self.table.is_some() {
            self.of.spoil(format!("`{key}` is missing"), None);
        }
        self.of.spoilt.set(true);
    }
}

impl Reader<'_> {
    pub(super) fn table(&self) -> Option<&Table> {
        let value = self.value?;
        if self.is_too_deep() {
            return None;
        }
        value.as_table().or_else(|| self.want("a table"))
    }
}

impl<T: Read> Read for Vec<T> {
    fn read(from: &Reader<'_>) -> Self {
        let list = match from.value {
            Some(Value::Array(list)) if !from.is_too_deep() => list.as_slice(),
            Some(Value::Array(_)) => &[],
            _ => from.want("a list"),
        };
        let item = |(index, value)| {
            T::read(&Reader::new(Some(value), Trail::Item(&from.trail, index, name_of(value)), from.notes))
        };
        list.iter().enumerate().map(item).collect()
    }
}

/// A table of any keys.
fn entries<T: Read>(from: &Reader<'_>) -> impl Iterator<Item = (String, T)> {
    let entry = |(key, value): (&str, _)| {
        (key.to_owned(), T::read(&Reader::new(Some(value), Trail::Key(&from.trail, key), from.notes)))
    };
    from.table().into_iter().flat_map(Table::iter).map(entry)
}

impl<T: Read> Read for Map<String, T> {
    fn read(from: &Reader<'_>) -> Self {
        let mut map = Self::new();
        for (key, value) in entries(from) {
            map.insert(key, value);
        }
        map
    }
}

impl Read for Table {
    fn read(from: &Reader<'_>) -> Self {
        entries(from).collect()
    }
}
