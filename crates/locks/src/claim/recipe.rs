//! A claim of one's own, renewed and released by its number.

use std::rc::Rc;

use super::{Reply, Request};
use crate::Key;
use crate::client::{Context, Part, Purpose, Step};

/// How far a try is.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Recipe {
    /// The number of the present claim.
    value: Option<u64>,
}

fn request(request: Request) -> crate::Request {
    crate::Request::Claim(Rc::new(request))
}

impl crate::client::Recipe for Recipe {
    fn begin(&mut self, cx: Context<'_>) -> Step {
        let value = cx.unique_value();
        self.value = Some(value);
        let (lock, ttl, at) = (cx.lock.clone(), cx.policy.ttl, cx.now.wall);
        Step::Ask(Part::Claim, request(Request::Claim { lock, value, ttl, at }))
    }

    fn answered(&mut self, purpose: Purpose, msg: &crate::Msg, cx: Context<'_>) -> Step {
        let crate::Msg::Reply { reply: crate::Reply::Claim(reply), .. } = msg else { return Step::Nothing };
        match (purpose, **reply) {
            (Purpose::Try(_), Reply::Granted { grant, token }) => {
                Step::Hold { grant, token, lease: Some(cx.policy.ttl) }
            }
            (Purpose::Try(_), Reply::Taken) => {
                self.value = None;
                Step::Rest
            }
            // Its own key would keep everybody out for a whole lease, and itself first.
            (Purpose::Try(_), Reply::TooFewHave) => Step::Yield,
            (Purpose::KeepAlive, Reply::Renewed(true)) => Step::Renewed(cx.policy.ttl),
            (Purpose::KeepAlive, Reply::Renewed(false)) => Step::Gone,
            (Purpose::Release, Reply::Released(_)) => Step::Released,
            (_, Reply::Failed(why)) => Step::Failed(why),
            (
                _,
                Reply::Granted { .. }
                | Reply::TooFewHave
                | Reply::Taken
                | Reply::Renewed(_)
                | Reply::Released(_)
                | Reply::Looked(_),
            ) => Step::Nothing,
        }
    }

    fn told(&mut self, _cx: Context<'_>) -> Step {
        Step::Again
    }

    fn keep_alive(&mut self, cx: Context<'_>) -> Option<crate::Request> {
        let (lock, ttl, at) = (cx.lock.clone(), cx.policy.ttl, cx.now.wall);
        self.value.map(|value| request(Request::Renew { lock, value, ttl, at }))
    }

    fn give_back(&mut self, cx: Context<'_>) -> Option<crate::Request> {
        let lock = cx.lock.clone();
        self.value.take().map(|value| request(Request::Release { lock, value }))
    }

    fn put(&self, _key: Key, _value: u64) -> Option<crate::Request> {
        None
    }

    fn forget(&mut self) {
        self.value = None;
    }
}
