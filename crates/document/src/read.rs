//! From the tree of values to the model, with errors that say where and what would be right.
//!
//! Reading never stops: what is wrong is told to the [`Notes`], and something blank stands in its place until the end,
//! where a document of which anything was told is refused. So one reading tells of everything, each struct is read in a
//! line a field, and nothing has to be handed up.

mod choice;
mod fields;
mod values;

use std::cell::{Cell, RefCell};

use self::fields::Fields;
pub(crate) use self::values::text;
use super::place::{Finding, Place, Step};
use super::value::Value;

/// How deep a document can be.
const DEPTH_MAX: usize = 64;
/// How much is told at once.
const TOLD_MAX: usize = 100;

/// What is read from a document: derived for the types of the model.
pub(crate) trait Read {
    /// Reads it. Where the reader was told that something is wrong, what comes back means nothing.
    fn read(from: &Reader<'_>) -> Self;
}

/// Reads a tree as a `T`, or tells what is wrong with it.
pub(crate) fn read<T: Read>(root: &Value) -> Result<T, Vec<Finding>> {
    let notes = Notes::default();
    let read = T::read(&Reader::new(Some(root), Trail::Root, &notes));
    let mut findings = notes.findings.into_inner();
    if findings.is_empty() {
        return Ok(read);
    }
    kernel::order::by_key(&mut findings, |finding| order(root, &finding.place));
    Err(findings)
}

/// What the reader of a `T` would take at a place of this tree.
pub(crate) fn wanted<T: Read>(root: &Value, place: Place) -> Wanted {
    let notes = Notes { asked: Some((place, RefCell::default())), ..Notes::default() };
    T::read(&Reader::new(Some(root), Trail::Root, &notes));
    notes.asked.map(|(_, wanted)| wanted.into_inner()).unwrap_or_default()
}

/// What can stand at a place.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Wanted {
    /// The keys of the table that is there.
    pub(crate) keys: Vec<&'static str>,
    /// The words of which one is wanted.
    pub(crate) words: Vec<&'static str>,
}

/// Where a place is in the order of the document. What is missing in a table comes after what is in it.
fn order(root: &Value, place: &Place) -> Vec<usize> {
    let mut here = Some(root);
    let index = |step: &Step| match step {
        Step::Key(key) => {
            let table = here.and_then(Value::as_table);
            here = table.and_then(|table| table.get(key));
            table.and_then(|table| table.keys().position(|other| other == key.as_str())).unwrap_or(usize::MAX)
        }
        Step::Item { index, .. } => {
            here = here.and_then(|list| list.item(*index));
            *index
        }
    };
    place.0.iter().map(index).chain([usize::MAX]).collect()
}

/// What is known to be wrong; and what can stand at one place, if anybody asked.
#[derive(Default)]
struct Notes {
    findings: RefCell<Vec<Finding>>,
    asked: Option<(Place, RefCell<Wanted>)>,
}

impl Notes {
    fn tell(&self, finding: Finding) {
        let mut findings = self.findings.borrow_mut();
        if findings.len() < TOLD_MAX {
            findings.push(finding);
        }
    }
    fn at(&self, trail: &Trail<'_>, note: impl FnOnce(&mut Wanted)) {
        if let Some((place, wanted)) = &self.asked
            && *place == trail.place()
        {
            note(&mut wanted.borrow_mut());
        }
    }
}

/// The way to a value, kept on the stack: almost all of them are right and need no [`Place`].
#[derive(Clone, Copy)]
enum Trail<'t> {
    Root,
    Key(&'t Trail<'t>, &'t str),
    Item(&'t Trail<'t>, usize, Option<&'t str>),
}

impl Trail<'_> {
    fn place(&self) -> Place {
        match self {
            Self::Root => Place::root(),
            Self::Key(up, key) => up.place().key(key),
            Self::Item(up, index, name) => up.place().item(*index, *name),
        }
    }
    fn depth(&self) -> usize {
        match self {
            Self::Root => 0,
            Self::Key(up, _) | Self::Item(up, ..) => up.depth() + 1,
        }
    }
}

/// Reads one value.
pub(crate) struct Reader<'r> {
    /// `None` within what cannot be read and was told of: all there is blank, and no more is told.
    value: Option<&'r Value>,
    trail: Trail<'r>,
    /// A key of the table that is read already.
    but: Option<&'static str>,
    /// Whether nothing can be made of the value, so that its key is as good as missing.
    spoilt: Cell<bool>,
    notes: &'r Notes,
}

impl<'r> Reader<'r> {
    fn new(value: Option<&'r Value>, trail: Trail<'r>, notes: &'r Notes) -> Self {
        Self { value, trail, but: None, spoilt: Cell::new(false), notes }
    }
    /// Tells that nothing can be made of this value.
    fn spoil(&self, message: impl Into<String>, hint: Option<String>) {
        self.spoil_at(self.trail.place(), message.into(), hint);
    }
    fn spoil_at(&self, place: Place, message: String, hint: Option<String>) {
        self.spoilt.set(true);
        if self.value.is_some() {
            self.notes.tell(place.finding(message).hint(hint));
        }
    }
    /// Tells that something else belongs here.
    fn want<T: Default>(&self, what: &str) -> T {
        self.refuse(what);
        T::default()
    }
    fn refuse(&self, what: &str) {
        if what == values::YES_OR_NO {
            self.notes.at(&self.trail, |wanted| wanted.words = vec!["true", "false"]);
        }
        let Some(value) = self.value else { return };
        if is_compound(value) && self.is_too_deep() {
            return;
        }
        self.spoil(format!("{what} is wanted here, not {}", values::words(value)), None);
    }
    fn is_too_deep(&self) -> bool {
        let too_deep = self.trail.depth() > DEPTH_MAX;
        if too_deep {
            self.spoil("nested too deeply", None);
        }
        too_deep
    }
    /// The table that this is, of these keys.
    pub(crate) fn fields(&self, keys: &[&'static str]) -> Fields<'_> {
        Fields::new(self, keys)
    }
}

fn is_compound(value: &Value) -> bool {
    matches!(value, Value::Table(_) | Value::Array(_))
}
