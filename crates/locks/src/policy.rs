//! What a client library does, as data.

use kernel::Span;

/// From when a holder counts its lease.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Anchor {
    /// From before the request was sent. Never later than the authority, whose count begins when it applies.
    Sent,
    /// From when the reply was received: up to a round trip later than the authority. etcd's client does this
    /// (`client/v3/lease.go`).
    Received,
}

/// Which of its host's clocks a holder times its lease on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum HolderClock {
    /// The one that never steps.
    Monotonic,
    /// The calendar: wrong, and common.
    Wall,
}

/// When a holder that cannot renew gives up by itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GiveUp {
    /// At its stop time: anchor + lease − margin.
    StopTime,
    /// At its deadline: anchor + lease.
    Deadline,
    /// When the first renewal fails.
    FirstError,
    /// Never: it finds out when somebody tells it.
    Never,
}

/// How a worker waits for a lock that somebody holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wait {
    /// It tries again and again, each time so long after it began the last try.
    Poll(Span),
    /// It watches the lock's key and tries when it goes.
    Watch,
    /// It stands in line: a key of its own, and a watch on the key just ahead.
    Queue,
}

/// A client library's policy.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Policy {
    /// How long a lease is asked for.
    pub ttl: Span,
    /// How long before the lease ends the holder stops itself.
    pub margin: Span,
    /// How often it renews, counted from when it sent the last renewal.
    pub renew_every: Span,
    /// How long it waits for an answer before it asks another server.
    pub timeout: Span,
    /// How long it waits before it tries again when every server has failed it.
    pub retry: Span,
    /// From when it counts.
    pub anchor: Anchor,
    /// On which clock.
    pub clock: HolderClock,
    /// When it gives up.
    pub give_up: GiveUp,
    /// How it waits.
    pub wait: Wait,
}
