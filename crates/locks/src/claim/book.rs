//! The claims that a server has granted, and the record of them.

use kernel::{Map, ProcessId, Span, Wall};

use super::{Reply, Request};
use crate::service::Outcome;
use crate::{Freed, GrantId, Granted, Key, LeaseId, Note, Reading, Token};

/// A claim that was granted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Claim {
    /// The claimer's number for it.
    pub value: u64,
    /// Whose it is.
    pub holder: ProcessId,
    /// With which token, where the service hands out any.
    pub token: Option<Token>,
    /// Until when, on the clock by which it is judged.
    pub deadline: Reading,
}

/// Claims by the names of their locks.
#[derive(Clone, Debug, Default)]
pub struct Book(Map<Key, Claim>);

impl Book {
    /// The claims in it.
    pub fn iter(&self) -> impl Iterator<Item = (&Key, &Claim)> {
        self.0.iter()
    }

    /// The claim on a lock.
    pub fn get(&self, lock: &Key) -> Option<&Claim> {
        self.0.get(lock)
    }

    /// The leases that it knows.
    pub(crate) fn leases(&self) -> Vec<LeaseId> {
        self.0.values().map(|claim| LeaseId(claim.value)).collect()
    }

    /// The first deadline in it.
    pub(crate) fn first_deadline(&self) -> Option<Reading> {
        self.0.values().map(|claim| claim.deadline).min_by_key(|deadline| match deadline {
            Reading::Mono(mono) => mono.as_micros() as i64,
            Reading::Wall(wall) => wall.as_micros(),
        })
    }

    /// Strikes out the claims that are over; says of which locks.
    pub(crate) fn expire(&mut self, is_over: impl Fn(Reading) -> bool, out: &mut Outcome) -> Vec<Key> {
        let mut locks = Vec::new();
        self.0.retain(|lock, claim| {
            let over = is_over(claim.deadline);
            if over {
                out.changed = true;
                out.note(freed(lock, claim, Freed::Expired));
                locks.push(lock.clone());
            }
            !over
        });
        locks
    }

    /// Deals with a request, once it is known whether its lock is taken: `deadline` says until when a lease of this length
    /// lasts that was asked for at this reading of the asker's wall clock, `token` what the next grant comes with.
    pub(crate) fn answer(
        &mut self,
        (holder, request): (ProcessId, &Request),
        taken: bool,
        deadline: &dyn Fn(Span, Wall) -> Reading,
        token: &mut dyn FnMut() -> Option<Token>,
        out: &mut Outcome,
    ) -> Reply {
        let lock = request.lock();
        match *request {
            Request::Claim { .. } if taken => Reply::Taken,
            Request::Claim { value, ttl, at, .. } => {
                let claim = Claim { value, holder, token: token(), deadline: deadline(ttl, at) };
                self.grant(lock, claim, out)
            }
            Request::Renew { value, ttl, at, .. } => self.renew(lock, value, deadline(ttl, at), out),
            Request::Release { value, .. } => self.release(lock, value, out),
            Request::Look { .. } => Reply::Looked(taken),
        }
    }

    /// Writes a claim down; one that stood there is replaced.
    fn grant(&mut self, lock: &Key, claim: Claim, out: &mut Outcome) -> Reply {
        if let Some(old) = self.0.insert(lock.clone(), claim) {
            out.note(freed(lock, &old, Freed::Replaced));
        }
        let Claim { value, holder, token, deadline } = claim;
        let grant = GrantId(value);
        out.changed = true;
        out.note(Note::Granted(Box::new(Granted {
            lock: lock.clone(),
            holder,
            grant,
            lease: LeaseId(value),
            token,
            deadline: Some(deadline),
        })));
        Reply::Granted { grant, token }
    }

    /// Moves the deadline of a claim, if it still stands.
    fn renew(&mut self, lock: &Key, value: u64, deadline: Reading, out: &mut Outcome) -> Reply {
        let claim = self.0.get_mut(lock).filter(|claim| claim.value == value);
        let found = claim.map(|claim| claim.deadline = deadline).is_some();
        if found {
            out.changed = true;
            out.note(Note::Renewed { lease: LeaseId(value), deadline });
        }
        Reply::Renewed(found)
    }

    /// Strikes out a claim, if it still stands.
    fn release(&mut self, lock: &Key, value: u64, out: &mut Outcome) -> Reply {
        let found = self.0.get(lock).copied().filter(|claim| claim.value == value);
        if let Some(claim) = found {
            self.0.remove(lock);
            out.changed = true;
            out.note(freed(lock, &claim, Freed::Released));
        }
        Reply::Released(found.is_some())
    }
}

/// Counts a lock's counter up; one that is not there yet begins behind `first`.
pub(crate) fn count_up(counters: &mut Map<Key, Token>, lock: &Key, first: Token) -> Token {
    let counter = counters.entry(lock.clone()).or_insert(first);
    *counter = Token(counter.0 + 1);
    *counter
}

fn freed(lock: &Key, claim: &Claim, how: Freed) -> Note {
    Note::Freed { lock: lock.clone(), grant: GrantId(claim.value), how, revision: None }
}
