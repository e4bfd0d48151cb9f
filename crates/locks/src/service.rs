//! A lock service that one server keeps by itself: what a kind says of its requests, and the process around it.
//!
//! A `Service` is a state and what it does with a request; [`Server`] is the process: it answers, wakes the service
//! when that wants, and keeps its state on disk as the service says.

use std::rc::Rc;

use kernel::{Dialect, Input, Keep, Keepalive, Mono, Now, Outbox, ProcessId, Span, Start};

use crate::kinds::{AnyService, Peer, Reply};
use crate::{Key, Msg, Request, ServerNote};

/// What a server speaks.
#[derive(Clone, Debug)]
pub struct ServerSpeech;

impl Dialect for ServerSpeech {
    type Msg = Msg;
    type Timer = ServerTimer;
    type Write = Kept;
    type Disk = Option<Kept>;
    type Note = ServerNote;
    type Role = ();
}

/// A server's timers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ServerTimer {
    /// Something is due in the service.
    Service,
    /// The disk is to be brought up to date.
    Sync,
}

/// The whole state of a service, as its server's disk keeps it.
#[derive(Clone, Debug)]
pub struct Kept(Rc<AnyService>);

impl Keep<Kept> for Option<Kept> {
    fn keep(&mut self, write: &Kept) {
        *self = Some(write.clone());
    }
}

/// When what has changed reaches the disk.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Durability {
    /// Before the change is answered.
    BeforeAnswer,
    /// So often; what came since is lost in a crash.
    Every(Span),
    /// Never: a crash loses everything.
    Never,
}

/// Who asks, and that one's number for the request.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Asker {
    /// The client.
    pub client: ProcessId,
    /// Its number.
    pub id: u64,
    /// The member that passed the request on, when one did.
    pub via: Option<ProcessId>,
}

/// What a service wants done about a request, or about something that was due.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// Answers, in order.
    pub(crate) replies: Vec<(Asker, Reply)>,
    /// Those who asked to be told of something that has happened.
    pub(crate) told: Vec<Asker>,
    /// Those who are to be told when a lock changes.
    pub(crate) watches: Vec<(Asker, Key)>,
    /// Connections that are open from now on, by the client's number.
    pub(crate) connects: Vec<(ProcessId, u64, Keepalive)>,
    /// Locks that changed, so that whoever watches them is told.
    pub(crate) moved: Vec<Key>,
    /// What a leader puts into the log by itself.
    pub(crate) proposals: Vec<Request>,
    /// What a leader puts into the log for an asker, who is answered when it is applied.
    pub(crate) logged: Vec<(Asker, Request)>,
    /// What a leader is asked, for an asker, once it has made sure that it still leads.
    pub(crate) confirmed: Vec<(Asker, Request)>,
    /// What a follower tells its leader.
    pub(crate) to_leader: Option<Request>,
    /// What the service's servers tell each other.
    pub(crate) to_peers: Vec<(ProcessId, Peer)>,
    /// The authority's record.
    pub(crate) notes: Vec<ServerNote>,
    /// Whether the state has changed in a way that the disk must know.
    pub(crate) changed: bool,
}

impl Outcome {
    pub(crate) fn note(&mut self, note: impl Into<ServerNote>) {
        self.notes.push(note.into());
    }
    pub(crate) fn reply(&mut self, asker: Asker, reply: impl Into<Reply>) {
        self.replies.push((asker, reply.into()));
    }
}

/// A lock service as a state machine on one server.
pub(crate) trait Service {
    /// It comes up, for the first time or again with what the disk kept.
    fn starts(&mut self, start: Start, now: Now, out: &mut Outcome);
    /// A client asks.
    fn asked(&mut self, asker: Asker, request: &Request, now: Now, out: &mut Outcome);
    /// When something is due next, if anything is.
    fn wakes_at(&self, now: Now) -> Option<Mono>;
    /// Something may be due.
    fn woken(&mut self, now: Now, out: &mut Outcome);
    /// Another of the service's servers says something.
    fn heard(&mut self, _from: ProcessId, _peer: &Peer, _now: Now, _out: &mut Outcome) {}
    /// A client's connection is closed.
    fn closed(&mut self, _client: ProcessId, _number: u64, _now: Now, _out: &mut Outcome) {}
    /// In what it leads the service, if it does: whatever orders its leaderships.
    fn leads(&self) -> Option<u64> {
        Some(0)
    }
}

