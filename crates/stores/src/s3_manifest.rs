//! An object in S3 that says how far the work is, replaced with `If-Match` and created with `If-None-Match: *`.
//!
//! An ETag is compared for being the same, never for being newer. Of an object put in one piece it is a digest of the
//! bytes, so that equal bytes have equal ETags: what was changed and changed back looks as if nothing had happened
//! (ABA), unless every body has something of its own in it.

use std::fmt;

use kernel::Span;

use crate::{Admission, Course, Guard, Op, Refusal, Row, RowState, Seen, Shelf, Stamp, Token};

/// Refuses a write when the manifest is another than its worker saw.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct S3Manifest {
    /// Whether every body has something of its own in it.
    pub nonce: bool,
    /// How long an upload takes.
    pub upload: Span,
}

/// An ETag, as S3 writes it.
pub(crate) struct Etag(pub(crate) Seen);

impl fmt::Display for Etag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\"{:08x}\"", self.0.0)
    }
}

impl S3Manifest {
    /// The object's ETag; nothing where there is no object. 32 bits stand for the real one's 128.
    fn etag(self, row: &Row) -> Seen {
        if row.version == 0 {
            return Seen::NOTHING;
        }
        let state = match row.state {
            RowState::Queued => 0_u32,
            RowState::Running => 1,
            RowState::Done => 2,
        };
        let nonce = if self.nonce { row.version } else { 0 };
        // FNV-1a.
        let hash = [state, row.done, nonce]
            .into_iter()
            .flat_map(u32::to_le_bytes)
            .fold(0x811c_9dc5_u32, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193));
        Seen(hash.max(1))
    }
}

impl Guard for S3Manifest {
    fn admit(&self, shelf: &Shelf, op: Op) -> Admission {
        match op {
            // A claim reads the manifest and commits its own with that ETag at once.
            Op::Raise(_) | Op::Read | Op::Scan | Op::Requeue(_) => Admission::ACCEPT,
            Op::Write(stamp, _) | Op::Part(stamp, _) | Op::Finish(stamp) => {
                let (sent, is) = (stamp.seen(), self.etag(&shelf.row));
                if sent == is {
                    Admission::ACCEPT
                } else {
                    Admission::Refuse(Refusal::EtagChanged { sent, is })
                }
            }
        }
    }
    fn seen(&self, shelf: &Shelf, _op: Op) -> Option<Seen> {
        Some(self.etag(&shelf.row))
    }
    fn course(&self) -> Option<Course> {
        Some(Course::Upload(self.upload))
    }
    fn carries(&self, op: Op) -> Option<String> {
        match op {
            Op::Write(stamp, _) | Op::Part(stamp, _) | Op::Finish(stamp) => Some(match stamp.seen() {
                Seen::NOTHING => "If-None-Match *".into(),
                seen => format!("If-Match {}", Etag(seen)),
            }),
            Op::Raise(_) | Op::Read | Op::Scan | Op::Requeue(_) => None,
        }
    }
    fn grounds(&self, op: Op, _fence: Option<Token>) -> String {
        match (op.stamp().map(Stamp::seen), self.carries(op)) {
            (Some(Seen::NOTHING), Some(_)) => "nothing was there".into(),
            (Some(seen), Some(_)) => format!("the manifest still has ETag {}", Etag(seen)),
            (_, None) | (None, _) => "it reads the manifest and commits its own with that ETag".into(),
        }
    }
    fn shows(&self, shelf: &Shelf) -> Vec<(String, String)> {
        let etag = self.etag(&shelf.row);
        let text = if etag == Seen::NOTHING { "no object".into() } else { Etag(etag).to_string() };
        vec![("ETag".into(), text)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::write;

    fn shelf(version: u32, state: RowState, done: u32) -> Shelf {
        Shelf::new(Row { version, state, done, ..Row::default() })
    }

    fn manifest(nonce: bool) -> S3Manifest {
        S3Manifest { nonce, upload: Span::ZERO }
    }

    fn admit(nonce: bool, shelf: &Shelf, sent: Seen) -> Admission {
        manifest(nonce).admit(shelf, write(None, sent.0))
    }

    #[test]
    fn the_etag_that_was_seen_passes_and_any_other_gets_412() {
        let (one, other) = (shelf(3, RowState::Running, 1), shelf(4, RowState::Running, 2));
        let guard = manifest(true);
        let (seen, is) = (guard.etag(&one.row), guard.etag(&other.row));
        assert_eq!(admit(true, &one, seen), Admission::ACCEPT);
        let refused = Admission::Refuse(Refusal::EtagChanged { sent: seen, is });
        assert_eq!(admit(true, &other, seen), refused);
    }

    #[test]
    fn to_be_created_it_must_not_be_there() {
        assert_eq!(admit(true, &shelf(0, RowState::Queued, 0), Seen::NOTHING), Admission::ACCEPT);
        let there = admit(true, &shelf(1, RowState::Queued, 0), Seen::NOTHING);
        assert!(matches!(there, Admission::Refuse(Refusal::EtagChanged { sent: Seen::NOTHING, .. })));
    }

    #[test]
    fn equal_bytes_have_equal_etags_unless_each_body_has_a_nonce() {
        let (first, again) = (shelf(2, RowState::Queued, 1), shelf(4, RowState::Queued, 1));
        let etag = |nonce, shelf: &Shelf| manifest(nonce).etag(&shelf.row);
        assert_eq!(etag(false, &first), etag(false, &again));
        assert_ne!(etag(true, &first), etag(true, &again));
    }
}
