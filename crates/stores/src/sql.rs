//! A transaction that locks the fence row first (`SELECT … FOR UPDATE`, or an `UPDATE` of it), checks, writes, commits.
//!
//! It takes its time, and whoever comes meanwhile waits for the row lock and then sees what was committed: nothing comes
//! between the check and the write, however far they are apart.

use kernel::Span;

use crate::{Admission, Course, FencedRow, Guard, Op, Shelf, Token, guard};

/// A fence row that is locked while a transaction lasts.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Sql {
    /// How the fence is compared.
    pub fence: FencedRow,
    /// How long a transaction takes.
    pub transaction: Span,
}

impl Guard for Sql {
    fn admit(&self, shelf: &Shelf, op: Op) -> Admission {
        self.fence.admit(shelf, op)
    }
    fn course(&self) -> Option<Course> {
        Some(Course::RowLock(self.transaction))
    }
    fn first_fence(&self) -> Option<Token> {
        self.fence.first_fence()
    }
    fn grounds(&self, op: Op, fence: Option<Token>) -> String {
        guard::by_token(op, fence)
    }
}
