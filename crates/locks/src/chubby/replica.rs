//! The server half: sessions and locks in the log, and a master's memory beside it.

use kernel::{Map, Mono, Now, ProcessId, Span};

use super::master::{Lease, Master};
use super::{Reply, Request};
use crate::replicated::{self, Replica, Route};
use crate::service::{Asker, Outcome};
use crate::{Freed, GrantId, Granted, Key, LeaseId, Note, Reading, Restart, Token};

/// What is the same for all sessions of a cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Config {
    /// How long a lease is, and each extension of it.
    pub ttl: Span,
    /// How long before a lease's end the master answers the KeepAlive that it holds back.
    pub answer_before: Span,
}

/// Who has a lock.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Holder {
    /// Which session.
    pub session: u64,
    /// The log's index at which it got it.
    pub grant: GrantId,
    /// For how long nobody is to get the lock if the session expires.
    pub lock_delay: Span,
}

/// A lock.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Lock {
    /// How often it went from free to held.
    pub generation: u64,
    /// Who has it.
    pub holder: Option<Holder>,
    /// Nobody gets it for so long, from when a master saw its holder's session expire, or from when it became master.
    pub delayed: Option<Span>,
}

/// What a replica of a Chubby cell keeps.
#[derive(Clone, Debug)]
pub struct Chubby {
    config: Config,
    /// Each session's client.
    sessions: Map<u64, ProcessId>,
    locks: Map<Key, Lock>,
    master: Master,
}

impl Chubby {
    /// Nothing yet.
    pub fn new(config: Config) -> Self {
        Self { config, sessions: Map::new(), locks: Map::new(), master: Master::default() }
    }

    /// The locks.
    pub fn locks(&self) -> impl Iterator<Item = (&Key, &Lock)> {
        self.locks.iter()
    }
    /// The sessions, by their numbers, and whose they are.
    pub fn sessions(&self) -> impl Iterator<Item = (u64, ProcessId)> {
        self.sessions.iter().map(|(session, client)| (*session, *client))
    }
    /// Who has a session.
    pub fn client_of(&self, session: u64) -> Option<ProcessId> {
        self.sessions.get(&session).copied()
    }
    /// How each session's lease stands, at the master; empty elsewhere.
    pub fn leases(&self) -> impl Iterator<Item = (u64, &Lease)> {
        self.master.leases.iter().map(|(session, lease)| (*session, lease))
    }
    /// Until when nobody gets a lock, on the master's clock; empty elsewhere.
    pub fn delays(&self) -> impl Iterator<Item = (&Key, Mono)> {
        self.master.delays.iter().map(|(lock, until)| (lock, *until))
    }
    /// Of how many sessions a new master has to hear yet.
    pub fn unheard(&self) -> usize {
        self.master.unheard.len()
    }

    fn open(&mut self, session: u64, client: ProcessId, now: Now) -> Reply {
        let lease = self.config.ttl;
        self.sessions.insert(session, client);
        self.master.leases.insert(session, Lease::until(now.mono + lease));
        Reply::Opened { session, epoch: self.master.epoch, lease }
    }

    fn acquire(&mut self, key: &Key, by: Holder, now: Now, out: &mut Outcome) -> Reply {
        let Some(client) = self.client_of(by.session) else { return Reply::NoSession };
        let lock = self.locks.entry(key.clone()).or_default();
        match lock.holder {
            Some(holder) if holder.session == by.session => {
                return Reply::Acquired { grant: holder.grant, generation: Token(lock.generation) };
            }
            Some(_) => return Reply::NotAcquired,
            None if lock.delayed.is_some() => return Reply::NotAcquired,
            None => {}
        }
        (lock.generation, lock.holder) = (lock.generation + 1, Some(by));
        let generation = Token(lock.generation);
        let lease = self.master.leases.get(&by.session);
        let until = lease.map_or(now.mono + self.config.ttl, |lease| lease.until);
        out.note(Note::Granted(Box::new(Granted {
            lock: key.clone(),
            holder: client,
            grant: by.grant,
            lease: LeaseId(by.session),
            token: Some(generation),
            deadline: Some(Reading::Mono(until)),
        })));
        Reply::Acquired { grant: by.grant, generation }
    }

