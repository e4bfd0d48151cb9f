//! A store that asks the lock service, at each write, whether the writer's grant is still there, and then writes.
//!
//! Nothing is remembered of tokens: a token is the name of a grant, and another service is asked about it. The answer is
//! as old as its way back, so that a lease can end between the check and the write; and who cannot ask cannot write. Who
//! asks stands in front of this kind: it hands on what may be written, and turns the rest away.

use crate::{Admission, Guard, Op, Refusal, Shelf, Token};

/// Writes what has a grant, by word of the lock service.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SessionChecked;

impl Guard for SessionChecked {
    fn admit(&self, _shelf: &Shelf, op: Op) -> Admission {
        match op.stamp() {
            Some(stamp) if stamp.token().is_none() => Admission::Refuse(Refusal::NoToken),
            Some(_) | None => Admission::ACCEPT,
        }
    }
    fn grounds(&self, op: Op, _fence: Option<Token>) -> String {
        match self.carries(op) {
            Some(token) => format!("the lock service said that the grant with {token} was there"),
            None => "the claim is still the one that was seen".into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::{claim, row_with_version, write};

    #[test]
    fn a_grant_has_to_be_named_and_its_number_is_compared_with_nothing() {
        let row = row_with_version(3);
        for op in [write(None, 3), claim(None)] {
            assert_eq!(SessionChecked.admit(&row, op), Admission::Refuse(Refusal::NoToken));
        }
        for op in [write(Some(12), 0), write(Some(7), 0), claim(Some(1))] {
            assert_eq!(SessionChecked.admit(&row, op), Admission::ACCEPT);
        }
    }
}
