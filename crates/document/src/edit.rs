//! Changing a document by paths: `worker.A.margin`, `store.billing.kind`, `fault.a-pause.for`, `network.delay`.
//!
//! A path leads through tables by key and through lists by an item's name (a fault's id) or number. What it leads through
//! must be there, except for tables of a known place, which are made, and for hosts: an entry is made for the host that is
//! named. Whether the last key exists is judged when the document is read, like everything else.

use kernel::Span;

use super::model::KINDS;
use super::nearest::hint;
use super::place::{Place, Step, name_of};
use super::problem::Problem;
use super::value::{Table, Value};

use super::{Document, Edit};

/// How long a path can be.
const DEPTH_MAX: usize = 64;

/// Sections of a document that are lists.
const LISTS: [&str; 7] = ["host", "store", "worker", "sweeper", "fault", "expect", "step"];

impl Document {
    /// Sets what `path` leads to. The value is TOML where it is that ("3", "true", `["n1"]`, `{ poll = "1s" }`), and else
    /// a text ("8s", "unfenced"); where a text stood before, a bare number is a text as well.
    pub fn set(&mut self, path: &str, value: &str) -> Result<(), Problem> {
        let value = value.trim();
        let mut parsed = scalar(value);
        let is_scalar = !matches!(parsed, Value::Array(_) | Value::Table(_));
        if is_scalar && self.at(path).and_then(Value::as_str).is_some() && parsed.as_str().is_none() {
            parsed = Value::String(value.to_owned());
        }
        self.set_value(path, parsed)
    }

    /// Sets what `path` leads to.
    pub fn set_value(&mut self, path: &str, value: Value) -> Result<(), Problem> {
        self.change(path, value, None)
    }

    /// What `path` leads to, as text: a text itself, anything else as TOML. `None` when there is nothing.
    pub fn get(&self, path: &str) -> Option<String> {
        let value = self.at(path)?;
        Some(value.as_str().map_or_else(|| value.to_string(), str::to_owned))
    }

    /// What `path` leads to.
    pub fn at(&self, path: &str) -> Option<&Value> {
        let place = self.resolve(path).ok()?;
        place.0.iter().try_fold(&self.root, |value, step| match step {
            Step::Key(key) => value.get(key),
            Step::Item { index, .. } => value.item(*index),
        })
    }

    /// Takes out what `path` leads to: a key of a table, or an item of a list.
    pub fn remove(&mut self, path: &str) -> Result<(), Problem> {
        if self.at(path).is_none() {
            let hint = self.resolve(path).err().and_then(|problem| problem.hint);
            return Err(Problem::of_path(path, "there is nothing to remove", hint));
        }
        let mut place = self.resolve(path)?;
        let Some(last) = place.0.pop() else { return Err(Problem::of_path(path, "a path is empty", None)) };
        let holder = walk(&mut self.root, &place.0);
        match (holder, last) {
            (Some(Value::Table(table)), Step::Key(key)) => {
                table.remove(&key);
            }
            (Some(Value::Array(list)), Step::Item { index, .. }) if index < list.len() => {
                list.remove(index);
                self.shifted = true;
            }
            _ => return Err(Problem::of_path(path, "there is nothing to remove", None)),
        }
        self.edits.push(Edit { place, origin: None });
        Ok(())
    }

    /// Adds an item to one of the lists `store`, `worker`, `sweeper`, `fault`, `host`, `expect` or `step`.
    pub fn add(&mut self, list: &str, item: Value) -> Result<(), Problem> {
        if !LISTS.contains(&list) {
            let message = "there is no such list";
            return Err(Problem::of_path(list, message, hint(list, LISTS)));
        }
        let Value::Table(root) = &mut self.root else { return Err(Problem::of_path(list, "no table", None)) };
        let entry = root.entry(list, Value::Array(Vec::new()));
        let Value::Array(items) = entry else {
            return Err(Problem::of_path(list, "a list is wanted here", None));
        };
        let place = Place::root().key(list).item(items.len(), name_of(&item));
        items.push(item);
        self.edits.push(Edit { place, origin: None });
        Ok(())
    }

