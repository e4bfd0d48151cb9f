//! The server half: sessions and keys in the log, timers and delays in memory.

use kernel::{Map, Mono, Now, ProcessId, Span};

use super::{Behavior, Reply, Request};
use crate::replicated::{self, Replica, Route};
use crate::service::{Asker, Outcome};
use crate::{Freed, GrantId, Granted, Key, LeaseId, Note, Reading, Restart, Token};

/// After how long the leader tries again to destroy a session whose time ran out.
const DESTROY_RETRY: Span = Span::from_secs(10);

/// A session.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Session {
    /// Whose.
    pub client: ProcessId,
    /// Its time to live. The leader's timer is twice this.
    pub ttl: Span,
    /// What becomes of its locks.
    pub behavior: Behavior,
    /// For how long nobody gets them when it ends.
    pub lock_delay: Span,
}

/// A key.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Entry {
    /// The session that has it.
    pub session: Option<u64>,
    /// How often it was acquired since it was created.
    pub lock_index: u64,
    /// The log's index at its last change.
    pub modify_index: u64,
    /// The log's index at which it was acquired.
    pub grant: GrantId,
}

/// Which number stands for a fencing token.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Index {
    /// LockIndex, of the sequencer: the key's own, and new with it.
    Lock,
    /// ModifyIndex: the log's.
    Modify,
}

/// What a Consul server keeps.
#[derive(Clone, Debug)]
pub struct Consul {
    sessions: Map<u64, Session>,
    keys: Map<Key, Entry>,
    token: Index,
    /// The leader's: when each session's time is over.
    timers: Map<u64, Mono>,
    /// This server's own: until when nobody gets a key.
    delays: Map<Key, Mono>,
}

impl Consul {
    /// Nothing yet. A token is this number.
    pub fn new(token: Index) -> Self {
        Self { sessions: Map::new(), keys: Map::new(), token, timers: Map::new(), delays: Map::new() }
    }

    /// The keys.
    pub fn keys(&self) -> impl Iterator<Item = (&Key, &Entry)> {
        self.keys.iter()
    }
    /// The sessions, by their numbers.
    pub fn sessions(&self) -> impl Iterator<Item = (u64, &Session)> {
        self.sessions.iter().map(|(number, session)| (*number, session))
    }
    /// Who has a session.
    pub fn client_of(&self, session: u64) -> Option<ProcessId> {
        self.sessions.get(&session).map(|session| session.client)
    }
    /// Until when each session runs, on the leader's clock; empty elsewhere.
    pub fn timers(&self) -> impl Iterator<Item = (u64, Mono)> {
        self.timers.iter().map(|(session, until)| (*session, *until))
    }
    /// Until when nobody gets a key, on this server's clock.
    pub fn delays(&self) -> impl Iterator<Item = (&Key, Mono)> {
        self.delays.iter().map(|(key, until)| (key, *until))
    }

    /// The number of the grant under which a session has the key.
    fn holder(&self, key: &Key) -> Option<Token> {
        self.keys.get(key).filter(|entry| entry.session.is_some()).map(|entry| self.token_of(entry))
    }

    fn token_of(&self, entry: &Entry) -> Token {
        Token(match self.token {
            Index::Lock => entry.lock_index,
            Index::Modify => entry.grant.0,
        })
    }

    fn acquire(&mut self, index: u64, key: &Key, session: u64, now: Now, out: &mut Outcome) -> Reply {
        let Some(&Session { client, ttl, .. }) = self.sessions.get(&session) else { return Reply::NoSession };
        let old = self.keys.get(key).copied();
        match old.and_then(|old| old.session) {
            Some(holder) if holder != session => return Reply::NotAcquired,
            Some(_) => {}
            None => {
                let lock_index = old.map_or(0, |old| old.lock_index) + 1;
                let (session, grant) = (Some(session), GrantId(index));
                let entry = Entry { session, lock_index, modify_index: index, grant };
                self.keys.insert(key.clone(), entry);
            }
        }
        let entry = self.keys[key];
        let token = self.token_of(&entry);
        if old.is_none_or(|old| old.session.is_none()) {
            let until = self.timers.get(&session).copied().unwrap_or(now.mono + ttl.times(2));
            out.note(Note::Granted(Box::new(Granted {
                lock: key.clone(),
                holder: client,
                grant: entry.grant,
                lease: LeaseId(session),
                token: Some(token),
                deadline: Some(Reading::Mono(until)),
            })));
        }
        Reply::Acquired { grant: entry.grant, token }
    }

    fn release(&mut self, index: u64, key: &Key, session: u64, out: &mut Outcome) -> Reply {
        let entry = self.keys.get_mut(key).filter(|entry| entry.session == Some(session));
        let Some(entry) = entry else { return Reply::Released(false) };
        (entry.session, entry.modify_index) = (None, index);
        out.note(freed(key, entry, Freed::Released, index));
        out.moved.push(key.clone());
        Reply::Released(true)
    }

