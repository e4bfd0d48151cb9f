//! The published JSON Schema says what is read: no less, and no more.

mod common;

use std::fs;

use common::{good, root};
use scenario::document::{Document, schema};
use serde_json::{Map, Value, json};

#[test]
fn the_published_schema_is_current() {
    let path = root().join("assets/schema/scenario.schema.json");
    let current = good(&["schema"]);
    if std::env::var_os("UPDATE").is_some() {
        fs::write(&path, &current).expect("it is written");
    }
    let published = fs::read_to_string(&path).expect("it is published");
    assert!(
        published == current,
        "assets/schema/scenario.schema.json is not current: run this test with UPDATE=1"
    );
}

#[test]
fn the_built_in_stories_are_what_the_schema_says() {
    let validator = jsonschema::validator_for(&schema()).expect("it is a schema");
    for story in scenario::stories() {
        let value: toml::Value = toml::Value::Table(story.text.parse().expect("it is TOML"));
        let value = serde_json::to_value(value).expect("it has no dates");
        let errors: Vec<String> = validator
            .iter_errors(&value)
            .map(|error| format!("{}: {error}", error.instance_path()))
            .collect();
        assert!(errors.is_empty(), "{}: {errors:#?}", story.name);
    }
}

/// Whatever has the shape that the schema says has a shape that is read. What is wrong beyond that (names that nobody has,
/// faults after the end) is of another kind, and told in other words.
#[test]
fn what_the_schema_allows_has_a_shape_that_is_read() {
    let schema = schema();
    let validator = jsonschema::validator_for(&schema).expect("it is a schema");
    let words = [
        "there is no such key",
        "is missing",
        "is wanted here, not",
        "takes no value",
        "no unit",
        "there is no step",
    ];
    for seed in 0..500 {
        let mut writer = Writer { schema: &schema, draws: seed * 1_000_003 + 1 };
        let document = writer.write(&schema, 0);
        let errors: Vec<String> = validator.iter_errors(&document).map(|error| error.to_string()).collect();
        assert!(
            errors.is_empty(),
            "seed {seed}: the test writes what the schema forbids: {errors:?} in\n{document:#}"
        );
        let parsed = Document::parse(&document.to_string())
            .unwrap_or_else(|problems| panic!("seed {seed}: {problems}"));
        let Err(problems) = parsed.scenario() else { continue };
        for problem in problems.0 {
            let told = problem.to_string();
            assert!(!words.iter().any(|word| told.contains(word)), "seed {seed}: {told} in\n{document:#}");
        }
    }
}

/// And what is read is what the schema says: keys that are not in it, and values of other kinds, are refused.
#[test]
fn what_the_schema_forbids_is_refused() {
    let schema = schema();
    let validator = jsonschema::validator_for(&schema).expect("it is a schema");
    let mut forbidden = 0;
    for seed in 0..2_000 {
        let mut writer = Writer { schema: &schema, draws: seed * 7_919 + 3 };
        let text = scenario::story("kleppmann-gc-pause").expect("it is built in").text;
        let table: toml::Table = text.parse().expect("it is TOML");
        let mut document = serde_json::to_value(table).expect("it has no dates");
        writer.spoil(&mut document);
        let parsed = Document::parse(&document.to_string()).and_then(|document| document.scenario());
        if !validator.is_valid(&document) {
            forbidden += 1;
            assert!(parsed.is_err(), "seed {seed}: it is read, and the schema forbids it\n{document:#}");
        }
    }
    assert!(forbidden > 500, "the test spoils too little: {forbidden}");
}

/// Writes documents by a schema alone.
struct Writer<'s> {
    schema: &'s Value,
    draws: u64,
}

