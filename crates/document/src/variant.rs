//! The same scenario with something changed.

use super::nearest::hint;
use super::place::Place;
use super::problem::{Problem, Problems};
use super::value::{Table, Value};
use super::{Document, Edit};

impl Document {
    /// The variants' names and what they are about, in the order of the document.
    pub fn variants(&self) -> Vec<(String, String)> {
        let about =
            |variant: &Value| variant.get("about").and_then(Value::as_str).unwrap_or_default().to_owned();
        let variants = self.root.get("variant").and_then(Value::as_table);
        variants
            .into_iter()
            .flat_map(Table::iter)
            .map(|(name, variant)| (name.to_owned(), about(variant)))
            .collect()
    }

    /// The document as this variant has it: what it sets is set, and its expectations, and the steps of the lesson that show
    /// it, are in place of the others.
    pub fn with_variant(&self, name: &str) -> Result<Self, Problems> {
        let variants = self.root.get("variant").and_then(Value::as_table);
        let Some(variant) = variants.and_then(|variants| variants.get(name)) else {
            let names: Vec<&str> = variants.into_iter().flat_map(Table::keys).collect();
            let message = match names.as_slice() {
                [] => format!("there is no variant `{name}`: this document has none"),
                _ => format!("there is no variant `{name}`"),
            };
            return Err(Problem::of_path("variant", message, hint(name, names)).into());
        };
        let place = Place::root().key("variant").key(name);
        let mut document = self.clone();
        let mut problems = Vec::new();
        for (path, value) in variant.get("set").and_then(Value::as_table).into_iter().flat_map(Table::iter) {
            let origin = place.key("set").key(path);
            let changed = document.change(path, value.clone(), Some(origin.clone()));
            if let Err(problem) = changed {
                let line = self.line(&origin);
                problems.push(Problem { path: format!("{origin}"), line, ..problem });
            }
        }
        let expectations = variant.get("expect").cloned().unwrap_or(Value::Array(Vec::new()));
        document.replace("expect", expectations, Some(place.key("expect")));
        if let Some(steps) = self.root.get("step").and_then(Value::as_array) {
            let shows_it = |step: &&Value| step.get("variant").and_then(Value::as_str) == Some(name);
            document.replace("step", Value::Array(steps.iter().filter(shows_it).cloned().collect()), None);
        }
        if problems.is_empty() { Ok(document) } else { Err(Problems(problems)) }
    }

    /// Puts a list of the root in place of what is there.
    fn replace(&mut self, list: &str, items: Value, origin: Option<Place>) {
        let place = Place::root().key(list);
        if let Value::Table(root) = &mut self.root {
            root.insert(list, items);
        }
        self.edits.retain(|edit| !edit.place.is_within(&place));
        self.edits.push(Edit { place, origin });
    }
}
