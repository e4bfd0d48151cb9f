//! What workers and sweepers ask of a store, and what it answers.

use std::fmt;
use std::rc::Rc;

use crate::{Conflict, Refusal, Row, Stamp, journal};

/// A fencing token: the number of a grant. A later grant of the same lock has a higher one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default, Hash)]
pub struct Token(pub u64);

impl fmt::Display for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// One item of the work (a chunk of invoices), or a part of one.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Item {
    /// Which, from 0.
    pub number: u32,
    /// How many effects writing it has (invoices charged).
    pub effects: u32,
    /// How many of the item's effects were written before these.
    pub first: u32,
}

/// Most items are written whole: only a later part says where it begins.
impl fmt::Debug for Item {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut item = f.debug_struct("Item");
        item.field("number", &self.number).field("effects", &self.effects);
        if self.first > 0 {
            item.field("first", &self.first);
        }
        item.finish()
    }
}

/// A claim as a sweeper saw it: its re-queue holds only for exactly this one.
#[derive(Clone, Copy, PartialEq, Eq)]
// In the room of two tokens, aligned as half a one: messages are moved a lot.
#[repr(Rust, packed(4))]
pub struct Claim {
    owner: u64,
    /// The fence, or, of a claim without a token, the row's version.
    beside: u64,
}

/// Stands for no token. No service counts so far.
pub(crate) const NO_TOKEN: u64 = u64::MAX;

impl Claim {
    /// A claim under this token, while the fence stood there.
    pub fn new(owner: Token, fence: Option<Token>) -> Self {
        Self { owner: owner.0, beside: fence.map_or(NO_TOKEN, |token| token.0) }
    }
    /// A claim without a token, while the row had this version: nothing else tells it from the next one.
    pub fn without_token(version: u32) -> Self {
        Self { owner: NO_TOKEN, beside: version.into() }
    }
    /// The token that the row was claimed under, if any.
    pub fn owner(self) -> Owner {
        Owner((self.owner != NO_TOKEN).then_some(Token(self.owner)))
    }
    /// The fence at that time.
    pub fn fence(self) -> Option<Token> {
        (self.owner != NO_TOKEN && self.beside != NO_TOKEN).then_some(Token(self.beside))
    }
}

/// The token that a row is claimed under, where claims come with one.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Owner(pub Option<Token>);

impl fmt::Display for Owner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(token) => write!(f, "with token {token}"),
            None => f.write_str("without a token"),
        }
    }
}

/// Mostly there is one.
impl fmt::Debug for Owner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(token) => fmt::Debug::fmt(&token, f),
            None => f.write_str("NoToken"),
        }
    }
}

impl fmt::Debug for Claim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.owner().0 {
            Some(_) => {
                f.debug_struct("Claim").field("owner", &self.owner()).field("fence", &self.fence()).finish()
            }
            None => f.debug_struct("Claim").field("version", &{ self.beside }).finish(),
        }
    }
}

/// What a store is asked to do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Op {
    /// In one step: raise the fence, mark the row as running under this token, put it in the index of claimed rows. The
    /// answer has the row as it was before.
    Raise(Stamp),
    /// Write one item, or the last part of one.
    Write(Stamp, Item),
    /// Write a part of an item, of which more follows.
    Part(Stamp, Item),
    /// Mark the work as done, and take it out of the index.
    Finish(Stamp),
    /// Read the row.
    Read,
    /// Read the index of claimed rows.
    Scan,
    /// Put the row back in the queue, if its claim is still this one.
    Requeue(Claim),
}

impl Op {
    /// What it carries to be compared.
    pub fn stamp(&self) -> Option<Stamp> {
        match self {
            Self::Raise(stamp) | Self::Write(stamp, _) | Self::Part(stamp, _) | Self::Finish(stamp) => {
                Some(*stamp)
            }
            Self::Read | Self::Scan | Self::Requeue(_) => None,
        }
    }
    /// The same, carrying this.
    #[must_use]
    pub fn stamped(self, stamp: Stamp) -> Self {
        match self {
            Self::Raise(_) => Self::Raise(stamp),
            Self::Write(_, item) => Self::Write(stamp, item),
            Self::Part(_, item) => Self::Part(stamp, item),
            Self::Finish(_) => Self::Finish(stamp),
            Self::Read | Self::Scan | Self::Requeue(_) => self,
        }
    }
    /// What it writes of the work.
    pub fn item(&self) -> Option<Item> {
        match self {
            Self::Write(_, item) | Self::Part(_, item) => Some(*item),
            Self::Raise(_) | Self::Finish(_) | Self::Read | Self::Scan | Self::Requeue(_) => None,
        }
    }
}

/// What a worker last saw of a store, as a number that the store's kind gives a meaning to: a version, an ETag, an offset,
/// an epoch. 0: it saw nothing, or nothing was there.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct Seen(pub u32);

impl Seen {
    /// Nothing.
    pub const NOTHING: Self = Self(0);
}

/// A request, or the answer to one. `id` is the asker's own number for it.
#[derive(Clone)]
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
        /// What the asker has seen now, where the kind compares that.
        seen: Option<Seen>,
        /// How it went. Shared, so that messages stay small to carry.
        answer: Rc<Answer>,
    },
    /// With a node of a journal.
    Journal(Rc<journal::Msg>),
    /// From an operator: compare tokens with the fence, or take everything.
    Fence(bool),
}

/// Most kinds let nobody see anything: only those that do say so.
impl fmt::Debug for Msg {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Request { id, op } => f.debug_struct("Request").field("id", id).field("op", op).finish(),
            Self::Journal(msg) => msg.fmt(f),
            Self::Fence(is_on) => f.debug_tuple("Fence").field(is_on).finish(),
            Self::Reply { id, seen: None, answer } => {
                f.debug_struct("Reply").field("id", id).field("answer", answer).finish()
            }
            Self::Reply { id, seen: Some(seen), answer } => {
                f.debug_struct("Reply").field("id", id).field("seen", seen).field("answer", answer).finish()
            }
        }
    }
}

/// How a request went.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    /// Accepted; the row as it was before.
    Accepted(Row),
    /// Done before, and not again: the stored result; the row as it is.
    Replayed(Row),
    /// Refused.
    Refused(Refusal),
    /// Not now: the client library asks again.
    Again(Conflict),
    /// The row, for a read.
    Row(Row),
    /// The claim in the index, if there is one.
    Index(Option<Claim>),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_is_small_to_move() {
        assert!(size_of::<Msg>() <= 32, "{} bytes", size_of::<Msg>());
    }

    #[test]
    fn a_claim_is_what_was_seen() {
        let claim = Claim::new(Token(12), None);
        assert_eq!((claim.owner(), claim.fence()), (Owner(Some(Token(12))), None));
        assert_eq!(format!("{claim:?}"), "Claim { owner: Token(12), fence: None }");
        let unnamed = Claim::without_token(3);
        assert_eq!((unnamed.owner(), unnamed.fence()), (Owner(None), None));
        assert_ne!(unnamed, Claim::without_token(4));
        assert_eq!(Claim::new(Token(12), Some(Token(7))).fence(), Some(Token(7)));
    }
}
