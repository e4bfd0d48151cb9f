//! What a write carries for its store to compare.

use std::fmt;

use crate::api::NO_TOKEN;
use crate::{Seen, Token};

/// What a write carries: the token of its worker's grant, and what its worker last saw of the store. Each kind compares
/// one of the two, or neither.
#[derive(Clone, Copy, PartialEq, Eq)]
// In the room of a number and a half: messages are moved a lot.
#[repr(Rust, packed(4))]
pub struct Stamp {
    token: u64,
    seen: u32,
}

impl Stamp {
    /// With a token, unless its worker does not attach one.
    pub fn new(token: Option<Token>, seen: Seen) -> Self {
        Self { token: token.map_or(NO_TOKEN, |token| token.0), seen: seen.0 }
    }
    /// The token.
    pub fn token(self) -> Option<Token> {
        (self.token != NO_TOKEN).then_some(Token(self.token))
    }
    /// What its worker last saw.
    pub fn seen(self) -> Seen {
        Seen(self.seen)
    }
}

/// Where nothing was seen, a stamp is a token.
impl fmt::Debug for Stamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.seen() {
            Seen::NOTHING => self.token().fmt(f),
            seen => f.debug_struct("Stamp").field("token", &self.token()).field("seen", &seen).finish(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stamp_is_what_was_put_on_it() {
        let stamp = Stamp::new(Some(Token(7)), Seen(3));
        assert_eq!((stamp.token(), stamp.seen()), (Some(Token(7)), Seen(3)));
        assert_eq!(Stamp::new(None, Seen::NOTHING).token(), None);
        assert_eq!(format!("{:?}", Stamp::new(Some(Token(7)), Seen::NOTHING)), "Some(Token(7))");
    }
}
