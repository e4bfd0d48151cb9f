//! A document as TOML, laid out for people: sections as tables, what is in them on one line each, lists of steps with
//! one step a line.

use std::fmt::Write as _;

use super::Document;
use super::patch::patched;
use super::value::{Value, key};

/// Longer lists have an item a line.
const LINE_MAX: usize = 100;

impl Document {
    /// The document as TOML. What nobody changed is as it was written, with its comments.
    pub fn to_toml(&self) -> String {
        if !self.is_edited() && !self.source.json {
            return self.text().to_owned();
        }
        if let Some(patched) = patched(self) {
            return patched;
        }
        let root = self.table();
        let mut out = String::new();
        entries(&mut out, root.iter().filter(|(_, value)| !is_section(value)));
        for (name, value) in root.iter().filter(|(_, value)| is_section(value)) {
            section(&mut out, &key(name), value);
        }
        out
    }
}

/// Whether a value of the root has headers of its own: a table, or a list of tables.
pub(super) fn is_section(value: &Value) -> bool {
    value.as_table().is_some()
        || value
            .as_array()
            .is_some_and(|items| !items.is_empty() && items.iter().all(|item| item.as_table().is_some()))
}

pub(super) fn section(out: &mut String, path: &str, value: &Value) {
    if let Some(table) = value.as_table() {
        if path == "variant" && !table.is_empty() && table.iter().all(|(_, value)| value.as_table().is_some())
        {
            for (name, variant) in table.iter() {
                section(out, &format!("{path}.{}", key(name)), variant);
            }
        } else {
            let _ = writeln!(out, "\n[{path}]");
            entries(out, table.iter());
        }
    }
    for item in value.as_array().into_iter().flatten().filter_map(Value::as_table) {
        let _ = writeln!(out, "\n[[{path}]]");
        entries(out, item.iter());
    }
}

fn entries<'v>(out: &mut String, entries: impl Iterator<Item = (&'v str, &'v Value)>) {
    for (name, value) in entries {
        let _ = write!(out, "{} = ", key(name));
        inline(out, value, 0);
        out.push('\n');
    }
}

/// A value without headers. A list that is too long for a line has an item a line.
pub(super) fn inline(out: &mut String, value: &Value, depth: usize) {
    let line = value.to_string();
    if line.chars().count() + depth * 2 <= LINE_MAX {
        return out.push_str(&line);
    }
    if let Some(items) = value.as_array() {
        out.push_str("[\n");
        for item in items {
            out.push_str(&"  ".repeat(depth + 1));
            inline(out, item, depth + 1);
            out.push_str(",\n");
        }
        let _ = write!(out, "{}]", "  ".repeat(depth));
    } else if let Some(table) = value.as_table() {
        out.push_str("{ ");
        for (i, (name, value)) in table.iter().enumerate() {
            let comma = if i == 0 { "" } else { ", " };
            let _ = write!(out, "{comma}{} = ", key(name));
            inline(out, value, depth);
        }
        out.push_str(" }");
    } else {
        out.push_str(&line);
    }
}
