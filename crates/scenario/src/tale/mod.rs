//! The story that a person would tell: tens of sentences, not the raw trace.

mod faults;
mod headline;
mod locks;
mod stores;
mod words;

use kernel::{ProcessId, RecordId, SimTime};

use crate::cast::Cast;
use crate::facts::Facts;
use document::model::{EventKind, Scenario};

pub use headline::headline;

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
    /// What happened, in a word.
    pub kind: EventKind,
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

/// Tells the story.
pub fn tale(facts: &Facts, cast: &Cast, scenario: &Scenario, end: SimTime) -> Vec<Event> {
    let mut teller = Teller { facts, cast, scenario, end, events: Vec::new() };
    teller.grants();
    teller.renewals();
    teller.takeovers();
    teller.endings();
    teller.beliefs();
    teller.writes();
    teller.answers();
    teller.sweeps();
    teller.faults();
    teller.moments();
    let mut events = teller.events;
    kernel::order::by_key(&mut events, |event| (event.at, event.record));
    for (index, event) in events.iter_mut().enumerate() {
        event.n = index as u32 + 1;
    }
    events
}

/// What tells the story: each of its parts is one subject.
struct Teller<'a> {
    facts: &'a Facts,
    cast: &'a Cast,
    scenario: &'a Scenario,
    end: SimTime,
    events: Vec<Event>,
}

impl Teller<'_> {
    fn tell(
        &mut self,
        at: SimTime,
        process: ProcessId,
        kind: EventKind,
        tone: Tone,
        record: RecordId,
        text: String,
    ) {
        self.events.push(Event { n: 0, at, process, kind, text, tone, record });
    }

    fn name(&self, process: ProcessId) -> &str {
        self.cast.name(process)
    }

    /// Whether a fault stopped this process, or began to, between two instants.
    fn was_stopped(&self, process: ProcessId, from: SimTime, until: SimTime) -> bool {
        let host = self.cast.host_of(process);
        self.facts.blocks.iter().any(|block| {
            let kind = self.cast.faults[usize::from(block.fault.0)].kind;
            block.strikes(process, host)
                && matches!(kind, "pause" | "suspend" | "crash" | "power-off")
                && block.from >= from
                && block.from <= until
        })
    }
}
