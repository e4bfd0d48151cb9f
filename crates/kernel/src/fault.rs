//! What can go wrong, when, and to whom. Faults live here alone: no machine knows them.

use crate::{Dialect, HostId, ProcessId, Rate, Ratio, SimTime, Span, Topic};

/// A fault's place in the plan.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub struct FaultId(pub u16);

/// One fault: an instant, and what happens from then on.
#[derive(Clone, Debug)]
pub struct Fault<D: Dialect> {
    /// When it strikes.
    pub at: When<D::Role>,
    /// For how long; `None` until the world ends. Faults of an instant (a wall step) ignore it.
    pub span: Option<Span>,
    /// What it does.
    pub kind: FaultKind<D::Role>,
}

/// When a fault strikes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum When<Role> {
    /// At an instant of true time.
    At(SimTime),
    /// After something happened.
    After(Anchor<Role>),
}

/// Waits for a note.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Anchor<Role> {
    /// Whose note: this process's, any process's on this host, or whoever's that plays this role when it is made;
    /// `None` for anybody's.
    pub who: Option<Target<Role>>,
    /// What it is about.
    pub topic: Topic,
    /// The first such note, the second, ...: from 1.
    pub nth: u32,
    /// And so long after it.
    pub plus: Span,
}

/// Whom a fault strikes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Target<Role> {
    /// This process.
    Process(ProcessId),
    /// This host (for faults of one process: the first process on it).
    Host(HostId),
    /// Whoever plays this role when the fault strikes. When nobody does, nothing is struck.
    Role(Role),
}

/// One side of a link fault.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Side<Role> {
    /// The hosts of these.
    These(Vec<Target<Role>>),
    /// All hosts that are not on the other side.
    Others,
}

/// Between which of its acts a pause catches a process.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Gap {
    /// Before it takes its next input.
    BeforeInput,
    /// After it has taken its next input and decided, before what it decided is sent. No re-check closes this gap.
    BeforeSend,
}

/// How a link that is cut answers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Manner {
    /// Not at all.
    Silent,
    /// The sender is told at once, as by a reset connection.
    Refused,
}

/// What a suspended host's wall clock reads when it goes on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WallAfter {
    /// The true time that passed is added.
    CatchesUp,
    /// It goes on from where it stood.
    Keeps,
}

/// What a fault does.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FaultKind<Role> {
    /// A process stops; its memory, timers, inbox and unsent messages survive, and its host's clocks run on. It stops
    /// for the whole span: a crash within it ends the life, not the pause.
    Pause {
        /// Which process.
        target: Target<Role>,
        /// Where it is caught.
        gap: Gap,
    },
    /// A host stops with all its processes: its monotonic clock stands still.
    Suspend {
        /// Which host.
        target: Target<Role>,
        /// What its wall clock reads afterwards.
        wall: WallAfter,
    },
    /// A host loses its power: all its processes die, and nothing answers for them. They start again when the span is over.
    PowerOff {
        /// Which host.
        target: Target<Role>,
    },
    /// Somebody at a process's console gives it an order: a message from nobody, which comes over no link. One that cannot
    /// run now takes it later; one that is down never does.
    Order {
        /// Which process.
        target: Target<Role>,
        /// The message's place among the plan's orders.
        order: usize,
        /// That of another, given when the span is over.
        at_end: Option<usize>,
    },
    /// A process loses its memory and what its disk had not kept; it starts again when the span is over. What arrives
    /// meanwhile is dropped; what is still on its way then reaches the next life.
    Crash {
        /// Which process.
        target: Target<Role>,
        /// Whether its host still refuses connections for it (`Refused`), or is gone as well (`Silent`).
        manner: Manner,
    },
    /// A host's wall clock is set forward or back.
    WallStep {
        /// Which host.
        target: Target<Role>,
        /// By so many microseconds.
        by_micros: i64,
    },
    /// A host's clocks run at another rate; where several overlap, at that of the latest.
    ClockRate {
        /// Which host.
        target: Target<Role>,
        /// The rate.
        rate: Rate,
    },
    /// Links carry nothing that is sent from now on; what is on its way arrives. Where several overlap, the first says
    /// what the sender learns.
    Cut {
        /// From these hosts.
        from: Side<Role>,
        /// To these.
        to: Side<Role>,
        /// And back.
        both_ways: bool,
        /// What the sender learns.
        manner: Manner,
    },
    /// Links lose some messages; where several overlap, the greatest ratio counts.
    Loss {
        /// From these hosts.
        from: Side<Role>,
        /// To these.
        to: Side<Role>,
        /// And back.
        both_ways: bool,
        /// How many.
        ratio: Ratio,
    },
    /// Links are slower; several that overlap add up.
    Delay {
        /// From these hosts.
        from: Side<Role>,
        /// To these.
        to: Side<Role>,
        /// And back.
        both_ways: bool,
        /// By so much.
        extra: Span,
    },
    /// Links deliver some messages twice.
    Duplicate {
        /// From these hosts.
        from: Side<Role>,
        /// To these.
        to: Side<Role>,
        /// And back.
        both_ways: bool,
        /// How many.
        ratio: Ratio,
    },
    /// A process's disk answers nothing until the span is over.
    DiskStall {
        /// Whose disk.
        target: Target<Role>,
    },
    /// A process's disk answers without keeping: a crash within the span loses what was written in it.
    DiskLoss {
        /// Whose disk.
        target: Target<Role>,
    },
    /// Somebody puts an older backup in place of the disks of these processes and starts them from it; they are down
    /// for the span (none: at once). Those too come back that had crashed without an end.
    Restore {
        /// Which processes.
        targets: Vec<Target<Role>>,
        /// When the backup was taken. With `from` it is taken of that process and given to all. When that is after the
        /// span, there is no backup yet, and they start from their own disks.
        taken: SimTime,
        /// Whose backup all of them get; `None`: each its own.
        from: Option<Target<Role>>,
    },
}
