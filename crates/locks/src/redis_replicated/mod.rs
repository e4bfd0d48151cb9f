//! Redis with replicas: a primary that answers before anybody else knows, and others that copy it a little later.
//!
//! A failover promotes a replica with what it has: locks and counts that had not reached it are lost, though their
//! holders were told. The old primary, when it comes back, still answers for a moment as if nothing had happened, and
//! then throws away what the new one does not know. `min-replicas-to-write` refuses writes when too few replicas have
//! been heard of; it is no quorum. `WAIT` lets a client learn how many replicas have its write, and takes nothing back: a
//! client that is told of too few deletes its key again (Redisson's `NoSyncedSlavesException` ends in an unlock).
//!
//! Left out: Sentinels as processes of their own (the first replica that has not heard of its primary for
//! `down-after-milliseconds` promotes itself, which is what their vote comes to when nobody else is cut off), and partial
//! resynchronisation.
//!
//! Sources: `src/{replication,sentinel}.c` of Redis 7.

mod copies;
mod failover;
mod wait;

use std::cmp::Reverse;
use std::rc::Rc;

use kernel::{Mono, Now, ProcessId, Span, Start};

use self::copies::{Other, PING_EVERY};
pub use self::copies::{Peer, State};
use self::wait::Waiting;
use crate::claim::{Reply, Request};
use crate::redis::Redis;
use crate::service::{Asker, Outcome, Service};
use crate::{Note, kinds};

/// What of such a service does not change.
#[derive(Clone, Debug)]
pub struct Config {
    /// This server.
    pub me: ProcessId,
    /// All servers; the first is the primary when the play begins, and those before others are promoted first.
    pub servers: Rc<[ProcessId]>,
    /// How long the primary keeps a change to itself before it sends it on.
    pub lag: Span,
    /// For how long a replica hears nothing of its primary before it is promoted.
    pub down_after: Span,
    /// How many replicas must have been heard of lately for a write to be accepted.
    pub min_replicas: usize,
    /// How lately (`min-replicas-max-lag`).
    pub max_lag: Span,
    /// How many replicas must have a claim before it is answered (`WAIT`).
    pub wait: usize,
    /// For how long that is waited for.
    pub wait_for: Span,
    /// For how long a primary that hears of a newer one goes on before it is made that one's replica.
    pub demoted_after: Span,
}

/// One of the servers.
#[derive(Clone, Debug)]
pub struct RedisReplicated {
    config: Rc<Config>,
    redis: Redis,
    /// The failover that made the primary that it knows primary.
    epoch: u64,
    is_primary: bool,
    /// The place of the primary that it knows: of two that were made primary by one failover each, cut off from each
    /// other, the first in the list stays.
    primary: usize,
    /// When that one was started.
    run: Mono,
    /// How many changes it has made, or copied.
    offset: u64,
    others: Vec<Other>,
    waiting: Vec<Waiting>,
    next_ping: Mono,
    next_send: Option<Mono>,
    /// Since when it has heard of a newer primary, and when last, while it goes on as one itself.
    deposed: Option<(Mono, Mono)>,
}

impl RedisReplicated {
    /// A server as it is before anything happened.
    pub fn new(config: Rc<Config>, redis: Redis) -> Self {
        let unheard = Other { heard: None, offset: 0 };
        Self {
            is_primary: config.servers.first() == Some(&config.me),
            others: vec![unheard; config.servers.len()],
            config,
            redis,
            epoch: 1,
            primary: 0,
            run: Mono::default(),
            offset: 0,
            waiting: Vec::new(),
            next_ping: Mono::default(),
            next_send: None,
            deposed: None,
        }
    }

    /// Its keys.
    pub fn redis(&self) -> &Redis {
        &self.redis
    }
    /// Whether it takes writes.
    pub fn is_primary(&self) -> bool {
        self.is_primary
    }
    /// How many changes it has made, or copied.
    pub fn offset(&self) -> u64 {
        self.offset
    }

