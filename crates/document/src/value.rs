//! The tree of values that a document is, whether it was written as TOML or as JSON.

use std::fmt;

use toml::Spanned;
use toml::de::{DeTable, DeValue};
use toml_writer::{ToTomlKey as _, ToTomlValue as _, TomlKeyBuilder};

/// A value.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// A text.
    String(String),
    /// A whole number.
    Integer(i64),
    /// A number that is not whole, as it was written: nothing in a document takes one, so nobody asks how much it is.
    Float(String),
    /// Yes or no.
    Boolean(bool),
    /// A date, as it was written: nothing in a document takes one.
    Datetime(String),
    /// A list.
    Array(Vec<Self>),
    /// A table.
    Table(Table),
}

/// Keys with their values, in the order in which they were written; equal to another whatever the order.
#[derive(Clone, Debug, Default)]
pub struct Table(Vec<(String, Value)>);

/// A whole number that is too large for a value.
pub(crate) struct Large {
    /// As it was written.
    pub(crate) number: String,
    /// Where in the text.
    pub(crate) at: usize,
}

impl Value {
    /// The text that it is.
    pub fn as_str(&self) -> Option<&str> {
        if let Self::String(text) = self { Some(text) } else { None }
    }
    /// The list that it is.
    pub fn as_array(&self) -> Option<&[Self]> {
        if let Self::Array(items) = self { Some(items) } else { None }
    }
    /// The table that it is.
    pub fn as_table(&self) -> Option<&Table> {
        if let Self::Table(table) = self { Some(table) } else { None }
    }
    /// What it has at a key, when it is a table.
    pub fn get(&self, key: &str) -> Option<&Self> {
        self.as_table()?.get(key)
    }
    /// Its item of that number, when it is a list.
    pub fn item(&self, index: usize) -> Option<&Self> {
        self.as_array()?.get(index)
    }
    pub(crate) fn get_mut(&mut self, key: &str) -> Option<&mut Self> {
        if let Self::Table(table) = self { table.get_mut(key) } else { None }
    }
    pub(crate) fn item_mut(&mut self, index: usize) -> Option<&mut Self> {
        if let Self::Array(items) = self { items.get_mut(index) } else { None }
    }
    /// The value that TOML's reader read.
    pub(crate) fn of(value: Spanned<DeValue<'_>>) -> Result<Self, Large> {
        let at = value.span().start;
        Ok(match value.into_inner() {
            DeValue::String(text) => Self::String(text.into_owned()),
            DeValue::Integer(number) => match i64::from_str_radix(number.as_str(), number.radix()) {
                Ok(number) => Self::Integer(number),
                Err(_) => return Err(Large { number: number.as_str().to_owned(), at }),
            },
            DeValue::Float(number) => Self::Float(number.as_str().to_owned()),
            DeValue::Boolean(yes) => Self::Boolean(yes),
            DeValue::Datetime(date) => Self::Datetime(date.to_string()),
            DeValue::Array(items) => Self::Array(items.into_iter().map(Self::of).collect::<Result<_, _>>()?),
            DeValue::Table(table) => Self::Table(Table::of(table)?),
        })
    }
}

impl Table {
    /// One without entries.
    pub const fn new() -> Self {
        Self(Vec::new())
    }
    /// Whether there are no entries.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
    /// How many entries there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }
    /// The value of a key.
    pub fn get(&self, key: &str) -> Option<&Value> {
        self.iter().find(|(other, _)| *other == key).map(|(_, value)| value)
    }
    pub(crate) fn get_mut(&mut self, key: &str) -> Option<&mut Value> {
        self.0.iter_mut().find(|(other, _)| *other == key).map(|(_, value)| value)
    }
    /// The entries in order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Value)> {
        self.0.iter().map(|(key, value)| (key.as_str(), value))
    }
    /// The keys in order.
    pub fn keys(&self) -> impl Iterator<Item = &str> {
        self.iter().map(|(key, _)| key)
    }
    /// Puts a value in place of the key's, or at the end.
    pub fn insert(&mut self, key: &str, value: Value) {
        *self.entry(key, Value::Boolean(false)) = value;
    }
    /// The value of a key, which is this one when there was none.
    pub(crate) fn entry(&mut self, key: &str, value: Value) -> &mut Value {
        let known = self.keys().position(|other| other == key);
        let index = known.unwrap_or_else(|| {
            self.0.push((key.to_owned(), value));
            self.0.len() - 1
        });
        &mut self.0[index].1
    }
    pub(crate) fn remove(&mut self, key: &str) {
        self.0.retain(|(other, _)| other != key);
    }
    /// The table that TOML's reader read. That keeps no order, but places.
    pub(crate) fn of(table: DeTable<'_>) -> Result<Self, Large> {
        let mut entries = Vec::new();
        for (key, value) in table {
            entries.push((key.span().start, (key.into_inner().into_owned(), Value::of(value)?)));
        }
        kernel::order::by_key(&mut entries, |(start, _)| *start);
        Ok(Self(entries.into_iter().map(|(_, entry)| entry).collect()))
    }
}

impl PartialEq for Table {
    fn eq(&self, other: &Self) -> bool {
        self.len() == other.len() && self.iter().all(|(key, value)| other.get(key) == Some(value))
    }
}

impl FromIterator<(String, Value)> for Table {
    fn from_iter<I: IntoIterator<Item = (String, Value)>>(entries: I) -> Self {
        Self(entries.into_iter().collect())
    }
}

/// As TOML, on one line.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::String(text) => f.write_str(&text.to_toml_value()),
            Self::Integer(number) => write!(f, "{number}"),
            Self::Float(text) | Self::Datetime(text) => f.write_str(text),
            Self::Boolean(yes) => write!(f, "{yes}"),
            Self::Array(items) => {
                f.write_str("[")?;
                for (i, item) in items.iter().enumerate() {
                    let comma = if i == 0 { "" } else { ", " };
                    write!(f, "{comma}{item}")?;
                }
                f.write_str("]")
            }
            Self::Table(table) if table.is_empty() => f.write_str("{}"),
            Self::Table(table) => {
                for (i, (name, value)) in table.iter().enumerate() {
                    let comma = if i == 0 { "{ " } else { ", " };
                    write!(f, "{comma}{} = {value}", key(name))?;
                }
                f.write_str(" }")
            }
        }
    }
}

/// A key as TOML, in quotes when it needs them.
pub(crate) fn key(name: &str) -> String {
    let key = TomlKeyBuilder::new(name);
    key.as_unquoted().unwrap_or_else(|| key.as_basic()).to_toml_key()
}