    pub(crate) fn change(&mut self, path: &str, value: Value, origin: Option<Place>) -> Result<(), Problem> {
        let place = self.resolve(path)?;
        if path == "lock.kind" {
            self.leave_kind_of_lock(&value);
        }
        put(&mut self.root, &place.0, value).map_err(|message| Problem::of_path(path, message, None))?;
        self.edits.retain(|edit| !edit.place.is_within(&place));
        self.edits.push(Edit { place, origin });
        Ok(())
    }

    /// A lock service of another kind keeps what every kind has: its servers, as many as it can have, and the length of
    /// a lease. All else that the section says was said of the old kind, and so were the lesson and what must come out. What
    /// strikes a server that is gone, or waits for it, is gone with it; of several that are struck, those that are left. So it is with
    /// what is said of its host and of its links.
    fn leave_kind_of_lock(&mut self, kind: &Value) {
        let Some(Value::Table(lock)) = self.root.get_mut("lock") else { return };
        let Some(new) = KINDS.iter().find(|known| Some(known.name) == kind.as_str()) else { return };
        if lock.get("kind") == Some(kind) {
            return;
        }
        let of_every_kind = |key: &&str| matches!(*key, "kind" | "nodes" | "ttl");
        let others: Vec<String> = lock.keys().filter(|key| !of_every_kind(key)).map(str::to_owned).collect();
        for key in others {
            lock.remove(&key);
        }
        let gone = match lock.get_mut("nodes") {
            Some(Value::Array(nodes)) if nodes.len() > new.nodes_max => nodes.split_off(new.nodes_max),
            Some(_) | None => Vec::new(),
        };
        if new.nodes_max == 0 {
            lock.remove("nodes");
        }
        if new.ttl_min.0 == Span::ZERO {
            lock.remove("ttl"); // It has no leases.
        }
        let Value::Table(root) = &mut self.root else { return };
        root.remove("expect");
        root.remove("step");
        let gone: Vec<&str> = gone.iter().filter_map(Value::as_str).collect();
        // The lesson is gone: nobody speaks of the faults that went.
        self.go_on_without(&gone);
        self.shifted = true;
    }

    /// The place that a path leads to; it need not be there yet.
    pub(super) fn resolve(&self, path: &str) -> Result<Place, Problem> {
        let mut place = Place::root();
        let mut here = Some(&self.root);
        let mut rest = path;
        loop {
            let problem = |message: String, hint| Problem::of_path(path, message, hint);
            let (step, after) = match here {
                Some(Value::Array(items)) => {
                    item(&place, items, rest).map_err(|(message, hint)| problem(message, hint))?
                }
                Some(Value::Table(table)) => key(table, rest),
                None => key(&Table::new(), rest),
                Some(_) => return Err(problem(format!("`{place}` is a value that has no parts"), None)),
            };
            if matches!(&step, Step::Key(key) if key.is_empty()) {
                return Err(problem(
                    "a path is keys and names with single dots between them".to_owned(),
                    None,
                ));
            }
            here = match (here, &step) {
                (Some(value), Step::Key(key)) => value.get(key),
                (Some(value), Step::Item { index, .. }) => value.item(*index),
                (None, _) => None,
            };
            place.0.push(step);
            if place.0.len() > DEPTH_MAX {
                return Err(problem("nothing lies that deep".to_owned(), None));
            }
            let Some(after) = after else { return Ok(place) };
            rest = after.strip_prefix('.').unwrap_or(after);
            if here.is_none() {
                here = absent(&place).map_err(|message| problem(message, None))?;
            }
        }
    }
}

/// What a path leads on from where nothing is: an empty list, or a table that will be made.
fn absent(place: &Place) -> Result<Option<&'static Value>, String> {
    static NO_ITEMS: Value = Value::Array(Vec::new());
    match place.0.as_slice() {
        [Step::Key(list)] if LISTS.contains(&list.as_str()) => Ok(Some(&NO_ITEMS)),
        [.., Step::Item { name: Some(worker), .. }, Step::Key(key)] if key == "program" => {
            Err(format!("`{worker}` has no program of its own: it is like another"))
        }
        _ => Ok(None),
    }
}

