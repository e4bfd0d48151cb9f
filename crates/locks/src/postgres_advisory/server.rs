//! The server half: which backend has which lock, who stands in line, and what a closed connection frees.

use kernel::{Keepalive, Map, Mono, Now, ProcessId, Start};

use super::{Pool, Reply, Request};
use crate::service::{Asker, Outcome, Service};
use crate::{Freed, GrantId, Granted, Key, LeaseId, Note};

/// For how long a lock is held that nobody unlocks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scope {
    /// Until the session ends.
    Session,
    /// Until the transaction ends.
    Transaction,
}

/// How a server is set up.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Config {
    /// What locks are bound to.
    pub scope: Scope,
    /// How it finds out that a client is gone.
    pub keepalive: Keepalive,
}

/// A lock as one of its backend's clients has it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Hold {
    /// Whose it is.
    pub client: ProcessId,
    session: u64,
    value: u64,
}

/// Somebody in line.
#[derive(Clone, Copy, Debug)]
struct Waiter {
    asker: Asker,
    hold: Hold,
    backend: u64,
}

/// A lock that a backend has, as often as there are holds.
#[derive(Clone, Debug)]
struct Held {
    backend: u64,
    holds: Vec<Hold>,
    line: Vec<Waiter>,
}

/// A PostgreSQL's advisory locks.
#[derive(Clone, Debug)]
pub struct Postgres {
    config: Config,
    pool: Option<Pool>,
    locks: Map<Key, Held>,
    /// Connections of clients.
    sessions: Vec<(ProcessId, u64)>,
    /// Statements that wait for the pooler to lend a connection.
    pending: Vec<(Asker, Key, Hold, bool)>,
}

impl Postgres {
    /// Locks that nobody has; behind a pool, or with a backend for each client.
    pub fn new(config: Config, pool: Option<Pool>) -> Self {
        Self { config, pool, locks: Map::new(), sessions: Vec::new(), pending: Vec::new() }
    }

    /// The locks that are held: by which backend, by whom, and how many stand in line.
    pub fn locks(&self) -> impl Iterator<Item = (&Key, u64, &[Hold], usize)> {
        self.locks.iter().map(|(lock, held)| (lock, held.backend, held.holds.as_slice(), held.line.len()))
    }

    /// The pooler's connections.
    pub fn pool(&self) -> Option<&Pool> {
        self.pool.as_ref()
    }

    fn knows(&self, client: ProcessId, session: u64) -> bool {
        self.sessions.contains(&(client, session))
    }

    /// Whether a connection of the pool is lent for as long as the lock is held.
    fn keeps_backend(&self) -> bool {
        self.config.scope == Scope::Transaction
    }

    fn lend(&mut self, session: u64) -> Option<u64> {
        match &mut self.pool {
            Some(pool) => pool.lend(),
            None => Some(session),
        }
    }

    fn give_back(&mut self, backend: u64) {
        if let Some(pool) = &mut self.pool {
            pool.give_back(backend);
        }
    }

    fn lock(&mut self, asker: Asker, lock: &Key, hold: Hold, waits: bool, out: &mut Outcome) {
        if let Some(held) = self.locks.get_mut(lock) {
            if held.holds.contains(&hold) {
                return out.reply(asker, Reply::Granted(GrantId(hold.value))); // It asks again: it has it.
            }
            if let Some(waiter) = held.line.iter_mut().find(|waiter| waiter.hold == hold) {
                waiter.asker = asker;
                return out.watches.push((asker, lock.clone()));
            }
        }
        self.pending.retain(|(_, _, pending, _)| *pending != hold);
        let Some(backend) = self.lend(hold.session) else {
            if waits {
                out.watches.push((asker, lock.clone()));
            }
            return self.pending.push((asker, lock.clone(), hold, waits));
        };
        match self.locks.get_mut(lock) {
            Some(held) if held.backend != backend && waits => {
                held.line.push(Waiter { asker, hold, backend });
                out.watches.push((asker, lock.clone()));
                return; // The connection is lent for as long as it waits.
            }
            Some(held) if held.backend != backend => out.reply(asker, Reply::Taken),
            found => {
                match found {
                    Some(held) => held.holds.push(hold), // Locks are counted, whoever asks on this backend.
                    None => {
                        let held = Held { backend, holds: vec![hold], line: Vec::new() };
                        self.locks.insert(lock.clone(), held);
                    }
                }
                granted(asker, lock, hold, out);
                if self.keeps_backend() {
                    return;
                }
            }
        }
        self.give_back(backend);
    }

    fn unlock(&mut self, lock: &Key, hold: Hold, out: &mut Outcome) -> bool {
        self.pending.retain(|(_, _, pending, _)| *pending != hold);
        if self.stop_waiting(lock, |waiter| *waiter == hold) {
            return true;
        }
        let pinned = self.pool.is_none() || self.keeps_backend();
        // On a pool the statement comes on any connection, and only that one's lock can be unlocked.
        let lent = if pinned { None } else { self.lend(hold.session) };
        let Some(held) = self.locks.get_mut(lock) else {
            lent.inspect(|backend| self.give_back(*backend));
            return false;
        };
        let place = held.holds.iter().position(|held| *held == hold);
        let place = match lent {
            None => place,
            Some(backend) if backend == held.backend => place.or(held.holds.len().checked_sub(1)),
            Some(_) => None,
        };
        if let Some(place) = place {
            let (hold, backend) = (held.holds.remove(place), held.backend);
            out.note(freed(lock, hold, Freed::Released));
            if pinned {
                self.give_back(backend);
            }
            self.pass_on(lock, out);
        }
        lent.inspect(|backend| self.give_back(*backend));
        self.lend_to_pending(out);
        place.is_some()
    }

