//! The JSON Schema of documents.

mod texts;

use serde_json::{Map, Value, json};

use super::limits::*;
use super::model::Scenario;

/// The JSON Schema of a scenario document (draft 2020-12). It follows from the [model](super::model), so that it says what is
/// read, with the [limits](super::limits). What no schema can say (that names exist, that a margin is shorter than its lease)
/// is checked besides.
pub fn schema() -> Value {
    let mut schema = Map::new();
    for (key, value) in [
        ("$schema", "https://json-schema.org/draft/2020-12/schema"),
        ("$id", "urn:fencepost:scenario:1"),
        ("title", "Fencepost scenario, version 1"),
    ] {
        schema.insert(key.to_owned(), value.into());
    }
    if let Value::Object(rest) = Value::from(schemars::schema_for!(Scenario)) {
        for (key, value) in rest {
            schema.entry(key).or_insert(value);
        }
    }
    let mut schema = Value::Object(schema);
    tidy(&mut schema);
    for (owner, property, limits) in all_limits() {
        limit(&mut schema, owner, property, &limits);
    }
    schema
}

/// What is optional is left out, never null; and a sentence goes on where its line in the source ends.
fn tidy(schema: &mut Value) {
    match schema {
        Value::Object(entries) => {
            if let Some(Value::Array(types)) = entries.get_mut("type") {
                types.retain(|word| word != "null");
                if let [only] = types.as_slice() {
                    let only = only.clone();
                    entries.insert("type".to_owned(), only);
                }
            }
            if let Some(Value::Array(choices)) = entries.get_mut("anyOf") {
                choices.retain(|choice| choice.get("type").is_none_or(|word| word != "null"));
                if let [Value::Object(only)] = choices.as_slice() {
                    let only = only.clone();
                    entries.shift_remove("anyOf");
                    let rest = std::mem::replace(entries, only);
                    entries.extend(rest);
                }
            }
            if let Some(Value::String(text)) = entries.get_mut("description") {
                *text =
                    text.split("\n\n").map(|part| part.replace('\n', " ")).collect::<Vec<_>>().join("\n\n");
            }
            entries.values_mut().for_each(tidy);
        }
        Value::Array(items) => items.iter_mut().for_each(tidy),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

type Limits = (&'static str, &'static str, Value);

/// For a property of a definition (or of the document, without a name), what it has to keep to.
fn all_limits() -> Vec<Limits> {
    let pattern = format!("^[A-Za-z0-9_.-]{{1,{NAME_CHARS_MAX}}}$");
    let name = json!({ "pattern": pattern });
    let names = json!({ "type": "string", "pattern": pattern });
    let ppm = json!({ "minimum": PPM_MIN, "maximum": PPM_MAX });
    let exact = json!({ "minimum": 1, "maximum": EXACT_MAX - 1 });
    let times = json!({ "minimum": 1, "maximum": REPEAT_MAX });
    let at_most = |count: usize| json!({ "maxItems": count });
    let some = json!({ "minItems": 1 });
    vec![
        ("", "version", json!({ "const": VERSION })),
        ("", "title", json!({ "minLength": 1, "maxLength": TITLE_CHARS_MAX })),
        ("", "seed", json!({ "maximum": EXACT_MAX - 1 })),
        ("", "host", at_most(LIST_MAX)),
        ("", "store", at_most(STORES_MAX)),
        ("", "worker", at_most(WORKERS_MAX)),
        ("", "sweeper", at_most(SWEEPERS_MAX)),
        ("", "fault", at_most(FAULTS_MAX)),
        ("", "expect", at_most(LIST_MAX)),
        ("", "step", at_most(LIST_MAX)),
        ("", "variant", json!({ "maxProperties": LIST_MAX })),
        ("Network", "link", at_most(LIST_MAX)),
        ("Host", "name", name.clone()),
        ("Host", "drift_ppm", ppm.clone()),
        (
            "Lock",
            "nodes",
            json!({ "items": names, "minItems": 1, "maxItems": NODES_MAX, "uniqueItems": true }),
        ),
        ("Lock", "term", exact.clone()),
        ("Lock", "revision", exact.clone()),
        ("Lock", "snapshot_every", exact),
        ("Lock", "other_writes", at_most(OTHER_WRITES_MAX)),
        ("Store", "name", name.clone()),
        ("Worker", "name", name.clone()),
        ("Worker", "program", json!({ "minItems": 1, "maxItems": STEPS_MAX })),
        ("Sweeper", "name", name.clone()),
        ("Acquire", "acquire", name.clone()),
        ("Put", "put", json!({ "minLength": 1, "maxLength": NAME_CHARS_MAX })),
        ("Write", "effects", json!({ "maximum": EFFECTS_MAX })),
        ("Repeat", "repeat", times.clone()),
        ("Repeat", "steps", some.clone()),
        ("Items", "items", times),
        ("Items", "steps", some.clone()),
        ("After", "nth", json!({ "minimum": 1, "maximum": NTH_MAX })),
        ("Ask", "options", json!({ "minItems": 2, "maxItems": OPTIONS_MAX, "uniqueItems": true })),
        ("Ask", "expect", some),
        ("Fault", "id", name),
        ("Fault", "ppm", ppm),
    ]
}

/// Writes limits to a property, in every form that its owner has; answers in how many.
fn limit(schema: &mut Value, owner: &str, property: &str, limits: &Value) -> usize {
    let owner = match owner {
        "" => Some(schema),
        name => schema.get_mut("$defs").and_then(|defs| defs.get_mut(name)),
    };
    let Some(owner) = owner else { return 0 };
    let mut found = 0;
    let forms: Vec<&mut Value> = match owner.get("oneOf").is_some() {
        true => owner.get_mut("oneOf").and_then(Value::as_array_mut).into_iter().flatten().collect(),
        false => vec![owner],
    };
    for form in forms {
        let property = form.get_mut("properties").and_then(|properties| properties.get_mut(property));
        if let (Some(Value::Object(property)), Value::Object(limits)) = (property, limits) {
            property.extend(limits.clone());
            found += 1;
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_limit_has_its_place() {
        let mut schema = schema();
        for (owner, property, limits) in all_limits() {
            assert!(limit(&mut schema, owner, property, &limits) > 0, "{owner}.{property}");
        }
    }

    #[test]
    fn nothing_is_null() {
        assert!(!schema().to_string().contains("\"null\""));
    }
}