/// The part of a path that comes first in a table: the longest key that is there, or else up to the next dot.
fn key<'p>(table: &Table, rest: &'p str) -> (Step, Option<&'p str>) {
    let there = table.keys().filter(|key| leads(rest, key)).max_by_key(|key| key.len());
    let length = there.map_or_else(|| rest.find('.').unwrap_or(rest.len()), str::len);
    let (key, after) = rest.split_at(length);
    (Step::Key(key.to_owned()), Some(after).filter(|after| !after.is_empty()))
}

type Wrong = (String, Option<String>);

/// The part of a path that comes first in a list.
fn item<'p>(place: &Place, items: &[Value], rest: &'p str) -> Result<(Step, Option<&'p str>), Wrong> {
    let named = items.iter().enumerate().filter_map(|(index, item)| Some((index, name_of(item)?)));
    let there = named.filter(|(_, name)| leads(rest, name)).max_by_key(|(_, name)| name.len());
    let first = rest.split('.').next().unwrap_or(rest);
    let (index, name, length) = match (there, first.parse::<usize>()) {
        (Some((index, name)), _) => (index, Some(name), name.len()),
        (None, Ok(index)) if index < items.len() => (index, items.get(index).and_then(name_of), first.len()),
        (None, _) if matches!(place.0.as_slice(), [Step::Key(list)] if list == "host") => {
            (items.len(), Some(first), first.len())
        }
        (None, number) => return Err(no_item(place, items, first, number.is_ok())),
    };
    let after = rest.get(length..).filter(|after| !after.is_empty());
    Ok((Step::Item { index, name: name.map(str::to_owned) }, after))
}

fn no_item(place: &Place, items: &[Value], first: &str, is_number: bool) -> Wrong {
    let names: Vec<&str> = items.iter().filter_map(name_of).collect();
    if items.is_empty() {
        return (format!("there is no {place} `{first}`: there is none at all"), None);
    }
    if names.is_empty() || is_number {
        let last = items.len().saturating_sub(1);
        return (format!("there is no number {first} in `{place}`, which counts from 0 to {last}"), None);
    }
    (format!("there is no {place} `{first}`"), hint(first, names))
}

/// Whether a path goes through `name` first.
fn leads(path: &str, name: &str) -> bool {
    path.strip_prefix(name).is_some_and(|after| after.is_empty() || after.starts_with('.'))
}

/// What `steps` lead to.
fn walk<'v>(root: &'v mut Value, steps: &[Step]) -> Option<&'v mut Value> {
    steps.iter().try_fold(root, |value, step| match step {
        Step::Key(key) => value.get_mut(key),
        Step::Item { index, .. } => value.item_mut(*index),
    })
}

/// Puts a value where `steps` lead, making tables on the way.
pub(super) fn put(here: &mut Value, steps: &[Step], value: Value) -> Result<(), String> {
    let Some((step, rest)) = steps.split_first() else {
        *here = value;
        return Ok(());
    };
    let empty = match rest.first() {
        Some(Step::Item { .. }) => Value::Array(Vec::new()),
        Some(Step::Key(_)) | None => Value::Table(Table::new()),
    };
    match (here, step) {
        (Value::Table(table), Step::Key(key)) => put(table.entry(key, empty), rest, value),
        (Value::Array(list), Step::Item { index, name }) => {
            if *index == list.len() {
                let named = name.iter().map(|name| ("name".to_owned(), Value::String(name.clone())));
                list.push(Value::Table(named.collect()));
            }
            match list.get_mut(*index) {
                Some(item) => put(item, rest, value),
                None => Err("there is no such item".to_owned()),
            }
        }
        _ => Err("the path leads through a value that has no parts".to_owned()),
    }
}

/// A value as somebody types it.
pub(super) fn scalar(text: &str) -> Value {
    let parsed = format!("value = {text}").parse::<Table>().ok();
    let value = parsed.filter(|table| table.len() == 1).and_then(|table| table.get("value").cloned());
    match value {
        Some(value) if !matches!(value, Value::Datetime(_) | Value::Float(_)) => value,
        _ => Value::String(text.to_owned()),
    }
}
