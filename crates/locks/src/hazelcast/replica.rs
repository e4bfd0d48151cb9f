//! The server half: sessions and locks in the log, expirations by each member's own wall clock.

use std::collections::VecDeque;

use kernel::{Map, Mono, Now, ProcessId, Span, Wall};

use super::{Reply, Request};
use crate::replicated::{self, Replica, Route};
use crate::service::{Asker, Outcome};
use crate::{Freed, GrantId, Granted, Key, LeaseId, Note, Reading, Restart, Token};

/// How often the leader looks for sessions that are over (`CHECK_EXPIRED_SESSIONS_TASK_PERIOD_IN_MILLIS`).
const SCAN_EVERY: Span = Span::from_secs(1);

/// A session.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Session {
    /// Whose.
    pub client: ProcessId,
    /// How often it was heard of: the same on every member.
    pub version: u64,
    /// When it is over, on this member's own wall clock.
    pub expires: Wall,
}

/// A request that has the lock, or waits for it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Owner {
    /// Whose.
    pub session: u64,
    /// The request's.
    pub uid: u64,
    /// The log's index at which the request was committed: the fence.
    pub index: u64,
}

/// A lock.
#[derive(Clone, Debug, Default)]
pub struct FencedLock {
    /// Who has it, and how often that one took it.
    pub owner: Option<(Owner, u64)>,
    /// Who waits, in the log's order.
    pub waiting: VecDeque<Owner>,
    /// What has come of each of the owner's requests, and of the last unlock: session, uid, and the fence if it locked.
    done: Vec<(u64, u64, Option<Token>)>,
}

/// What a member of the CP group keeps.
#[derive(Clone, Debug)]
pub struct Hazelcast {
    ttl: Span,
    heartbeat: Span,
    created: u64,
    sessions: Map<u64, Session>,
    locks: Map<Key, FencedLock>,
    /// The leader's: when it looks for sessions that are over.
    scan: Option<Mono>,
}

impl Hazelcast {
    /// Nothing yet. Sessions live this long after they were last heard of, and are heard of so often.
    pub fn new(ttl: Span, heartbeat: Span) -> Self {
        Self { ttl, heartbeat, created: 0, sessions: Map::new(), locks: Map::new(), scan: None }
    }

    /// The locks.
    pub fn locks(&self) -> impl Iterator<Item = (&Key, &FencedLock)> {
        self.locks.iter()
    }
    /// The sessions, by their numbers.
    pub fn sessions(&self) -> impl Iterator<Item = (u64, &Session)> {
        self.sessions.iter().map(|(number, session)| (*number, session))
    }
    /// Who has a session.
    pub fn client_of(&self, session: u64) -> Option<ProcessId> {
        self.sessions.get(&session).map(|session| session.client)
    }

    fn create_session(&mut self, client: ProcessId, now: Now) -> Reply {
        self.created += 1;
        self.sessions.insert(self.created, Session { client, version: 0, expires: now.wall + self.ttl });
        Reply::Session { session: self.created, ttl: self.ttl }
    }

    fn heartbeat(&mut self, session: u64, now: Now, out: &mut Outcome) -> Reply {
        let Some(kept) = self.sessions.get_mut(&session) else { return Reply::NoSession };
        kept.expires = kept.expires.max(now.wall + self.ttl);
        kept.version += 1;
        out.note(Note::Renewed { lease: LeaseId(session), deadline: Reading::Wall(kept.expires) });
        Reply::Alive(self.ttl)
    }

    fn lock(&mut self, key: &Key, asked: Owner, out: &mut Outcome) -> Reply {
        if !self.sessions.contains_key(&asked.session) {
            return Reply::NoSession;
        }
        let lock = self.locks.entry(key.clone()).or_default();
        if let Some(fence) = lock.done_before(asked.session, asked.uid) {
            return fence.map_or(Reply::Waits, |fence| Reply::Locked { fence });
        }
        match &mut lock.owner {
            None => {
                let fence = lock.give(asked);
                self.note_grant(key, asked, out);
                Reply::Locked { fence }
            }
            Some((owner, count)) if owner.session == asked.session => {
                *count += 1;
                let fence = Token(owner.index);
                lock.done.push((asked.session, asked.uid, Some(fence)));
                Reply::Locked { fence }
            }
            Some(_) => {
                lock.queue(asked);
                Reply::Waits
            }
        }
    }

