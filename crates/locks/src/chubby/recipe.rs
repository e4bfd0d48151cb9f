//! The client: a session with a KeepAlive always on its way, a lease that it counts carefully, and a grace period.

use std::rc::Rc;

use kernel::Span;

use super::{Reply, Request};
use crate::client::{Context, Part, Purpose, Step};
use crate::{Anchor, Key, Wait};

/// A client's memory.
#[derive(Clone, Debug, PartialEq)]
pub struct Recipe {
    lock_delay: Span,
    grace: Span,
    session: Option<u64>,
    /// The master's epoch, as far as it knows.
    epoch: u64,
    /// The last extension in this epoch that it heard of.
    heard: u64,
    holds: bool,
    /// The session of the lock that it gives back: closed when that is done.
    ending: Option<u64>,
}

fn request(request: Request) -> crate::Request {
    crate::Request::Chubby(Rc::new(request))
}

impl Recipe {
    /// Its locks have this lock-delay, and when its lease is over it waits so long for a master.
    pub fn new(lock_delay: Span, grace: Span) -> Self {
        Self { lock_delay, grace, session: None, epoch: 0, heard: 0, holds: false, ending: None }
    }

    fn acquire(&self, session: u64, cx: Context<'_>) -> crate::Request {
        let Self { epoch, lock_delay, .. } = *self;
        request(Request::Acquire { lock: cx.lock.clone(), session, epoch, lock_delay })
    }

    /// There is another master.
    fn enters(&mut self, epoch: u64) {
        (self.epoch, self.heard) = (epoch, 0);
    }

    fn opened(&mut self, session: u64, epoch: u64, lease: Span, cx: Context<'_>) -> Step {
        (self.session, self.epoch, self.heard) = (Some(session), epoch, 1);
        Step::Opened(lease, Part::Claim, self.acquire(session, cx))
    }

    /// The master held the KeepAlive back from when it came, which is after it was sent: from there the lease runs this
    /// long. Who counts from the answer counts on what is left of it as if the answer had taken no time.
    fn lease(held: Span, left: Span, cx: Context<'_>) -> Span {
        match cx.policy.anchor {
            Anchor::Sent => held + left,
            Anchor::Received => left,
        }
    }
}

impl crate::client::Recipe for Recipe {
    /// A session that is there already serves for every try.
    fn begin(&mut self, cx: Context<'_>) -> Step {
        match self.session {
            Some(session) => Step::Ask(Part::Claim, self.acquire(session, cx)),
            None => Step::Ask(Part::Open, request(Request::OpenSession)),
        }
    }

    fn answered(&mut self, purpose: Purpose, msg: &crate::Msg, cx: Context<'_>) -> Step {
        let crate::Msg::Reply { reply: crate::Reply::Chubby(reply), .. } = msg else { return Step::Nothing };
        match (purpose, **reply) {
            (Purpose::Try(Part::Open), Reply::Opened { session, epoch, lease }) => {
                self.opened(session, epoch, lease, cx)
            }
            (Purpose::Try(_), Reply::Acquired { grant, generation }) => {
                self.holds = true;
                Step::Hold { grant, token: Some(generation), lease: None }
            }
            (Purpose::Try(_), Reply::NotAcquired) => match cx.policy.wait {
                Wait::Poll(every) => Step::RestFor(every),
                Wait::Watch | Wait::Queue => Step::Watch(request(Request::Watch { lock: cx.lock.clone() })),
            },
            (Purpose::KeepAlive, Reply::Lease { number, held, left }) => {
                self.heard = number;
                Step::Renewed(Self::lease(held, left, cx))
            }
            (Purpose::KeepAlive, Reply::Epoch(epoch)) => {
                self.enters(epoch);
                crate::client::Recipe::keep_alive(self, cx).map_or(Step::Nothing, Step::Renew)
            }
            (Purpose::Try(_) | Purpose::Release, Reply::Epoch(epoch)) => {
                self.enters(epoch);
                Step::Failed("the master is another")
            }
            (Purpose::Try(_), Reply::Recovers) => Step::Failed("the new master waits for its sessions"),
            (Purpose::Try(_) | Purpose::KeepAlive, Reply::NoSession) => {
                self.session = None;
                Step::Gone
            }
            (Purpose::Release, Reply::Released(_)) => match self.ending.take() {
                Some(session) => {
                    let epoch = self.epoch;
                    Step::ReleasedAnd(request(Request::CloseSession { session, epoch }))
                }
                None => Step::Released,
            },
            (Purpose::Release, Reply::Closed | Reply::NoSession) => Step::Released,
            (
                _,
                Reply::Opened { .. }
                | Reply::Lease { .. }
                | Reply::Epoch(_)
                | Reply::Recovers
                | Reply::NoSession
                | Reply::Closed
                | Reply::Acquired { .. }
                | Reply::NotAcquired
                | Reply::Released(_)
                | Reply::Sequencer(_),
            ) => Step::Nothing,
        }
    }

    fn told(&mut self, cx: Context<'_>) -> Step {
        self.begin(cx)
    }

    fn keep_alive(&mut self, _cx: Context<'_>) -> Option<crate::Request> {
        let Self { epoch, heard, .. } = *self;
        self.session.map(|session| request(Request::KeepAlive { session, epoch, heard }))
    }

    /// It is asked of the master that there is now.
    fn again(&mut self, purpose: Purpose, failed: crate::Request, cx: Context<'_>) -> crate::Request {
        if purpose == Purpose::KeepAlive {
            return self.keep_alive(cx).unwrap_or(failed);
        }
        let crate::Request::Chubby(asked) = &failed else { return failed };
        request(asked.in_epoch(self.epoch))
    }

    /// A lock that is held is released first, without a lock-delay; the session goes after it.
    fn give_back(&mut self, cx: Context<'_>) -> Option<crate::Request> {
        let (session, epoch) = (self.session.take()?, self.epoch);
        Some(request(if std::mem::take(&mut self.holds) {
            self.ending = Some(session);
            Request::Release { lock: cx.lock.clone(), session, epoch }
        } else {
            Request::CloseSession { session, epoch }
        }))
    }

    fn put(&self, _key: Key, _value: u64) -> Option<crate::Request> {
        None
    }

    fn forget(&mut self) {
        self.session = None;
        self.holds = false;
        self.ending = None;
    }

    fn grace(&self) -> Option<Span> {
        Some(self.grace)
    }
}
