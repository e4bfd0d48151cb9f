//! Claim, renew and release by conditional writes; read the key whenever it is not known what became of one.

use std::rc::Rc;

use super::{Condition, Reply, Request};
use crate::client::{Context, Part, Purpose, Step};
use crate::{GrantId, Key, Token, Wait};

/// How far a try is.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Recipe {
    /// The number of the present claim.
    value: Option<u64>,
    /// The newest version of it that was answered.
    version: Option<u64>,
    /// The claim that is being given back.
    ending: Option<u64>,
}

fn request(request: Request) -> crate::Request {
    crate::Request::Felix(Rc::new(request))
}

fn get(cx: Context<'_>) -> crate::Request {
    request(Request::Get { lock: cx.lock.clone() })
}

impl Recipe {
    fn put(value: u64, on: Condition, cx: Context<'_>) -> crate::Request {
        request(Request::PutIf { lock: cx.lock.clone(), value, ttl: cx.policy.ttl, on })
    }

    /// Somebody has it: waits for the delete, or for the next try.
    fn wait(&mut self, cx: Context<'_>) -> Step {
        self.forget_claim();
        match cx.policy.wait {
            Wait::Watch | Wait::Queue => Step::Watch(request(Request::Watch { lock: cx.lock.clone() })),
            Wait::Poll(_) => Step::Rest,
        }
    }

    fn forget_claim(&mut self) {
        (self.value, self.version) = (None, None);
    }

    /// What is there is known now, after a write of which nobody knows what became.
    fn read(&mut self, purpose: Purpose, found: Option<(u64, u64)>, cx: Context<'_>) -> Step {
        let own = found.filter(|(value, _)| self.value.or(self.ending) == Some(*value));
        match (purpose, own) {
            // It took effect. How long ago is not known: what counts is a renewal of it.
            (Purpose::Try(part), Some((value, version))) => {
                Step::Ask(part, Self::put(value, Condition::Version(version), cx))
            }
            (Purpose::Try(_), None) if found.is_some() => self.wait(cx),
            (Purpose::Try(_), None) => Step::Again,
            (Purpose::KeepAlive, Some((value, version))) => {
                self.version = Some(version);
                Step::Renew(Self::put(value, Condition::Version(version), cx))
            }
            (Purpose::KeepAlive, None) => Step::Gone,
            (Purpose::Release | Purpose::CleanUp, Some((_, version))) => {
                Step::ReleasedAnd(request(Request::DeleteIf { lock: cx.lock.clone(), version }))
            }
            (Purpose::Release, None) => Step::Released,
            (Purpose::CleanUp | Purpose::Watch | Purpose::Put, _) => Step::Nothing,
        }
    }
}

impl crate::client::Recipe for Recipe {
    fn begin(&mut self, cx: Context<'_>) -> Step {
        let value = cx.unique_value();
        (self.value, self.version) = (Some(value), None);
        // Not a claim that is taken back when its answer is lost: the key is read first.
        Step::Ask(Part::Open, Self::put(value, Condition::Absent, cx))
    }

    fn answered(&mut self, purpose: Purpose, msg: &crate::Msg, cx: Context<'_>) -> Step {
        let crate::Msg::Reply { reply: crate::Reply::Felix(reply), .. } = msg else { return Step::Nothing };
        match (purpose, **reply, self.value) {
            (_, Reply::Got(found), _) => self.read(purpose, found, cx),
            (Purpose::Try(_), Reply::Put { applied: true, version: Some(version) }, Some(value)) => {
                self.version = Some(version);
                let (grant, token) = (GrantId(value), Some(Token(version)));
                Step::Hold { grant, token, lease: Some(cx.policy.ttl) }
            }
            (Purpose::Try(_), Reply::Put { .. }, _) => self.wait(cx),
            (Purpose::KeepAlive, Reply::Put { applied: true, version: Some(version) }, Some(_)) => {
                self.version = Some(version);
                Step::RenewedAs(cx.policy.ttl, Token(version))
            }
            (Purpose::KeepAlive, Reply::Put { .. }, _) => Step::Gone,
            (Purpose::Release, Reply::Deleted(_), _) => Step::Released,
            (_, Reply::Put { .. } | Reply::Deleted(_), _) => Step::Nothing,
        }
    }

    fn told(&mut self, _cx: Context<'_>) -> Step {
        Step::Again
    }

    fn keep_alive(&mut self, cx: Context<'_>) -> Option<crate::Request> {
        let (value, version) = (self.value?, self.version?);
        Some(Self::put(value, Condition::Version(version), cx))
    }

    /// A conditional write is not sent again: the key is read.
    fn again(&mut self, _purpose: Purpose, failed: crate::Request, cx: Context<'_>) -> crate::Request {
        let crate::Request::Felix(asked) = &failed else { return failed };
        if matches!(**asked, Request::PutIf { .. } | Request::DeleteIf { .. }) { get(cx) } else { failed }
    }

    fn give_back(&mut self, cx: Context<'_>) -> Option<crate::Request> {
        let value = self.value.take()?;
        self.ending = Some(value);
        Some(match self.version.take() {
            Some(version) => request(Request::DeleteIf { lock: cx.lock.clone(), version }),
            None => get(cx),
        })
    }

    fn put(&self, _key: Key, _value: u64) -> Option<crate::Request> {
        None
    }

    /// What a release names is the newest version.
    fn writes_in_turn(&self) -> bool {
        true
    }

    fn forget(&mut self) {
        *self = Self::default();
    }
}
