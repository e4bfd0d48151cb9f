//! The client: a session with heartbeats, and a request that stays in line.

use std::rc::Rc;

use super::{Reply, Request};
use crate::client::{Context, Part, Purpose, Step};
use crate::{GrantId, Key, Wait};

/// A client's memory.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Recipe {
    session: Option<u64>,
    /// Its request that waits, or was granted.
    uid: Option<u64>,
    holds: bool,
    /// The session that is closed when its lock has been given back.
    ending: Option<u64>,
}

fn request(request: Request) -> crate::Request {
    crate::Request::Hazelcast(Rc::new(request))
}

impl Recipe {
    /// One that has the same uid is the same request.
    fn lock(&mut self, part: Part, cx: Context<'_>) -> Step {
        let Some(session) = self.session else { return Step::Again };
        let uid = *self.uid.get_or_insert_with(|| cx.unique_value());
        Step::Ask(part, request(Request::Lock { lock: cx.lock.clone(), session, uid }))
    }
}

impl crate::client::Recipe for Recipe {
    /// A request that is in line stays there.
    fn begin(&mut self, cx: Context<'_>) -> Step {
        match (self.session, self.uid) {
            (None, _) => Step::Ask(Part::Open, request(Request::CreateSession)),
            (Some(_), None) => self.lock(Part::Enqueue, cx),
            (Some(_), Some(_)) => self.lock(Part::Verify, cx),
        }
    }

    fn answered(&mut self, purpose: Purpose, msg: &crate::Msg, cx: Context<'_>) -> Step {
        let crate::Msg::Reply { reply: crate::Reply::Hazelcast(reply), .. } = msg else {
            return Step::Nothing;
        };
        match (purpose, **reply) {
            (Purpose::Try(Part::Open), Reply::Session { session, ttl }) => {
                self.session = Some(session);
                let uid = cx.unique_value();
                self.uid = Some(uid);
                let lock = cx.lock.clone();
                Step::Opened(ttl, Part::Enqueue, request(Request::Lock { lock, session, uid }))
            }
            (Purpose::Try(_), Reply::Locked { fence }) => {
                self.holds = true;
                Step::Hold { grant: GrantId(fence.0), token: Some(fence), lease: None }
            }
            (Purpose::Try(_), Reply::Waits) => match (cx.policy.wait, self.session) {
                (Wait::Watch | Wait::Queue, Some(session)) => {
                    Step::Watch(request(Request::Await { lock: cx.lock.clone(), session }))
                }
                (Wait::Poll(every), _) => Step::RestFor(every),
                (Wait::Watch | Wait::Queue, None) => Step::Again,
            },
            (Purpose::KeepAlive, Reply::Alive(ttl)) => Step::Renewed(ttl),
            (Purpose::Try(_) | Purpose::KeepAlive, Reply::NoSession) => Step::Gone,
            (Purpose::Release, Reply::Unlocked(_)) => match self.ending.take() {
                Some(session) => Step::ReleasedAnd(request(Request::CloseSession { session })),
                None => Step::Released,
            },
            (Purpose::Release, Reply::Closed | Reply::NoSession) => Step::Released,
            (
                _,
                Reply::Session { .. }
                | Reply::Alive(_)
                | Reply::NoSession
                | Reply::Closed
                | Reply::Locked { .. }
                | Reply::Waits
                | Reply::Unlocked(_)
                | Reply::IsLocked(_),
            ) => Step::Nothing,
        }
    }

    /// The same request once more: it is answered with what came of it.
    fn told(&mut self, cx: Context<'_>) -> Step {
        self.lock(Part::Verify, cx)
    }

    fn keep_alive(&mut self, _cx: Context<'_>) -> Option<crate::Request> {
        self.session.map(|session| request(Request::Heartbeat { session }))
    }

    /// What is held is unlocked, and the session closed behind it; one that waits is cancelled by its session's end.
    fn give_back(&mut self, cx: Context<'_>) -> Option<crate::Request> {
        let session = self.session.take()?;
        self.uid = None;
        Some(request(if std::mem::take(&mut self.holds) {
            self.ending = Some(session);
            Request::Unlock { lock: cx.lock.clone(), session, uid: cx.unique_value() }
        } else {
            Request::CloseSession { session }
        }))
    }

    fn put(&self, _key: Key, _value: u64) -> Option<crate::Request> {
        None
    }

    fn forget(&mut self) {
        *self = Self::default();
    }
}
