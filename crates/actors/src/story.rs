//! The dialect of a play: everything that its processes say, arm, keep and announce.

use std::rc::Rc;

use kernel::{Dialect, Keep, Topic};

use crate::{SideMsg, SweepNote, WorkNote, WorkerTimer};

/// The dialect of a play.
#[derive(Clone, Debug)]
pub struct Story;

impl Dialect for Story {
    type Msg = Msg;
    type Timer = Timer;
    type Write = Write;
    type Disk = Disk;
    type Note = Note;
    type Role = Role;

    fn topic(note: &Note) -> Option<Topic> {
        match note {
            Note::Raft(note) => note.topic(),
            Note::Lock(note) => note.topic(),
            Note::Store(note) => crate::store_topic(note),
            Note::Work(note) => note.topic(),
            Note::Sweep(note) => note.topic(),
        }
    }
}

/// What processes send each other. What is larger than most is shared: every message is carried about as the largest is.
#[derive(Clone, Debug)]
pub enum Msg {
    /// With the lock service.
    Lock(locks::Msg),
    /// With a store.
    Store(stores::Msg),
    /// Between a worker and its sidecar.
    Side(Rc<SideMsg>),
}

/// Timers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Timer {
    /// Of a server of the lock service.
    Lock(locks::ServerTimer),
    /// Of the client with this place in its process.
    Client(u8, locks::ClientTimer),
    /// Of a store.
    Store(stores::Timer),
    /// Of a worker's own.
    Work(WorkerTimer),
    /// A sweeper's next look.
    Sweep,
    /// A doorman has waited long enough.
    Patience,
}

/// Changes of disks. A record has room for the largest, so what is large stands apart.
#[derive(Clone, Debug)]
pub enum Write {
    /// Of a server of the lock service.
    Lock(locks::Write),
    /// Of a store's.
    Store(Box<stores::Change>),
    /// Of a journal's node's.
    Journal(Box<stores::journal::Kept>),
}

/// What disks keep.
#[derive(Clone, Debug, Default)]
pub enum Disk {
    /// Nothing yet.
    #[default]
    Empty,
    /// A lock server's.
    Lock(locks::Disk),
    /// A store's.
    Store(Option<stores::Shelf>),
    /// A journal's node's.
    Journal(Option<stores::journal::Kept>),
}

impl Keep<Write> for Disk {
    fn keep(&mut self, write: &Write) {
        match (&mut *self, write) {
            (Self::Lock(disk), Write::Lock(write)) => disk.keep(write),
            (Self::Store(disk), Write::Store(change)) => disk.keep(&**change),
            (Self::Journal(disk), Write::Journal(kept)) => disk.keep(&**kept),
            (Self::Empty, Write::Journal(kept)) => *self = Self::Journal(Some(**kept)),
            (Self::Empty, Write::Lock(write)) => {
                let mut disk = locks::Disk::default();
                disk.keep(write);
                *self = Self::Lock(disk);
            }
            (Self::Empty, Write::Store(change)) => {
                let mut disk = None;
                disk.keep(&**change);
                *self = Self::Store(disk);
            }
            (Self::Lock(_), Write::Store(_) | Write::Journal(_))
            | (Self::Store(_), Write::Lock(_) | Write::Journal(_))
            | (Self::Journal(_), Write::Lock(_) | Write::Store(_)) => {
                unreachable!("a disk belongs to one process for good")
            }
        }
    }
}

/// What processes announce.
#[derive(Clone, Debug)]
pub enum Note {
    /// About leadership.
    Raft(raft::Note),
    /// About locks: the authority's record and the holders' beliefs.
    Lock(locks::Note),
    /// What stores decided.
    Store(stores::Note),
    /// What workers do.
    Work(WorkNote),
    /// What sweepers find.
    Sweep(SweepNote),
}

/// Parts that a process can be playing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// Leads the lock service.
    Leader,
    /// Is a member that does not lead.
    Follower,
    /// Believes that it holds a lock.
    Holder,
}

macro_rules! lifts {
    ($($from:ty => $to:ident :: $variant:ident),* $(,)?) => {$(
        impl From<$from> for $to {
            fn from(inner: $from) -> Self { Self::$variant(inner.into()) }
        }
    )*};
}

lifts! {
    locks::Msg => Msg::Lock,
    stores::Msg => Msg::Store,
    SideMsg => Msg::Side,
    locks::ServerTimer => Timer::Lock,
    stores::Timer => Timer::Store,
    WorkerTimer => Timer::Work,
    locks::Write => Write::Lock,
    stores::Change => Write::Store,
    stores::journal::Kept => Write::Journal,
    locks::Note => Note::Lock,
    stores::Note => Note::Store,
    WorkNote => Note::Work,
    SweepNote => Note::Sweep,
}

impl From<locks::ServerNote> for Note {
    fn from(note: locks::ServerNote) -> Self {
        match note {
            locks::ServerNote::Raft(note) => Self::Raft(note),
            locks::ServerNote::Lock(note) => Self::Lock(note),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every message is carried and every record kept at the size of the largest there is.
    #[test]
    fn messages_and_records_are_small_whatever_they_carry() {
        assert!(size_of::<Msg>() <= 40, "{}", size_of::<Msg>());
        assert!(size_of::<kernel::Record<Story>>() <= 96, "{}", size_of::<kernel::Record<Story>>());
    }
}
