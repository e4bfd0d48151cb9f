//! What happened: a flat list of records, each with the record that caused it and its process's record before it.
//! Happened-before is the closure of the two.

use std::rc::Rc;

use crate::{ClockLine, Dialect, FaultId, HostId, ProcessId, SimTime};

/// A record's place in the trace.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub struct RecordId(pub u32);

impl RecordId {
    /// No record: what begins the world has no cause.
    pub const NONE: Self = Self(u32::MAX);

    /// The place as an index; `None` for no record.
    pub const fn index(self) -> Option<usize> {
        if self.0 == u32::MAX { None } else { Some(self.0 as usize) }
    }
}

/// One thing that happened.
#[derive(Clone, Debug)]
pub struct Record<D: Dialect> {
    /// When, in true time.
    pub at: SimTime,
    /// To whom; [`ProcessId::NOBODY`] for a fault of links.
    pub process: ProcessId,
    /// What scheduled or led to it.
    pub cause: RecordId,
    /// The process's record before this one.
    pub previous: RecordId,
    /// What it was.
    pub what: What<D>,
}

/// What happened.
#[derive(Clone, Debug)]
pub enum What<D: Dialect> {
    /// The process took an input. For a message, `cause` is its `Sent`.
    Took(Took<D::Timer>),
    /// The process sent a message.
    Sent {
        /// Whom to.
        to: ProcessId,
        /// What it says.
        msg: D::Msg,
        /// What becomes of it.
        fate: Fate,
    },
    /// A message arrived where nobody was there to take it. `cause` is its `Sent`.
    Dropped,
    /// The disk has kept a write.
    Kept(D::Write),
    /// The process announced something.
    Noted(D::Note),
    /// A fault began or ended.
    Struck(Struck),
}

/// The kind of input that was taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Took<Timer> {
    /// It started.
    Boot,
    /// A message.
    Message,
    /// Word that a message of its own was refused.
    Refused,
    /// A timer.
    Timer(Timer),
    /// Word that a connection is closed. `cause` is what ended the other end's life, the message that found nobody
    /// there, or, when nobody answers, what opened it.
    Closed,
}

/// What becomes of a message, decided when it is sent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fate {
    /// It arrives then.
    Arrives(SimTime),
    /// It arrives then, and once more.
    ArrivesTwice(SimTime, SimTime),
    /// It is lost on the way.
    Lost,
    /// The link is cut.
    Cut,
    /// The link is cut, and the sender learns of it then.
    Refused(SimTime),
}

/// Where a fault is in its course.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Phase {
    /// It strikes.
    Begins,
    /// It is over.
    Ends,
    /// It strikes nobody: no process played the role that it asks for.
    Misses,
}

/// A fault's act.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Struck {
    /// Which fault.
    pub fault: FaultId,
    /// Where it is in its course.
    pub phase: Phase,
    /// The processes that it strikes; empty for a fault of links or clocks.
    pub processes: Rc<[ProcessId]>,
    /// The host whose clocks it strikes.
    pub host: Option<HostId>,
    /// The directed links that it strikes.
    pub links: Rc<[(HostId, HostId)]>,
}

/// The records of a world, and where its hosts' clocks were bent.
#[derive(Clone, Debug)]
pub struct Trace<D: Dialect> {
    keeps: bool,
    records: Vec<Record<D>>,
    clocks: Vec<(HostId, ClockLine)>,
}

impl<D: Dialect> Trace<D> {
    /// A trace that keeps everything.
    pub fn recording() -> Self {
        Self { keeps: true, records: Vec::with_capacity(8192), clocks: Vec::new() }
    }
    /// A trace that keeps nothing: for worlds of which only the end matters.
    pub fn off() -> Self {
        Self { keeps: false, records: Vec::new(), clocks: Vec::new() }
    }
    /// The records in order.
    pub fn records(&self) -> &[Record<D>] {
        &self.records
    }
    /// The record with this number.
    pub fn get(&self, id: RecordId) -> Option<&Record<D>> {
        self.records.get(id.index()?)
    }
    /// All that happened before this record, in order: the closure of cause and previous, without the record itself.
    pub fn past(&self, of: RecordId) -> Vec<RecordId> {
        let Some(of) = of.index().filter(|of| *of < self.records.len()) else { return Vec::new() };
        let mut led_here = vec![false; of + 1];
        led_here[of] = true;
        // What led to a record stands before it, so one pass backwards finds all.
        for id in (0..=of).rev() {
            if led_here[id] {
                let record = &self.records[id];
                for before in [record.cause, record.previous].into_iter().filter_map(RecordId::index) {
                    led_here[before] = true;
                }
            }
        }
        (0..of).filter(|id| led_here[*id]).map(|id| RecordId(id as u32)).collect()
    }
    /// All that this record happened before, in order: what it can have led to, without the record itself.
    pub fn future(&self, of: RecordId) -> Vec<RecordId> {
        let Some(of) = of.index().filter(|of| *of < self.records.len()) else { return Vec::new() };
        let mut follows = vec![false; self.records.len() - of];
        follows[0] = true;
        let mut found = Vec::new();
        for (id, record) in self.records.iter().enumerate().skip(of + 1) {
            let before = [record.cause, record.previous].into_iter().filter_map(RecordId::index);
            if before.filter(|before| *before >= of).any(|before| follows[before - of]) {
                follows[id - of] = true;
                found.push(RecordId(id as u32));
            }
        }
        found
    }
    /// Whether one record happened before another: whether it can have led to it.
    pub fn happened_before(&self, one: RecordId, other: RecordId) -> bool {
        one < other && self.past(other).binary_search(&one).is_ok()
    }
    /// Every straight stretch of every host's clocks, in the order in which they began.
    pub fn clocks(&self) -> &[(HostId, ClockLine)] {
        &self.clocks
    }
    /// The stretch that a host's clocks were on at `at`.
    pub fn clock(&self, host: HostId, at: SimTime) -> Option<&ClockLine> {
        self.clocks.iter().rev().find(|(of, line)| *of == host && line.from <= at).map(|(_, line)| line)
    }
    /// Bytes that the records take, without what messages own elsewhere.
    pub fn record_bytes(&self) -> usize {
        self.records.capacity() * size_of::<Record<D>>()
    }

    pub(crate) fn keeps(&self) -> bool {
        self.keeps
    }
    /// Makes room for a record before it is made: then it is written where it belongs, and nowhere else before. A list
    /// that may have to grow keeps it aside meanwhile; by the assertion the compiler knows that this one need not.
    #[inline]
    pub(crate) fn make_room(&mut self) {
        if self.records.len() == self.records.capacity() {
            self.records.reserve(1);
        }
        assert!(self.records.len() < self.records.capacity(), "there is room now");
    }
    /// Adds a record. A trace that keeps nothing is not asked to.
    #[inline]
    pub(crate) fn push(&mut self, record: Record<D>) -> RecordId {
        let id = RecordId(self.records.len() as u32);
        self.records.push(record);
        id
    }
    pub(crate) fn clock_bent(&mut self, host: HostId, line: ClockLine) {
        if self.keeps {
            self.clocks.push((host, line));
        }
    }
}
