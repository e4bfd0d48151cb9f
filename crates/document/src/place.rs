//! Where in a document something is.

use std::fmt;

use super::value::{Table, Value};

/// A way from a document's root to something in it, or to where it should be.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Place(pub(super) Vec<Step>);

/// One step of the way.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Step {
    /// Into a table.
    Key(String),
    /// Into a list.
    Item {
        /// The item's index.
        index: usize,
        /// Its name or id, when it has one.
        name: Option<String>,
    },
}

/// Something wrong at a place.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Finding {
    pub(crate) place: Place,
    pub(crate) message: String,
    pub(crate) hint: Option<String>,
}

impl Place {
    /// The root.
    pub(crate) fn root() -> Self {
        Self::default()
    }
    /// From here into a table.
    pub(crate) fn key(&self, key: &str) -> Self {
        self.then(Step::Key(key.to_owned()))
    }
    /// From here into a list.
    pub(crate) fn item(&self, index: usize, name: Option<&str>) -> Self {
        self.then(Step::Item { index, name: name.filter(|name| !name.is_empty()).map(str::to_owned) })
    }
    fn then(&self, step: Step) -> Self {
        let mut steps = self.0.clone();
        steps.push(step);
        Self(steps)
    }
    /// Whether `other` is this place or on the way to it.
    pub(crate) fn is_within(&self, other: &Self) -> bool {
        self.0.starts_with(&other.0)
    }
    /// Whether the way goes through an item that only its number tells apart.
    pub(crate) fn is_numbered(&self) -> bool {
        self.0.iter().any(|step| matches!(step, Step::Item { name: None, .. }))
    }
    /// What is wrong here.
    pub(crate) fn finding(self, message: impl Into<String>) -> Finding {
        Finding { place: self, message: message.into(), hint: None }
    }
}

impl Finding {
    /// And what would be right.
    pub(crate) fn hint(self, hint: Option<String>) -> Self {
        Self { hint, ..self }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, step) in self.0.iter().enumerate() {
            if i > 0 {
                f.write_str(".")?;
            }
            match step {
                Step::Key(key) | Step::Item { name: Some(key), .. } => f.write_str(key)?,
                Step::Item { index, name: None } => write!(f, "{index}")?,
            }
        }
        Ok(())
    }
}

/// The name by which a list's item is addressed.
pub(crate) fn name_of(item: &Value) -> Option<&str> {
    name_in(item.as_table()?)
}

fn name_in(item: &Table) -> Option<&str> {
    item.get("name").or_else(|| item.get("id"))?.as_str().filter(|name| !name.is_empty())
}