    fn release(&mut self, key: &Key, session: u64, out: &mut Outcome) -> Reply {
        let Some(lock) = self.locks.get_mut(key) else { return Reply::Released(false) };
        let Some(holder) = lock.holder.take_if(|holder| holder.session == session) else {
            return Reply::Released(false);
        };
        out.note(freed(key, holder, Freed::Released));
        out.moved.push(key.clone());
        Reply::Released(true)
    }

    /// The end of a session: its locks are free. One that expired has failed, and nobody gets them for the lock-delay.
    fn end(&mut self, session: u64, how: Freed, now: Now, out: &mut Outcome) -> Reply {
        self.master.forget(session, out);
        if self.sessions.remove(&session).is_none() {
            return Reply::NoSession;
        }
        for (key, lock) in &mut self.locks {
            let Some(holder) = lock.holder.take_if(|holder| holder.session == session) else { continue };
            out.note(freed(key, holder, how));
            if how == Freed::Expired && holder.lock_delay > Span::ZERO {
                lock.delayed = Some(holder.lock_delay);
                self.master.delays.insert(key.clone(), now.mono + holder.lock_delay);
            } else {
                out.moved.push(key.clone());
            }
        }
        Reply::Closed
    }

    fn end_delay(&mut self, key: &Key, generation: u64, out: &mut Outcome) {
        let lock = self.locks.get_mut(key).filter(|lock| lock.generation == generation);
        if lock.and_then(|lock| lock.delayed.take()).is_some() {
            self.master.delays.remove(key);
            out.moved.push(key.clone());
        }
    }

    fn is_valid(&self, key: &Key, generation: Option<u64>) -> bool {
        self.locks.get(key).is_some_and(|lock| {
            lock.holder.is_some() && generation.is_none_or(|generation| lock.generation == generation)
        })
    }

    /// Whether nobody can get it now.
    fn is_taken(&self, key: &Key) -> bool {
        self.locks.get(key).is_some_and(|lock| lock.holder.is_some() || lock.delayed.is_some())
    }

    /// What a new master does not do before it has heard of all sessions. False: to the log.
    fn changes(&mut self, asker: Asker, request: &Request, out: &mut Outcome) -> bool {
        let waits = match request {
            Request::CloseSession { .. } | Request::Release { .. } => true,
            Request::OpenSession
            | Request::KeepAlive { .. }
            | Request::Extend { .. }
            | Request::Expire { .. }
            | Request::Acquire { .. }
            | Request::EndDelay { .. }
            | Request::CheckSequencer { .. }
            | Request::Validate { .. }
            | Request::Watch { .. } => false,
        };
        if !self.master.recovers() {
            return false;
        }
        if waits {
            self.master.wait(asker, request);
        } else {
            out.reply(asker, Reply::Recovers);
        }
        true
    }
}

fn freed(key: &Key, holder: Holder, how: Freed) -> Note {
    Note::Freed { lock: key.clone(), grant: holder.grant, how, revision: None }
}

impl Replica for Chubby {
    fn route(&self, request: &crate::Request) -> Route {
        let crate::Request::Chubby(request) = request else { return Route::Here };
        match **request {
            Request::OpenSession
            | Request::KeepAlive { .. }
            | Request::CloseSession { .. }
            | Request::Acquire { .. }
            | Request::Release { .. }
            | Request::CheckSequencer { .. }
            | Request::Watch { .. } => Route::Leader,
            Request::Extend { .. } | Request::Validate { .. } => Route::Confirmed,
            Request::Expire { .. } | Request::EndDelay { .. } => Route::Log,
        }
    }

