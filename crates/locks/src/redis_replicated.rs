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

use std::cmp::Reverse;
use std::rc::Rc;

use kernel::{Mono, Now, ProcessId, Span, Start};

use crate::claim::{Reply, Request};
use crate::redis::Redis;
use crate::service::{Asker, Outcome, Service};
use crate::{Note, kinds};

/// How often servers tell each other that they are there.
const PING_EVERY: Span = Span::from_secs(1);

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
    epoch: u64,
    /// When it was started, on its own clock: it begins to count anew then.
    run: Mono,
    /// How many changes of its are in it.
    offset: u64,
    /// The keys.
    redis: Redis,
}

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

/// Another server, as this one knows it.
#[derive(Clone, Copy, Debug)]
struct Other {
    /// When it was last heard of, if ever.
    heard: Option<Mono>,
    /// How many of this server's changes it has.
    offset: u64,
}

/// A claim that is granted and not yet answered, because replicas are waited for.
#[derive(Clone, Debug)]
struct Waiting {
    asker: Asker,
    reply: Reply,
    offset: u64,
    until: Mono,
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

    fn other_servers(&self) -> impl Iterator<Item = ProcessId> {
        let me = self.config.me;
        self.config.servers.iter().copied().filter(move |server| *server != me)
    }

    fn tell(&self, peer: &Peer, out: &mut Outcome) {
        for server in self.other_servers() {
            out.to_peers.push((server, kinds::Peer::Redis(peer.clone())));
        }
    }

    fn send_state(&mut self, now: Mono, out: &mut Outcome) {
        self.next_send = None;
        self.next_ping = now + PING_EVERY;
        let (epoch, run, offset, redis) = (self.epoch, self.run, self.offset, self.redis.clone());
        self.tell(&Peer::State(Rc::new(State { epoch, run, offset, redis })), out);
    }

    /// How many replicas have been heard of lately.
    fn good_replicas(&self, now: Mono) -> usize {
        let me = self.place(self.config.me);
        let lately = |other: &Other| other.heard.is_some_and(|heard| now.since(heard) <= self.config.max_lag);
        self.others.iter().enumerate().filter(|(place, other)| Some(*place) != me && lately(other)).count()
    }

    /// How long it lets a silent primary be: those further back in the list let those before them go first.
    fn patience(&self) -> Span {
        let behind = self.place(self.config.me).unwrap_or(0).saturating_sub(1) as u64;
        self.config.down_after + PING_EVERY.times(2 * behind)
    }

    fn heard_of_primary(&self) -> Mono {
        self.others.iter().filter_map(|other| other.heard).max().unwrap_or_default()
    }

    fn promote(&mut self, now: Now, out: &mut Outcome) {
        self.epoch += 1;
        self.is_primary = true;
        self.primary = self.place(self.config.me).unwrap_or_default();
        self.run = now.mono;
        self.others.fill(Other { heard: None, offset: 0 });
        self.announce(out);
        self.redis.expire(now, out); // A replica leaves that to its primary.
        out.note(Note::CameUp { knows: self.redis.keys().leases() });
        self.send_state(now.mono, out);
        out.changed = true;
    }

    fn announce(&self, out: &mut Outcome) {
        out.note(raft::Note::BecameLeader { term: self.epoch });
    }

    /// Whether it gives way to a newer primary that it has just heard of. Sentinel reconfigures a primary of old only when
    /// that has been there, as one, for four of its publish periods.
    fn gives_way(&mut self, now: Mono) -> bool {
        let is_recent = |&(_, last): &(Mono, Mono)| now.since(last) <= self.config.down_after;
        let since = self.deposed.filter(is_recent).map_or(now, |(since, _)| since);
        self.deposed = Some((since, now));
        now.since(since) >= self.config.demoted_after
    }

    /// It copies the primary of this epoch from now on. Whether it was primary itself.
    fn demote(&mut self, epoch: u64, out: &mut Outcome) -> bool {
        let was_primary = self.is_primary;
        if was_primary {
            self.is_primary = false;
            self.next_send = None;
            self.waiting.clear();
            self.deposed = None;
            let why = raft::StepDown::HigherTerm { term: epoch };
            out.note(raft::Note::SteppedDown { term: self.epoch, why });
        }
        self.epoch = epoch;
        was_primary
    }

    /// What orders the states that servers hear of: a later failover's, and a later run's, count whatever is in them.
    fn version(&self) -> (u64, Reverse<usize>, Mono, u64) {
        (self.epoch, Reverse(self.primary), self.run, self.offset)
    }

    /// Answers the claims that enough replicas have, and those for which the time is up.
    fn settle_waiting(&mut self, now: Mono, out: &mut Outcome) {
        let (others, wait) = (&self.others, self.config.wait);
        self.waiting.retain(|waiting| {
            let have = others.iter().filter(|other| other.offset >= waiting.offset).count();
            if have >= wait {
                out.reply(waiting.asker, waiting.reply);
            } else if now >= waiting.until {
                out.reply(waiting.asker, Reply::TooFewHave);
            } else {
                return true;
            }
            false
        });
    }

    fn changed(&mut self, before: usize, now: Mono, out: &mut Outcome) {
        if out.changed {
            self.offset += 1;
            self.next_send.get_or_insert(now + self.config.lag);
        }
        if self.config.wait == 0 {
            return;
        }
        // What was answered in this step waits for replicas, if it is a grant.
        for (asker, reply) in out.replies.split_off(before) {
            match reply {
                kinds::Reply::Claim(reply) if matches!(*reply, Reply::Granted { .. }) => {
                    let until = now + self.config.wait_for;
                    self.waiting.push(Waiting { asker, reply: *reply, offset: self.offset, until });
                }
                kinds::Reply::Claim(_)
                | kinds::Reply::Advisory(_)
                | kinds::Reply::Record(_)
                | kinds::Reply::Handover(_)
                | kinds::Reply::Consul(_)
                | kinds::Reply::Hazelcast(_)
                | kinds::Reply::Chubby(_)
                | kinds::Reply::ZooKeeper(_)
                | kinds::Reply::Felix(_)
                | kinds::Reply::NoLeader => out.replies.push((asker, reply)),
            }
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
                self.others[place].heard = Some(now.mono);
                let State { epoch, run, offset, ref redis } = **state;
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
