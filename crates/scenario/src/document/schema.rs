//! The JSON Schema of documents.

use serde_json::{Map, Value};

use super::model::Scenario;

/// The JSON Schema of a scenario document (draft 2020-12). It follows from the [model](super::model), so that it says what is
/// read; what no schema can say (that names exist, that a margin is shorter than its lease) is checked besides.
pub fn schema() -> Value {
    let generated = schemars::schema_for!(Scenario);
    let mut schema = Map::new();
    for (key, value) in [
        ("$schema", "https://json-schema.org/draft/2020-12/schema"),
        ("$id", "urn:fencepost:scenario:1"),
        ("title", "Fencepost scenario, version 1"),
    ] {
        schema.insert(key.to_owned(), value.into());
    }
    if let Value::Object(rest) = Value::from(generated) {
        for (key, value) in rest {
            schema.entry(key).or_insert(value);
        }
    }
    Value::Object(schema)
}
