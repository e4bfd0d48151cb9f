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
use crate::client::{Context, Decided, Part, Purpose, Round, Step, Vote};
use crate::{GrantId, Key, Wait};

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
        self.round = Some(Round::new(purpose, self.servers));
    }

    /// One server more has answered, or failed to.
    fn count(&mut self, purpose: Purpose, vote: Vote, cx: Context<'_>) -> Step {
        let Some(decided) = Round::count(&mut self.round, purpose, vote) else { return Step::Nothing };
        let lease = cx.policy.ttl.less(self.drift);
        match (purpose, decided) {
            (Purpose::Try(_), Decided::Won) => {
                let grant = GrantId(self.value.unwrap_or_default());
                Step::Hold { grant, token: None, lease: Some(lease) }
            }
            (Purpose::Try(_), _) => Step::YieldFor(rest(cx)),
            (Purpose::KeepAlive, Decided::Won) => Step::Renewed(lease),
            (Purpose::KeepAlive, Decided::Lost) => Step::Gone,
            // With those that did not answer it may still be held: it is tried again while the lease lasts.
            (Purpose::KeepAlive, Decided::Unanswered) => Step::NotRenewed,
            (Purpose::Release, _) => Step::Released,
            (Purpose::Watch | Purpose::CleanUp | Purpose::Put, _) => Step::Nothing,
        }
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
        let vote = match &**reply {
            Reply::Granted { .. } => Vote::Yes,
            Reply::Renewed(done) | Reply::Released(done) | Reply::Looked(done) => Vote::of(*done),
            Reply::Taken => Vote::No,
            Reply::TooFewHave | Reply::Failed(_) => Vote::Silent,
        };
        self.count(purpose, vote, cx)
    }

    fn unanswered(&mut self, purpose: Purpose, cx: Context<'_>) -> Step {
        self.count(purpose, Vote::Silent, cx)
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
