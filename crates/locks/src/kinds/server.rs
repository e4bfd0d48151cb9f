//! A server of any kind.

use std::rc::Rc;

use kernel::{Input, Lift, Now, Outbox, Rng, Start};

use super::{Disk, Msg, ServerSpeech, ServerTimer};
use crate::{etcd, replicated, service};

/// How a server was configured: all that it knows when it comes up again.
#[derive(Clone, Debug)]
pub enum ServerConfig {
    /// A member of an etcd cluster.
    Etcd(Rc<etcd::ServerConfig>),
    /// A server that keeps a service by itself.
    Single(Rc<service::ServerConfig>),
    /// A member of a replicated log.
    Member(Rc<replicated::MemberConfig>),
}

/// A server.
#[derive(Clone, Debug)]
pub enum Server {
    /// A member of an etcd cluster.
    Etcd(Box<etcd::Server>),
    /// A server that keeps a service by itself.
    Single(Box<service::Server>),
    /// A member of a replicated log.
    Member(Box<replicated::Member>),
}

impl ServerConfig {
    /// The server as it comes up, with what its disk kept.
    pub fn start(&self, disk: &Disk, start: Start, rng: Rng) -> Server {
        match self {
            Self::Etcd(config) => Server::Etcd(Box::new(match (start, disk) {
                (Start::First, _) => etcd::Server::open(config.clone(), rng),
                (Start::Again, Disk::Etcd(disk)) => etcd::Server::start(config.clone(), disk, rng),
                (Start::Restored, Disk::Etcd(disk)) => etcd::Server::restore(config.clone(), disk, rng),
                (Start::Again | Start::Restored, Disk::Empty | Disk::Single(_) | Disk::Member(_)) => {
                    etcd::Server::start(config.clone(), &etcd::ServerDisk::default(), rng)
                }
            })),
            Self::Single(config) => {
                let disk = match disk {
                    Disk::Single(kept) => Some(kept),
                    Disk::Empty | Disk::Etcd(_) | Disk::Member(_) => None,
                };
                Server::Single(Box::new(service::Server::start(config.clone(), disk, start)))
            }
            Self::Member(config) => Server::Member(Box::new(match (start, disk) {
                (Start::First, _) => replicated::Member::open(config.clone(), rng),
                (Start::Again | Start::Restored, Disk::Member(disk)) => {
                    replicated::Member::start(config.clone(), disk, rng)
                }
                (Start::Again | Start::Restored, Disk::Empty | Disk::Single(_) | Disk::Etcd(_)) => {
                    replicated::Member::start(config.clone(), &replicated::MemberDisk::default(), rng)
                }
            })),
        }
    }
}

impl Server {
    /// Takes one input. What is meant for a server of another kind is not listened to.
    pub fn on(&mut self, input: Input<'_, ServerSpeech>, now: Now, out: &mut impl Outbox<ServerSpeech>) {
        match self {
            Self::Etcd(server) => {
                let input = match input {
                    Input::Boot => Input::Boot,
                    Input::Message { from, msg: Msg::Etcd(msg) } => Input::Message { from, msg },
                    Input::Refused { to, msg: Msg::Etcd(msg) } => Input::Refused { to, msg },
                    Input::Timer(ServerTimer::Etcd(timer)) => Input::Timer(timer),
                    Input::Message { .. }
                    | Input::Refused { .. }
                    | Input::Timer(_)
                    | Input::Closed { .. } => return,
                };
                server.on(input, now.mono, &mut Lift::new(out));
            }
            Self::Single(server) => {
                let input = match input {
                    Input::Boot => Input::Boot,
                    Input::Message { from, msg } => Input::Message { from, msg },
                    Input::Refused { to, msg } => Input::Refused { to, msg },
                    Input::Timer(ServerTimer::Single(timer)) => Input::Timer(timer),
                    Input::Closed { peer, number } => Input::Closed { peer, number },
                    Input::Timer(_) => return,
                };
                server.on(input, now, &mut Lift::new(out));
            }
            Self::Member(member) => {
                let input = match input {
                    Input::Boot => Input::Boot,
                    Input::Message { from, msg } => Input::Message { from, msg },
                    Input::Refused { to, msg } => Input::Refused { to, msg },
                    Input::Timer(ServerTimer::Member(timer)) => Input::Timer(timer),
                    Input::Closed { peer, number } => Input::Closed { peer, number },
                    Input::Timer(_) => return,
                };
                member.on(input, now, &mut Lift::new(out));
            }
        }
    }

    /// The term, or whatever orders its leaderships, in which it believes to lead the service; `None` when it follows.
    pub fn leads(&self) -> Option<u64> {
        match self {
            Self::Etcd(server) => server.raft().is_leader().then(|| server.raft().term()),
            Self::Single(server) => server.leads(),
            Self::Member(member) => member.raft().is_leader().then(|| member.raft().term()),
        }
    }
}
