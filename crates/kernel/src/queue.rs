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
    /// This process takes the first input that waits in its inbox.
    Inbox(ProcessId),
}

/// Of the things that are due at one instant, the lower rank goes first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Rank {
    /// Faults, as they strike and as they end.
    Fault = 0,
    /// A process that starts, or that finds what waited for it: before anything that comes up only now.
    Inbox = 1,
    /// Everything else.
    Rest = 2,
}

/// A place among the things that are due at one instant: by rank, then by when it was given out.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Place(u32);

impl Place {
    const COUNTER_BITS: u32 = 30;
    /// No key has this place.
    pub(crate) const NONE: Self = Self(u32::MAX);
}

/// Ordered by time, then by place: ties are broken the same way everywhere. One number, so that a comparison is one:
/// 64 bits of time, 32 of place, 32 of what it stands for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Key(u128);

impl Key {
    #[inline]
    const fn new(at: SimTime, place: Place, what: u32) -> Self {
        Self((at.as_micros() as u128) << 64 | (place.0 as u128) << 32 | what as u128)
    }
    #[inline]
    const fn at(self) -> SimTime {
        SimTime::from_micros((self.0 >> 64) as u64)
    }
    #[inline]
    const fn place(self) -> Place {
        Place((self.0 >> 32) as u32)
    }
    #[inline]
    const fn what(self) -> u32 {
        self.0 as u32
    }
}

const OF_PROCESS: u32 = 1 << 31;
const SLOT_BITS: u32 = 15;
/// Stands for a process's inbox where its timers have their slots.
const INBOX_SLOT: u32 = (1 << SLOT_BITS) - 1;

#[derive(Clone, Debug, Default)]
pub(crate) struct Queue {
    heap: BinaryHeap<Reverse<Key>>,
    places: u32,
}

impl Queue {
    /// The next place of that rank.
    #[inline]
    pub(crate) fn place(&mut self, rank: Rank) -> Place {
        let place = self.places;
        assert!(place < 1 << Place::COUNTER_BITS, "a world of over a thousand million events");
        self.places += 1;
        Place((rank as u32) << Place::COUNTER_BITS | place)
    }

    #[inline]
    pub(crate) fn push(&mut self, at: SimTime, place: Place, due: Due) {
        let what = match due {
            Due::Payload(slot) => {
                assert!(slot < OF_PROCESS as usize, "more messages in flight than can be numbered");
                slot as u32
            }
            Due::Timer(process, slot) => {
                assert!(slot < INBOX_SLOT as usize, "a process has 32,767 timers at most");
                OF_PROCESS | u32::from(process.0) << SLOT_BITS | slot as u32
            }
            Due::Inbox(process) => OF_PROCESS | u32::from(process.0) << SLOT_BITS | INBOX_SLOT,
        };
        self.heap.push(Reverse(Key::new(at, place, what)));
    }

    #[inline]
    pub(crate) fn next_at(&self) -> Option<SimTime> {
        self.heap.peek().map(|key| key.0.at())
    }

    #[inline]
    pub(crate) fn pop(&mut self) -> Option<(SimTime, Place, Due)> {
        let Reverse(key) = self.heap.pop()?;
        let what = key.what();
        let process = ProcessId((what >> SLOT_BITS) as u16);
        let due = match what & INBOX_SLOT {
            _ if what & OF_PROCESS == 0 => Due::Payload(what as usize),
            INBOX_SLOT => Due::Inbox(process),
            slot => Due::Timer(process, slot as usize),
        };
        Some((key.at(), key.place(), due))
    }
}
