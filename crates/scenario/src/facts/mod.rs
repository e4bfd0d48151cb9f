//! What happened, in the words of the subject: folded from the trace, never asked of a process.
//!
//! Belief (what a holder thought), record (what the authority wrote down) and truth (true time, what the store did)
//! are apart here and stay apart on the page.

mod clocks;
mod fold;

use std::rc::Rc;

use kernel::{FaultId, HostId, ProcessId, RecordId, SimTime, Span};

pub use clocks::Clocks;
pub use fold::fold;

/// Everything that a verdict, a story or a picture needs to know of one play.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Facts {
    /// Who led the lock service, when.
    pub reigns: Vec<Reign>,
    /// Leases as the authority recorded them.
    pub leases: Vec<Lease>,
    /// Leases as their holders believed in them.
    pub beliefs: Vec<Belief>,
    /// Who wanted a lock without holding it, when.
    pub wants: Vec<Want>,
    /// All writes that reached a store or were refused by it, in the order in which it decided.
    pub writes: Vec<Write>,
    /// How each store's fence and row went on.
    pub rows: Vec<RowStep>,
    /// Faults as they struck.
    pub blocks: Vec<Block>,
    /// What each sweeper did.
    pub sweeps: Vec<Sweep>,
    /// What else is worth telling, in order.
    pub moments: Vec<Moment>,
    /// Acknowledged writes that a store did not find again when it started.
    pub lost_writes: u64,
}

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

/// What a store was asked to do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WriteKind {
    /// Raise the fence and claim the row.
    Raise,
    /// Write one item of the work.
    Item {
        /// Which, from 0.
        item: u32,
        /// How many effects it has (invoices charged).
        effects: u32,
    },
    /// Mark the work as done.
    Finish,
    /// A sweeper's conditional re-queue.
    Requeue,
}

/// A part of an item.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Part {
    /// How many of the item's effects were written before it.
    pub first: u32,
    /// Whether the item is done with it.
    pub is_last: bool,
}

/// A write as a store decided it.
#[derive(Clone, Debug, PartialEq)]
pub struct Write {
    /// When the store decided.
    pub at: SimTime,
    /// When the worker sent it.
    pub sent: SimTime,
    /// Which store.
    pub store: ProcessId,
    /// Who asked.
    pub worker: ProcessId,
    /// What for.
    pub kind: WriteKind,
    /// Where it stands in its item, when that is written in parts.
    pub part: Option<Part>,
    /// The token that it carried, if any.
    pub token: Option<u64>,
    /// What it carried that the store compares, in words: "token 7", "version 3"; empty for nothing.
    pub carried: String,
    /// The grant under which the worker acted, whether it sent a token or not.
    pub under: Option<u64>,
    /// Whether the store accepted it.
    pub accepted: bool,
    /// Whether a newer grant of that lock had been issued by then.
    pub stale: bool,
    /// Whether moreover the newer holder had touched this store.
    pub corrupting: bool,
    /// Effects that it applied which had been applied before.
    pub duplicates: u64,
    /// The fence that it met, when the store has one.
    pub fence: Option<u64>,
    /// Why the store decided so, in words.
    pub reason: String,
    /// The record of the decision.
    pub record: RecordId,
}

/// What state a row is in.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum RowState {
    /// Free to be taken.
    #[default]
    Queued,
    /// Claimed.
    Running,
    /// Finished.
    Done,
}

/// A store's row after a change.
#[derive(Clone, Debug, PartialEq)]
pub struct RowStep {
    /// When.
    pub at: SimTime,
    /// Which store.
    pub store: ProcessId,
    /// Its fence, when it has one.
    pub fence: Option<u64>,
    /// Its state.
    pub state: RowState,
    /// The token that the claim is under.
    pub owner: Option<u64>,
    /// How many items are done.
    pub done: u32,
}

/// What a fault struck.
#[derive(Clone, Debug, PartialEq)]
pub enum Struck {
    /// Processes: pauses, crashes, disks, restores.
    Processes(Vec<ProcessId>),
    /// A host's clocks, or a whole host.
    Host(HostId),
    /// Directed links.
    Links(Vec<(HostId, HostId)>),
    /// Nobody: no process played the role that it asks for.
    Nobody,
}

