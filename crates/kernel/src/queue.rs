//! What is due, in order: 16-byte keys in a heap; payloads wait elsewhere.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::{ProcessId, SimTime};

/// What a key stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Due {
    /// The payload in this slot of the slab.
    Payload(usize),
    /// Look at this timer of this process.
    Timer(ProcessId, usize),
}

/// Ordered by time, then by when it was put in: ties are broken the same way everywhere.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Key {
    at: SimTime,
    sequence: u32,
    what: u32,
}

const TIMER: u32 = 1 << 31;
const SLOT_BITS: u32 = 8;

#[derive(Clone, Debug, Default)]
pub(crate) struct Queue {
    heap: BinaryHeap<Reverse<Key>>,
    sequence: u32,
}

impl Queue {
    pub(crate) fn push(&mut self, at: SimTime, due: Due) {
        let what = match due {
            Due::Payload(slot) => {
                assert!((slot as u32) < TIMER, "more messages in flight than can be numbered");
                slot as u32
            }
            Due::Timer(process, slot) => {
                assert!(slot < 1 << SLOT_BITS, "a process has 256 timers at most");
                TIMER | u32::from(process.0) << SLOT_BITS | slot as u32
            }
        };
        let sequence = self.sequence;
        self.sequence = sequence.checked_add(1).expect("a world of over four thousand million events");
        self.heap.push(Reverse(Key { at, sequence, what }));
    }

    pub(crate) fn next_at(&self) -> Option<SimTime> {
        self.heap.peek().map(|key| key.0.at)
    }

    pub(crate) fn pop(&mut self) -> Option<(SimTime, Due)> {
        let Reverse(key) = self.heap.pop()?;
        let due = if key.what & TIMER == 0 {
            Due::Payload(key.what as usize)
        } else {
            let what = key.what & !TIMER;
            Due::Timer(ProcessId((what >> SLOT_BITS) as u16), (what & ((1 << SLOT_BITS) - 1)) as usize)
        };
        Some((key.at, due))
    }
}
