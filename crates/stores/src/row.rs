//! The row that the work is kept in.

use crate::{Claim, Item, Op, Token};

/// What state the work is in.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum RowState {
    /// Free to be taken.
    #[default]
    Queued,
    /// Claimed.
    Running,
    /// Finished.
    Done,
}

/// The row: what a store keeps on disk.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Row {
    /// What state the work is in.
    pub state: RowState,
    /// The token that it is claimed under; kept when it is done.
    pub owner: Option<Token>,
    /// The highest token seen, in a store that has a fence.
    pub fence: Option<Token>,
    /// How many items are done: the next one has this number.
    pub done: u32,
    /// How many writes changed the row: what a reader's knowledge is compared with.
    pub version: u32,
    /// Whether the row is in the index of claimed rows.
    pub indexed: bool,
}

impl Row {
    /// The claim on the row, if it is claimed.
    pub fn claim(&self) -> Option<Claim> {
        self.indexed.then(|| match self.owner {
            Some(owner) => Claim::new(owner, self.fence),
            None => Claim::without_token(self.version),
        })
    }

    /// Does to the row what was let in.
    pub(crate) fn apply(&mut self, op: Op) {
        self.version += 1;
        match op {
            Op::Raise(stamp) => {
                // A finished job is not run again: raising the fence on it only reads what was done.
                if self.state != RowState::Done {
                    self.state = RowState::Running;
                    self.indexed = true;
                    self.owner = stamp.token();
                }
            }
            Op::Write(_, Item { number, .. }) => self.done = self.done.max(number + 1),
            Op::Finish(stamp) => {
                self.state = RowState::Done;
                self.indexed = false;
                self.owner = stamp.token();
            }
            Op::Requeue(_) => {
                self.state = RowState::Queued;
                self.indexed = false;
            }
            Op::Part(..) | Op::Read | Op::Scan => {}
        }
    }
}