/// A server's configuration: the service as it is before anybody has asked it anything.
#[derive(Clone, Debug)]
pub struct ServerConfig {
    /// The service.
    pub service: AnyService,
    /// What becomes of it in a crash.
    pub durability: Durability,
}

/// A server that keeps a service by itself.
#[derive(Clone, Debug)]
pub struct Server {
    config: Rc<ServerConfig>,
    service: AnyService,
    start: Start,
    wakes_at: Option<Mono>,
    /// Whether there is something that the disk does not know.
    dirty: bool,
}

impl Server {
    /// A server as it comes up, with what its disk kept.
    pub fn start(config: Rc<ServerConfig>, disk: Option<&Kept>, start: Start) -> Self {
        let service = disk.map_or_else(|| config.service.clone(), |kept| AnyService::clone(&kept.0));
        Self { config, service, start, wakes_at: None, dirty: false }
    }

    /// In what it leads the service, if it does.
    pub fn leads(&self) -> Option<u64> {
        self.service.get().leads()
    }
    /// What it keeps.
    pub fn service(&self) -> &AnyService {
        &self.service
    }

    /// Takes one input.
    pub fn on(&mut self, input: Input<'_, ServerSpeech>, now: Now, out: &mut impl Outbox<ServerSpeech>) {
        let mut outcome = Outcome::default();
        let service = self.service.get_mut();
        match input {
            Input::Boot => service.starts(self.start, now, &mut outcome),
            Input::Message { from, msg: Msg::Request { id, request } } => {
                service.asked(Asker { client: from, id: *id, via: None }, request, now, &mut outcome);
            }
            Input::Message { from, msg: Msg::Peer(peer) } => service.heard(from, peer, now, &mut outcome),
            Input::Timer(ServerTimer::Service) => {
                self.wakes_at = None;
                service.woken(now, &mut outcome);
            }
            Input::Closed { peer, number } => service.closed(peer, number, now, &mut outcome),
            Input::Timer(ServerTimer::Sync) => return self.sync(out),
            Input::Message { .. } | Input::Refused { .. } => return,
        }
        self.carry_out(outcome, now, out);
    }

    fn carry_out(&mut self, outcome: Outcome, now: Now, out: &mut impl Outbox<ServerSpeech>) {
        if outcome.changed {
            match self.config.durability {
                Durability::BeforeAnswer => out.persist(Kept(Rc::new(self.service.clone()))),
                Durability::Every(every) if !self.dirty => {
                    self.dirty = true;
                    out.arm(ServerTimer::Sync, now.mono + every);
                }
                Durability::Every(_) | Durability::Never => {}
            }
        }
        for note in outcome.notes {
            out.note(note);
        }
        for (server, peer) in outcome.to_peers {
            out.send(server, Msg::Peer(Rc::new(peer)));
        }
        for (client, number, keepalive) in outcome.connects {
            out.connect(client, number, keepalive);
        }
        for (Asker { client, id, .. }, _) in outcome.watches {
            out.send(client, Msg::WatchIsOn { id });
        }
        for (Asker { client, id, .. }, reply) in outcome.replies {
            out.send(client, Msg::Reply { id, reply });
        }
        for Asker { client, id, .. } in outcome.told {
            out.send(client, Msg::Happened { id });
        }
        let wakes_at = self.service.get_mut().wakes_at(now);
        if wakes_at != self.wakes_at {
            self.wakes_at = wakes_at;
            match wakes_at {
                Some(at) => out.arm(ServerTimer::Service, at.max(now.mono)),
                None => out.disarm(ServerTimer::Service),
            }
        }
    }

    fn sync(&mut self, out: &mut impl Outbox<ServerSpeech>) {
        self.dirty = false;
        out.persist(Kept(Rc::new(self.service.clone())));
    }
}
