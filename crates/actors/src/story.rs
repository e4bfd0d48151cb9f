//! The dialect of a play: everything that its processes say, arm, keep and announce, and the machine that is any of
//! them.

use std::rc::Rc;

use kernel::{
    Dialect, Input, Keep, Keepalive, Lift, Machine, Mono, Now, Outbox, ProcessId, Rng, Start, Topic,
};

use crate::{Bystander, Doorman, SideMsg, Sidecar, SweepNote, Sweeper, WorkNote, Worker, WorkerTimer};

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

/// Any process of a play.
#[derive(Clone, Debug)]
pub enum Actor {
    /// A server of the lock service, and how it was configured.
    Lock(locks::Server, locks::ServerConfig),
    /// A worker.
    Worker(Worker),
    /// A store, and who asks the lock service in front of it.
    Store(stores::Store, Option<Doorman>),
    /// A node of a journal.
    Journal(stores::journal::Node),
    /// A sweeper.
    Sweeper(Sweeper),
    /// A worker's sidecar.
    Sidecar(Sidecar),
    /// Other users of the lock service.
    Bystander(Bystander),
}

impl Machine for Actor {
    type Dialect = Story;

    fn on(&mut self, input: Input<'_, Story>, now: Now, out: &mut impl Outbox<Story>) {
        match self {
            Self::Lock(server, _) => {
                if let Some(input) = for_server(input) {
                    server.on(input, now, &mut Lift::new(out));
                }
            }
            Self::Store(store, doorman) => {
                let input = match doorman {
                    Some(doorman) => doorman.on(store, input, now, out),
                    None => Some(input),
                };
                if let Some(input) = input.and_then(for_store) {
                    store.on(input, now, &mut Lift::new(out));
                }
            }
            Self::Journal(node) => {
                if let Some(input) = for_journal(input) {
                    node.on(input, &mut Lift::new(out));
                }
            }
            Self::Worker(worker) => worker.on(input, now, out),
            Self::Sweeper(sweeper) => sweeper.on(input, now, out),
            Self::Sidecar(sidecar) => sidecar.on(input, now, out),
            Self::Bystander(bystander) => bystander.on(input, now, out),
        }
    }

    fn start(&self, disk: &Disk, start: Start, rng: Rng) -> Self {
        match self {
            Self::Lock(_, config) => {
                let server = match disk {
                    Disk::Lock(disk) => config.start(disk, start, rng),
                    Disk::Empty | Disk::Store(_) | Disk::Journal(_) => {
                        config.start(&locks::Disk::Empty, start, rng)
                    }
                };
                Self::Lock(server, config.clone())
            }
            Self::Store(store, doorman) => {
                let store = match disk {
                    Disk::Store(shelf) => store.start(shelf),
                    Disk::Empty | Disk::Lock(_) | Disk::Journal(_) => store.start(&None),
                };
                Self::Store(store, doorman.as_ref().map(|doorman| doorman.start(rng)))
            }
            Self::Journal(_) => Self::Journal(stores::journal::Node::start(match disk {
                Disk::Journal(kept) => kept,
                Disk::Empty | Disk::Lock(_) | Disk::Store(_) => &None,
            })),
            Self::Worker(worker) => Self::Worker(worker.start(rng)),
            Self::Sweeper(sweeper) => Self::Sweeper(sweeper.start(rng)),
            Self::Sidecar(sidecar) => Self::Sidecar(sidecar.start(start, rng)),
            Self::Bystander(bystander) => Self::Bystander(bystander.start(rng)),
        }
    }

    fn plays(&self, role: Role) -> Option<u64> {
        match (self, role) {
            (Self::Lock(server, _), Role::Leader) => server.leads(),
            (Self::Lock(server, _), Role::Follower) => server.leads().is_none().then_some(0),
            (Self::Worker(worker), Role::Holder) => worker.highest_token(),
            (Self::Lock(..), Role::Holder)
            | (Self::Worker(_), Role::Leader | Role::Follower)
            | (
                Self::Store(..) | Self::Journal(_) | Self::Sweeper(_) | Self::Sidecar(_) | Self::Bystander(_),
                _,
            ) => None,
        }
    }
}

