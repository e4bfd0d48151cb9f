//! A row with a fence in it, and a conditional write: `fence <= :token`, then `fence = :token`.

use crate::{Admission, Guard, Refusal, Token};

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
}

impl Guard for FencedRow {
    fn admit(&self, fence: Option<Token>, token: Option<Token>) -> Admission {
        let Some(token) = token else { return Admission::Refuse(Refusal::NoToken) };
        let fence = fence.unwrap_or_default();
        let passes = match self.equal {
            Equal::Accepted => token >= fence,
            Equal::Rejected => token > fence,
        };
        if passes {
            Admission::Accept { fence: Some(token) }
        } else {
            Admission::Refuse(Refusal::Fenced { token, fence })
        }
    }
    fn first_fence(&self) -> Option<Token> {
        Some(Token(0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn admit(equal: Equal, fence: u64, token: u64) -> bool {
        let admission = FencedRow { equal }.admit(Some(Token(fence)), Some(Token(token)));
        matches!(admission, Admission::Accept { fence: Some(after) } if after == Token(token))
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
        let admission = FencedRow::default().admit(Some(Token(0)), None);
        assert_eq!(admission, Admission::Refuse(Refusal::NoToken));
    }
}
