//! What leads from one document to another, as few steps as a person would take: for links, which carry what was changed in
//! a story and not the story, and for telling tries apart.

use std::fmt;

use super::edit::{put, scalar};
use super::place::{Step, name_of};
use super::problem::Problem;
use super::value::{Table, Value, key};
use super::{Document, Edit};

/// A step from one document to another. Its text is a line of TOML with the path as one key: `"fault.a-pause.for" = "8s"`;
/// or, with a sign before it, `- "fault.a-pause"` and `+ fault = { kind = "crash", on = "C", at = "9s" }`.
#[derive(Clone, Debug, PartialEq)]
pub enum Change {
    /// A path leads to this value now.
    Set {
        /// The path.
        path: String,
        /// What it leads to.
        value: Value,
    },
    /// A path leads nowhere any more.
    Remove {
        /// The path.
        path: String,
    },
    /// A list of the document has one more at its end.
    Add {
        /// Which list.
        list: String,
        /// What is new.
        item: Value,
    },
}

impl Document {
    /// What leads from this document to another, in the order in which it is to be done.
    pub fn changes_to(&self, other: &Self) -> Vec<Change> {
        let mut changes = Vec::new();
        tables(self.table(), other.table(), "", &mut changes);
        let mut again = self.clone();
        let all_taken = changes.iter().all(|change| again.take(change).is_ok());
        if all_taken && again == *other {
            return changes;
        }
        // Where names do not tell the parts apart, whole sections do.
        let mut changes = Vec::new();
        sections(self.table(), other.table(), &mut changes);
        changes
    }

    /// Does a change as it stands: unlike [`Document::set`] it has no consequences, those are changes of their own.
    pub fn take(&mut self, change: &Change) -> Result<(), Problem> {
        match change {
            // A link is older than what was said of the fault since: that goes with it.
            Change::Remove { path } => match path.strip_prefix("fault.").filter(|_| self.is_item(path)) {
                Some(id) => self.remove_fault(id),
                None => self.remove(path),
            },
            Change::Add { list, item } => self.add(list, item.clone()),
            Change::Set { path, value } => {
                let place = self.resolve(path)?;
                put(&mut self.root, &place.0, value.clone())
                    .map_err(|message| Problem::of_path(path, message, None))?;
                self.edits.retain(|edit| !edit.place.is_within(&place));
                self.edits.push(Edit { place, origin: None });
                Ok(())
            }
        }
    }

    /// Whether a path leads to an item of a list.
    fn is_item(&self, path: &str) -> bool {
        let place = self.resolve(path).ok();
        place.is_some_and(|place| matches!(place.0.last(), Some(Step::Item { .. })))
    }

    /// What a change is, in words, said of the document that it changes: "fault.a-pause.for: 15s, now 8s".
    pub fn told(&self, change: &Change) -> String {
        let short = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        match change {
            Change::Remove { path } => format!("without {path}"),
            Change::Add { list, item } => match name_of(item) {
                Some(name) => format!("with {list}.{name}"),
                None => format!("with one more {list}"),
            },
            Change::Set { path, value } => match self.at(path) {
                Some(before) if !matches!(value, Value::Array(_) | Value::Table(_)) => {
                    format!("{path}: {}, now {}", short(before), short(value))
                }
                Some(_) => format!("{path} is another"),
                None => format!("{path}: {}", short(value)),
            },
        }
    }
}

/// From one table to another: what goes, what is another, what is new.
fn tables(old: &Table, new: &Table, path: &str, changes: &mut Vec<Change>) {
    for (name, before) in old.iter() {
        let path = join(path, name);
        match (before, new.get(name)) {
            (_, None) => changes.push(Change::Remove { path }),
            (before, Some(now)) if before == now => {}
            (Value::Table(before), Some(Value::Table(now))) => tables(before, now, &path, changes),
            (Value::Array(before), Some(Value::Array(now))) if are_named(before) && are_named(now) => {
                items(before, now, &path, changes);
            }
            (_, Some(now)) => changes.push(Change::Set { path, value: now.clone() }),
        }
    }
    for (name, value) in new.iter().filter(|(name, _)| old.get(name).is_none()) {
        changes.push(Change::Set { path: join(path, name), value: value.clone() });
    }
}

