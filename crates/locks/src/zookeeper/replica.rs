//! The server half: sessions and nodes in the log, buckets of deadlines at the leader.

use kernel::{Map, Mono, Now, ProcessId, Span};
use raft::LogId;

use super::{Reply, Request};
use crate::replicated::{self, Replica, Route};
use crate::service::{Asker, Outcome};
use crate::{Freed, GrantId, Granted, Key, LeaseId, Note, Reading, Restart, Token};

/// A session.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Session {
    /// Whose.
    pub client: ProcessId,
    /// Its timeout, as negotiated.
    pub timeout: Span,
}

/// An ephemeral sequential node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Node {
    /// Whose.
    pub session: u64,
    /// The transaction that created it.
    pub czxid: u64,
}

/// The nodes below a lock's.
#[derive(Clone, Debug, Default)]
struct Lock {
    /// How many children were ever created: the next one's number.
    next: u64,
    nodes: Map<u64, Node>,
}

/// Which number stands for a fencing token.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Number {
    /// The zxid of the node's creation.
    Czxid,
    /// The node's sequence number.
    Sequence,
}

/// What a ZooKeeper server keeps.
#[derive(Clone, Debug)]
pub struct ZooKeeper {
    tick: Span,
    token: Number,
    sessions: Map<u64, Session>,
    locks: Map<Key, Lock>,
    /// The last transaction: the leader's epoch, and a counter in it.
    zxid: (u64, u64),
    /// The leader's: the bucket in which each session expires. One that it is closing has none.
    buckets: Map<u64, Mono>,
    /// A follower's: whom it has heard of since it told the leader.
    touched: Map<u64, ()>,
    next_report: Option<Mono>,
}

impl ZooKeeper {
    /// Nothing yet. `zxid` is the last transaction before the play: epoch and counter.
    pub fn new(tick: Span, token: Number, zxid: (u64, u64)) -> Self {
        Self {
            tick,
            token,
            sessions: Map::new(),
            locks: Map::new(),
            zxid,
            buckets: Map::new(),
            touched: Map::new(),
            next_report: None,
        }
    }

    /// The locks, each with its nodes by number.
    pub fn locks(&self) -> impl Iterator<Item = (&Key, impl Iterator<Item = (u64, &Node)>)> {
        self.locks
            .iter()
            .map(|(lock, below)| (lock, below.nodes.iter().map(|(number, node)| (*number, node))))
    }
    /// The sessions, by their numbers.
    pub fn sessions(&self) -> impl Iterator<Item = (u64, &Session)> {
        self.sessions.iter().map(|(number, session)| (*number, session))
    }
    /// Who has a session.
    pub fn client_of(&self, session: u64) -> Option<ProcessId> {
        self.sessions.get(&session).map(|session| session.client)
    }
    /// When each session expires, on the leader's clock; empty elsewhere.
    pub fn buckets(&self) -> impl Iterator<Item = (u64, Mono)> {
        self.buckets.iter().map(|(session, until)| (*session, *until))
    }
    /// The last transaction, as ZooKeeper writes it.
    pub fn last_zxid(&self) -> u64 {
        zxid(self.zxid)
    }

    /// The end of the tick in which a session that was heard of now runs out (`ExpiryQueue.roundToNextInterval`).
    fn bucket(&self, timeout: Span, now: Now) -> Mono {
        let (tick, over) = (self.tick.as_micros().max(1), (now.mono + timeout).as_micros());
        Mono::from_micros((over / tick + 1) * tick)
    }

    /// The leader hears of a session. One that it is closing is not kept alive any more.
    fn touch(&mut self, session: u64, now: Now, out: &mut Outcome) -> bool {
        let Some(&Session { timeout, .. }) = self.sessions.get(&session) else { return false };
        let until = self.bucket(timeout, now);
        let Some(bucket) = self.buckets.get_mut(&session) else { return false };
        if *bucket != until {
            *bucket = until;
            out.note(Note::Renewed { lease: LeaseId(session), deadline: Reading::Mono(until) });
        }
        true
    }

    /// Something came on a session's connection, which shows that its client is there (`submitRequestNow` touches for every
    /// request). A follower tells the leader of it later. False where the leader is closing the session.
    fn hear(&mut self, session: u64, leads: bool, now: Now, out: &mut Outcome) -> bool {
        if leads {
            return self.touch(session, now, out);
        }
        self.touched.insert(session, ());
        self.next_report.get_or_insert(now.mono + Span::from_micros(self.tick.as_micros() / 2));
        true
    }