    /// Its locks are released, or their keys deleted; nobody gets them for the lock-delay either way.
    fn destroy(&mut self, index: u64, session: u64, how: Freed, now: Now, out: &mut Outcome) -> Reply {
        self.timers.remove(&session);
        let Some(ended) = self.sessions.remove(&session) else { return Reply::NoSession };
        let delays = &mut self.delays;
        self.keys.retain(|key, entry| {
            if entry.session != Some(session) {
                return true;
            }
            out.note(freed(key, entry, how, index));
            out.moved.push(key.clone());
            if ended.lock_delay > Span::ZERO {
                delays.insert(key.clone(), now.mono + ended.lock_delay);
            }
            ended.behavior == Behavior::Release
        });
        for (_, entry) in self.keys.iter_mut().filter(|(_, entry)| entry.session == Some(session)) {
            (entry.session, entry.modify_index) = (None, index);
        }
        Reply::Destroyed
    }

    fn is_delayed(&mut self, key: &Key, now: Now) -> bool {
        self.delays.retain(|_, until| *until > now.mono);
        self.delays.contains_key(key)
    }
}

fn freed(key: &Key, entry: &Entry, how: Freed, index: u64) -> Note {
    Note::Freed { lock: key.clone(), grant: entry.grant, how, revision: Some(index) }
}

impl Replica for Consul {
    fn route(&self, request: &crate::Request) -> Route {
        let crate::Request::Consul(request) = request else { return Route::Here };
        match **request {
            Request::CreateSession { .. } | Request::DestroySession { .. } | Request::Release { .. } => {
                Route::Log
            }
            Request::Acquire { .. } | Request::Renew { .. } | Request::Get { .. } | Request::Watch { .. } => {
                Route::Leader
            }
        }
    }

    fn apply(&mut self, entry: replicated::Entry<'_>, now: Now, out: &mut Outcome) {
        let crate::Request::Consul(request) = entry.request else { return };
        let index = entry.id.index;
        let reply = match **request {
            Request::CreateSession { ttl, behavior, lock_delay } => {
                let (client, session) = (entry.asker.client, index);
                self.sessions.insert(session, Session { client, ttl, behavior, lock_delay });
                self.timers.insert(session, now.mono + ttl.times(2));
                Reply::Session { session, ttl }
            }
            Request::DestroySession { session, expired } => {
                let how = if expired { Freed::Expired } else { Freed::Released };
                self.destroy(index, session, how, now, out)
            }
            Request::Acquire { ref key, session } => self.acquire(index, key, session, now, out),
            Request::Release { ref key, session } => self.release(index, key, session, out),
            Request::Renew { .. } | Request::Get { .. } | Request::Watch { .. } => {
                unreachable!("this never goes through the log")
            }
        };
        out.reply(entry.asker, reply);
    }

    fn asked(
        &mut self,
        asker: Asker,
        request: &crate::Request,
        _leads: bool,
        now: Now,
        out: &mut Outcome,
    ) -> bool {
        let crate::Request::Consul(request) = request else { return true };
        match **request {
            // Before the log is asked, the leader looks whether the lock-delay is over.
            Request::Acquire { ref key, .. } if self.is_delayed(key, now) => {
                out.reply(asker, Reply::NotAcquired);
            }
            Request::Renew { session } => match self.sessions.get(&session) {
                Some(&Session { ttl, .. }) => {
                    let until = now.mono + ttl.times(2);
                    self.timers.insert(session, until);
                    out.note(Note::Renewed { lease: LeaseId(session), deadline: Reading::Mono(until) });
                    out.reply(asker, Reply::Renewed(ttl));
                }
                None => out.reply(asker, Reply::NoSession),
            },
            Request::Get { ref key } => out.reply(asker, Reply::Got(self.holder(key))),
            Request::Watch { ref key } if self.holder(key).is_some() => {
                out.watches.push((asker, key.clone()))
            }
            Request::Watch { .. } => out.told.push(asker),
            Request::CreateSession { .. }
            | Request::DestroySession { .. }
            | Request::Acquire { .. }
            | Request::Release { .. } => return false,
        }
        true
    }

    /// How long each session had left the old leader knew: all begin anew.
    fn leads(&mut self, term: u64, now: Now, out: &mut Outcome) {
        self.timers.clear();
        for (session, kept) in &self.sessions {
            self.timers.insert(*session, now.mono + kept.ttl.times(2));
        }
        let lease =
            |(session, until): (&u64, &Mono)| (LeaseId(*session), Reading::Mono(*until), Restart::Full);
        out.note(Note::TookOver { term, leases: self.timers.iter().map(lease).collect() });
    }

    fn follows(&mut self) {
        self.timers.clear();
    }

    /// A delay is not in a snapshot: whoever loads one knows of none.
    fn forgets(&mut self) {
        self.follows();
        self.delays.clear();
    }

    fn wakes_at(&self) -> Option<Mono> {
        self.timers.values().min().copied()
    }

    fn woken(&mut self, leads: bool, now: Now, out: &mut Outcome) {
        if !leads {
            return self.timers.clear(); // Whoever leads times sessions.
        }
        for (&session, until) in self.timers.iter_mut().filter(|(_, until)| **until <= now.mono) {
            *until = now.mono + DESTROY_RETRY;
            let destroy = Request::DestroySession { session, expired: true };
            out.proposals.push(crate::Request::Consul(destroy.into()));
        }
    }
}