/// What of an input is for a server of the lock service; nothing else should come to one.
fn for_server(input: Input<'_, Story>) -> Option<Input<'_, locks::ServerSpeech>> {
    match input {
        Input::Boot => Some(Input::Boot),
        Input::Message { from, msg: Msg::Lock(msg) } => Some(Input::Message { from, msg }),
        Input::Refused { to, msg: Msg::Lock(msg) } => Some(Input::Refused { to, msg }),
        Input::Timer(Timer::Lock(timer)) => Some(Input::Timer(timer)),
        Input::Closed { peer, number } => Some(Input::Closed { peer, number }),
        Input::Message { .. } | Input::Refused { .. } | Input::Timer(_) => None,
    }
}

/// What of an input is for a store.
fn for_store(input: Input<'_, Story>) -> Option<Input<'_, stores::Speech>> {
    match input {
        Input::Boot => Some(Input::Boot),
        Input::Message { from, msg: Msg::Store(msg) } => Some(Input::Message { from, msg }),
        Input::Refused { to, msg: Msg::Store(msg) } => Some(Input::Refused { to, msg }),
        Input::Timer(Timer::Store(timer)) => Some(Input::Timer(timer)),
        Input::Closed { peer, number } => Some(Input::Closed { peer, number }),
        Input::Message { .. } | Input::Refused { .. } | Input::Timer(_) => None,
    }
}

/// What of an input is for a node of a journal.
fn for_journal(input: Input<'_, Story>) -> Option<Input<'_, stores::journal::Speech>> {
    match input {
        Input::Message { from, msg: Msg::Store(msg) } => Some(Input::Message { from, msg }),
        Input::Boot
        | Input::Message { .. }
        | Input::Refused { .. }
        | Input::Timer(_)
        | Input::Closed { .. } => None,
    }
}

/// What of an input is for a client of the lock service.
pub(crate) fn for_client(input: Input<'_, Story>) -> Option<Input<'_, locks::ClientSpeech>> {
    match input {
        Input::Message { from, msg: Msg::Lock(msg) } => Some(Input::Message { from, msg }),
        Input::Refused { to, msg: Msg::Lock(msg) } => Some(Input::Refused { to, msg }),
        Input::Timer(Timer::Client(_, timer)) => Some(Input::Timer(timer)),
        Input::Closed { peer, number } => Some(Input::Closed { peer, number }),
        Input::Boot | Input::Message { .. } | Input::Refused { .. } | Input::Timer(_) => None,
    }
}

/// The outbox of one of several clients in a process: its timers carry its place.
pub(crate) struct ForClient<'a, O> {
    pub(crate) place: u8,
    pub(crate) out: &'a mut O,
}

impl<O: Outbox<Story>> Outbox<locks::ClientSpeech> for ForClient<'_, O> {
    fn send(&mut self, to: ProcessId, msg: impl Into<locks::Msg>) {
        self.out.send(to, msg.into());
    }
    fn arm(&mut self, timer: locks::ClientTimer, due: Mono) {
        self.out.arm(Timer::Client(self.place, timer), due);
    }
    fn disarm(&mut self, timer: locks::ClientTimer) {
        self.out.disarm(Timer::Client(self.place, timer));
    }
    /// A client keeps nothing.
    fn persist(&mut self, _nothing: impl Into<()>) {}
    fn note(&mut self, note: impl Into<locks::Note>) {
        self.out.note(note.into());
    }
    fn connect(&mut self, peer: ProcessId, number: u64, keepalive: Keepalive) {
        self.out.connect(peer, number, keepalive);
    }
    fn disconnect(&mut self, peer: ProcessId, number: u64) {
        self.out.disconnect(peer, number);
    }
}

/// The number of the first request that the client with this place makes in this life of its process: no earlier life
/// came to it.
pub(crate) fn first_request(place: u8, rng: &mut Rng) -> u64 {
    u64::from(place) << 44 | rng.below(1 << 24) << 20
}

/// The place of the client that made the request with this number.
pub(crate) fn client_of(id: u64) -> usize {
    (id >> 44) as usize
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
