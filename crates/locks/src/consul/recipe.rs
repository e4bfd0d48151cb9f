//! The lock of `api/lock.go`: a session for the try, and the key acquired with it.

use std::rc::Rc;

use kernel::Span;

use super::{Behavior, Reply, Request};
use crate::client::{Context, Part, Purpose, Step};
use crate::{Key, Wait};

/// After how long a client tries again that was not given a key which nobody has: the lock-delay may be on it
/// (`DefaultLockRetryTime`).
const LOCK_RETRY: Span = Span::from_secs(5);

/// A client's memory.
#[derive(Clone, Debug, PartialEq)]
pub struct Recipe {
    behavior: Behavior,
    lock_delay: Span,
    session: Option<u64>,
    holds: bool,
    /// The session of the key that it gives back: destroyed when that is done, and used for nothing else.
    ending: Option<u64>,
}

fn request(request: Request) -> crate::Request {
    crate::Request::Consul(Rc::new(request))
}

impl Recipe {
    /// With sessions of this kind.
    pub fn new(behavior: Behavior, lock_delay: Span) -> Self {
        Self { behavior, lock_delay, session: None, holds: false, ending: None }
    }

    fn acquire(&self, cx: Context<'_>) -> Step {
        let key = cx.lock.clone();
        self.session
            .map_or(Step::Again, |session| Step::Ask(Part::Claim, request(Request::Acquire { key, session })))
    }

    /// It was not given the key. Somebody has it, or it is too early.
    fn refused(&self, is_held: bool, cx: Context<'_>) -> Step {
        match cx.policy.wait {
            Wait::Poll(every) => Step::RestFor(every),
            Wait::Watch | Wait::Queue if is_held => {
                Step::Watch(request(Request::Watch { key: cx.lock.clone() }))
            }
            Wait::Watch | Wait::Queue => Step::RestFor(LOCK_RETRY),
        }
    }
}

impl crate::client::Recipe for Recipe {
    /// A session that is there already serves for every try.
    fn begin(&mut self, cx: Context<'_>) -> Step {
        if self.session.is_some() {
            return self.acquire(cx);
        }
        let (ttl, behavior, lock_delay) = (cx.policy.ttl, self.behavior, self.lock_delay);
        Step::Ask(Part::Open, request(Request::CreateSession { ttl, behavior, lock_delay }))
    }

    fn answered(&mut self, purpose: Purpose, msg: &crate::Msg, cx: Context<'_>) -> Step {
        let crate::Msg::Reply { reply: crate::Reply::Consul(reply), .. } = msg else { return Step::Nothing };
        match (purpose, **reply) {
            (Purpose::Try(Part::Open), Reply::Session { session, ttl }) => {
                self.session = Some(session);
                let key = cx.lock.clone();
                Step::Opened(ttl, Part::Claim, request(Request::Acquire { key, session }))
            }
            (Purpose::Try(_), Reply::Acquired { grant, token }) => {
                self.holds = true;
                Step::Hold { grant, token: Some(token), lease: None }
            }
            (Purpose::Try(_), Reply::NotAcquired) => {
                Step::Ask(Part::Look, request(Request::Get { key: cx.lock.clone() }))
            }
            (Purpose::Try(Part::Look), Reply::Got(holder)) => self.refused(holder.is_some(), cx),
            (Purpose::KeepAlive, Reply::Renewed(ttl)) => Step::Renewed(ttl),
            (Purpose::Try(_) | Purpose::KeepAlive, Reply::NoSession) => {
                self.session = None;
                Step::Gone
            }
            (Purpose::Release, Reply::Released(_)) => match self.ending.take() {
                Some(session) => {
                    Step::ReleasedAnd(request(Request::DestroySession { session, expired: false }))
                }
                None => Step::Released,
            },
            (Purpose::Release, Reply::Destroyed | Reply::NoSession) => Step::Released,
            (
                _,
                Reply::Session { .. }
                | Reply::Renewed(_)
                | Reply::NoSession
                | Reply::Destroyed
                | Reply::Acquired { .. }
                | Reply::NotAcquired
                | Reply::Released(_)
                | Reply::Got(_),
            ) => Step::Nothing,
        }
    }

    fn told(&mut self, cx: Context<'_>) -> Step {
        self.acquire(cx)
    }

    fn keep_alive(&mut self, _cx: Context<'_>) -> Option<crate::Request> {
        self.session.map(|session| request(Request::Renew { session }))
    }

    /// A key that is held is released first, without a lock-delay; the session goes after it.
    fn give_back(&mut self, cx: Context<'_>) -> Option<crate::Request> {
        let session = self.session.take()?;
        Some(request(if std::mem::take(&mut self.holds) {
            self.ending = Some(session);
            Request::Release { key: cx.lock.clone(), session }
        } else {
            Request::DestroySession { session, expired: false }
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
}
