//! What workers and sweepers ask of a store, and what it answers.

use std::fmt;
use std::rc::Rc;

use crate::Row;

/// A fencing token: the number of a grant. A later grant of the same lock has a higher one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default, Hash)]
pub struct Token(pub u64);

impl fmt::Display for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// One item of the work (a chunk of invoices).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Item {
    /// Which, from 0.
    pub number: u32,
    /// How many effects writing it has (invoices charged).
    pub effects: u32,
}

/// A claim as a sweeper saw it: its re-queue holds only for exactly this one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Claim {
    /// The token that the row was claimed under.
    pub owner: Token,
    /// The fence at that time.
    pub fence: Option<Token>,
}

/// What a store is asked to do. A worker that does not attach its token sends none.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Op {
    /// In one conditional write: raise the fence, mark the row as running under this token, put it in the index of
    /// claimed rows. The answer has the row as it was before.
    Raise(Option<Token>),
    /// Write one item.
    Write(Option<Token>, Item),
    /// Mark the work as done, and take it out of the index.
    Finish(Option<Token>),
    /// Read the row.
    Read,
    /// Read the index of claimed rows.
    Scan,
    /// Put the row back in the queue, if its claim is still this one.
    Requeue(Claim),
}

/// A request, or the answer to one. `id` is the asker's own number for it.
#[derive(Clone, Debug)]
pub enum Msg {
    /// Please do.
    Request {
        /// The asker's number.
        id: u32,
        /// What.
        op: Op,
    },
    /// Done, or not.
    Reply {
        /// The asker's number.
        id: u32,
        /// How it went. Shared, so that messages stay small to carry.
        answer: Rc<Answer>,
    },
}

/// How a request went.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    /// Accepted; the row as it was before.
    Accepted(Row),
    /// Refused.
    Refused(Refusal),
    /// The row, for a read.
    Row(Row),
    /// The claim in the index, if there is one.
    Index(Option<Claim>),
}

/// Why a store refused.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Refusal {
    /// The fence stands higher than the token (or, by the fencepost error, as high).
    Fenced {
        /// What was sent.
        token: Token,
        /// Where the fence stood.
        fence: Token,
    },
    /// The store checks tokens and got none.
    NoToken,
    /// The claim is not the one that was seen.
    ClaimChanged,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Fenced { token, fence } if token < fence => {
                write!(f, "token {token} is below the fence {fence}")
            }
            Self::Fenced { token, fence } => {
                write!(f, "token {token} is not above the fence {fence} (this store rejects an equal one)")
            }
            Self::NoToken => f.write_str("no token was sent"),
            Self::ClaimChanged => f.write_str("the claim is no longer the one that was seen"),
        }
    }
}

/// What a guard says of a write.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Admission {
    /// Let it in; the fence then stands here.
    Accept {
        /// Where the fence stands afterwards; `None` for a store without one.
        fence: Option<Token>,
    },
    /// Keep it out.
    Refuse(Refusal),
}

/// What makes a kind of store itself: whether it lets a write in. It sees the fence and the token, and no clock.
pub trait Guard {
    /// Decides about a write with this token while the fence stands there.
    fn admit(&self, fence: Option<Token>, token: Option<Token>) -> Admission;
    /// Where the fence stands before anything was written; `None` for a store without one.
    fn first_fence(&self) -> Option<Token>;
}
