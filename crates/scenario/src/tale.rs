//! The story that a person would tell: tens of sentences, not the raw trace.

use kernel::{ProcessId, RecordId, SimTime};

/// How an event or a headline is to be taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Tone {
    /// It happened.
    #[default]
    Plain,
    /// A protection held.
    Good,
    /// Something went wrong that nothing stopped.
    Bad,
    /// A fault, or its consequence.
    Fault,
}

/// One sentence of the story.
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    /// Its number, from 1.
    pub n: u32,
    /// When, in true time.
    pub at: SimTime,
    /// To whom it happened.
    pub process: ProcessId,
    /// A word for what happened: one of a fixed list, for machines.
    pub kind: &'static str,
    /// The sentence.
    pub text: String,
    /// How it is to be taken.
    pub tone: Tone,
    /// The record that it tells of.
    pub record: RecordId,
}

/// The verdict in words.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Headline {
    /// How it is to be taken.
    pub tone: Tone,
    /// What came out: "1 stale write accepted: 5,000 invoices charged twice."
    pub sentence: String,
    /// What led to it.
    pub because: String,
}
