//! A transaction that locks a row before it looks at it, and writes behind that lock.
//!
//! With a fence (`SELECT … FOR UPDATE` of the fence row, or an `UPDATE` of it) it takes its time, and whoever comes meanwhile
//! waits for the row lock and then sees what was committed: nothing comes between the check and the write, however far they
//! are apart. Without a lock service the same database can keep workers apart by itself, in three ways ([`Claiming`]).

use kernel::Span;

use crate::{Admission, Course, FencedRow, Guard, Op, Refusal, RowState, Seen, Shelf, Token, guard};

/// How a worker claims the row.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Claiming {
    /// By its token, which raises the fence.
    #[default]
    Fence,
    /// By the row lock of one transaction from its claim to its finish (`SELECT … FOR UPDATE`), held on its connection.
    RowLock {
        /// How long the transaction may wait for its next statement (`idle_in_transaction_session_timeout`).
        idle: Option<Span>,
    },
    /// By a conditional update (`UPDATE … SET state = 'running', owner = … WHERE state = 'queued'`); its writes name it as
    /// the owner.
    ConditionalUpdate,
    /// By a row of its own under a unique key; nothing compares its writes with that.
    UniqueKey,
}

/// What a worker has seen whose conditional update found the row: itself as the owner.
const OWN: Seen = Seen(1);

/// A row that is locked while a transaction lasts.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Sql {
    /// How the row is claimed.
    pub claiming: Claiming,
    /// How the fence is compared, where there is one.
    pub fence: FencedRow,
    /// How long a transaction takes that is not held.
    pub transaction: Span,
}

impl Sql {
    fn claim(self, shelf: &Shelf, taken: Refusal) -> Admission {
        if shelf.row.state == RowState::Queued { Admission::ACCEPT } else { Admission::Refuse(taken) }
    }
}

impl Guard for Sql {
    fn admit(&self, shelf: &Shelf, op: Op) -> Admission {
        match (self.claiming, op) {
            (Claiming::Fence, _) => self.fence.admit(shelf, op),
            (Claiming::ConditionalUpdate, Op::Raise(_)) => self.claim(shelf, Refusal::NotQueued),
            (Claiming::UniqueKey, Op::Raise(_)) => self.claim(shelf, Refusal::DuplicateKey),
            (Claiming::ConditionalUpdate, _) if op.stamp().is_some_and(|stamp| stamp.seen() != OWN) => {
                Admission::Refuse(Refusal::NotClaimant)
            }
            // Who has the row lock does as it likes; nobody else comes so far.
            (Claiming::RowLock { .. } | Claiming::ConditionalUpdate | Claiming::UniqueKey, _) => {
                Admission::ACCEPT
            }
        }
    }
    fn seen(&self, _shelf: &Shelf, op: Op) -> Option<Seen> {
        (self.claiming == Claiming::ConditionalUpdate && matches!(op, Op::Raise(_))).then_some(OWN)
    }
    fn course(&self) -> Option<Course> {
        Some(match self.claiming {
            Claiming::RowLock { idle } => Course::Session { idle },
            Claiming::Fence | Claiming::ConditionalUpdate | Claiming::UniqueKey => {
                Course::RowLock(self.transaction)
            }
        })
    }
    fn first_fence(&self) -> Option<Token> {
        if self.claiming == Claiming::Fence { self.fence.first_fence() } else { None }
    }
    fn carries(&self, op: Op) -> Option<String> {
        let stamp = op.stamp()?;
        match self.claiming {
            Claiming::Fence => self.fence.carries(op),
            Claiming::RowLock { .. } => Some("the row lock".into()),
            Claiming::ConditionalUpdate if stamp.seen() == OWN => Some("its claim".into()),
            Claiming::ConditionalUpdate | Claiming::UniqueKey => None,
        }
    }
    fn grounds(&self, op: Op, fence: Option<Token>) -> String {
        let is_claim = matches!(op, Op::Raise(_));
        match self.claiming {
            Claiming::Fence => return guard::by_token(op, fence),
            Claiming::RowLock { .. } => "it is committed with the transaction that had the row lock",
            Claiming::ConditionalUpdate if is_claim => "the row was queued",
            Claiming::ConditionalUpdate => "the row is its claim",
            Claiming::UniqueKey if is_claim => "there was no claim with this key",
            Claiming::UniqueKey => "nothing compares a write with the claim",
        }
        .into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Row;
    use crate::bench::{claim, row_with_version, write};

    fn of(claiming: Claiming) -> Sql {
        Sql { claiming, ..Sql::default() }
    }

    fn claimed() -> Shelf {
        Shelf::new(Row { state: RowState::Running, ..Row::default() })
    }

    #[test]
    fn of_two_conditional_updates_one_finds_the_row() {
        let sql = of(Claiming::ConditionalUpdate);
        assert_eq!(sql.admit(&row_with_version(0), claim(None)), Admission::ACCEPT);
        assert_eq!(sql.admit(&claimed(), claim(None)), Admission::Refuse(Refusal::NotQueued));
        assert_eq!(sql.seen(&claimed(), claim(None)), Some(OWN));
        assert_eq!(sql.admit(&claimed(), write(None, OWN.0)), Admission::ACCEPT);
        assert_eq!(sql.admit(&claimed(), write(None, 0)), Admission::Refuse(Refusal::NotClaimant));
    }

    #[test]
    fn a_unique_key_keeps_out_the_second_claim_and_no_write() {
        let sql = of(Claiming::UniqueKey);
        assert_eq!(sql.admit(&row_with_version(0), claim(None)), Admission::ACCEPT);
        assert_eq!(sql.admit(&claimed(), claim(None)), Admission::Refuse(Refusal::DuplicateKey));
        assert_eq!(sql.admit(&claimed(), write(None, 0)), Admission::ACCEPT);
    }

    #[test]
    fn only_a_fence_has_a_fence() {
        assert_eq!(of(Claiming::Fence).first_fence(), Some(Token(0)));
        assert_eq!(of(Claiming::RowLock { idle: None }).first_fence(), None);
    }
}
