//! What services share whose locks are claimed, renewed and released in one request each: what is asked, what is
//! answered, and the recipe for that. What makes each of them itself is what its server does with a claim.

mod book;
mod recipe;

pub(crate) use book::count_up;
pub use book::{Book, Claim};
pub use recipe::Recipe;

use std::rc::Rc;

use kernel::{Span, Wall};

use crate::{GrantId, Key, Token};

/// What a client asks.
#[derive(Clone, Debug, PartialEq)]
pub enum Request {
    /// The lock, if nobody has it.
    Claim {
        /// Which lock.
        lock: Key,
        /// A number that no other claim has: the claimer's name for it.
        value: u64,
        /// For how long.
        ttl: Span,
        /// What the claimer's wall clock read when it asked. For services where claimers judge.
        at: Wall,
    },
    /// More time, if the claim still stands.
    Renew {
        /// Of which lock.
        lock: Key,
        /// The claim's number.
        value: u64,
        /// For how long from now.
        ttl: Span,
        /// What the holder's wall clock read when it asked.
        at: Wall,
    },
    /// The end of the claim, if it still stands.
    Release {
        /// Of which lock.
        lock: Key,
        /// The claim's number.
        value: u64,
    },
    /// Whether anybody has it.
    Look {
        /// Which lock.
        lock: Key,
        /// What the asker's wall clock read when it asked.
        at: Wall,
    },
}

impl Request {
    /// The lock that it is about.
    pub fn lock(&self) -> &Key {
        match self {
            Self::Claim { lock, .. }
            | Self::Renew { lock, .. }
            | Self::Release { lock, .. }
            | Self::Look { lock, .. } => lock,
        }
    }

    /// What its sender's clock read when it asked, where that is said.
    fn at_mut(&mut self) -> Option<&mut Wall> {
        match self {
            Self::Claim { at, .. } | Self::Renew { at, .. } | Self::Look { at, .. } => Some(at),
            Self::Release { .. } => None,
        }
    }

    /// The same, asked once more when its sender's clock reads this: a lease counts from the request that is answered.
    pub(crate) fn sent_at(self: Rc<Self>, now: Wall) -> Rc<Self> {
        let mut again = Self::clone(&self);
        match again.at_mut() {
            Some(at) if *at != now => {
                *at = now;
                Rc::new(again)
            }
            Some(_) | None => self,
        }
    }
}

/// An answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reply {
    /// The lock is the claimer's.
    Granted {
        /// By this grant.
        grant: GrantId,
        /// With this token, where the service hands out any.
        token: Option<Token>,
    },
    /// It is the claimer's, and too few replicas are known to have it (`WAIT`): nothing is taken back by itself.
    TooFewHave,
    /// Somebody has it.
    Taken,
    /// Whether the claim was renewed: it still stood.
    Renewed(bool),
    /// Whether the claim was released: it still stood.
    Released(bool),
    /// Whether anybody has it.
    Looked(bool),
    /// It could not be done, and was not.
    Failed(&'static str),
}
