//! Redlock: one key on several Redis servers that know nothing of each other; who has set it on a majority of them in
//! time holds the lock.
//!
//! The lease counts from before the first request, and a drift term is taken off it: a hundredth of it and 2 ms. What it
//! cannot know: that a server's wall clock stepped, or that one came back from a crash without the key.
//!
//! Sources: "Distributed Locks with Redis" (redis.io), node-redlock's `src/index.ts`.

use std::rc::Rc;

use kernel::Span;

use crate::claim::{Reply, Request};
use crate::client::{Context, Part, Purpose, Step};
use crate::{GrantId, Key, Wait};

/// Answers to a request that went to all servers.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Round {
    purpose: Purpose,
    yes: usize,
    /// Servers that said no, or that failed to answer.
    no: usize,
    /// Servers that said no.
    denied: usize,
}

/// A client's memory.
#[derive(Clone, Debug, PartialEq)]
pub struct Recipe {
    servers: usize,
    /// What is taken off the lease for clocks that run apart.
    drift: Span,
    value: Option<u64>,
    round: Option<Round>,
}

/// What the algorithm takes off a lease.
pub fn usual_drift(ttl: Span) -> Span {
    Span::from_micros(ttl.as_micros() / 100) + Span::from_millis(2)
}

/// How many of so many servers are a majority.
pub fn majority(servers: usize) -> usize {
    servers / 2 + 1
}

fn request(request: Request) -> crate::Request {
    crate::Request::Claim(Rc::new(request))
}

/// After a try that failed: half to one and a half of what its policy says, drawn, so that those who took the lock from
/// each other do not do so for ever (node-redlock: 200 ms, 100 more or less).
fn rest(cx: Context<'_>) -> Span {
    let every = match cx.policy.wait {
        Wait::Poll(every) => every,
        Wait::Watch | Wait::Queue => cx.policy.retry,
    };
    Span::from_micros(every.as_micros() / 2) + cx.draw(every)
}

impl Recipe {
    /// For so many servers.
    pub fn new(servers: usize, drift: Span) -> Self {
        Self { servers, drift, value: None, round: None }
    }

    fn begin_round(&mut self, purpose: Purpose) {
        self.round = Some(Round { purpose, yes: 0, no: 0, denied: 0 });
    }

    /// One server more has answered, or failed to: `None`.
    fn count(&mut self, purpose: Purpose, said: Option<bool>, cx: Context<'_>) -> Step {
        let Some(round) = self.round.as_mut().filter(|round| round.purpose == purpose) else {
            return Step::Nothing; // What it was for is decided.
        };
        match said {
            Some(true) => round.yes += 1,
            Some(false) | None => round.no += 1,
        }
        round.denied += usize::from(said == Some(false));
        let Round { yes, no, denied, .. } = *round;
        let too_many = self.servers - majority(self.servers) + 1;
        let (won, lost) = (yes >= majority(self.servers), no >= too_many);
        let lease = cx.policy.ttl.less(self.drift);
        let step = match purpose {
            Purpose::Try(_) if won => {
                let grant = GrantId(self.value.unwrap_or_default());
                Step::Hold { grant, token: None, lease: Some(lease) }
            }
            Purpose::Try(_) if lost => Step::YieldFor(rest(cx)),
            Purpose::KeepAlive if won => Step::Renewed(lease),
            Purpose::KeepAlive if denied >= too_many => Step::Gone,
            // With those that did not answer it may still be held: it is tried again while the lease lasts.
            Purpose::KeepAlive if yes + no == self.servers => Step::NotRenewed,
            Purpose::Release if yes + no == self.servers => Step::Released,
            Purpose::Try(_)
            | Purpose::Watch
            | Purpose::KeepAlive
            | Purpose::CleanUp
            | Purpose::Release
            | Purpose::Put => return Step::Nothing,
        };
        self.round = None;
        step
    }
}

impl crate::client::Recipe for Recipe {
    fn begin(&mut self, cx: Context<'_>) -> Step {
        let value = cx.unique_value();
        self.value = Some(value);
        self.begin_round(Purpose::Try(Part::Claim));
        let (lock, ttl, at) = (cx.lock.clone(), cx.policy.ttl, cx.now.wall);
        Step::Ask(Part::Claim, request(Request::Claim { lock, value, ttl, at }))
    }

    fn answered(&mut self, purpose: Purpose, msg: &crate::Msg, cx: Context<'_>) -> Step {
        let crate::Msg::Reply { reply: crate::Reply::Claim(reply), .. } = msg else { return Step::Nothing };
        let said = match &**reply {
            Reply::Granted { .. } => Some(true),
            Reply::Renewed(done) | Reply::Released(done) | Reply::Looked(done) => Some(*done),
            Reply::Taken => Some(false),
            Reply::Failed(_) => None,
        };
        self.count(purpose, said, cx)
    }

    fn unanswered(&mut self, purpose: Purpose, cx: Context<'_>) -> Step {
        self.count(purpose, None, cx)
    }

    fn told(&mut self, _cx: Context<'_>) -> Step {
        Step::Again
    }

    fn keep_alive(&mut self, cx: Context<'_>) -> Option<crate::Request> {
        let value = self.value?;
        self.begin_round(Purpose::KeepAlive);
        let (lock, ttl, at) = (cx.lock.clone(), cx.policy.ttl, cx.now.wall);
        Some(request(Request::Renew { lock, value, ttl, at }))
    }

    /// All servers are asked, those as well that refused the claim or did not answer: it may have come late.
    fn give_back(&mut self, cx: Context<'_>) -> Option<crate::Request> {
        let value = self.value.take()?;
        self.begin_round(Purpose::Release);
        Some(request(Request::Release { lock: cx.lock.clone(), value }))
    }

    fn put(&self, _key: Key, _value: u64) -> Option<crate::Request> {
        None
    }

    fn forget(&mut self) {
        self.value = None;
        self.round = None;
    }

    fn asks_all(&self) -> bool {
        true
    }
}