    /// Takes those out of a lock's line; whether there were any.
    fn stop_waiting(&mut self, lock: &Key, leaves: impl Fn(&Hold) -> bool) -> bool {
        let Some(held) = self.locks.get_mut(lock) else { return false };
        let gone: Vec<u64> =
            held.line.iter().filter(|waiter| leaves(&waiter.hold)).map(|waiter| waiter.backend).collect();
        held.line.retain(|waiter| !leaves(&waiter.hold));
        for backend in &gone {
            self.give_back(*backend);
        }
        !gone.is_empty()
    }

    /// A lock that its backend has no more goes to the first in line.
    fn pass_on(&mut self, lock: &Key, out: &mut Outcome) {
        let Some(held) = self.locks.get_mut(lock) else { return };
        if !held.holds.is_empty() {
            return;
        }
        if held.line.is_empty() {
            self.locks.remove(lock);
            return;
        }
        let Waiter { asker, hold, backend } = held.line.remove(0);
        held.backend = backend;
        held.holds.push(hold);
        granted(asker, lock, hold, out);
        if !self.keeps_backend() {
            self.give_back(backend);
        }
    }

    fn lend_to_pending(&mut self, out: &mut Outcome) {
        for (asker, lock, hold, waits) in std::mem::take(&mut self.pending) {
            self.lock(asker, &lock, hold, waits, out);
        }
    }

    /// What a backend, or a client, held is freed: its connection is closed.
    fn free(&mut self, ends: impl Fn(u64, &Hold) -> bool, now: Now, out: &mut Outcome) {
        let locks: Vec<Key> = self.locks.keys().cloned().collect();
        for lock in locks {
            let Some(held) = self.locks.get_mut(&lock) else { continue };
            let backend = held.backend;
            let (gone, stay): (Vec<Hold>, Vec<Hold>) =
                held.holds.iter().copied().partition(|hold| ends(backend, hold));
            held.holds = stay;
            for hold in &gone {
                out.note(freed(&lock, *hold, Freed::Disconnected));
            }
            if !gone.is_empty() {
                if let Some(pool) = self.pool.as_mut().filter(|_| self.config.scope == Scope::Transaction) {
                    pool.close(backend, now.mono);
                }
                self.pass_on(&lock, out);
            }
        }
        self.lend_to_pending(out);
    }
}

fn granted(asker: Asker, lock: &Key, hold: Hold, out: &mut Outcome) {
    let Hold { client, value, .. } = hold;
    out.note(Note::Granted(Box::new(Granted {
        lock: lock.clone(),
        holder: client,
        grant: GrantId(value),
        lease: LeaseId(value),
        token: None,
        deadline: None,
    })));
    out.reply(asker, Reply::Granted(GrantId(value)));
}

fn freed(lock: &Key, hold: Hold, how: Freed) -> Note {
    Note::Freed { lock: lock.clone(), grant: GrantId(hold.value), how, revision: None }
}

impl Service for Postgres {
    fn starts(&mut self, start: Start, _now: Now, out: &mut Outcome) {
        if start != Start::First {
            out.note(Note::CameUp { knows: Vec::new() });
        }
    }

    fn asked(&mut self, asker: Asker, request: &crate::Request, now: Now, out: &mut Outcome) {
        let crate::Request::Advisory(request) = request else { return };
        let client = asker.client;
        let reply = match **request {
            Request::Lock { ref lock, session, value, waits } => {
                if !self.knows(client, session) {
                    self.sessions.push((client, session));
                    out.connects.push((client, session, self.config.keepalive));
                }
                if self.pool.is_none() {
                    // It has given up what it asked before on this connection, and its host has said so meanwhile.
                    let old = |hold: &Hold| hold.session == session && hold.value != value;
                    self.stop_waiting(lock, old);
                    let of_lock = self.locks.get(lock).is_some_and(|held| held.holds.iter().any(old));
                    if of_lock {
                        self.free(|_, hold| old(hold), now, out);
                    }
                }
                return self.lock(asker, lock, Hold { client, session, value }, waits, out);
            }
            Request::Unlock { ref lock, session, value } => {
                Reply::Unlocked(self.unlock(lock, Hold { client, session, value }, out))
            }
            Request::Ping { ref lock, session, value } => {
                let hold = Hold { client, session, value };
                let has = self.locks.get(lock).is_some_and(|held| held.holds.contains(&hold));
                let seen = has || (self.pool.is_some() && !self.keeps_backend());
                Reply::Stands(seen && self.knows(client, session))
            }
            Request::Look { ref lock } => Reply::Looked(self.locks.contains_key(lock)),
        };
        out.reply(asker, reply);
    }

    fn closed(&mut self, peer: ProcessId, number: u64, now: Now, out: &mut Outcome) {
        self.sessions.retain(|session| *session != (peer, number));
        let own = |hold: &Hold| (hold.client, hold.session) == (peer, number);
        self.pending.retain(|(_, _, hold, _)| !own(hold));
        let locks: Vec<Key> = self.locks.keys().cloned().collect();
        for lock in &locks {
            self.stop_waiting(lock, own);
        }
        // A pool's connections outlive its clients, and what is locked on them does as well.
        if self.pool.is_none() || self.keeps_backend() {
            self.free(|_, hold| own(hold), now, out);
        } else {
            self.lend_to_pending(out);
        }
    }

    fn wakes_at(&self, _now: Now) -> Option<Mono> {
        self.pool.as_ref().and_then(Pool::first_too_old)
    }

    fn woken(&mut self, now: Now, out: &mut Outcome) {
        let closed = self.pool.as_mut().map_or_else(Vec::new, |pool| pool.recycle(now.mono));
        if !closed.is_empty() {
            self.free(|backend, _| closed.contains(&backend), now, out);
        }
    }
}
