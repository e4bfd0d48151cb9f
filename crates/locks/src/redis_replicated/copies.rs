//! Copies: what a primary and its replicas tell each other, and which of two states is the newer.

use std::cmp::Reverse;
use std::rc::Rc;

use kernel::{Mono, ProcessId, Span};

use super::RedisReplicated;
use crate::redis::Redis;
use crate::service::Outcome;
use crate::{Note, kinds};

/// How often servers tell each other that they are there.
pub(super) const PING_EVERY: Span = Span::from_secs(1);

/// What servers tell each other.
#[derive(Clone, Debug)]
pub enum Peer {
    /// From a primary: what it has.
    State(Rc<State>),
    /// From a replica: it has so many.
    Has {
        /// Whose changes.
        epoch: u64,
        /// How many of them.
        offset: u64,
    },
    /// From an operator: be the primary (`REPLICAOF NO ONE`, and the others are told, as Sentinels do).
    Promote,
}

/// What a primary has.
#[derive(Clone, Debug)]
pub struct State {
    /// Which failover made it primary.
    pub(super) epoch: u64,
    /// When it was started, on its own clock: it begins to count anew then.
    run: Mono,
    /// How many changes of its are in it.
    offset: u64,
    /// The keys.
    redis: Redis,
}

/// Another server, as this one knows it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Other {
    /// When it was last heard of, if ever.
    pub(super) heard: Option<Mono>,
    /// How many of this server's changes it has.
    pub(super) offset: u64,
}

impl RedisReplicated {
    fn other_servers(&self) -> impl Iterator<Item = ProcessId> {
        let me = self.config.me;
        self.config.servers.iter().copied().filter(move |server| *server != me)
    }

    pub(super) fn tell(&self, peer: &Peer, out: &mut Outcome) {
        for server in self.other_servers() {
            out.to_peers.push((server, kinds::Peer::Redis(peer.clone())));
        }
    }

    /// Sends the others all that it has.
    pub(super) fn send_state(&mut self, now: Mono, out: &mut Outcome) {
        self.next_send = None;
        self.next_ping = now + PING_EVERY;
        let (epoch, run, offset, redis) = (self.epoch, self.run, self.offset, self.redis.clone());
        self.tell(&Peer::State(Rc::new(State { epoch, run, offset, redis })), out);
    }

    /// How many replicas have been heard of lately.
    pub(super) fn good_replicas(&self, now: Mono) -> usize {
        let me = self.place(self.config.me);
        let lately = |other: &Other| other.heard.is_some_and(|heard| now.since(heard) <= self.config.max_lag);
        self.others.iter().enumerate().filter(|(place, other)| Some(*place) != me && lately(other)).count()
    }

    /// What orders the states that servers hear of: a later failover's, and a later run's, count whatever is in them.
    fn version(&self) -> (u64, Reverse<usize>, Mono, u64) {
        (self.epoch, Reverse(self.primary), self.run, self.offset)
    }

    /// Takes over what a primary has, unless it has newer itself.
    pub(super) fn copy(
        &mut self,
        from: ProcessId,
        place: usize,
        state: &State,
        now: Mono,
        out: &mut Outcome,
    ) {
        self.others[place].heard = Some(now);
        let State { epoch, run, offset, ref redis } = *state;
        let version = (epoch, Reverse(place), run, offset);
        if version < self.version() {
            return; // It was overtaken on its way.
        }
        out.changed |= version != self.version();
        let was_primary = self.demote(epoch, out);
        self.primary = place;
        (self.run, self.offset, self.redis) = (run, offset, Redis::clone(redis));
        if was_primary {
            // What it granted meanwhile nobody knows any more.
            out.note(Note::CameUp { knows: self.redis.keys().leases() });
        }
        out.to_peers.push((from, kinds::Peer::Redis(Peer::Has { epoch, offset })));
    }
}
