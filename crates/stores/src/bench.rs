//! What the tests of kinds put on the bench: a shelf as it might be, and what is asked of it.

use crate::{Item, Op, Row, Seen, Shelf, Stamp, Token};

pub(crate) fn row_with_fence(fence: u64) -> Shelf {
    Shelf::new(Row { fence: Some(Token(fence)), ..Row::default() })
}

pub(crate) fn row_with_version(version: u32) -> Shelf {
    Shelf::new(Row { version, ..Row::default() })
}

/// Of the first item, with so many effects.
pub(crate) fn write(token: Option<u64>, seen: u32) -> Op {
    Op::Write(Stamp::new(token.map(Token), Seen(seen)), Item { number: 0, effects: 5, first: 0 })
}

pub(crate) fn claim(token: Option<u64>) -> Op {
    Op::Raise(Stamp::new(token.map(Token), Seen::NOTHING))
}
