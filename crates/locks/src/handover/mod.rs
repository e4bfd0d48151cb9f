//! Single-writer handover: a flag that says who writes, kept in several copies that know nothing of each other.
//!
//! The writer refreshes its right by reading a majority of the copies; it stops by its own monotonic clock when it cannot.
//! Whoever is to write next sets the flag, waits out the lease and a margin by its own monotonic clock, sees that the
//! flag is still its own, and only then begins: with an epoch above the old one's, which it raises in the store before its
//! first write. Two writers never overlap; the price is a gap.
//!
//! Source: "Leases, fencing tokens and distributed locks", part 7, "Single writers across a failover".

mod recipe;
mod server;

pub use recipe::Recipe;
pub use server::{Copy, Flag};

use crate::{Key, Token};

/// What a client asks every copy.
#[derive(Clone, Debug, PartialEq)]
pub enum Request {
    /// What the flag says.
    Look {
        /// Which flag.
        lock: Key,
    },
    /// The flag is the asker's from now on, if its epoch is above the one that is there.
    Set {
        /// Which flag.
        lock: Key,
        /// A number that nobody else's claim has.
        value: u64,
        /// The new epoch.
        epoch: Token,
    },
    /// Whether the flag is still the asker's: at the beginning of its writing, and to go on.
    Confirm {
        /// Which flag.
        lock: Key,
        /// The claim's number.
        value: u64,
        /// For how long it may write then, on its own clock.
        lease: kernel::Span,
    },
    /// The flag is nobody's, if it is still the asker's. Its epoch stays.
    Clear {
        /// Which flag.
        lock: Key,
        /// The claim's number.
        value: u64,
    },
}

/// A copy's answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reply {
    /// The flag's epoch, and whether it is anybody's.
    Says {
        /// The epoch.
        epoch: Token,
        /// Whether somebody is the writer.
        taken: bool,
    },
    /// Whether it was done.
    Done(bool),
}
