//! From text to the tree of values.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use toml::de::DeTable;

use super::Document;
use super::limits::TEXT_BYTES_MAX;
use super::problem::{Problem, Problems};
use super::source::{Source, line_at};
use super::value::{Large, Table, Value};

/// How many syntax errors are told at once.
const TOLD_MAX: usize = 8;

pub(crate) fn parse(text: &str) -> Result<Document, Problems> {
    if text.len() > TEXT_BYTES_MAX {
        let what = format!("the text is longer than {} kB", TEXT_BYTES_MAX / 1024);
        return Err(Problem::of_line(line_at(text, TEXT_BYTES_MAX), what).into());
    }
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let json = text.trim_start().starts_with('{');
    let root = if json { from_json(text)? } else { text.parse()? };
    let source = Source { text: Arc::from(text), json };
    Ok(Document { root: Value::Table(root), source, edits: Vec::new(), shifted: false })
}

/// From TOML.
impl FromStr for Table {
    type Err = Problems;
    fn from_str(text: &str) -> Result<Self, Problems> {
        let (root, errors) = DeTable::parse_recoverable(text);
        if errors.is_empty() {
            return Self::of(root.into_inner()).map_err(|Large { number, at }| {
                not_toml(text, at, &format!("{number} is too large")).into()
            });
        }
        let problems = errors
            .iter()
            .take(TOLD_MAX)
            .map(|error| not_toml(text, error.span().map_or(0, |span| span.start), error.message()));
        Err(Problems(problems.collect()))
    }
}

fn not_toml(text: &str, at: usize, why: &str) -> Problem {
    Problem::of_line(line_at(text, at), format!("not TOML: {}", why.replace('\n', "; ")))
}

fn from_json(text: &str) -> Result<Table, Problems> {
    let json: serde_json::Map<String, serde_json::Value> = serde_json::from_str(text).map_err(|error| {
        let message = error.to_string();
        let message = message.rsplit_once(" at line ").map_or(message.as_str(), |(message, _)| message);
        Problem::of_line(
            u32::try_from(error.line()).unwrap_or(u32::MAX).max(1),
            format!("not JSON: {message}"),
        )
    })?;
    let mut problems = Vec::new();
    let table =
        json.into_iter().filter_map(|(key, value)| Some((key.clone(), convert(value, &key, &mut problems)?)));
    let table = table.collect();
    if problems.is_empty() { Ok(table) } else { Err(Problems(problems)) }
}

/// A JSON value as a TOML value; the two differ in null and in numbers beyond 64 bits.
fn convert(value: serde_json::Value, path: &dyn fmt::Display, problems: &mut Vec<Problem>) -> Option<Value> {
    use serde_json::Value as Json;
    Some(match value {
        Json::Null => {
            problems.push(Problem::of_path(
                &path.to_string(),
                "there is no null here",
                Some("leave it out".into()),
            ));
            return None;
        }
        Json::Bool(yes) => Value::Boolean(yes),
        Json::String(text) => Value::String(text),
        Json::Number(number) => match (number.as_i64(), number.as_f64()) {
            (Some(whole), _) => Value::Integer(whole),
            (None, Some(float)) => Value::Float(Json::from(float).to_string()),
            (None, None) => {
                problems.push(Problem::of_path(&path.to_string(), format!("{number} is too large"), None));
                return None;
            }
        },
        Json::Array(items) => {
            let items = items.into_iter().enumerate();
            Value::Array(
                items.filter_map(|(i, item)| convert(item, &format_args!("{path}.{i}"), problems)).collect(),
            )
        }
        Json::Object(entries) => {
            let entries = entries.into_iter();
            Value::Table(
                entries
                    .filter_map(|(key, value)| {
                        let value = convert(value, &format_args!("{path}.{key}"), problems)?;
                        Some((key, value))
                    })
                    .collect(),
            )
        }
    })
}