    fn note_grant(&self, key: &Key, owner: Owner, out: &mut Outcome) {
        let Some(session) = self.sessions.get(&owner.session) else { return };
        out.note(Note::Granted(Box::new(Granted {
            lock: key.clone(),
            holder: session.client,
            grant: GrantId(owner.index),
            lease: LeaseId(owner.session),
            token: Some(Token(owner.index)),
            deadline: Some(Reading::Wall(session.expires)),
        })));
    }

    fn unlock(&mut self, index: u64, key: &Key, session: u64, uid: u64, out: &mut Outcome) -> Reply {
        let Some(lock) = self.locks.get_mut(key) else { return Reply::Unlocked(false) };
        if lock.done_before(session, uid).is_some() {
            return Reply::Unlocked(true);
        }
        let Some((owner, count)) = &mut lock.owner else { return Reply::Unlocked(false) };
        if owner.session != session {
            return Reply::Unlocked(false);
        }
        *count -= 1;
        if *count == 0 {
            self.pass_on(index, key, Freed::Released, out);
        }
        if let Some(lock) = self.locks.get_mut(key) {
            lock.done.push((session, uid, None));
        }
        Reply::Unlocked(true)
    }

    /// The owner goes, and whoever waits longest has the lock.
    fn pass_on(&mut self, index: u64, key: &Key, how: Freed, out: &mut Outcome) {
        let Some(lock) = self.locks.get_mut(key) else { return };
        let Some((old, _)) = lock.owner.take() else { return };
        lock.done.clear();
        let (grant, revision) = (GrantId(old.index), Some(index));
        out.note(Note::Freed { lock: key.clone(), grant, how, revision });
        if let Some(next) = lock.waiting.pop_front() {
            lock.give(next);
            out.moved.push(awaited(key, next.session));
            self.note_grant(key, next, out);
        }
    }

    /// Its waits are cancelled first, so that none of its locks goes to itself.
    fn close(&mut self, index: u64, session: u64, how: Freed, out: &mut Outcome) -> Reply {
        if self.sessions.remove(&session).is_none() {
            return Reply::NoSession;
        }
        let mut owned = Vec::new();
        for (key, lock) in &mut self.locks {
            let waiting = lock.waiting.len();
            lock.waiting.retain(|wait| wait.session != session);
            if lock.waiting.len() < waiting {
                out.moved.push(awaited(key, session));
            }
            if lock.owner.is_some_and(|(owner, _)| owner.session == session) {
                owned.push(key.clone());
            }
        }
        for key in owned {
            self.pass_on(index, &key, how, out);
        }
        Reply::Closed
    }

    /// A session that was heard of in the meantime has another version, and lives on.
    fn expire(&mut self, index: u64, sessions: &[(u64, u64)], out: &mut Outcome) {
        for &(session, version) in sessions {
            if self.sessions.get(&session).is_some_and(|kept| kept.version == version) {
                self.close(index, session, Freed::Expired, out);
            }
        }
    }

    fn waits(&self, key: &Key, session: u64) -> bool {
        self.locks.get(key).is_some_and(|lock| lock.waiting.iter().any(|wait| wait.session == session))
    }

    fn is_locked(&self, key: &Key) -> bool {
        self.locks.get(key).is_some_and(|lock| lock.owner.is_some())
    }
}

impl FencedLock {
    fn done_before(&self, session: u64, uid: u64) -> Option<Option<Token>> {
        let same = |done: &&(u64, u64, Option<Token>)| (done.0, done.1) == (session, uid);
        self.done.iter().find(same).map(|done| done.2)
    }

