//! Grants that are copies on several servers that know nothing of each other: one is issued when enough of them have it,
//! and over when too few still do.

use kernel::{Map, ProcessId, Record, RecordId};
use locks::{Freed, GrantId, Granted, Key, LeaseId};

use super::Fold;
use crate::facts::{Deadline, DeadlineBy, Ending};
use crate::story::Story;

/// One grant's copies.
pub(super) struct Copies {
    granted: Granted,
    on: Map<ProcessId, Deadline>,
    /// Its place among the leases, when it has been issued.
    place: Option<usize>,
}

impl Copies {
    /// The deadline behind which too few copies are left.
    fn deadline(&self, enough: usize) -> Option<Deadline> {
        let mut deadlines: Vec<&Deadline> = self.on.values().collect();
        kernel::order::by_key(&mut deadlines, |deadline| std::cmp::Reverse(deadline.until));
        deadlines.get(enough.checked_sub(1)?).map(|deadline| (*deadline).clone())
    }
}

impl Fold<'_> {
    /// Whether a grant is copies on several servers.
    pub(super) fn copies_count(&self) -> bool {
        self.cast.copies > 1
    }

    pub(super) fn copy_granted(&mut self, id: RecordId, record: &Record<Story>, granted: &Granted) {
        let Some(deadline) = granted.deadline else { return };
        let deadline = self.deadline(id, record, deadline, DeadlineBy::Grant);
        let key = (granted.lock.clone(), granted.grant);
        let enough = self.cast.copies;
        let copies = self.copies.entry(key.clone()).or_insert_with(|| Copies {
            granted: granted.clone(),
            on: Map::new(),
            place: None,
        });
        copies.on.insert(record.process, deadline);
        if copies.place.is_none() && copies.on.len() == enough {
            let (granted, deadline) = (copies.granted.clone(), copies.deadline(enough));
            let place = self.granted(id, record, &granted, deadline);
            if let Some(copies) = self.copies.get_mut(&key) {
                copies.place = place;
            }
        }
    }

    pub(super) fn copy_renewed(&mut self, server: ProcessId, lease: LeaseId, renewed: &Deadline) {
        let enough = self.cast.copies;
        for copies in
            self.copies.iter_mut().map(|(_, copies)| copies).filter(|copies| copies.granted.lease == lease)
        {
            copies.on.insert(server, renewed.clone());
            let (Some(place), Some(until)) = (copies.place, copies.deadline(enough)) else { continue };
            let lease = &mut self.facts.leases[place];
            if lease.ended.is_none() && lease.deadlines.last().is_none_or(|last| last.until != until.until) {
                lease.deadlines.push(Deadline { set: renewed.set, record: renewed.record, ..until });
            }
        }
    }

    pub(super) fn copy_freed(
        &mut self,
        id: RecordId,
        record: &Record<Story>,
        (lock, grant): (&Key, GrantId),
        how: Freed,
    ) {
        let ending = super::locks::ending(how);
        if let Some(copies) = self.copies.get_mut(&(lock.clone(), grant)) {
            copies.on.remove(&record.process);
        }
        self.copies_left(id, record, ending);
    }

    /// A server came up again, and knows these alone.
    pub(super) fn copies_forgotten(&mut self, id: RecordId, record: &Record<Story>, knows: &[LeaseId]) {
        for copies in self
            .copies
            .iter_mut()
            .map(|(_, copies)| copies)
            .filter(|copies| !knows.contains(&copies.granted.lease))
        {
            copies.on.remove(&record.process);
        }
        self.copies_left(id, record, Ending::Forgotten);
    }

    /// Ends what has too few copies left.
    fn copies_left(&mut self, id: RecordId, record: &Record<Story>, ending: Ending) {
        let enough = self.cast.copies;
        let few = self.copies.values().filter(|copies| copies.on.len() < enough);
        let places: Vec<usize> = few.filter_map(|copies| copies.place).collect();
        for place in places {
            self.ends(place, id, record, ending);
        }
    }
}
