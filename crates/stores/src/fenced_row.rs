//! A row with a fence in it, and a conditional write: `fence <= :token`, then `fence = :token`.
//!
//! A fence that is kept in something with a lifetime (a key with a TTL) is gone when that has lapsed, and nothing is left
//! to compare a stale token with.

use kernel::Span;

use crate::{Admission, Guard, Key, Op, Refusal, Remember, Shelf, Token, guard};

/// What becomes of a token that equals the fence.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Equal {
    /// Accepted: the holder that raised the fence writes many times with the same token.
    #[default]
    Accepted,
    /// Rejected: the fencepost error. It is right only where each token makes one write.
    Rejected,
}

/// Rejects a token that is lower than the highest seen.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct FencedRow {
    /// What becomes of an equal one.
    pub equal: Equal,
    /// How long after the last accepted write the fence is forgotten; `None`: never, as it should be.
    pub lifetime: Option<Span>,
}

impl FencedRow {
    /// Compares a token with the fence: where that then stands.
    pub(crate) fn compare(self, shelf: &Shelf, op: Op) -> Result<Token, Refusal> {
        let Some(token) = op.stamp().and_then(|stamp| stamp.token()) else { return Err(Refusal::NoToken) };
        let fence = shelf.row.fence.unwrap_or_default();
        let passes = match self.equal {
            Equal::Accepted => token >= fence,
            Equal::Rejected => token > fence,
        };
        if passes { Ok(token) } else { Err(Refusal::Fenced { token, fence }) }
    }
}

impl Guard for FencedRow {
    fn admit(&self, shelf: &Shelf, op: Op) -> Admission {
        let marker = self.lifetime.map(|_| Remember { key: Key::Fence, value: 0, lifetime: self.lifetime });
        match self.compare(shelf, op) {
            Ok(token) => Admission::Accept { fence: Some(token), remember: marker },
            Err(refusal) => Admission::Refuse(refusal),
        }
    }
    fn first_fence(&self) -> Option<Token> {
        Some(Token(0))
    }
    fn grounds(&self, op: Op, fence: Option<Token>) -> String {
        guard::by_token(op, fence)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::{row_with_fence, write};

    fn admit(equal: Equal, fence: u64, token: u64) -> bool {
        let guard = FencedRow { equal, lifetime: None };
        let admission = guard.admit(&row_with_fence(fence), write(Some(token), 0));
        matches!(admission, Admission::Accept { fence: Some(after), .. } if after == Token(token))
    }

    #[test]
    fn lower_is_refused_equal_and_higher_pass() {
        assert!(!admit(Equal::Accepted, 12, 7));
        assert!(admit(Equal::Accepted, 12, 12));
        assert!(admit(Equal::Accepted, 12, 15));
    }

    #[test]
    fn the_fencepost_error_keeps_out_the_rightful_holder() {
        assert!(!admit(Equal::Rejected, 12, 12));
        assert!(admit(Equal::Rejected, 12, 13));
    }

    #[test]
    fn a_write_without_a_token_is_refused() {
        let admission = FencedRow::default().admit(&row_with_fence(0), write(None, 0));
        assert_eq!(admission, Admission::Refuse(Refusal::NoToken));
    }
}