/// A fault as it struck: what the page draws as a block.
#[derive(Clone, Debug, PartialEq)]
pub struct Block {
    /// Which fault of the document: its place in the list of faults in force.
    pub fault: FaultId,
    /// Whom.
    pub struck: Struck,
    /// From when.
    pub from: SimTime,
    /// Until when; `None`: to the end. Equal to `from` for an instant.
    pub until: Option<SimTime>,
    /// The record of the strike.
    pub record: RecordId,
}

/// What a sweeper found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SweepKind {
    /// A claim whose lock nobody holds, for the first time.
    OrphanSeen,
    /// The same again: it asks the store to re-queue it.
    OrphanConfirmed,
    /// A claim whose holder is alive.
    Skipped,
}

/// One look of a sweeper.
#[derive(Clone, Debug, PartialEq)]
pub struct Sweep {
    /// When.
    pub at: SimTime,
    /// Which sweeper.
    pub sweeper: ProcessId,
    /// Which store.
    pub store: ProcessId,
    /// The owner's token on the row, if it was claimed with one.
    pub owner: Option<u64>,
    /// What it found.
    pub kind: SweepKind,
    /// The record of it.
    pub record: RecordId,
}

/// Something else worth telling.
#[derive(Clone, Debug, PartialEq)]
pub struct Moment {
    /// When.
    pub at: SimTime,
    /// Who.
    pub process: ProcessId,
    /// What.
    pub what: MomentKind,
    /// The record of it.
    pub record: RecordId,
}

/// What a moment is about.
#[derive(Clone, Debug, PartialEq)]
pub enum MomentKind {
    /// A worker compared its clock with its stop time, and went on or did not.
    Checked {
        /// Whether it went on.
        passed: bool,
        /// Its stop reading, in microseconds; `None` when it holds nothing any more.
        stop: Option<i64>,
    },
    /// A renewal failed; what the client library does next is in the text.
    RenewalFailed {
        /// Which server was asked.
        server: ProcessId,
        /// What happened.
        why: String,
    },
    /// A worker stopped its program before its end.
    Stopped {
        /// Why, in words.
        why: String,
    },
    /// A worker began its program again.
    Restarts {
        /// Why, in words.
        why: String,
    },
    /// A worker came to the end of its program.
    Finished,
    /// A waiting candidate woke because the key ahead of it went.
    Woken {
        /// Of which lock.
        lock: Rc<str>,
    },
    /// A read was answered.
    Read {
        /// Whose state was read.
        from: ProcessId,
        /// Whether an older value than one already acknowledged was answered.
        stale: bool,
    },
    /// A store answered a write with the result of an earlier one, and did nothing.
    Replayed {
        /// Which store.
        store: ProcessId,
        /// The item, from 0.
        item: u32,
        /// Whether somebody else had a newer grant by then.
        stale: bool,
    },
    /// A store told a worker to try again.
    PutOff {
        /// Which store.
        store: ProcessId,
        /// Why.
        why: String,
    },
    /// A transaction of its has a store's row lock.
    RowLocked {
        /// Which store.
        store: ProcessId,
    },
    /// It waits for a store's row lock.
    RowAwaited {
        /// Which store.
        store: ProcessId,
        /// Whose transaction has it.
        owner: ProcessId,
    },
    /// Its transaction was rolled back.
    RolledBack {
        /// Which store.
        store: ProcessId,
        /// How many items, or parts of one, it had written: none of them was ever so.
        items: u32,
        /// Why.
        why: String,
    },
    /// It finished an entry of a journal that an earlier writer had left unfinished.
    RecoveredEntry {
        /// Which store.
        store: ProcessId,
        /// Who had left it.
        writer: ProcessId,
        /// The item, from 0, if it was one.
        item: Option<u32>,
    },
    /// A node of a journal took an entry under an epoch that a majority lets in no more.
    TookBehind {
        /// Whose entry.
        writer: ProcessId,
        /// Under which epoch.
        epoch: u32,
        /// What a majority has promised.
        newest: u32,
    },
    /// A sweeper did not re-queue what it could.
    HeldBack {
        /// Why.
        why: String,
    },
    /// A process started from an older backup.
    Restored,
    /// A process that had crashed started again.
    StartedAgain,
    /// A paused or suspended process runs again.
    Woke,
}
