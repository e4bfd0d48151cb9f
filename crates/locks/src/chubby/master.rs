//! What only the master knows: leases, the KeepAlives that it holds back, and what waits until all sessions are heard of.

use kernel::{Map, Mono, Now, Span};

use super::{Reply, Request};
use crate::service::{Asker, Outcome};
use crate::{Key, LeaseId, Note, Reading};

/// How a session's lease stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Standing {
    /// It runs.
    Runs,
    /// The master makes sure that it is the master still, to extend it.
    Extending,
    /// It is over, and the session's end is on its way through the log.
    Ends,
}

/// A session's lease.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Lease {
    /// Until when, on the master's clock.
    pub until: Mono,
    /// How often it was extended in this epoch; its beginning counts.
    pub number: u64,
    /// How it stands.
    pub standing: Standing,
}

impl Lease {
    /// One that begins.
    pub(super) fn until(until: Mono) -> Self {
        Self { until, number: 1, standing: Standing::Runs }
    }
}

/// A master's memory.
#[derive(Clone, Debug, Default)]
pub(super) struct Master {
    /// Its epoch: the term in which it leads.
    pub(super) epoch: u64,
    pub(super) leases: Map<u64, Lease>,
    /// The KeepAlive that each session has here, and when it came.
    held: Map<u64, (Asker, Mono)>,
    /// Sessions that it has not heard of in its epoch.
    pub(super) unheard: Map<u64, ()>,
    /// What is done when it has.
    waiting: Vec<(Asker, Request)>,
    /// Until when nobody gets a lock.
    pub(super) delays: Map<Key, Mono>,
    /// Whom it has to tell that it is the master no more.
    dropped: Vec<Asker>,
}

impl Master {
    /// It is the master from now on: of these sessions it has to hear first.
    pub(super) fn begins(&mut self, epoch: u64, leases: Map<u64, Lease>, delays: Map<Key, Mono>) {
        let (unheard, dropped) =
            (leases.keys().map(|session| (*session, ())).collect(), std::mem::take(&mut self.dropped));
        *self = Self { epoch, leases, unheard, delays, dropped, ..Self::default() };
    }

    /// It is no master any more. Those whose calls it has must hear so.
    pub(super) fn ends(&mut self) {
        let held = std::mem::take(&mut self.held);
        let mut dropped = std::mem::take(&mut self.dropped);
        dropped.extend(held.values().map(|(asker, _)| *asker));
        dropped.extend(std::mem::take(&mut self.waiting).into_iter().map(|(asker, _)| asker));
        *self = Self { dropped, ..Self::default() };
    }

    pub(super) fn tell_dropped(&mut self, out: &mut Outcome) {
        for asker in std::mem::take(&mut self.dropped) {
            out.reply(asker, crate::Reply::NoLeader);
        }
    }

    /// Whether there are sessions that it has not heard of: it answers KeepAlives, and does nothing else.
    pub(super) fn recovers(&self) -> bool {
        !self.unheard.is_empty()
    }

    pub(super) fn wait(&mut self, asker: Asker, request: &Request) {
        self.waiting.push((asker, request.clone()));
    }

    /// A session was heard of in this epoch, or is gone.
    pub(super) fn is_known(&mut self, session: u64, out: &mut Outcome) {
        if self.unheard.remove(&session).is_some() && self.unheard.is_empty() {
            let waiting = std::mem::take(&mut self.waiting);
            out.logged.extend(
                waiting.into_iter().map(|(asker, request)| (asker, crate::Request::Chubby(request.into()))),
            );
        }
    }

    /// The session is gone, and so is the reason to hold its KeepAlive back.
    pub(super) fn forget(&mut self, session: u64, out: &mut Outcome) {
        self.leases.remove(&session);
        if let Some((asker, _)) = self.held.remove(&session) {
            out.reply(asker, Reply::NoSession);
        }
        self.is_known(session, out);
    }

    /// A client that has not heard of the present lease is told of it at once; any other waits until it is to be extended.
    pub(super) fn keep_alive(&mut self, asker: Asker, session: u64, heard: u64, now: Now, out: &mut Outcome) {
        let Some(&Lease { until, number, standing }) = self.leases.get(&session) else {
            return out.reply(asker, Reply::NoSession);
        };
        self.is_known(session, out);
        if heard < number && standing != Standing::Ends {
            let left = until.since(now.mono);
            out.reply(asker, Reply::Lease { number, held: Span::ZERO, left });
        } else {
            self.held.insert(session, (asker, now.mono));
        }
    }

    /// It is the master still: the lease is extended, and the answer says so.
    pub(super) fn extend(
        &mut self,
        asker: Asker,
        (session, received): (u64, Mono),
        ttl: Span,
        now: Now,
        out: &mut Outcome,
    ) {
        let Some(lease) = self.leases.get_mut(&session) else { return out.reply(asker, Reply::NoSession) };
        let until = now.mono + ttl;
        *lease = Lease { until, number: lease.number + 1, standing: Standing::Runs };
        out.note(Note::Renewed { lease: LeaseId(session), deadline: Reading::Mono(until) });
        let (number, held) = (lease.number, now.mono.since(received));
        out.reply(asker, Reply::Lease { number, held, left: ttl });
    }

    /// When the lease of a session whose KeepAlive is here is to be extended.
    fn answer_at(&self, session: u64, answer_before: Span) -> Option<Mono> {
        let lease = self.leases.get(&session).filter(|lease| lease.standing == Standing::Runs)?;
        Some(Mono::from_micros(lease.until.as_micros().saturating_sub(answer_before.as_micros())))
    }

    /// Answers the KeepAlives whose time has come, once it has made sure that it is the master.
    pub(super) fn answer_due(&mut self, answer_before: Span, now: Now, out: &mut Outcome) {
        let due = |session: &u64| self.answer_at(*session, answer_before).is_some_and(|at| at <= now.mono);
        let due: Vec<u64> = self.held.keys().copied().filter(due).collect();
        for session in due {
            if let (Some((asker, received)), Some(lease)) =
                (self.held.remove(&session), self.leases.get_mut(&session))
            {
                lease.standing = Standing::Extending;
                out.confirmed
                    .push((asker, crate::Request::Chubby(Request::Extend { session, received }.into())));
            }
        }
    }

    /// Leases that are over end their sessions, and delays that are over free their locks.
    pub(super) fn expire_due(&mut self, generation: impl Fn(&Key) -> u64, now: Now, out: &mut Outcome) {
        let mut propose = |request: Request| out.proposals.push(crate::Request::Chubby(request.into()));
        for (&session, lease) in &mut self.leases {
            if lease.standing == Standing::Runs && lease.until <= now.mono {
                lease.standing = Standing::Ends;
                propose(Request::Expire { session });
            }
        }
        self.delays.retain(|lock, until| {
            let over = *until <= now.mono;
            if over {
                propose(Request::EndDelay { lock: lock.clone(), generation: generation(lock) });
            }
            !over
        });
    }

    /// When something is due next.
    pub(super) fn wakes_at(&self, answer_before: Span) -> Option<Mono> {
        if !self.dropped.is_empty() {
            return Some(Mono::default());
        }
        let answers = self.held.keys().filter_map(|session| self.answer_at(*session, answer_before));
        let runs = self.leases.values().filter(|lease| lease.standing == Standing::Runs);
        let ends = runs.map(|lease| lease.until).chain(self.delays.values().copied());
        answers.chain(ends).min()
    }
}
