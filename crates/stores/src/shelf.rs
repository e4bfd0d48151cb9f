//! What a store keeps on its disk: the row, and what its kind remembers beside it.

use std::fmt;

use kernel::{Keep, Map, Span, Wall};

use crate::{Row, Token};

/// What something is remembered under.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Key {
    /// The fence's marker, in a store that lets it lapse.
    Fence,
    /// The idempotency key of an item.
    Item(u32),
    /// How many effects of an item have been put.
    Puts(u32),
    /// The producer epoch that the coordinator gave out last.
    Epoch,
    /// What a partition knows of the producer: the epoch that it has seen last, and what it appended under that.
    EpochAt(u32),
    /// The end of the stream: the offset that the next record gets.
    Tail,
    /// The timestamp used last.
    Timestamp,
}

/// What is to be remembered of a write.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Remember {
    /// Under what.
    pub key: Key,
    /// What.
    pub value: u32,
    /// For how long, on the wall clock of the store's host; `None`: for good.
    pub lifetime: Option<Span>,
}

impl Remember {
    /// For good.
    pub fn for_good(key: Key, value: u32) -> Self {
        Self { key, value, lifetime: None }
    }
}

/// Something remembered, until when.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Memory {
    /// Under what.
    pub key: Key,
    /// What.
    pub value: u32,
    /// When the wall clock of the store's host says so, it is gone.
    pub lapses: Option<Wall>,
}

/// A change of a store's disk: the row as it is now, and what is remembered with it.
#[derive(Clone, Copy, PartialEq)]
pub struct Change {
    /// The row.
    pub row: Row,
    /// What is remembered.
    pub memory: Option<Memory>,
}

/// Most changes are the row's alone.
impl fmt::Debug for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.memory {
            None => self.row.fmt(f),
            Some(memory) => f.debug_struct("Change").field("row", &self.row).field("memory", memory).finish(),
        }
    }
}

/// The row, and what is remembered beside it.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Shelf {
    /// The row.
    pub row: Row,
    memories: Map<Key, (u32, Option<Wall>)>,
    /// Nothing lapses before that.
    next_lapse: Option<Wall>,
}

impl Shelf {
    /// A row with nothing beside it.
    pub fn new(row: Row) -> Self {
        Self { row, ..Self::default() }
    }
    /// What is remembered under a key.
    pub fn recall(&self, key: Key) -> Option<u32> {
        self.memories.get(&key).map(|(value, _)| *value)
    }
    /// Everything that is remembered, in order.
    pub fn memories(&self) -> impl Iterator<Item = Memory> {
        self.memories.iter().map(|(&key, &(value, lapses))| Memory { key, value, lapses })
    }
    /// Takes something onto the shelf.
    pub(crate) fn remember(&mut self, memory: Memory) {
        self.memories.insert(memory.key, (memory.value, memory.lapses));
        self.next_lapse = earlier(self.next_lapse, memory.lapses);
    }
    /// Forgets what has lapsed. With its marker goes the fence.
    pub(crate) fn lapse(&mut self, now: Wall) {
        if self.next_lapse.is_none_or(|next| next > now) {
            return;
        }
        let had_fence = self.memories.contains_key(&Key::Fence);
        self.memories.retain(|_, (_, lapses)| lapses.is_none_or(|lapses| lapses > now));
        self.next_lapse = self.memories.values().fold(None, |next, (_, lapses)| earlier(next, *lapses));
        if had_fence && !self.memories.contains_key(&Key::Fence) {
            self.row.fence = Some(Token(0));
        }
    }
}

fn earlier(one: Option<Wall>, other: Option<Wall>) -> Option<Wall> {
    one.into_iter().chain(other).min()
}

/// A store's disk: nothing, until it is first written.
impl Keep<Change> for Option<Shelf> {
    fn keep(&mut self, change: &Change) {
        let shelf = self.get_or_insert_default();
        shelf.row = change.row;
        if let Some(memory) = change.memory {
            shelf.remember(memory);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_a_lifetime_is_gone_when_the_clock_says_so() {
        let mut shelf = Shelf::new(Row { fence: Some(Token(12)), ..Row::default() });
        let at = |seconds: i64| Wall::from_micros(seconds * 1_000_000);
        shelf.remember(Memory { key: Key::Fence, value: 0, lapses: Some(at(10)) });
        shelf.remember(Memory { key: Key::Item(3), value: 1, lapses: None });
        shelf.lapse(at(9));
        assert_eq!(shelf.row.fence, Some(Token(12)));
        shelf.lapse(at(10));
        assert_eq!(shelf.row.fence, Some(Token(0)), "a fence that has lapsed stands nowhere");
        assert_eq!(shelf.recall(Key::Item(3)), Some(1));
    }

    #[test]
    fn a_change_of_the_row_alone_looks_like_the_row() {
        let row = Row::default();
        assert_eq!(format!("{:?}", Change { row, memory: None }), format!("{row:?}"));
    }
}
