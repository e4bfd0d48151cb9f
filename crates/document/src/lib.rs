//! The scenario document: what people write, share and edit.
//!
//! A [`Document`] is the tree of values with the text that it came from: whatever edits it (`--set`, a drag on the page, a
//! variant) edits the tree, by [paths](Document::set). [`Document::scenario`] reads the tree as the
//! [`model`], checks it, and answers with everything that is wrong, each with path, line and the nearest right word.
//!
//! ```
//! # use document::Document;
//! let mut document = Document::parse(r#"
//!     version = 1
//!     title = "One worker"
//!     horizon = "10s"
//!     lock = { kind = "etcd", nodes = ["n1"], ttl = "5s" }
//!     worker = [{ name = "A", program = [{ acquire = "lock" }, { prepare = "1s" }, { release = "lock" }] }]
//! "#)?;
//! document.set("worker.A.margin", "2s")?;
//! assert_eq!(document.scenario()?.worker[0].margin.unwrap().to_string(), "2s");
//!
//! document.set("worker.A.marjin", "2s")?;
//! let problems = document.scenario().unwrap_err();
//! assert_eq!(problems.to_string(), "worker.A.marjin: there is no such key; did you mean `margin`?");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod anchor;
mod chance;
mod changes;
mod check;
mod duration;
mod edit;
mod form;
mod grow;
mod like;
pub mod limits;
pub mod model;
mod nearest;
mod parse;
mod patch;
mod place;
mod problem;
mod read;
#[cfg(feature = "schema")]
mod schema;
mod source;
pub mod text;
mod value;
mod variant;
mod write;

pub use self::chance::Chance;
pub use self::changes::Change;
pub use self::duration::{Dur, SignedDur};
use self::model::Scenario;
pub use self::nearest::{hint, nearest};
use self::place::{Finding, Place};
pub use self::problem::{Problem, Problems};
#[cfg(feature = "schema")]
pub use self::schema::schema;
use self::source::Source;
pub use self::value::{Table, Value};

/// A scenario document: its values, and the text that they were read from. Two documents are equal when their values are.
#[derive(Clone, Debug)]
pub struct Document {
    /// The root: always a table.
    root: Value,
    source: Source,
    /// What was changed since it was read.
    edits: Vec<Edit>,
    /// Whether items were taken out of lists, so that the numbers of others may have changed.
    shifted: bool,
}

/// A value that is not as in the text.
#[derive(Clone, Debug)]
struct Edit {
    /// Which.
    place: Place,
    /// Where in the text its new value comes from, if it does.
    origin: Option<Place>,
}

impl PartialEq for Document {
    fn eq(&self, other: &Self) -> bool {
        self.root == other.root
    }
}

impl Document {
    /// Reads TOML, or JSON when the first character that is not white space is `{`. Only the syntax is judged here;
    /// [`Document::scenario`] judges the rest.
    pub fn parse(text: &str) -> Result<Self, Problems> {
        parse::parse(text)
    }

    /// The scenario that this is: read, checked, and each worker's `like` resolved. Everything that can be told to be
    /// wrong is told at once.
    pub fn scenario(&self) -> Result<Scenario, Problems> {
        let raw: Scenario = read::read(&self.root).map_err(|findings| self.problems(findings))?;
        let scenario = like::resolve(raw.clone()).map_err(|findings| {
            // Whom somebody is like is only clear where names are.
            let unclear = check::names(&raw);
            self.problems(if unclear.is_empty() { findings } else { unclear })
        })?;
        let findings = check::check(&raw, &scenario);
        if findings.is_empty() { Ok(scenario) } else { Err(self.problems(findings)) }
    }

    /// The text that it was read from.
    pub fn text(&self) -> &str {
        &self.source.text
    }

    /// Whether anything was changed since it was read.
    pub fn is_edited(&self) -> bool {
        self.shifted || !self.edits.is_empty()
    }

    fn table(&self) -> &Table {
        static EMPTY: Table = Table::new();
        self.root.as_table().unwrap_or(&EMPTY)
    }

    /// The line of a place; `None` for what was set without a text.
    fn line(&self, place: &Place) -> Option<u32> {
        let edit = self.edits.iter().rev().find(|edit| place.is_within(&edit.place));
        match edit {
            Some(Edit { place: edited, origin }) => {
                let origin = origin.as_ref()?;
                let rest = place.0.get(edited.0.len()..).unwrap_or_default();
                Some(self.source.line(&Place([&origin.0, rest].concat())))
            }
            None if self.shifted && place.is_numbered() => None,
            None if self.made_by_an_edit(place) => None,
            None => Some(self.source.line(place)),
        }
    }

    /// Whether a place is in a section that was never text: one that an edit deeper in it made.
    fn made_by_an_edit(&self, place: &Place) -> bool {
        let path = place.to_string();
        let section = path.split('.').next().unwrap_or_default();
        self.edits.iter().any(|edit| edit.place.is_within(place))
            && !Self::parse(&self.source.text).is_ok_and(|original| original.root.get(section).is_some())
    }

    fn problem(&self, finding: Finding) -> Problem {
        let Finding { place, message, hint } = finding;
        let (path, line) = (place.to_string(), self.line(&place));
        // What is missing from a document that was never text has neither.
        let path = if path.is_empty() && line.is_none() { "the document".to_owned() } else { path };
        Problem { path, line, message, hint }
    }

    fn problems(&self, findings: Vec<Finding>) -> Problems {
        let mut problems: Vec<Problem> = findings.into_iter().map(|finding| self.problem(finding)).collect();
        if problems.is_empty() {
            problems.push(Problem::of_line(1, "the document cannot be read"));
        }
        kernel::order::by_key(&mut problems, |problem| problem.line);
        Problems(problems)
    }
}
