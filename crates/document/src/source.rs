//! A document's text, and on which line of it something is. Only errors ask, so nothing is kept but the text: a second
//! reading finds the place.

use std::fmt;
use std::sync::Arc;

use serde::de::{Deserializer as _, MapAccess, Visitor};
use serde_json::value::RawValue;
use toml::de::{DeTable, DeValue};

use super::place::{Place, Step};

/// The text that a document was read from.
#[derive(Clone, Debug)]
pub(crate) struct Source {
    pub(crate) text: Arc<str>,
    pub(crate) json: bool,
}

impl Source {
    /// The line of a place, from 1; of what is around it when it is not there itself.
    pub(crate) fn line(&self, place: &Place) -> u32 {
        let offset = if self.json { json_offset(&self.text, place) } else { toml_offset(&self.text, place) };
        line_at(&self.text, offset)
    }
}

/// The line of an offset, from 1.
pub(crate) fn line_at(text: &str, offset: usize) -> u32 {
    let before = text.as_bytes().iter().take(offset).filter(|byte| **byte == b'\n').count();
    u32::try_from(before).unwrap_or(u32::MAX).saturating_add(1)
}

fn toml_offset(text: &str, place: &Place) -> usize {
    let (root, _) = DeTable::parse_recoverable(text);
    let root = DeValue::Table(root.into_inner());
    let mut here = &root;
    let mut offset = 0;
    for step in &place.0 {
        match (here, step) {
            (DeValue::Table(table), Step::Key(key)) => {
                let Some((key, value)) = table.get_key_value(key.as_str()) else { break };
                offset = key.span().start;
                here = value.get_ref();
            }
            (DeValue::Array(list), Step::Item { index, name }) => {
                let index = index_of(*index, name.as_deref(), list.len(), |at| {
                    let item = list.get(at)?.get_ref();
                    item.get("name").or_else(|| item.get("id"))?.get_ref().as_str()
                });
                let Some(item) = list.get(index) else { break };
                offset = item.span().start;
                here = item.get_ref();
            }
            _ => break,
        }
    }
    offset
}

fn json_offset(text: &str, place: &Place) -> usize {
    let Ok(mut here) = serde_json::from_str::<&RawValue>(text) else { return 0 };
    for step in &place.0 {
        let next = match step {
            Step::Key(key) => {
                entries(here).into_iter().rev().find(|(name, _)| name == key).map(|(_, value)| value)
            }
            Step::Item { index, name } => {
                let items = serde_json::from_str::<Vec<&RawValue>>(here.get()).unwrap_or_default();
                let names: Vec<Option<String>> = items.iter().map(|item| json_name(item)).collect();
                let index = index_of(*index, name.as_deref(), names.len(), |at| names.get(at)?.as_deref());
                items.get(index).copied()
            }
        };
        let Some(next) = next else { break };
        here = next;
    }
    // A borrowed raw value is a part of the text.
    (here.get().as_ptr() as usize).saturating_sub(text.as_ptr() as usize)
}

fn json_name(item: &RawValue) -> Option<String> {
    let entries = entries(item);
    let named = |key: &str| entries.iter().find(|(name, _)| name == key);
    serde_json::from_str(named("name").or_else(|| named("id"))?.1.get()).ok()
}

/// An item's index: that of its name, where it is not what it was.
fn index_of<'a>(
    index: usize,
    name: Option<&str>,
    count: usize,
    name_at: impl Fn(usize) -> Option<&'a str>,
) -> usize {
    match name {
        Some(name) if name_at(index) != Some(name) => {
            (0..count).find(|at| name_at(*at) == Some(name)).unwrap_or(index)
        }
        _ => index,
    }
}

/// The entries of a JSON object in order; none when it is something else.
fn entries(object: &RawValue) -> Vec<(String, &RawValue)> {
    struct Entries;
    impl<'de> Visitor<'de> for Entries {
        type Value = Vec<(String, &'de RawValue)>;
        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("an object")
        }
        fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
            let mut entries = Vec::new();
            while let Some(entry) = map.next_entry()? {
                entries.push(entry);
            }
            Ok(entries)
        }
    }
    serde_json::Deserializer::from_str(object.get()).deserialize_map(Entries).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(text: &str, place: &Place) -> u32 {
        Source { text: text.into(), json: text.starts_with('{') }.line(place)
    }

    #[test]
    fn a_place_has_its_line_in_toml() {
        let text = "version = 1\n\n[lock]\nttl = \"1s\"\n[[worker]]\nname = \"A\"\n[[worker]]\nname = \"B\"\nprogram = [\n  { prepare = \"1s\" },\n  { check = 1 },\n]\n";
        let worker = Place::root().key("worker");
        let b = worker.item(1, Some("B"));
        for (place, expected) in [
            (Place::root().key("lock").key("ttl"), 4),
            (Place::root().key("lock").key("nodes"), 3),
            (worker.item(0, Some("A")).key("name"), 6),
            (worker.item(0, Some("B")).key("name"), 8),
            (b.clone(), 7),
            (b.key("program").item(1, None).key("check"), 11),
            (Place::root().key("nothing"), 1),
        ] {
            assert_eq!(line(text, &place), expected, "{place}");
        }
    }

    #[test]
    fn a_place_has_its_line_in_json() {
        let text = "{ \"version\": 1,\n \"worker\": [\n {\"name\": \"A\"},\n {\"name\": \"B\",\n  \"margin\":\n   7}\n]}";
        let worker = Place::root().key("worker");
        assert_eq!(line(text, &worker.item(1, Some("B"))), 4);
        assert_eq!(line(text, &worker.item(0, Some("B")).key("margin")), 6);
        assert_eq!(line(text, &worker.item(0, None).key("other")), 3);
        assert_eq!(line(text, &Place::root().key("nothing")), 1);
    }
}
