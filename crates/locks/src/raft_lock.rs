//! Raft as the lock itself: whoever leads holds, and the term is the token.
//!
//! Each worker has a member of its own beside it and asks nobody else. It holds the lock when its member leads and has
//! written so into the log; it goes on for as long as its member can say that it still leads. How the member knows is the
//! question: by a round of heartbeats that a majority answers (ReadIndex), or at once, by a lease that its clock and the
//! others' must agree on. A member that was paused comes back with a lease that it has not noticed to be over.
//!
//! Sources: Raft paper, section 8; D. Ongaro's thesis, section 6.4; etcd-io/raft's `ReadOnlyLeaseBased`.

use kernel::{Map, Mono, Now, ProcessId};

use crate::claim::{Reply, Request};
use crate::replicated::{Entry, Replica, Route};
use crate::service::{Asker, Outcome};
use crate::{Freed, GrantId, Granted, Key, LeaseId, Note, Reading, Token};

/// A lock that the leader of a term has taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Taken {
    /// For which worker.
    pub holder: ProcessId,
    /// That one's number for its claim.
    pub value: u64,
    /// In which term: the token.
    pub term: u64,
    /// By which entry of the log.
    pub index: u64,
}

/// The locks that a leader has taken.
#[derive(Clone, Debug, Default)]
pub struct RaftLock {
    taken: Map<Key, Taken>,
    /// This member's leadership, if it leads.
    leads_in: Option<Leadership>,
}

/// What a leader remembers.
#[derive(Clone, Debug)]
struct Leadership {
    term: u64,
    /// Until when each lock is a worker's beside it, on its clock: that one goes on for so long, and another waits.
    promised: Map<Key, (ProcessId, Mono)>,
}

impl RaftLock {
    /// The locks that were taken and not given back.
    pub fn taken(&self) -> impl Iterator<Item = (&Key, &Taken)> {
        self.taken.iter()
    }

    /// Whether the lock was taken under this leadership with this number.
    fn is_own(&self, lock: &Key, value: u64) -> bool {
        let taken = self
            .taken
            .get(lock)
            .filter(|taken| self.leads_in.as_ref().is_some_and(|leads| leads.term == taken.term));
        taken.is_some_and(|taken| taken.value == value)
    }

    /// Whether another worker beside this member may still go on.
    fn is_promised(&self, lock: &Key, to: ProcessId, now: Now) -> bool {
        let promised = self.leads_in.as_ref().and_then(|leads| leads.promised.get(lock));
        promised.is_some_and(|(worker, until)| *worker != to && now.mono < *until)
    }

    fn promise(&mut self, lock: &Key, to: ProcessId, until: Mono) {
        if let Some(leads) = &mut self.leads_in {
            leads.promised.insert(lock.clone(), (to, until));
        }
    }
}

fn freed(lock: &Key, taken: &Taken, how: Freed, index: u64) -> Note {
    Note::Freed { lock: lock.clone(), grant: GrantId(taken.index), how, revision: Some(index) }
}

impl Replica for RaftLock {
    fn route(&self, request: &crate::Request) -> Route {
        let crate::Request::Claim(request) = request else { return Route::Here };
        match **request {
            Request::Claim { .. } | Request::Look { .. } => Route::Here,
            Request::Renew { .. } => Route::Confirmed,
            Request::Release { .. } => Route::Log,
        }
    }

    fn apply(&mut self, entry: Entry<'_>, now: Now, out: &mut Outcome) {
        let crate::Request::Claim(request) = entry.request else { return };
        let (lock, index) = (request.lock(), entry.id.index);
        let reply = match **request {
            Request::Claim { value, ttl, .. } => {
                let taken = Taken { holder: entry.asker.client, value, term: entry.id.term, index };
                if let Some(old) = self.taken.insert(lock.clone(), taken) {
                    out.note(freed(lock, &old, Freed::Replaced, index));
                }
                let (grant, token) = (GrantId(index), Some(Token(taken.term)));
                out.note(Note::Granted(Box::new(Granted {
                    lock: lock.clone(),
                    holder: taken.holder,
                    grant,
                    lease: LeaseId(value),
                    token,
                    deadline: Some(Reading::Mono(now.mono + ttl)),
                })));
                Reply::Granted { grant, token }
            }
            Request::Release { value, .. } => {
                let own = self.taken.get(lock).copied().filter(|taken| taken.value == value);
                if let Some(taken) = own {
                    self.taken.remove(lock);
                    if let Some(leads) = &mut self.leads_in {
                        leads.promised.remove(lock);
                    }
                    out.note(freed(lock, &taken, Freed::Released, index));
                }
                Reply::Released(own.is_some())
            }
            Request::Renew { .. } | Request::Look { .. } => unreachable!("this never goes through the log"),
        };
        out.reply(entry.asker, reply);
    }

    /// A member that leads takes the lock for its worker, through the log; another says that somebody has it. Of several workers
    /// beside it one has it, until it gives the lock back or must have stopped.
    fn asked(
        &mut self,
        asker: Asker,
        request: &crate::Request,
        leads: bool,
        now: Now,
        out: &mut Outcome,
    ) -> bool {
        let crate::Request::Claim(request) = request else { return true };
        match **request {
            Request::Claim { ref lock, ttl, .. } if leads && !self.is_promised(lock, asker.client, now) => {
                self.promise(lock, asker.client, now.mono + ttl);
                return false;
            }
            Request::Claim { .. } => out.reply(asker, Reply::Taken),
            Request::Renew { ref lock, value, ttl, .. } => {
                let is_own = leads && self.is_own(lock, value);
                if is_own {
                    self.promise(lock, asker.client, now.mono + ttl);
                    let deadline = Reading::Mono(now.mono + ttl);
                    out.note(Note::Renewed { lease: LeaseId(value), deadline });
                }
                out.reply(asker, Reply::Renewed(is_own));
            }
            Request::Look { ref lock, .. } => out.reply(asker, Reply::Looked(self.taken.contains_key(lock))),
            Request::Release { .. } => return false,
        }
        true
    }

    fn leads(&mut self, term: u64, _now: Now, _out: &mut Outcome) {
        self.leads_in = Some(Leadership { term, promised: Map::new() });
    }

    fn follows(&mut self) {
        self.leads_in = None;
    }

    fn forgets(&mut self) {
        self.leads_in = None;
    }

    fn wakes_at(&self) -> Option<Mono> {
        None
    }

    fn woken(&mut self, _leads: bool, _now: Now, _out: &mut Outcome) {}
}
