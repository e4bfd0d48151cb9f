//! A document's own text with what was changed since written into it, so that its comments and its layout stay.
//!
//! What is patched is judged by the result alone: where it does not mean what the document means, there is no patch.

use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::Document;
use super::place::name_of;
use super::value::{Table, Value, key};
use super::write::{inline, is_section, section};

/// Ranges of a text, each with what to put in its place.
struct Patch<'t> {
    text: &'t str,
    changes: Vec<(Range<usize>, String)>,
}

/// The text with the changes of the document in it; `None` where that is beyond this.
pub(crate) fn patched(document: &Document) -> Option<String> {
    let text = document.text();
    let (root, errors) = DeTable::parse_recoverable(text);
    if document.source.json || !errors.is_empty() {
        return None;
    }
    let mut patch = Patch { text, changes: Vec::new() };
    patch.table(root.get_ref(), document.table(), 0..0, "")?;
    let patched = patch.apply();
    Document::parse(&patched).ok().filter(|again| again == document)?;
    Some(patched)
}

impl Patch<'_> {
    /// From a table with a header of its own, or the root, to what it is now.
    fn table(&mut self, old: &DeTable<'_>, new: &Table, header: Range<usize>, path: &str) -> Option<()> {
        for (name, value) in old {
            match new.get(name.get_ref()) {
                Some(now) => self.value(value, now, &join(path, name.get_ref()))?,
                None => self.cut_entry(name.span(), value, &join(path, name.get_ref())),
            }
        }
        let own = old.iter().map(|(_, value)| value.span()).filter(|span| self.is_inline(span));
        let last = own.map(|span| span.end).max().unwrap_or(header.end);
        for (name, value) in new.iter().filter(|(name, _)| old.get(*name).is_none()) {
            if path.is_empty() && is_section(value) {
                let mut added = String::new();
                section(&mut added, &key(name), value);
                self.append(added);
            } else {
                let mut line = format!("{} = ", key(name));
                inline(&mut line, value, 0);
                self.insert_line(last, &line);
            }
        }
        Some(())
    }

    fn value(&mut self, old: &Spanned<DeValue<'_>>, new: &Value, path: &str) -> Option<()> {
        if Value::of(old.clone()).ok().as_ref() == Some(new) {
            return Some(());
        }
        if self.is_inline(&old.span()) {
            let mut text = String::new();
            inline(&mut text, new, 0);
            self.changes.push((old.span(), text));
            return Some(());
        }
        match (old.get_ref(), new) {
            (DeValue::Table(old_table), Value::Table(new)) => self.table(old_table, new, old.span(), path),
            (DeValue::Array(old), Value::Array(new)) => self.items(old, new, path),
            _ => None,
        }
    }

    /// From a list of tables with headers to what it is now: items go, change, and come at the end.
    fn items(&mut self, old: &[Spanned<DeValue<'_>>], new: &[Value], path: &str) -> Option<()> {
        let mut rest = new.iter().peekable();
        for (index, item) in old.iter().enumerate() {
            let DeValue::Table(table) = item.get_ref() else { return None };
            let name = table.get("name").or_else(|| table.get("id")).and_then(|name| name.get_ref().as_str());
            // Where fewer are left of those that have no names, one that is not as it was is one that is gone.
            let may_go = name.is_none() && old.len() - index > rest.len();
            let is_it = |now: &&Value| {
                name_of(now) == name && !(may_go && Value::of(item.clone()).ok().as_ref() != Some(*now))
            };
            match rest.next_if(is_it) {
                Some(now) => self.value(item, now, path)?,
                None => self.cut_section(item.span().start, path),
            }
        }
        for item in rest {
            let mut added = String::new();
            section(&mut added, path, &Value::Array(vec![item.clone()]));
            self.append(added);
        }
        Some(())
    }

    /// Whether a value stands in the text as it is, and not under headers.
    fn is_inline(&self, span: &Range<usize>) -> bool {
        let Some(text) = self.text.get(span.clone()) else { return false };
        text.starts_with(['{', '"', '\'']) || format!("v = {text}").parse::<Table>().is_ok()
    }

    /// A key on lines of its own goes with them.
    fn cut_entry(&mut self, name: Range<usize>, value: &Spanned<DeValue<'_>>, path: &str) {
        if self.is_inline(&value.span()) {
            let from =
                self.text.get(..name.start).and_then(|before| before.rfind('\n')).map_or(0, |at| at + 1);
            self.changes.push((from..self.line_end(value.span().end), String::new()));
            return;
        }
        match value.get_ref() {
            DeValue::Array(items) => items.iter().for_each(|item| self.cut_section(item.span().start, path)),
            DeValue::Table(_) => self.cut_section(value.span().start, path),
            DeValue::String(_)
            | DeValue::Integer(_)
            | DeValue::Float(_)
            | DeValue::Boolean(_)
            | DeValue::Datetime(_) => {}
        }
    }

    /// A header and what is under it go, with headers that lead further down and the blank line before; comments above it stay.
    fn cut_section(&mut self, header: usize, path: &str) {
        let within = format!("{path}.");
        let leads_down = |line: &str| line.trim_start().trim_start_matches('[').starts_with(&within);
        let from = self.text.get(..header).and_then(|before| before.rfind('\n')).map_or(0, |at| at + 1);
        let body = self.line_end(header);
        let lines = self.text.get(body..).unwrap_or_default().split_inclusive('\n');
        let mut until = body;
        let mut at = body;
        for line in lines {
            at += line.len();
            match line.trim_start().chars().next() {
                Some('[') if !leads_down(line) => break,
                // What is above the next header belongs to that.
                Some('#') | None => {}
                Some(_) => until = at,
            }
        }
        self.changes.push((from..until, String::new()));
    }

    fn insert_line(&mut self, after: usize, line: &str) {
        let at = self.line_end(after);
        let break_before =
            if self.text.get(..at).is_some_and(|before| before.is_empty() || before.ends_with('\n')) {
                ""
            } else {
                "\n"
            };
        self.changes.push((at..at, format!("{break_before}{line}\n")));
    }

    fn append(&mut self, section: String) {
        let end = self.text.len();
        let begin = if self.text.ends_with('\n') { "" } else { "\n" };
        self.changes.push((end..end, format!("{begin}{section}")));
    }

    /// Behind the end of the line that an offset is on.
    fn line_end(&self, at: usize) -> usize {
        let rest = self.text.get(at..).and_then(|rest| rest.find('\n'));
        rest.map_or(self.text.len(), |length| at + length + 1)
    }

    fn apply(mut self) -> String {
        kernel::order::by_key(&mut self.changes, |(range, _)| range.start);
        let mut out = String::with_capacity(self.text.len());
        let mut at = 0;
        for (range, new) in self.changes {
            out.push_str(self.text.get(at..range.start).unwrap_or_default());
            out.push_str(&new);
            at = at.max(range.end);
        }
        out.push_str(self.text.get(at..).unwrap_or_default());
        out
    }
}

fn join(path: &str, name: &str) -> String {
    if path.is_empty() { key(name) } else { format!("{path}.{}", key(name)) }
}