    /// The leader closes the sessions of the buckets that are over. That comes before any request that waited as well:
    /// a leader that was paused hears the pings of the meantime too late.
    fn close_overdue(&mut self, now: Now, out: &mut Outcome) {
        self.buckets.retain(|&session, until| {
            let over = *until <= now.mono;
            if over {
                let close = Request::Close { session, expired: true };
                out.proposals.push(crate::Request::ZooKeeper(close.into()));
            }
            !over
        });
    }

    /// Every transaction has the next number; an election begins a new epoch.
    fn next_zxid(&mut self, id: LogId) -> u64 {
        self.zxid = if id.term > self.zxid.0 { (id.term, 1) } else { (self.zxid.0, self.zxid.1 + 1) };
        zxid(self.zxid)
    }

    fn create(&mut self, lock: &Key, session: u64, czxid: u64, now: Now, out: &mut Outcome) -> Reply {
        if !self.sessions.contains_key(&session) {
            return Reply::Expired;
        }
        let below = self.locks.entry(lock.clone()).or_default();
        let sequence = below.next;
        below.next += 1;
        below.nodes.insert(sequence, Node { session, czxid });
        if below.nodes.len() == 1 {
            self.note_grant(lock, now, out);
        }
        Reply::Created { sequence, czxid }
    }

    /// The first node's session has the lock.
    fn note_grant(&self, lock: &Key, now: Now, out: &mut Outcome) {
        let Some((sequence, node)) = self.locks.get(lock).and_then(|below| below.nodes.first()) else {
            return;
        };
        let Some(&Session { client, timeout }) = self.sessions.get(&node.session) else { return };
        let until = self.buckets.get(&node.session).copied().unwrap_or_else(|| self.bucket(timeout, now));
        out.note(Note::Granted(Box::new(Granted {
            lock: lock.clone(),
            holder: client,
            grant: GrantId(node.czxid),
            lease: LeaseId(node.session),
            token: Some(Token(match self.token {
                Number::Czxid => node.czxid,
                Number::Sequence => *sequence,
            })),
            deadline: Some(Reading::Mono(until)),
        })));
    }

    /// A node goes: those who watch hear of it, and if it was the first, the lock has another holder.
    fn delete(&mut self, lock: &Key, sequence: u64, how: Freed, zxid: u64, now: Now, out: &mut Outcome) {
        let Some(below) = self.locks.get_mut(lock) else { return };
        let was_first = below.nodes.first().is_some_and(|(first, _)| *first == sequence);
        let Some(node) = below.nodes.remove(&sequence) else { return };
        out.moved.push(watched(lock, sequence));
        if was_first {
            let (grant, revision) = (GrantId(node.czxid), Some(zxid));
            out.note(Note::Freed { lock: lock.clone(), grant, how, revision });
            self.note_grant(lock, now, out);
        }
    }

    /// One transaction closes the session and deletes its nodes.
    fn close(&mut self, session: u64, how: Freed, zxid: u64, now: Now, out: &mut Outcome) -> Reply {
        self.buckets.remove(&session);
        self.touched.remove(&session);
        self.sessions.remove(&session);
        let of_session = |(lock, below): (&Key, &Lock)| {
            let own = below.nodes.iter().filter(|(_, node)| node.session == session);
            own.map(|(sequence, _)| (lock.clone(), *sequence)).collect::<Vec<_>>()
        };
        let nodes: Vec<(Key, u64)> = self.locks.iter().flat_map(of_session).collect();
        for (lock, sequence) in nodes {
            self.delete(&lock, sequence, how, zxid, now, out);
        }
        Reply::Closed
    }
}

fn zxid((epoch, counter): (u64, u64)) -> u64 {
    epoch << 32 | counter
}

/// The name by which a node is watched.
fn watched(lock: &Key, sequence: u64) -> Key {
    format!("{lock}/{sequence}").into()
}

