//! One pass over the trace.

mod applied;
mod asked;
mod copies;
mod faults;
mod journal;
mod locks;
mod stores;
mod work;

use ::locks::{GrantId, Key, LeaseId};
use ::stores::Op;
use kernel::{HostId, Map, ProcessId, Record, RecordId, SimTime, Took, Trace, What};

use self::applied::Applied;
use self::asked::ByRequest;
use self::copies::Copies;
use super::clocks::Clocks;
use super::{Facts, Moment, MomentKind};
use crate::cast::Cast;
use crate::story::{Msg, Note, Story};

/// Folds the trace of a play.
pub fn fold(trace: &Trace<Story>, cast: &Cast) -> Facts {
    let mut fold = Fold {
        trace,
        cast,
        clocks: Clocks::new(trace),
        facts: Facts::default(),
        granted_under: Map::new(),
        kept_by: Map::new(),
        copies: Map::new(),
        asked: ByRequest::new(),
        applied: Map::new(),
        touched: Map::new(),
        acked: Map::new(),
        acked_since_start: Map::new(),
        versions: Map::new(),
        acked_at_ask: ByRequest::new(),
        lost_writes: 0,
        journals: Map::new(),
    };
    for (index, record) in trace.records().iter().enumerate() {
        fold.take(RecordId(index as u32), record);
    }
    fold.facts.lost_writes = fold.lost_writes;
    fold.facts
}

/// A request to a store, as it was sent.
struct Asked {
    sent: SimTime,
    under: Option<u64>,
}

struct Fold<'a> {
    trace: &'a Trace<Story>,
    cast: &'a Cast,
    clocks: Clocks<'a>,
    facts: Facts,
    /// The places in the facts of the grants under the lease with this number.
    granted_under: Map<LeaseId, Vec<usize>>,
    /// Which server has each grant in its record: the last that granted or renewed it, or came to lead and knew it.
    kept_by: Map<usize, ProcessId>,
    /// The copies of each grant, where grants are such.
    copies: Map<(Key, GrantId), Copies>,
    asked: ByRequest<Asked>,
    /// The effects that each store applied, by what they belong to.
    applied: Map<(ProcessId, u32), Applied>,
    /// The youngest grant under which a store was touched: its place among the leases.
    touched: Map<ProcessId, usize>,
    /// The highest version of each store's row, or revision of the lock service, that somebody was told of.
    acked: Map<ProcessId, u64>,
    /// The same, of what was told since the store started last.
    acked_since_start: Map<ProcessId, u64>,
    /// The version of each store's row.
    versions: Map<ProcessId, u64>,
    /// The highest that anybody was told of, when a read was asked for.
    acked_at_ask: ByRequest<u64>,
    lost_writes: u64,
    /// What the nodes of each journal have said.
    journals: Map<ProcessId, self::journal::Journal>,
}

/// Stands for the lock service as a whole where stores stand by themselves.
const SERVICE: ProcessId = ProcessId::NOBODY;

impl Fold<'_> {
    fn take(&mut self, id: RecordId, record: &Record<Story>) {
        match &record.what {
            What::Noted(Note::Raft(note)) => self.raft(id, record, note),
            What::Noted(Note::Lock(note)) => self.lock(id, record, note),
            What::Noted(Note::Store(note)) => self.store(id, record, note),
            What::Noted(Note::Work(note)) => self.work(id, record, note),
            What::Noted(Note::Sweep(note)) => self.sweep(id, record, *note),
            What::Struck(struck) => self.struck(id, record, struck),
            What::Took(Took::Message) => self.took_message(record),
            What::Sent { msg: Msg::Lock(msg), .. } => {
                if let Some(id) = msg.asks() {
                    let acked = self.acked.get(&SERVICE).copied().unwrap_or(0);
                    self.acked_at_ask.insert(record.process, id, acked);
                }
            }
            What::Sent { msg: Msg::Store(::stores::Msg::Request { id, op: Op::Requeue(_) }), .. } => {
                // A sweeper does not announce what it asks: it acts under no grant.
                self.asked.insert(record.process, u64::from(*id), Asked { sent: record.at, under: None });
            }
            What::Sent { .. } | What::Took(_) | What::Dropped | What::Kept(_) => {}
        }
    }

    fn moment(&mut self, record: RecordId, at: SimTime, process: ProcessId, what: MomentKind) {
        self.facts.moments.push(Moment { at, process, what, record });
    }

    fn host(&self, process: ProcessId) -> HostId {
        self.cast.host_of(process)
    }

    /// What somebody was told counts as acknowledged.
    fn took_message(&mut self, record: &Record<Story>) {
        let Some(Record { what: What::Sent { msg, .. }, process: from, .. }) = self.trace.get(record.cause)
        else {
            return;
        };
        match msg {
            Msg::Lock(msg) => {
                if let Some(revision) = msg.acknowledges() {
                    let acked = self.acked.entry(SERVICE).or_default();
                    *acked = (*acked).max(revision);
                }
            }
            Msg::Store(::stores::Msg::Reply { answer, .. }) => {
                if let ::stores::Answer::Accepted(before) = &**answer {
                    // The answer to a statement says nothing of its transaction's end.
                    let is = self.versions.get(from).copied().unwrap_or(0);
                    let told = (u64::from(before.version) + 1).min(is);
                    for acked in [&mut self.acked, &mut self.acked_since_start] {
                        let acked = acked.entry(*from).or_default();
                        *acked = (*acked).max(told);
                    }
                }
            }
            Msg::Side(_) => {}
            Msg::Store(
                ::stores::Msg::Request { .. } | ::stores::Msg::Journal(_) | ::stores::Msg::Fence(_),
            ) => {}
        }
    }
}