    fn place(&self, server: ProcessId) -> Option<usize> {
        self.config.servers.iter().position(|other| *other == server)
    }

    /// What a step has changed is sent on. `before`: how many answers there were before it.
    fn changed(&mut self, before: usize, now: Mono, out: &mut Outcome) {
        if out.changed {
            self.offset += 1;
            self.next_send.get_or_insert(now + self.config.lag);
        }
        if self.config.wait > 0 {
            self.hold_back_grants(before, now, out);
        }
    }
}

impl Service for RedisReplicated {
    fn starts(&mut self, start: Start, now: Now, out: &mut Outcome) {
        for other in &mut self.others {
            other.heard = Some(now.mono); // Nobody is late yet.
        }
        self.waiting.clear();
        (self.next_send, self.deposed) = (None, None);
        self.next_ping = now.mono + PING_EVERY;
        if self.is_primary {
            self.run = now.mono;
            self.announce(out);
            if start != Start::First {
                self.redis.expire(now, out);
                out.note(Note::CameUp { knows: self.redis.keys().leases() });
            }
        }
    }

    fn asked(&mut self, asker: Asker, request: &crate::Request, now: Now, out: &mut Outcome) {
        let crate::Request::Claim(claim) = request else { return };
        let writes = !matches!(**claim, Request::Look { .. });
        if !self.is_primary {
            return out.reply(asker, Reply::Failed("this is a replica"));
        }
        if writes && self.good_replicas(now.mono) < self.config.min_replicas {
            return out.reply(asker, Reply::Failed("too few replicas are there"));
        }
        let before = out.replies.len();
        self.redis.asked(asker, request, now, out);
        self.changed(before, now.mono, out);
    }

    fn wakes_at(&self, now: Now) -> Option<Mono> {
        let own = if self.is_primary {
            [self.redis.wakes_at(now), self.next_send, self.waiting.iter().map(|waiting| waiting.until).min()]
        } else {
            [Some(self.heard_of_primary() + self.patience()), None, None]
        };
        own.into_iter().flatten().chain([self.next_ping]).min()
    }

    fn woken(&mut self, now: Now, out: &mut Outcome) {
        if !self.is_primary {
            if now.mono >= self.heard_of_primary() + self.patience() {
                return self.promote(now, out);
            }
            if now.mono >= self.next_ping {
                self.next_ping = now.mono + PING_EVERY;
                self.tell(&Peer::Has { epoch: self.epoch, offset: self.offset }, out);
            }
            return;
        }
        let before = out.replies.len();
        self.redis.woken(now, out);
        self.changed(before, now.mono, out);
        self.settle_waiting(now.mono, out);
        if now.mono >= self.next_ping || self.next_send.is_some_and(|at| now.mono >= at) {
            self.send_state(now.mono, out);
        }
    }

    fn heard(&mut self, from: ProcessId, peer: &kinds::Peer, now: Now, out: &mut Outcome) {
        let kinds::Peer::Redis(peer) = peer;
        if matches!(peer, Peer::Promote) && !self.is_primary {
            return self.promote(now, out);
        }
        let Some(place) = self.place(from) else { return };
        match peer {
            Peer::State(state)
                if self.is_primary && state.epoch > self.epoch && !self.gives_way(now.mono) => {}
            Peer::State(state) if (state.epoch, Reverse(place)) >= (self.epoch, Reverse(self.primary)) => {
                self.copy(from, place, state, now.mono, out);
            }
            // A primary of old: it is told of the new one.
            Peer::State(_) if self.is_primary => self.send_state(now.mono, out),
            Peer::State(_) => {}
            &Peer::Has { epoch, offset } if epoch == self.epoch && self.is_primary => {
                self.others[place] = Other { heard: Some(now.mono), offset };
                self.settle_waiting(now.mono, out);
            }
            Peer::Has { .. } | Peer::Promote => {}
        }
    }

    fn leads(&self) -> Option<u64> {
        self.is_primary.then_some(self.epoch)
    }
}