impl Replica for ZooKeeper {
    fn route(&self, request: &crate::Request) -> Route {
        let crate::Request::ZooKeeper(request) = request else { return Route::Here };
        match **request {
            Request::Connect { .. }
            | Request::Create { .. }
            | Request::Delete { .. }
            | Request::Close { .. } => Route::Log,
            Request::Touch { .. } | Request::Reconnect { .. } => Route::Leader,
            Request::Ping { .. } | Request::Children { .. } | Request::Watch { .. } => Route::Here,
        }
    }

    fn apply(&mut self, entry: replicated::Entry<'_>, now: Now, out: &mut Outcome) {
        let crate::Request::ZooKeeper(request) = entry.request else { return };
        let zxid = self.next_zxid(entry.id);
        let reply = match **request {
            Request::Connect { timeout } => {
                let timeout = timeout.clamp(self.tick.times(2), self.tick.times(20));
                let (client, session) = (entry.asker.client, zxid);
                self.sessions.insert(session, Session { client, timeout });
                let until = self.bucket(timeout, now);
                self.buckets.insert(session, until);
                Reply::Connected { session, timeout }
            }
            Request::Create { ref lock, session } => self.create(lock, session, zxid, now, out),
            Request::Delete { ref lock, sequence } => {
                self.delete(lock, sequence, Freed::Released, zxid, now, out);
                Reply::Deleted
            }
            Request::Close { session, expired } => {
                let how = if expired { Freed::Expired } else { Freed::Released };
                self.close(session, how, zxid, now, out)
            }
            Request::Ping { .. }
            | Request::Reconnect { .. }
            | Request::Touch { .. }
            | Request::Children { .. }
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
        let crate::Request::ZooKeeper(request) = request else { return true };
        if leads {
            self.close_overdue(now, out);
        }
        let session = request.session().filter(|session| self.sessions.contains_key(session));
        if session.is_some_and(|session| !self.hear(session, leads, now, out)) {
            return true; // `MissingSessionException`: the connection is closed without an answer.
        }
        match **request {
            Request::Ping { session } | Request::Reconnect { session }
                if !self.sessions.contains_key(&session) =>
            {
                out.reply(asker, Reply::Expired)
            }
            Request::Ping { .. } | Request::Reconnect { .. } => out.reply(asker, Reply::Pong),
            Request::Touch { ref sessions } => {
                for &session in sessions {
                    self.touch(session, now, out);
                }
            }
            Request::Children { ref lock, .. } => {
                let nodes = self.locks.get(lock).map(|below| &below.nodes);
                let nodes = nodes.into_iter().flatten().map(|(number, node)| (*number, node.czxid)).collect();
                out.reply(asker, Reply::Children(nodes));
            }
            Request::Watch { ref lock, sequence, .. } => {
                if self.locks.get(lock).is_some_and(|below| below.nodes.contains_key(&sequence)) {
                    out.watches.push((asker, watched(lock, sequence)));
                } else {
                    out.told.push(asker);
                }
            }
            Request::Connect { .. }
            | Request::Create { .. }
            | Request::Delete { .. }
            | Request::Close { .. } => {
                return false;
            }
        }
        true
    }

    /// How long each session had left the old leader knew: all begin anew.
    fn leads(&mut self, term: u64, now: Now, out: &mut Outcome) {
        self.buckets.clear();
        for (session, kept) in &self.sessions {
            let until = self.bucket(kept.timeout, now);
            self.buckets.insert(*session, until);
        }
        let lease =
            |(session, until): (&u64, &Mono)| (LeaseId(*session), Reading::Mono(*until), Restart::Full);
        out.note(Note::TookOver { term, leases: self.buckets.iter().map(lease).collect() });
        self.touched.clear();
        self.next_report = None;
    }

    fn follows(&mut self) {
        self.buckets.clear();
        self.touched.clear();
        self.next_report = None;
    }

    fn forgets(&mut self) {
        self.follows();
    }

    fn wakes_at(&self) -> Option<Mono> {
        self.buckets.values().copied().chain(self.next_report).min()
    }

    fn woken(&mut self, leads: bool, now: Now, out: &mut Outcome) {
        if !leads {
            self.buckets.clear(); // Whoever leads lets sessions expire.
            if self.next_report.is_some_and(|due| due <= now.mono) {
                self.next_report = None;
                let sessions = std::mem::take(&mut self.touched).keys().copied().collect();
                out.to_leader = Some(crate::Request::ZooKeeper(Request::Touch { sessions }.into()));
            }
            return;
        }
        self.close_overdue(now, out);
    }
}
