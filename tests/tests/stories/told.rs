//! Questions to a play's facts, in the figures of a story: names of processes, and instants in milliseconds.

use kernel::{ProcessId, SimTime, Span};
use scenario::facts::{
    Belief, Block, Deadline, Lease, Moment, MomentKind, Reign, RowStep, Stop, Sweep, Write, WriteKind,
};
use scenario::{Play, Verdict};

/// A played story.
pub(crate) struct Told(pub(crate) Play);

/// To the nearest millisecond, as stories give figures.
pub(crate) fn ms(at: SimTime) -> u64 {
    (at.as_micros() + 500) / 1_000
}

/// Likewise of a length of time.
pub(crate) fn rounded(span: Span) -> u64 {
    (span.as_micros() + 500) / 1_000
}

/// An instant of a story, in milliseconds.
pub(crate) const fn at(millis: u64) -> SimTime {
    SimTime::from_millis(millis)
}

impl Told {
    pub(crate) fn of(story: &str, variant: Option<&str>) -> Self {
        Self(fencepost_tests::played(story, variant, &[]))
    }

    pub(crate) fn billing(edits: &[(&str, &str)]) -> Self {
        Self(fencepost_tests::played("billing", None, edits))
    }

    pub(crate) fn verdict(&self) -> &Verdict {
        &self.0.verdict
    }

    pub(crate) fn process(&self, name: &str) -> ProcessId {
        self.0.cast.process(name).unwrap_or_else(|| panic!("there is no process `{name}`"))
    }

    /// The only lease of a worker.
    pub(crate) fn lease(&self, worker: &str) -> &Lease {
        let worker = self.process(worker);
        one(self.0.facts.leases.iter().filter(|lease| lease.worker == worker))
    }

    /// The only belief of a worker.
    pub(crate) fn belief(&self, worker: &str) -> &Belief {
        let worker = self.process(worker);
        one(self.0.facts.beliefs.iter().filter(|belief| belief.worker == worker))
    }

    pub(crate) fn writes(&self, worker: &str) -> Vec<&Write> {
        let worker = self.process(worker);
        self.0.facts.writes.iter().filter(|write| write.worker == worker).collect()
    }

    /// What a worker wrote of one item, counted from 1 as the story counts chunks.
    pub(crate) fn chunk(&self, worker: &str, number: u32) -> &Write {
        let is_it = |write: &&Write| matches!(write.kind, WriteKind::Item { item, .. } if item + 1 == number);
        one(self.writes(worker).into_iter().filter(is_it))
    }

    pub(crate) fn raise(&self, worker: &str) -> &Write {
        one(self.writes(worker).into_iter().filter(|write| write.kind == WriteKind::Raise))
    }

    /// The store's row after all that it had decided at an instant.
    pub(crate) fn row(&self, store: &str, millis: u64) -> &RowStep {
        let store = self.process(store);
        let mut rows = self.0.facts.rows.iter();
        rows.rfind(|row| row.store == store && ms(row.at) <= millis).expect("it opened with a row")
    }

    /// The only block of a fault.
    pub(crate) fn block(&self, fault: &str) -> &Block {
        let place = self.0.cast.faults.iter().position(|cast| &*cast.id == fault);
        let place = place.unwrap_or_else(|| panic!("there is no fault `{fault}`"));
        one(self.0.facts.blocks.iter().filter(|block| usize::from(block.fault.0) == place))
    }

    pub(crate) fn moments(&self, process: &str, is_it: fn(&MomentKind) -> bool) -> Vec<&Moment> {
        let process = self.process(process);
        let moments = self.0.facts.moments.iter();
        moments.filter(|moment| moment.process == process && is_it(&moment.what)).collect()
    }

    pub(crate) fn reigns(&self, server: &str) -> Vec<&Reign> {
        let server = self.process(server);
        self.0.facts.reigns.iter().filter(|reign| reign.process == server).collect()
    }

    pub(crate) fn sweeps(&self) -> &[Sweep] {
        &self.0.facts.sweeps
    }

    /// What a process's real state says under a name at the end of a millisecond: no summary, the replayed process itself.
    pub(crate) fn state(&self, millis: u64, process: &str, name: &str) -> Option<String> {
        let process = self.process(process);
        let view = self.0.view(SimTime::from_micros(millis * 1_000 + 499));
        let of = view.processes.iter().find(|view| view.process == process)?;
        of.lines.iter().find(|(known, _)| known == name).map(|(_, value)| value.clone())
    }
}

/// The deadline that the authority set at an instant: when it ends, in milliseconds.
pub(crate) fn deadline_set(lease: &Lease, millis: u64) -> &Deadline {
    one(lease.deadlines.iter().filter(|deadline| ms(deadline.set) == millis))
}

/// The stop time that a holder set in answer to a renewal that it sent at an instant.
pub(crate) fn stop_sent(belief: &Belief, millis: u64) -> &Stop {
    one(belief.stops.iter().filter(|stop| ms(stop.sent) == millis))
}

/// The only one that there is.
#[track_caller]
pub(crate) fn one<T>(mut items: impl Iterator<Item = T>) -> T {
    match (items.next(), items.next()) {
        (Some(only), None) => only,
        (None, _) => panic!("there is none"),
        (Some(_), Some(_)) => panic!("there are several"),
    }
}
