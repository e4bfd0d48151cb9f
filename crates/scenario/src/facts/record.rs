//! Record: what the authority wrote down of leases, and who led it.

use std::rc::Rc;

use kernel::{ProcessId, RecordId, SimTime};

/// A stretch for which a server led.
#[derive(Clone, Debug, PartialEq)]
pub struct Reign {
    /// Which server.
    pub process: ProcessId,
    /// In which term.
    pub term: u64,
    /// From when.
    pub from: SimTime,
    /// Until when it led, as far as it knew; `None`: to the end.
    pub until: Option<SimTime>,
    /// The record that began it.
    pub record: RecordId,
}

/// A lease with the key bound to it, as the authority saw it.
#[derive(Clone, Debug, PartialEq)]
pub struct Lease {
    /// Which lock.
    pub lock: Rc<str>,
    /// Whose.
    pub worker: ProcessId,
    /// Which grant of the lock: a name.
    pub grant: u64,
    /// The fencing token that came with it, where the service hands out any.
    pub token: Option<u64>,
    /// When it was issued. (For a place in a queue: when it became the first.)
    pub granted: SimTime,
    /// Its deadline, from each instant at which the authority set one, in order. The first is the grant's own. None where a
    /// grant lasts as long as a connection.
    pub deadlines: Vec<Deadline>,
    /// When and how it ended; `None`: not before the end.
    pub ended: Option<(SimTime, Ending)>,
    /// The number that the service gave to the end, where it gave one.
    pub end_revision: Option<u64>,
    /// The record of the grant.
    pub record: RecordId,
    /// The record of the end.
    pub end_record: RecordId,
    /// Who wrote the end down; nobody, if it has none.
    pub ended_by: ProcessId,
}

/// A deadline that the authority set.
#[derive(Clone, Debug, PartialEq)]
pub struct Deadline {
    /// When it set it.
    pub set: SimTime,
    /// The reading of its own clock at which the lease is over, in microseconds.
    pub reading: i64,
    /// Whether that is its wall clock; its monotonic clock otherwise.
    pub on_wall: bool,
    /// The instant of true time at which that clock really came to that reading (or would, if it runs on as at the end).
    pub until: SimTime,
    /// Why.
    pub by: DeadlineBy,
    /// The server that set it.
    pub server: ProcessId,
    /// The record of it.
    pub record: RecordId,
}

/// Why a deadline was set.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DeadlineBy {
    /// The grant.
    Grant,
    /// A renewal.
    Renewal,
    /// A new leader restarted the lease at full length.
    NewLeader,
    /// A new leader restarted the lease with what a checkpoint said was left.
    Checkpoint,
    /// A new leader added a heartbeat interval to what was left.
    Added,
    /// A new leader goes by the date that the lease has.
    Date,
}

/// How a lease ended in the authority's record.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ending {
    /// Its time ran out.
    Expired,
    /// Its holder gave it back.
    Released,
    /// Another grant took its place: somebody judged that its time was over.
    Replaced,
    /// The connection that it was bound to was closed.
    Disconnected,
    /// A later state of the service does not know it (a restore, a failover that lost it).
    Forgotten,
}