impl Writer<'_> {
    fn below(&mut self, bound: usize) -> usize {
        // The multiplier is Knuth's, for MMIX.
        self.draws =
            self.draws.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.draws >> 33) as usize % bound.max(1)
    }

    fn write(&mut self, schema: &Value, depth: usize) -> Value {
        if let Some(value) = schema.get("const") {
            return value.clone();
        }
        if let Some(name) = schema["$ref"].as_str().and_then(|name| name.strip_prefix("#/$defs/")) {
            let definition = self.schema["$defs"][name].clone();
            return self.write(&definition, depth);
        }
        for key in ["oneOf", "anyOf"] {
            if let Some(forms) = schema[key].as_array() {
                // Deep down, the forms that come first are the plain ones: acquire, release, ...
                let among = if depth > 6 { forms.len().min(4) } else { forms.len() };
                let form = forms[self.below(among)].clone();
                return self.write(&form, depth);
            }
        }
        if let Some(words) = schema["enum"].as_array() {
            return words[self.below(words.len())].clone();
        }
        match schema["type"].as_str() {
            Some("object") => self.object(schema, depth),
            Some("array") => {
                let least = schema["minItems"].as_u64().unwrap_or(0) as usize;
                let most = schema["maxItems"].as_u64().unwrap_or(3).min(3) as usize;
                let mut items: Vec<Value> = Vec::new();
                let wanted = least + self.below(most - least + 1);
                // Where they are to be different, it takes some draws until enough are.
                for _ in 0..wanted * 8 {
                    let item = self.write(&schema["items"], depth + 1);
                    if items.len() < wanted
                        && (schema["uniqueItems"] != json!(true) || !items.contains(&item))
                    {
                        items.push(item);
                    }
                }
                items.into()
            }
            Some("string") => self.text(schema),
            Some("integer") => {
                let least = schema["minimum"].as_i64().unwrap_or(0);
                let most = schema["maximum"].as_i64().unwrap_or(9).min(least + 9);
                json!(least + self.below((most - least + 1) as usize) as i64)
            }
            Some("boolean") => json!(self.below(2) == 0),
            // Anything at all: what a variant sets.
            None => json!("1s"),
            Some(other) => panic!("the schema has a type `{other}`, which no document has"),
        }
    }

    fn object(&mut self, schema: &Value, depth: usize) -> Value {
        let mut object = Map::new();
        let required = schema["required"].as_array().cloned().unwrap_or_default();
        for (key, property) in schema["properties"].as_object().into_iter().flatten() {
            if required.contains(&json!(key)) || (depth < 8 && self.below(3) == 0) {
                object.insert(key.clone(), self.write(property, depth + 1));
            }
        }
        if schema["additionalProperties"].is_object() && self.below(4) == 0 {
            object.insert("any".to_owned(), self.write(&schema["additionalProperties"], depth + 1));
        }
        object.into()
    }

    fn text(&mut self, schema: &Value) -> Value {
        let examples = match (schema["examples"].as_array(), schema["pattern"].as_str()) {
            (Some(examples), _) => examples.clone(),
            (None, Some(_)) => vec![json!("A"), json!("n1"), json!("disk_2.b-c")],
            (None, None) => vec![json!("A"), json!("A checks"), json!("leader"), json!("x")],
        };
        examples[self.below(examples.len())].clone()
    }

    /// Puts something odd at some place of a document.
    fn spoil(&mut self, value: &mut Value) {
        let odd = [
            json!(1),
            json!(-1),
            json!(true),
            json!("x"),
            json!(""),
            json!([]),
            json!({}),
            json!({ "x": 1 }),
            json!(1.5),
        ];
        let down = self.below(4) > 0;
        if let Value::Object(entries) = value
            && down
            && !entries.is_empty()
        {
            let at = self.below(entries.len());
            if self.below(6) == 0 {
                entries.insert("odd".to_owned(), json!(1));
            } else if self.below(6) == 0 {
                let key = entries.keys().nth(at).cloned().unwrap_or_default();
                entries.remove(&key);
            } else if let Some(value) = entries.values_mut().nth(at) {
                self.spoil(value);
            }
        } else if let Value::Array(items) = value
            && down
            && !items.is_empty()
        {
            let at = self.below(items.len());
            self.spoil(&mut items[at]);
        } else {
            *value = odd[self.below(odd.len())].clone();
        }
    }
}
