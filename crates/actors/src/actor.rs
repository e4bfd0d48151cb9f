//! The machine that is any process of a play.

use kernel::{Input, Lift, Machine, Now, Outbox, Rng, Start};

use crate::story::{Disk, Msg, Role, Story, Timer};
use crate::{Bystander, Doorman, Sidecar, Sweeper, Worker};

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