/// From one list of named items to another.
fn items(old: &[Value], new: &[Value], path: &str, changes: &mut Vec<Change>) {
    let named = |items: &[Value], name| items.iter().position(|item| name_of(item) == name);
    for before in old {
        let name = name_of(before);
        let item = join(path, name.unwrap_or_default());
        match (before, named(new, name).and_then(|at| new.get(at))) {
            (_, None) => changes.push(Change::Remove { path: item }),
            (before, Some(now)) if before == now => {}
            (Value::Table(before), Some(Value::Table(now))) => tables(before, now, &item, changes),
            (_, Some(now)) => changes.push(Change::Set { path: item, value: now.clone() }),
        }
    }
    for item in new.iter().filter(|item| named(old, name_of(item)).is_none()) {
        changes.push(Change::Add { list: path.to_owned(), item: item.clone() });
    }
}

/// From one document to another by whole sections.
fn sections(old: &Table, new: &Table, changes: &mut Vec<Change>) {
    let gone = old.keys().filter(|name| new.get(name).is_none());
    changes.extend(gone.map(|name| Change::Remove { path: name.to_owned() }));
    let others = new.iter().filter(|(name, value)| old.get(name) != Some(*value));
    changes.extend(others.map(|(name, value)| Change::Set { path: name.to_owned(), value: value.clone() }));
}

/// Whether each of them has a name of its own.
fn are_named(items: &[Value]) -> bool {
    let names: Vec<Option<&str>> = items.iter().map(name_of).collect();
    names.iter().enumerate().all(|(nth, name)| name.is_some() && !names[..nth].contains(name))
}

fn join(path: &str, name: &str) -> String {
    if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") }
}

impl Change {
    /// What it is in an address: a sign (`=`, `-` or `+`), the path or list, and the value; a text without quotes where
    /// nothing else could be meant.
    pub fn in_link(&self) -> (char, &str, Option<String>) {
        let short = |value: &Value| match value.as_str().filter(|text| scalar(text) == *value) {
            Some(text) => text.to_owned(),
            None => value.to_string(),
        };
        match self {
            Self::Set { path, value } => ('=', path, Some(short(value))),
            Self::Remove { path } => ('-', path, None),
            Self::Add { list, item } => ('+', list, Some(short(item))),
        }
    }

    /// The same read again; `None` for another sign, or where a value is missing.
    pub fn of_link(sign: char, path: &str, value: Option<&str>) -> Option<Self> {
        let path = path.to_owned();
        Some(match (sign, value) {
            ('-', None) => Self::Remove { path },
            ('=', Some(value)) => Self::Set { path, value: scalar(value) },
            ('+', Some(value)) => Self::Add { list: path, item: scalar(value) },
            _ => return None,
        })
    }
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Set { path, value } => write!(f, "{} = {value}", key(path)),
            Self::Remove { path } => write!(f, "- {}", key(path)),
            Self::Add { list, item } => write!(f, "+ {} = {item}", key(list)),
        }
    }
}

impl std::str::FromStr for Change {
    type Err = String;

    fn from_str(line: &str) -> Result<Self, String> {
        let wrong = || format!("this is no change of a document: `{line}`");
        let (sign, rest) = match line.split_at_checked(2) {
            Some(("- ", rest)) => ('-', rest),
            Some(("+ ", rest)) => ('+', rest),
            _ => ('=', line),
        };
        let text = if sign == '-' { format!("{rest} = true") } else { rest.to_owned() };
        let table: Table = text.parse().map_err(|_| wrong())?;
        let (path, value) = table.iter().next().filter(|_| table.len() == 1).ok_or_else(wrong)?;
        let path = path.to_owned();
        Ok(match sign {
            '-' => Self::Remove { path },
            '+' => Self::Add { list: path, item: value.clone() },
            _ => Self::Set { path, value: value.clone() },
        })
    }
}
