//! The processes of a play. Servers and stores come from below; the applications here use them through their public ends,
//! and know nothing of faults. [`story`] is what all of them speak, [`Actor`] the machine that is any of them.

mod actor;
mod bystander;
mod clients;
mod doorman;
mod sidecar;
mod steps;
pub mod story;
mod sweeper;
mod worker;

pub use actor::Actor;
pub use bystander::Bystander;
pub use doorman::{Doorman, DoormanConfig};
pub use sidecar::{SideAsk, SideMsg, Sidecar, SidecarConfig, Standing};
pub use steps::{run_until, step};
pub use sweeper::{HeldBack, SweepNote, Sweeper, SweeperConfig};
pub use worker::{Beside, Halt, Hold, Op, Then, Unanswered, WorkNote, Worker, WorkerConfig, WorkerTimer};

use kernel::Topic;

/// The word by which a fault can wait for a store's note.
pub(crate) fn store_topic(note: &stores::Note) -> Option<Topic> {
    match note {
        stores::Note::Decided(decided) => {
            Some(Topic(if decided.refusal.is_some() { "refuses" } else { "accepts" }))
        }
        stores::Note::Answered { .. }
        | stores::Note::Replayed { .. }
        | stores::Note::PutOff { .. }
        | stores::Note::Locked { .. }
        | stores::Note::Waits { .. }
        | stores::Note::RolledBack { .. }
        | stores::Note::Journal(_)
        | stores::Note::Opened(_) => None,
    }
}
