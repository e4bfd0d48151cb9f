//! A client with a connection of its own: it locks, waits in line or tries again, and looks now and then whether the
//! connection stands.

use std::rc::Rc;

use super::{Reply, Request};
use crate::client::{Context, Part, Purpose, Step};
use crate::{Key, Wait};

/// A client's memory.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Recipe {
    /// Its connection.
    session: Option<u64>,
    /// Its name for the present try or lock.
    value: Option<u64>,
}

fn request(request: Request) -> crate::Request {
    crate::Request::Advisory(Rc::new(request))
}

impl Recipe {
    fn own(&self) -> Option<(u64, u64)> {
        Some((self.session?, self.value?))
    }
}

impl crate::client::Recipe for Recipe {
    fn begin(&mut self, cx: Context<'_>) -> Step {
        let value = cx.unique_value();
        let session = *self.session.get_or_insert(value);
        self.value = Some(value);
        let lock = cx.lock.clone();
        match cx.policy.wait {
            Wait::Poll(_) => {
                Step::Ask(Part::Claim, request(Request::Lock { lock, session, value, waits: false }))
            }
            Wait::Watch | Wait::Queue => {
                Step::Watch(request(Request::Lock { lock, session, value, waits: true }))
            }
        }
    }

    fn answered(&mut self, purpose: Purpose, msg: &crate::Msg, _cx: Context<'_>) -> Step {
        let crate::Msg::Reply { reply: crate::Reply::Advisory(reply), .. } = msg else {
            return Step::Nothing;
        };
        match (purpose, **reply) {
            (Purpose::Try(_) | Purpose::Watch, Reply::Granted(grant)) => {
                Step::Hold { grant, token: None, lease: None }
            }
            (Purpose::Try(_), Reply::Taken) => {
                self.value = None;
                Step::Rest
            }
            (Purpose::KeepAlive, Reply::Stands(true)) => Step::Stands,
            (Purpose::KeepAlive, Reply::Stands(false)) => Step::Gone,
            (Purpose::Release, Reply::Unlocked(_)) => Step::Released,
            (
                _,
                Reply::Granted(_) | Reply::Taken | Reply::Stands(_) | Reply::Unlocked(_) | Reply::Looked(_),
            ) => Step::Nothing,
        }
    }

    fn told(&mut self, _cx: Context<'_>) -> Step {
        Step::Again
    }

    fn keep_alive(&mut self, cx: Context<'_>) -> Option<crate::Request> {
        let lock = cx.lock.clone();
        self.own().map(|(session, value)| request(Request::Ping { lock, session, value }))
    }

    fn give_back(&mut self, cx: Context<'_>) -> Option<crate::Request> {
        let own = self.own();
        self.value = None;
        let lock = cx.lock.clone();
        own.map(|(session, value)| request(Request::Unlock { lock, session, value }))
    }

    fn put(&self, _key: Key, _value: u64) -> Option<crate::Request> {
        None
    }

    fn forget(&mut self) {
        *self = Self::default();
    }

    fn connection(&self) -> Option<u64> {
        self.session
    }
}
