//! A lesson: instants to stop at, each with a sentence, some with a question.

use derive::Read;
#[cfg(feature = "schema")]
use schemars::JsonSchema;

use super::{At, Expect};

/// A stop of the lesson.
#[derive(Clone, Debug, PartialEq, Read)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct LessonStep {
    /// Where to stop: an instant like "4s", or after somebody, by name, does something. All that happens within that
    /// millisecond has happened then.
    pub at: At,
    /// What to say there.
    pub say: String,
    /// The variant that is shown there (default: the story as it happened).
    #[serde(default)]
    pub variant: Option<String>,
    /// The fault that is spoken of, by its id.
    #[serde(default)]
    pub fault: Option<String>,
    /// What to ask there. What comes after the instant is hidden until there is an answer.
    #[serde(default)]
    pub ask: Option<Ask>,
}

/// A question about what comes next.
#[derive(Clone, Debug, PartialEq, Read)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Ask {
    /// The question.
    pub question: String,
    /// What can be answered: two to six.
    pub options: Vec<String>,
    /// The right one of the options, word for word.
    pub answer: String,
    /// Why it is right, in a sentence or two.
    pub because: String,
    /// What must come out, in what is shown there, for the answer to be right: at least one expectation. `fencepost check`
    /// holds them.
    pub expect: Vec<Expect>,
}
