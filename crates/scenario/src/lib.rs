//! Scenarios: the document, the cast that it becomes, the play, and what is to be said of it.
//!
//! [`Document`] → [`Scenario`] → [`play`] → [`Play`]: facts folded from
//! the trace, a verdict in numbers and in words, and the story that a person would tell. Nothing here asks a process
//! what happened.

pub mod cast;
pub mod check;
pub mod compare;
pub mod expect;
pub mod facts;
pub mod lesson;
pub mod link;
mod play;
pub mod report;
pub mod series;
mod stories;
pub mod tale;
pub mod verdict;
mod view;
pub mod why;

pub use actors::{self, story};
pub use cast::{Cast, CastFault, Group, Member};
pub use document;
pub use document::model::Scenario;
pub use document::{Document, Problem, Problems};
pub use facts::Facts;
pub use play::{Play, View, play};
pub use stories::{Story as BuiltIn, stories, story};
pub use tale::{Event, Headline, Tone};
pub use verdict::Verdict;
pub use view::ProcessView;
