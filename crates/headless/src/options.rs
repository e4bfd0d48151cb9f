//! What can be asked of a play.

use scenario::Document;
use scenario::document::{self, Problem, Problems, hint, limits};
use serde_json::{Map, Value};

/// How to report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    Json,
    Markdown,
    Table,
}

const FORMATS: [(&str, Format); 3] =
    [("json", Format::Json), ("markdown", Format::Markdown), ("table", Format::Table)];

/// What to change first, and how to report.
#[derive(Debug, PartialEq)]
pub(crate) struct Options {
    variant: Option<String>,
    set: Vec<(String, String)>,
    seed: Option<i64>,
    pub(crate) format: Format,
    pub(crate) trace: bool,
}

const KEYS: [&str; 5] = ["variant", "set", "seed", "format", "trace"];

impl Options {
    /// Reads a JSON object. Every key that is wrong is told.
    pub(crate) fn read(text: &str) -> Result<Self, Problems> {
        let object: Map<String, Value> = serde_json::from_str(text)
            .map_err(|error| problem("", format!("these are no options: {error}"), None))?;
        let mut options =
            Self { variant: None, set: Vec::new(), seed: None, format: Format::Json, trace: false };
        let mut problems = Vec::new();
        for (key, value) in &object {
            problems.extend(options.take(key, value).err());
        }
        if options.trace && options.format != Format::Json {
            problems.push(problem("trace", "the trace is a part of the JSON alone", None));
        }
        if problems.is_empty() { Ok(options) } else { Err(Problems(problems)) }
    }

    fn take(&mut self, key: &str, value: &Value) -> Result<(), Problem> {
        let wanted = |what: &str| problem(key, format!("{what} is wanted here, not {value}"), None);
        match key {
            "variant" => self.variant = Some(value.as_str().ok_or_else(|| wanted("a name"))?.to_owned()),
            "seed" => {
                let seed = value.as_i64().filter(|seed| (0..limits::EXACT_MAX as i64).contains(seed));
                self.seed = Some(seed.ok_or_else(|| wanted("a whole number from 0 to below 2^53"))?);
            }
            "trace" => self.trace = value.as_bool().ok_or_else(|| wanted("true or false"))?,
            "format" => {
                let name = value.as_str().ok_or_else(|| wanted("a format"))?;
                let names = FORMATS.map(|(name, _)| name);
                let known = FORMATS.iter().find(|(known, _)| *known == name);
                let unknown = || problem(key, format!("there is no format `{name}`"), hint(name, names));
                self.format = known.ok_or_else(unknown)?.1;
            }
            "set" => {
                for (path, value) in value.as_object().ok_or_else(|| wanted("an object of paths"))? {
                    self.set.push((path.clone(), setting(path, value)?));
                }
            }
            _ => return Err(problem(key, "there is no such option", hint(key, KEYS))),
        }
        Ok(())
    }

    /// The document with the variant first, then what is set, then the seed.
    pub(crate) fn changed(&self, document: Document) -> Result<Document, Problems> {
        let mut document = match &self.variant {
            Some(variant) => document.with_variant(variant)?,
            None => document,
        };
        for (path, value) in &self.set {
            document.set(path, value)?;
        }
        if let Some(seed) = self.seed {
            document.set_value("seed", document::Value::Integer(seed))?;
        }
        Ok(document)
    }
}

/// A value as somebody would type it behind `--set PATH=`.
fn setting(path: &str, value: &Value) -> Result<String, Problem> {
    match value {
        Value::String(text) => Ok(text.clone()),
        Value::Bool(_) | Value::Number(_) => Ok(value.to_string()),
        Value::Null | Value::Array(_) | Value::Object(_) => {
            Err(problem(&format!("set.{path}"), "a text, a number, true or false is wanted here", None))
        }
    }
}

fn problem(key: &str, message: impl Into<String>, hint: Option<String>) -> Problem {
    let path = if key.is_empty() { "options".to_owned() } else { format!("options.{key}") };
    Problem { path, line: None, message: message.into(), hint }
}
