//! A row with a version, and a conditional write: `UPDATE … SET version = version + 1 WHERE version = :seen`.
//!
//! Versions are compared for being the same, not for being newer: a write is refused when anything changed the row since
//! its worker last saw it, whoever is right. Nobody needs a token; and a stale worker that reads the row again first gets
//! through.

use crate::{Admission, Guard, Op, Refusal, Seen, Shelf, Token};

/// Refuses a write when the row has changed since its worker saw it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct VersionedRow;

impl Guard for VersionedRow {
    fn admit(&self, shelf: &Shelf, op: Op) -> Admission {
        match op {
            // A claim reads the row and changes it in one statement: it has just seen what it changes.
            Op::Raise(_) | Op::Read | Op::Scan | Op::Requeue(_) => Admission::ACCEPT,
            Op::Write(stamp, _) | Op::Part(stamp, _) | Op::Finish(stamp) => {
                let (sent, is) = (stamp.seen(), Seen(shelf.row.version));
                if sent == is {
                    Admission::ACCEPT
                } else {
                    Admission::Refuse(Refusal::VersionChanged { sent, is })
                }
            }
        }
    }
    fn seen(&self, shelf: &Shelf, _op: Op) -> Option<Seen> {
        Some(Seen(shelf.row.version))
    }
    fn carries(&self, op: Op) -> Option<String> {
        match op {
            Op::Write(stamp, _) | Op::Part(stamp, _) | Op::Finish(stamp) => {
                Some(format!("version {}", stamp.seen().0))
            }
            Op::Raise(_) | Op::Read | Op::Scan | Op::Requeue(_) => None,
        }
    }
    fn grounds(&self, op: Op, _fence: Option<Token>) -> String {
        match self.carries(op) {
            Some(version) => format!("{version} is the row's"),
            None => "it reads the row and changes it in one statement".into(),
        }
    }
    fn shows(&self, shelf: &Shelf) -> Vec<(String, String)> {
        vec![("version".into(), shelf.row.version.to_string())]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::{claim, row_with_version, write};

    #[test]
    fn the_version_that_was_seen_passes_and_any_other_is_refused() {
        let row = row_with_version(4);
        assert_eq!(VersionedRow.admit(&row, write(None, 4)), Admission::ACCEPT);
        for sent in [0, 3, 5] {
            let refusal = Refusal::VersionChanged { sent: Seen(sent), is: Seen(4) };
            assert_eq!(VersionedRow.admit(&row, write(Some(99), sent)), Admission::Refuse(refusal));
        }
    }

    #[test]
    fn who_has_seen_nothing_writes_where_nothing_is() {
        assert_eq!(VersionedRow.admit(&row_with_version(0), write(None, 0)), Admission::ACCEPT);
    }

    #[test]
    fn a_claim_is_never_too_old() {
        assert_eq!(VersionedRow.admit(&row_with_version(4), claim(Some(1))), Admission::ACCEPT);
    }
}
