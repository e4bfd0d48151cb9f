//! Requests by who asked and their numbers, which grow: each goes behind the last of its process, however long the play.

use kernel::{Map, ProcessId};

/// What is known of each request.
pub(super) struct ByRequest<T>(Map<ProcessId, Map<u64, T>>);

impl<T> ByRequest<T> {
    pub(super) fn new() -> Self {
        Self(Map::new())
    }

    pub(super) fn insert(&mut self, process: ProcessId, number: u64, known: T) {
        self.0.entry(process).or_default().insert(number, known);
    }

    pub(super) fn get(&self, process: ProcessId, number: u64) -> Option<&T> {
        self.0.get(&process)?.get(&number)
    }
}
