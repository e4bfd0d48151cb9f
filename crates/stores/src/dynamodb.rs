//! Items in DynamoDB, written in transactions: each has a condition check on the fence item and as many puts as fit.
//!
//! A transaction has at most 100 actions, so that a larger write is several, one after the other: a higher fence can cut
//! it off half-way, and what was written stays. Two transactions that use one item at once conflict, and one of them is
//! cancelled and tried again.

use kernel::Span;

use crate::{Admission, Course, FencedRow, Guard, Item, Key, Op, Remember, Shelf, Token, guard};

/// How many actions a transaction has at most.
const ACTIONS_MAX: u32 = 100;

/// A fence item, checked in every transaction.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Dynamodb {
    /// How the fence is compared.
    pub fence: FencedRow,
    /// Whether a put wants that its item is not there yet.
    pub if_absent: bool,
    /// How long a transaction takes.
    pub transaction: Span,
}

impl Dynamodb {
    /// How many puts there is room for beside the condition check.
    pub const PUTS_MAX: u32 = ACTIONS_MAX - 1;

    /// How many of an item's effects are there: parts come in order.
    fn there(shelf: &Shelf, item: Item) -> u32 {
        shelf.recall(Key::Puts(item.number)).unwrap_or(0)
    }
}

impl Guard for Dynamodb {
    fn admit(&self, shelf: &Shelf, op: Op) -> Admission {
        let item = op.item().filter(|_| self.if_absent);
        match self.fence.compare(shelf, op) {
            Err(refusal) => Admission::Refuse(refusal),
            Ok(_) if item.is_some_and(|item| item.first < Self::there(shelf, item)) => Admission::Replay,
            Ok(token) => {
                let put = |item: Item| {
                    Remember::for_good(Key::Puts(item.number), item.first.saturating_add(item.effects))
                };
                Admission::Accept { fence: Some(token), remember: item.map(put) }
            }
        }
    }
    fn course(&self) -> Option<Course> {
        Some(Course::Exclusive(self.transaction))
    }
    fn batch(&self) -> Option<u32> {
        Some(Self::PUTS_MAX)
    }
    fn first_fence(&self) -> Option<Token> {
        self.fence.first_fence()
    }
    fn grounds(&self, op: Op, fence: Option<Token>) -> String {
        guard::by_token(op, fence)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::{row_with_fence, write};
    use crate::{Memory, Refusal};

    #[test]
    fn each_transaction_checks_the_fence() {
        let guard = Dynamodb::default();
        let refusal = Refusal::Fenced { token: Token(7), fence: Token(12) };
        assert_eq!(guard.admit(&row_with_fence(12), write(Some(7), 0)), Admission::Refuse(refusal));
        assert!(matches!(guard.admit(&row_with_fence(12), write(Some(12), 0)), Admission::Accept { .. }));
    }

    #[test]
    fn what_is_there_is_not_put_again_if_it_must_be_absent() {
        let mut shelf = row_with_fence(12);
        shelf.remember(Memory { key: Key::Puts(0), value: 99, lapses: None });
        let guard = |if_absent| Dynamodb { if_absent, ..Dynamodb::default() };
        assert_eq!(guard(true).admit(&shelf, write(Some(12), 0)), Admission::Replay);
        assert!(matches!(guard(false).admit(&shelf, write(Some(12), 0)), Admission::Accept { .. }));
        // The fence is checked first: nothing is replayed to whoever has lost it.
        assert!(matches!(guard(true).admit(&shelf, write(Some(7), 0)), Admission::Refuse(_)));
    }

    #[test]
    fn a_chunk_of_5000_is_51_transactions() {
        assert_eq!(5_000_u32.div_ceil(Dynamodb::PUTS_MAX), 51);
        assert_eq!(10 * 5_000_u32.div_ceil(Dynamodb::PUTS_MAX), 510);
    }
}