    fn give(&mut self, to: Owner) -> Token {
        let fence = Token(to.index);
        self.owner = Some((to, 1));
        self.done.push((to.session, to.uid, Some(fence)));
        fence
    }

    /// A request that is there keeps its place; another of the same session takes its place's turn from the end.
    fn queue(&mut self, asked: Owner) {
        self.waiting.retain(|wait| wait.session != asked.session || wait.uid == asked.uid);
        if !self.waiting.iter().any(|wait| wait.session == asked.session) {
            self.waiting.push_back(asked);
        }
    }
}

/// The name by which a session waits.
fn awaited(key: &Key, session: u64) -> Key {
    format!("{key}/{session}").into()
}

impl Replica for Hazelcast {
    fn route(&self, request: &crate::Request) -> Route {
        let crate::Request::Hazelcast(request) = request else { return Route::Here };
        match **request {
            Request::CreateSession
            | Request::Heartbeat { .. }
            | Request::CloseSession { .. }
            | Request::Expire { .. }
            | Request::Lock { .. }
            | Request::Unlock { .. } => Route::Log,
            Request::Await { .. } | Request::IsLocked { .. } => Route::Leader,
        }
    }

    fn apply(&mut self, entry: replicated::Entry<'_>, now: Now, out: &mut Outcome) {
        let crate::Request::Hazelcast(request) = entry.request else { return };
        let index = entry.id.index;
        let reply = match **request {
            Request::CreateSession => self.create_session(entry.asker.client, now),
            Request::Heartbeat { session } => self.heartbeat(session, now, out),
            Request::CloseSession { session } => self.close(index, session, Freed::Released, out),
            Request::Expire { ref sessions } => return self.expire(index, sessions, out),
            Request::Lock { ref lock, session, uid } => self.lock(lock, Owner { session, uid, index }, out),
            Request::Unlock { ref lock, session, uid } => self.unlock(index, lock, session, uid, out),
            Request::Await { .. } | Request::IsLocked { .. } => {
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
        _now: Now,
        out: &mut Outcome,
    ) -> bool {
        let crate::Request::Hazelcast(request) = request else { return true };
        match **request {
            Request::Await { ref lock, session } if self.waits(lock, session) => {
                out.watches.push((asker, awaited(lock, session)));
            }
            Request::Await { .. } => out.told.push(asker),
            Request::IsLocked { ref lock } => out.reply(asker, Reply::IsLocked(self.is_locked(lock))),
            Request::CreateSession
            | Request::Heartbeat { .. }
            | Request::CloseSession { .. }
            | Request::Expire { .. }
            | Request::Lock { .. }
            | Request::Unlock { .. } => return false,
        }
        true
    }

    /// Heartbeats may have been lost while nobody led: every session has one more interval.
    fn leads(&mut self, term: u64, now: Now, out: &mut Outcome) {
        self.scan = Some(now.mono + SCAN_EVERY);
        let mut leases = Vec::new();
        for (&session, kept) in &mut self.sessions {
            kept.expires = kept.expires + self.heartbeat;
            leases.push((LeaseId(session), Reading::Wall(kept.expires), Restart::Longer));
        }
        out.note(Note::TookOver { term, leases });
    }

    fn follows(&mut self) {
        self.scan = None;
    }

    /// Expirations are in a snapshot: those of the member that took it.
    fn forgets(&mut self) {
        self.follows();
    }

    fn wakes_at(&self) -> Option<Mono> {
        self.scan
    }

    fn woken(&mut self, leads: bool, now: Now, out: &mut Outcome) {
        if !leads || self.scan.is_none_or(|due| due > now.mono) {
            return;
        }
        self.scan = Some(now.mono + SCAN_EVERY);
        let over = self.sessions.iter().filter(|(_, kept)| kept.expires <= now.wall);
        let sessions: Vec<(u64, u64)> = over.map(|(session, kept)| (*session, kept.version)).collect();
        if !sessions.is_empty() {
            out.proposals.push(crate::Request::Hazelcast(Request::Expire { sessions }.into()));
        }
    }
}
