//! What makes a kind of store itself: whether it lets a write in.

use crate::{Conflict, Course, Item, Op, Refusal, Remember, Seen, Shelf, Token};

/// What a guard says of a write.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Admission {
    /// Let it in.
    Accept {
        /// Where the fence stands afterwards; `None` for a store without one.
        fence: Option<Token>,
        /// What is remembered of it beside the row.
        remember: Option<Remember>,
    },
    /// It was done before: answer with the stored result.
    Replay,
    /// Not now.
    Again(Conflict),
    /// Keep it out.
    Refuse(Refusal),
}

impl Admission {
    /// Let it in; there is nothing else to it.
    pub const ACCEPT: Self = Self::Accept { fence: None, remember: None };
}

/// A number that a write's effects are known by: two writes of the same numbers apply their effects twice.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Effects {
    /// What they belong to: an item of the work.
    pub of: u32,
    /// The first of them.
    pub first: u32,
    /// How many they are.
    pub count: u32,
}

/// Decides about writes by what is on the shelf, and sees no clock: what has lapsed is not on the shelf any more.
pub trait Guard {
    /// Decides about a raise, a write or a finish.
    fn admit(&self, shelf: &Shelf, op: Op) -> Admission;

    /// Where the fence stands before anything was written; `None` for a store without one.
    fn first_fence(&self) -> Option<Token> {
        None
    }

    /// What whoever is answered has then seen, where the kind compares that.
    fn seen(&self, _shelf: &Shelf, _op: Op) -> Option<Seen> {
        None
    }

    /// How requests stand to each other while they take time; `None` where they take none by themselves.
    fn course(&self) -> Option<Course> {
        None
    }

    /// Whether what a worker claims is bound to its connection, which a worker that stops closes.
    fn is_bound_to_connection(&self) -> bool {
        matches!(self.course(), Some(Course::Session { .. }))
    }

    /// How many effects one request can have; `None`: any number.
    fn batch(&self) -> Option<u32> {
        None
    }

    /// Whether what a write carries is read from its worker's wall clock, and not what its worker last saw.
    fn is_stamped_by_clock(&self) -> bool {
        false
    }

    /// The effects of a write.
    fn effects(&self, op: Op) -> Option<Effects> {
        op.item().map(|item| Effects { of: item.number, first: item.first, count: item.effects })
    }

    /// What is kept of a call when it is over.
    fn result(&self, _item: Item) -> Option<Remember> {
        None
    }

    /// The partition that an item goes to.
    fn partition(&self, _item: Item) -> Option<u32> {
        None
    }

    /// What a write carries that is compared, in words: "token 7".
    fn carries(&self, op: Op) -> Option<String> {
        Some(format!("token {}", op.stamp()?.token()?))
    }

    /// What it writes by itself when it comes up again.
    fn comes_up(&self, _shelf: &Shelf) -> Option<Remember> {
        None
    }

    /// Why a write was let in, in words. `fence` is where the fence stood.
    fn grounds(&self, op: Op, fence: Option<Token>) -> String;

    /// What it remembers beside the row, in words: names and values.
    fn shows(&self, _shelf: &Shelf) -> Vec<(String, String)> {
        Vec::new()
    }
}

/// A fence's grounds.
pub(crate) fn by_token(op: Op, fence: Option<Token>) -> String {
    match (op.stamp().and_then(|stamp| stamp.token()), fence) {
        (Some(token), Some(fence)) if token > fence => format!("token {token} is above the fence {fence}"),
        (Some(token), Some(fence)) if token == fence => format!("token {token} equals the fence"),
        (Some(_), Some(_)) => "the check came before the fence was raised".into(),
        (None, Some(_)) => "the claim is still the one that was seen".into(),
        (_, None) => "this store checks nothing".into(),
    }
}
