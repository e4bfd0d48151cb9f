//! Scenarios: the document, the cast that it becomes, the play, and what is to be said of it.
//!
//! [`Document`] → [`Scenario`] → [`play`] → [`Play`]: facts folded from
//! the trace, a verdict in numbers and in words, and the story that a person would tell. Nothing here asks a process
//! what happened.
//!
//! ```
//! use scenario::{Document, play, report};
//!
//! let story = scenario::story("billing").ok_or("it comes with Fencepost")?;
//! let mut document = Document::parse(story.text)?;
//! let fenced = play(&document.scenario()?);
//! assert_eq!((fenced.verdict.stale_rejected, fenced.verdict.duplicates), (1, 0));
//!
//! document.set("store.billing.kind", "unfenced")?;
//! let unfenced = play(&document.scenario()?);
//! assert_eq!((unfenced.verdict.stale_accepted, unfenced.verdict.duplicates), (1, 5_000));
//! println!("{}", report::table(&unfenced));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod cast;
pub mod check;
mod claimant;
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
