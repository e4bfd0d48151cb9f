//! The log: what is proposed, in order, from the last compaction on.

use std::rc::Rc;

use crate::App;

/// Which entry: the term in which a leader made it, and its place in the log, from 1. Compared by term and then
/// by place, which is what "more up to date" means to a voter (Raft paper, section 5.4.1).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct LogId {
    /// The term in which a leader made it.
    pub term: u64,
    /// Its place in the log.
    pub index: u64,
}

/// One entry of the log.
#[derive(Clone, Debug)]
pub struct Entry<A: App> {
    /// Which entry it is.
    pub id: LogId,
    /// What it carries.
    pub payload: Payload<A>,
}

/// What an entry carries.
#[derive(Clone, Debug)]
pub enum Payload<A: App> {
    /// Nothing: a leader's first entry, by whose commit it learns what is committed (Raft paper, section 8).
    Empty,
    /// A command for the state machine.
    Command(A::Command),
}

/// Entries in order, and the entry before the first of them.
#[derive(Clone, Debug)]
pub struct Log<A: App> {
    /// The last entry that was compacted away; zero when none was.
    before: LogId,
    /// Shared with the copies of this log until one of them changes.
    entries: Rc<Vec<Entry<A>>>,
}

impl<A: App> Default for Log<A> {
    fn default() -> Self {
        Self { before: LogId::default(), entries: Rc::default() }
    }
}

impl<A: App> Log<A> {
    /// A log that goes on after a snapshot.
    pub fn after(before: LogId) -> Self {
        Self { before, entries: Rc::default() }
    }

    /// The entry before the first that is held: the last that was compacted away, zero when none was.
    pub fn before(&self) -> LogId {
        self.before
    }

    /// The last entry, compacted away or not.
    pub fn last(&self) -> LogId {
        self.entries.last().map_or(self.before, |entry| entry.id)
    }

    /// The entries that are held, in order.
    pub fn entries(&self) -> &[Entry<A>] {
        &self.entries
    }

    /// The entry at `index`, when it is held.
    pub fn get(&self, index: u64) -> Option<&Entry<A>> {
        self.entries.get(self.offset(index)?)
    }

    /// The term of the entry at `index`; that of the last compacted entry is known too.
    pub fn term_at(&self, index: u64) -> Option<u64> {
        if index == self.before.index {
            return Some(self.before.term);
        }
        self.get(index).map(|entry| entry.id.term)
    }

    /// Whether this log has that entry, and so every entry before it (the log matching property).
    pub fn holds(&self, id: LogId) -> bool {
        self.term_at(id.index) == Some(id.term)
    }

    /// The entries from `from` on, `most` at most. Panics when `from` is compacted away.
    pub fn slice(&self, from: u64, most: usize) -> &[Entry<A>] {
        let start = self.offset(from).expect("entries that are compacted away cannot be read");
        let rest = self.entries.get(start..).unwrap_or_default();
        &rest[..rest.len().min(most)]
    }

    /// How many of these consecutive entries, from the first on, this log has.
    pub fn known(&self, entries: &[Entry<A>]) -> usize {
        entries.iter().take_while(|entry| self.holds(entry.id)).count()
    }

    /// Puts consecutive entries in their places; what was at the first of them and behind it goes (Raft paper,
    /// figure 2, AppendEntries, steps 3 and 4). Panics when that would leave a hole.
    pub fn graft(&mut self, entries: &[Entry<A>]) {
        let Some(first) = entries.first() else { return };
        let start = self.offset(first.id.index).expect("what is compacted away stays");
        assert!(start <= self.entries.len(), "a log has no holes");
        let held = Rc::make_mut(&mut self.entries);
        held.truncate(start);
        held.extend_from_slice(entries);
    }

    /// Drops the entries up to and including `through`, which must be held or dropped already.
    pub fn compact(&mut self, through: u64) {
        if through <= self.before.index {
            return;
        }
        let term = self.term_at(through).expect("only what is held can be compacted away");
        let count = (through - self.before.index) as usize;
        Rc::make_mut(&mut self.entries).drain(..count);
        self.before = LogId { term, index: through };
    }

    /// From `index` down, the first entry with a term of at most `term`: where two logs that differ at `index` can
    /// agree at the latest (etcd: `findConflictByTerm`). Term 0 when that is compacted away.
    pub fn agrees_at_most(&self, index: u64, term: u64) -> LogId {
        let mut index = index;
        while index > 0 {
            match self.term_at(index) {
                Some(ours) if ours > term => index -= 1,
                Some(ours) => return LogId { term: ours, index },
                None => return LogId { term: 0, index },
            }
        }
        LogId::default()
    }

    fn offset(&self, index: u64) -> Option<usize> {
        index.checked_sub(self.before.index + 1).map(|offset| offset as usize)
    }
}