    fn apply(&mut self, entry: replicated::Entry<'_>, now: Now, out: &mut Outcome) {
        let crate::Request::Chubby(request) = entry.request else { return };
        let index = entry.id.index;
        let reply = match **request {
            Request::OpenSession => self.open(index, entry.asker.client, now),
            Request::CloseSession { session, .. } => self.end(session, Freed::Released, now, out),
            Request::Expire { session } => {
                self.end(session, Freed::Expired, now, out);
                return;
            }
            Request::Acquire { ref lock, session, lock_delay, .. } => {
                let by = Holder { session, grant: GrantId(index), lock_delay };
                self.acquire(lock, by, now, out)
            }
            Request::Release { ref lock, session, .. } => self.release(lock, session, out),
            Request::EndDelay { ref lock, generation } => return self.end_delay(lock, generation, out),
            Request::KeepAlive { .. }
            | Request::Extend { .. }
            | Request::CheckSequencer { .. }
            | Request::Validate { .. }
            | Request::Watch { .. } => {
                unreachable!("this never goes through the log")
            }
        };
        out.reply(entry.asker, reply);
    }

    fn asked(
        &mut self,
        asker: Asker,
        request: &crate::Request,
        leads: bool,
        now: Now,
        out: &mut Outcome,
    ) -> bool {
        let crate::Request::Chubby(request) = request else { return true };
        if !leads {
            out.reply(asker, crate::Reply::NoLeader);
            return true;
        }
        let epoch = self.master.epoch;
        // What was meant for an earlier master may be old.
        if request.epoch().is_some_and(|asked| asked != epoch) {
            out.reply(asker, Reply::Epoch(epoch));
            return true;
        }
        match **request {
            Request::KeepAlive { session, heard, .. } => {
                self.master.keep_alive(asker, session, heard, now, out);
            }
            Request::Extend { session, received } => {
                self.master.extend(asker, (session, received), self.config.ttl, now, out);
            }
            Request::CheckSequencer { ref lock, generation } => {
                let check = Request::Validate { lock: lock.clone(), generation };
                out.confirmed.push((asker, crate::Request::Chubby(check.into())));
            }
            Request::Validate { ref lock, generation } => {
                out.reply(asker, Reply::Sequencer(self.is_valid(lock, generation)));
            }
            Request::Watch { ref lock } if self.is_taken(lock) => out.watches.push((asker, lock.clone())),
            Request::Watch { .. } => out.told.push(asker),
            Request::OpenSession
            | Request::CloseSession { .. }
            | Request::Acquire { .. }
            | Request::Release { .. }
            | Request::Expire { .. }
            | Request::EndDelay { .. } => return self.changes(asker, request, out),
        }
        true
    }

    /// How much of a lease or of a delay is left the old master knew: all run as long as they can at most.
    fn leads(&mut self, term: u64, now: Now, out: &mut Outcome) {
        let ttl = self.config.ttl;
        let leases: Map<u64, Lease> =
            self.sessions.keys().map(|session| (*session, Lease::until(now.mono + ttl))).collect();
        let delayed = |(key, lock): (&Key, &Lock)| lock.delayed.map(|delay| (key.clone(), now.mono + delay));
        let delays = self.locks.iter().filter_map(delayed).collect();
        let told =
            |(session, lease): (&u64, &Lease)| (LeaseId(*session), Reading::Mono(lease.until), Restart::Full);
        out.note(Note::TookOver { term, leases: leases.iter().map(told).collect() });
        self.master.begins(term, leases, delays);
    }

    fn follows(&mut self) {
        self.master.ends();
    }

    fn forgets(&mut self) {
        self.master = Master::default();
    }

    fn wakes_at(&self) -> Option<Mono> {
        self.master.wakes_at(self.config.answer_before)
    }

    fn woken(&mut self, leads: bool, now: Now, out: &mut Outcome) {
        self.master.tell_dropped(out);
        if !leads {
            return self.master.ends(); // What is due is the master's.
        }
        self.master.answer_due(self.config.answer_before, now, out);
        let generation = |key: &Key| self.locks.get(key).map_or(0, |lock| lock.generation);
        self.master.expire_due(generation, now, out);
    }
}
