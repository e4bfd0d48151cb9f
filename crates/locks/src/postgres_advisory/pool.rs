//! A pooler in transaction mode: server connections that are lent for a transaction at a time.

use kernel::{Mono, Span};

/// Its server connections, all open from the beginning.
#[derive(Clone, Debug)]
pub struct Pool {
    lifetime: Span,
    round_robin: bool,
    /// Each with its number and when it was opened; those that are free, the last returned last.
    free: Vec<(u64, Mono)>,
    lent: Vec<(u64, Mono)>,
    next: u64,
}

impl Pool {
    /// So many connections, each of which is closed when it is free and so old. The one that was returned last is lent
    /// first, or the one that was returned first.
    pub fn new(size: u64, lifetime: Span, round_robin: bool) -> Self {
        let free = (1..=size).rev().map(|number| (number, Mono::default())).collect();
        let mut pool = Self { lifetime, round_robin, free, lent: Vec::new(), next: size + 1 };
        if round_robin {
            pool.free.reverse();
        }
        pool
    }

    /// The connections, with whether each is lent.
    pub fn connections(&self) -> impl Iterator<Item = (u64, bool)> {
        let free = self.free.iter().map(|(number, _)| (*number, false));
        free.chain(self.lent.iter().map(|(number, _)| (*number, true)))
    }

    /// Lends a connection, if one is free.
    pub(super) fn lend(&mut self) -> Option<u64> {
        let place = if self.round_robin { 0 } else { self.free.len().checked_sub(1)? };
        if self.free.is_empty() {
            return None;
        }
        let lent = self.free.remove(place);
        self.lent.push(lent);
        Some(lent.0)
    }

    /// Takes one back.
    pub(super) fn give_back(&mut self, number: u64) {
        if let Some(place) = self.lent.iter().position(|(lent, _)| *lent == number) {
            self.free.push(self.lent.remove(place));
        }
    }

    /// Closes one that is lent, and opens another in its place.
    pub(super) fn close(&mut self, number: u64, now: Mono) {
        self.lent.retain(|(lent, _)| *lent != number);
        self.free.push((self.next, now));
        self.next += 1;
    }

    /// When the next free one is too old.
    pub(super) fn first_too_old(&self) -> Option<Mono> {
        self.free.iter().map(|(_, opened)| *opened + self.lifetime).min()
    }

    /// Closes those that are too old, and opens others in their place; says which.
    pub(super) fn recycle(&mut self, now: Mono) -> Vec<u64> {
        let mut closed = Vec::new();
        for (number, opened) in &mut self.free {
            if *opened + self.lifetime <= now {
                closed.push(*number);
                (*number, *opened) = (self.next, now);
                self.next += 1;
            }
        }
        closed
    }
}
