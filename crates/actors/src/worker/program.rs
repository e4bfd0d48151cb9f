//! A worker's program: steps in a row, with jumps for its loops.

use kernel::{ProcessId, Span};
use locks::Key;

/// One step.
#[derive(Clone, Debug, PartialEq)]
pub enum Op {
    /// Take the lock of the client with this place.
    Acquire(usize),
    /// Give it back.
    Release(usize),
    /// Raise a store's fence and claim its row.
    Raise(ProcessId),
    /// Read a store's row.
    Read(ProcessId),
    /// Wait until a store's row is free to be taken, looking so often.
    Take(ProcessId, Span),
    /// Work for so long.
    Prepare(Span),
    /// Wait until the monotonic clock reads so much.
    Until(Span),
    /// Compare the clock with the stop times of all locks that are held.
    Check,
    /// Write the next item, with so many effects.
    Write(ProcessId, u32),
    /// Mark the work as done.
    Finish(ProcessId),
    /// Write a plain key, with the client of this place.
    Put(usize, Key),
    /// Loop number `counter` begins.
    Enter {
        /// Which loop.
        counter: usize,
    },
    /// Go back to step `to`, unless the loop went round so many times.
    Again {
        /// Which loop.
        counter: usize,
        /// How many times in all.
        times: u32,
        /// Where its first step is.
        to: usize,
    },
    /// Go to step `exit` when so many items are done.
    WhileItems {
        /// How many there are.
        items: u32,
        /// Where the program goes on.
        exit: usize,
    },
    /// Go to a step.
    Jump(usize),
}

/// How many loop counters a program needs.
pub(super) fn loops(program: &[Op]) -> usize {
    let counters = program.iter().filter_map(|op| match op {
        Op::Enter { counter } => Some(counter + 1),
        Op::Acquire(_)
        | Op::Release(_)
        | Op::Raise(_)
        | Op::Read(_)
        | Op::Take(..)
        | Op::Prepare(_)
        | Op::Until(_)
        | Op::Check
        | Op::Write(..)
        | Op::Finish(_)
        | Op::Put(..)
        | Op::Again { .. }
        | Op::WhileItems { .. }
        | Op::Jump(_) => None,
    });
    counters.max().unwrap_or(0)
}
