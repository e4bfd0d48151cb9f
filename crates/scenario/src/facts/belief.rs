//! Belief: what holders thought of their leases, and who waited for one.

use std::rc::Rc;

use kernel::{ProcessId, RecordId, SimTime, Span};

use super::Lease;

/// What a holder believed of one lease.
#[derive(Clone, Debug, PartialEq)]
pub struct Belief {
    /// Which lock.
    pub lock: Rc<str>,
    /// Whose belief.
    pub worker: ProcessId,
    /// In which grant of the lock.
    pub grant: u64,
    /// The token that it was told, if any.
    pub token: Option<u64>,
    /// Since when.
    pub from: SimTime,
    /// Its own stop time, from each instant at which it set one, in order.
    pub stops: Vec<Stop>,
    /// When and why it stopped believing; `None`: not before the end.
    pub ended: Option<(SimTime, Loss)>,
    /// The record that began it.
    pub record: RecordId,
    /// The record that ended it.
    pub end_record: RecordId,
}

/// A stop time that a holder set itself.
#[derive(Clone, Debug, PartialEq)]
pub struct Stop {
    /// When it set it.
    pub set: SimTime,
    /// When the request was sent from which it counts.
    pub sent: SimTime,
    /// The reading of its own clock at which it stops, in microseconds.
    pub reading: i64,
    /// Whether that is its wall clock; its monotonic clock otherwise.
    pub on_wall: bool,
    /// The instant of true time at which that clock really came to that reading (or would, if it runs on as at the end).
    pub at: SimTime,
    /// How much later it began to renew than it had planned, when it put its stop time off for that; `None`: it was told of a
    /// lease, or has renewed it.
    pub put_off: Option<Span>,
    /// The record of it.
    pub record: RecordId,
}

impl Belief {
    /// The stop time that came with its last renewal, or with the lease.
    pub fn last_renewal(&self) -> Option<&Stop> {
        self.stops.iter().rfind(|stop| stop.put_off.is_none())
    }

    /// Whether it is the belief in this lease.
    pub fn is_in(&self, lease: &Lease) -> bool {
        self.worker == lease.worker && self.grant == lease.grant && self.lock == lease.lock
    }
}

/// Why a holder stopped believing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Loss {
    /// It gave the lock back.
    Released,
    /// Its own stop time came.
    StopTime,
    /// The service said that the lease is gone.
    ToldGone,
    /// A store refused its token.
    WriteRefused,
    /// A renewal failed, and its rule is to give up at once.
    RenewalFailed,
    /// It was in jeopardy: its lease was over by its own count, and it did not know whether the service had extended it. A
    /// belief in the same grant that comes later says that it had.
    Jeopardy,
    /// The same, and it did not hear in time that the service had, or heard that it had not.
    Expired,
    /// It crashed, and with its memory went the belief.
    Crashed,
}

/// A stretch for which somebody waited for a lock.
#[derive(Clone, Debug, PartialEq)]
pub struct Want {
    /// Which lock.
    pub lock: Rc<str>,
    /// Who.
    pub worker: ProcessId,
    /// Since when.
    pub from: SimTime,
    /// Until when; `None`: to the end.
    pub until: Option<SimTime>,
}
