//! What is due, in order: 16-byte keys in a list; payloads wait elsewhere.

use crate::{ProcessId, SimTime};

/// What a key stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Due {
    /// The letter in this slot.
    Letter(usize),
    /// The payload in this slot.
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

const PAYLOAD: u32 = 1 << 30;
const OF_PROCESS: u32 = 1 << 31;
const SLOT_BITS: u32 = 15;
/// Stands for a process's inbox where its timers have their slots.
const INBOX_SLOT: u32 = (1 << SLOT_BITS) - 1;

#[derive(Clone, Debug, Default)]
pub(crate) struct Queue {
    /// The next is the last. A sorted list, not a heap: tens of things are due at a time, seldom hundreds, and most of what
    /// is put in is due among the next few.
    keys: Vec<Key>,
    places: u32,
}

impl Queue {
    /// With more keys than this, where a new one goes is worth a search.
    const SHIFTED_MAX: usize = 64;

    /// The next place of that rank.
    #[inline]
    pub(crate) fn place(&mut self, rank: Rank) -> Place {
        let place = self.places;
        assert!(place < 1 << Place::COUNTER_BITS, "a world of over a thousand million events");
        self.places += 1;
        Place((rank as u32) << Place::COUNTER_BITS | place)
    }

    #[inline(always)]
    pub(crate) fn push(&mut self, at: SimTime, place: Place, due: Due) {
        let what = match due {
            Due::Letter(slot) => {
                assert!(slot < PAYLOAD as usize, "more messages in flight than can be numbered");
                slot as u32
            }
            Due::Payload(slot) => {
                assert!(slot < PAYLOAD as usize, "more faults and writes than can be numbered");
                PAYLOAD | slot as u32
            }
            Due::Timer(process, slot) => {
                assert!(slot < INBOX_SLOT as usize, "a process has 32,767 timers at most");
                OF_PROCESS | u32::from(process.0) << SLOT_BITS | slot as u32
            }
            Due::Inbox(process) => OF_PROCESS | u32::from(process.0) << SLOT_BITS | INBOX_SLOT,
        };
        self.insert(Key::new(at, place, what));
    }

    fn insert(&mut self, key: Key) {
        let mut place = self.keys.len();
        if place > Self::SHIFTED_MAX {
            return self.insert_among_many(key);
        }
        self.keys.push(key);
        while place > 0 && self.keys[place - 1] < key {
            self.keys[place] = self.keys[place - 1];
            place -= 1;
        }
        self.keys[place] = key;
    }

    #[cold]
    fn insert_among_many(&mut self, key: Key) {
        let place = self.keys.partition_point(|other| *other > key);
        self.keys.insert(place, key);
    }

    #[inline]
    pub(crate) fn next_at(&self) -> Option<SimTime> {
        self.keys.last().map(|key| key.at())
    }

    #[inline]
    pub(crate) fn pop(&mut self) -> Option<(SimTime, Place, Due)> {
        let key = self.keys.pop()?;
        let what = key.what();
        let process = ProcessId((what >> SLOT_BITS) as u16);
        let due = match what & INBOX_SLOT {
            _ if what < PAYLOAD => Due::Letter(what as usize),
            _ if what < OF_PROCESS => Due::Payload((what - PAYLOAD) as usize),
            INBOX_SLOT => Due::Inbox(process),
            slot => Due::Timer(process, slot as usize),
        };
        Some((key.at(), key.place(), due))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Few keys are shifted into place, many are searched: both come out in order.
    #[test]
    fn what_is_put_in_comes_out_in_order() {
        for count in [3, Queue::SHIFTED_MAX, 5 * Queue::SHIFTED_MAX] {
            let mut queue = Queue::default();
            for slot in 0..count {
                let at = SimTime::from_micros((slot as u64 * 7919) % 101);
                let rank = if slot % 3 == 0 { Rank::Inbox } else { Rank::Rest };
                let place = queue.place(rank);
                queue.push(at, place, Due::Letter(slot));
            }
            let popped: Vec<_> =
                std::iter::from_fn(|| queue.pop()).map(|(at, place, _)| (at, place)).collect();
            assert_eq!(popped.len(), count);
            assert!(popped.is_sorted(), "{count} keys");
        }
    }
}
