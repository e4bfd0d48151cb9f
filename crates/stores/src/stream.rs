//! A stream that is appended to at an expected offset: of two writers who expect the same one, one is written.
//!
//! The fence is on the data itself, and the refusal says where the tail is. A retry after a lost reply is refused by the
//! very write that it repeats: whoever does not know must look, and not send again.

use crate::{Admission, Guard, Key, Op, Refusal, Remember, Seen, Shelf, Token};

/// Refuses a batch that does not begin at the tail.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stream;

fn tail(shelf: &Shelf) -> u32 {
    shelf.recall(Key::Tail).unwrap_or(0)
}

/// How many records it appends: a claim and an end are one each.
fn records(op: Op) -> u32 {
    op.item().map_or(1, |item| item.effects.max(1))
}

impl Guard for Stream {
    fn admit(&self, shelf: &Shelf, op: Op) -> Admission {
        let tail = tail(shelf);
        let append = Admission::Accept {
            fence: None,
            remember: Some(Remember::for_good(Key::Tail, tail.saturating_add(records(op)))),
        };
        match op {
            // A claim reads the tail and appends a record of its own there at once.
            Op::Raise(_) => append,
            Op::Read | Op::Scan | Op::Requeue(_) => Admission::ACCEPT,
            Op::Write(stamp, _) | Op::Part(stamp, _) | Op::Finish(stamp) => {
                let expected = stamp.seen().0;
                if expected == tail { append } else { Admission::Refuse(Refusal::Offset { expected, tail }) }
            }
        }
    }
    fn seen(&self, shelf: &Shelf, _op: Op) -> Option<Seen> {
        Some(Seen(tail(shelf)))
    }
    /// A new leader begins with a record that says so, and whoever expects the old tail is refused, with a rival or without.
    fn comes_up(&self, shelf: &Shelf) -> Option<Remember> {
        Some(Remember::for_good(Key::Tail, tail(shelf).saturating_add(1)))
    }
    fn carries(&self, op: Op) -> Option<String> {
        match op {
            Op::Write(stamp, _) | Op::Part(stamp, _) | Op::Finish(stamp) => {
                Some(format!("offset {}", stamp.seen().0))
            }
            Op::Raise(_) | Op::Read | Op::Scan | Op::Requeue(_) => None,
        }
    }
    fn grounds(&self, op: Op, _fence: Option<Token>) -> String {
        match self.carries(op) {
            Some(offset) => format!("{offset} was the tail"),
            None => "its claim is a record at the tail".into(),
        }
    }
    fn shows(&self, shelf: &Shelf) -> Vec<(String, String)> {
        vec![("tail".into(), format!("offset {}", tail(shelf)))]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Memory;
    use crate::bench::{claim, row_with_version, write};

    fn with_tail(value: u32) -> Shelf {
        let mut shelf = row_with_version(1);
        shelf.remember(Memory { key: Key::Tail, value, lapses: None });
        shelf
    }

    fn appended(admission: Admission) -> Option<u32> {
        match admission {
            Admission::Accept { remember, .. } => remember.map(|remember| remember.value),
            Admission::Replay | Admission::Again(_) | Admission::Refuse(_) => None,
        }
    }

    #[test]
    fn a_batch_is_appended_at_the_tail_and_nowhere_else() {
        let shelf = with_tail(10);
        let number_of_records = write(None, 10).item().expect("a write has an item").effects;
        assert_eq!(appended(Stream.admit(&shelf, write(None, 10))), Some(10 + number_of_records));
        for expected in [0, 9, 11] {
            let refusal = Refusal::Offset { expected, tail: 10 };
            assert_eq!(Stream.admit(&shelf, write(None, expected)), Admission::Refuse(refusal));
        }
    }

    #[test]
    fn its_own_retry_is_refused() {
        let first = appended(Stream.admit(&with_tail(10), write(None, 10))).expect("it is the tail");
        let again = Stream.admit(&with_tail(first), write(None, 10));
        assert_eq!(again, Admission::Refuse(Refusal::Offset { expected: 10, tail: first }));
    }

    #[test]
    fn a_new_generation_moves_the_tail() {
        assert_eq!(Stream.comes_up(&with_tail(10)).map(|remember| remember.value), Some(11));
    }

    #[test]
    fn a_claim_moves_the_tail() {
        assert_eq!(appended(Stream.admit(&with_tail(10), claim(None))), Some(11));
    }
}
