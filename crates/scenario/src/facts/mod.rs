//! What happened, in the words of the subject: folded from the trace, never asked of a process.
//!
//! Belief (what a holder thought), record (what the authority wrote down) and truth (true time, what the store did)
//! are apart here and stay apart on the page.

mod belief;
mod clocks;
mod faults;
mod fold;
mod moments;
mod record;
mod writes;

pub use ::stores::RowState;
pub use belief::{Belief, Loss, Stop, Want};
pub use clocks::Clocks;
pub use faults::{Block, Struck};
pub use fold::fold;
pub use moments::{Moment, MomentKind, Sweep, SweepKind};
pub use record::{Deadline, DeadlineBy, Ending, Lease, Reign};
pub use writes::{Part, RowStep, Write, WriteKind};

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
