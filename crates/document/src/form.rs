//! What can stand at a place of a document: for forms and lists, which are made from the model and not beside it.

use super::Document;
use super::edit::put;
use super::model::Scenario;
use super::place::Place;
use super::read::{Wanted, wanted};
use super::value::{Table, Value};

/// No word of any list.
const NO_WORD: &str = "?";

impl Document {
    /// The keys that the table at `path` can have, in the model's order (a `kind` that chooses among tables is not one of
    /// them); none where no table can be.
    pub fn keys(&self, path: &str) -> Vec<&'static str> {
        let there = self.at(path).cloned().unwrap_or_else(|| Value::Table(Table::new()));
        self.wanted(path, there).keys
    }

    /// The words of which one can stand at `path`; none where it is no choice among words.
    pub fn words(&self, path: &str) -> Vec<&'static str> {
        self.wanted(path, Value::String(NO_WORD.to_owned())).words
    }

    /// What would be taken at `path` if this stood there.
    fn wanted(&self, path: &str, value: Value) -> Wanted {
        let place = if path.is_empty() { Ok(Place::root()) } else { self.resolve(path) };
        let Ok(place) = place else { return Wanted::default() };
        let mut root = self.root.clone();
        if put(&mut root, &place.0, value).is_err() {
            return Wanted::default();
        }
        wanted::<Scenario>(&root, place)
    }
}
