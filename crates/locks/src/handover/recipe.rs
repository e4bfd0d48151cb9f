//! Setting the flag, waiting out whoever wrote before, and going on for as long as a majority says so.

use std::rc::Rc;

use kernel::{Mono, Span};

use super::{Reply, Request};
use crate::client::{Context, Decided, Part, Purpose, Round, Step, Vote};
use crate::{GrantId, Key, Token};

/// A client's memory.
#[derive(Clone, Debug, PartialEq)]
pub struct Recipe {
    copies: usize,
    /// How long whoever is next waits before it begins.
    wait: Span,
    round: Option<Round>,
    /// The highest epoch of the copies that have answered, and whether any of them says that somebody writes.
    seen: (Token, bool),
    /// Its claim: its number, its epoch, and from when it may begin.
    claim: Option<Claim>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Claim {
    value: u64,
    epoch: Token,
    begins: Mono,
}

fn request(request: Request) -> crate::Request {
    crate::Request::Handover(Rc::new(request))
}

impl Recipe {
    /// For so many copies; whoever is next waits so long.
    pub fn new(copies: usize, wait: Span) -> Self {
        Self { copies, wait, round: None, seen: (Token(0), false), claim: None }
    }

    fn ask(&mut self, part: Part, what: Request) -> Step {
        self.round = Some(Round::new(Purpose::Try(part), self.copies));
        Step::Ask(part, request(what))
    }

    fn confirm(&self, claim: Claim, cx: Context<'_>) -> Request {
        Request::Confirm { lock: cx.lock.clone(), value: claim.value, lease: cx.policy.ttl }
    }

    fn look(&mut self, cx: Context<'_>) -> Step {
        self.seen = (Token(0), false);
        self.ask(Part::Look, Request::Look { lock: cx.lock.clone() })
    }

    fn count(&mut self, purpose: Purpose, vote: Vote, cx: Context<'_>) -> Step {
        let Some(decided) = Round::count(&mut self.round, purpose, vote) else { return Step::Nothing };
        match (purpose, self.claim, decided) {
            (Purpose::Try(Part::Look), _, Decided::Won) => {
                let (value, epoch) = (cx.unique_value(), Token(self.seen.0.0 + 1));
                // Where nobody wrote, nobody has to be waited out.
                let wait = if self.seen.1 { self.wait } else { Span::ZERO };
                self.claim = Some(Claim { value, epoch, begins: cx.now.mono + wait });
                self.ask(Part::Claim, Request::Set { lock: cx.lock.clone(), value, epoch })
            }
            (Purpose::Try(Part::Claim), Some(claim), Decided::Won) => {
                // The wait counts from when the flag was set at the latest: a majority has it now.
                let wait = claim.begins.since(cx.now.mono);
                if wait > Span::ZERO {
                    let begins = cx.now.mono + self.wait;
                    self.claim = Some(Claim { begins, ..claim });
                    return Step::RestFor(self.wait);
                }
                let confirm = self.confirm(claim, cx);
                self.ask(Part::Verify, confirm)
            }
            (Purpose::Try(Part::Verify), Some(Claim { value, epoch, .. }), Decided::Won) => {
                Step::Hold { grant: GrantId(value), token: Some(epoch), lease: Some(cx.policy.ttl) }
            }
            // Somebody else has set the flag meanwhile, or too few copies can be reached.
            (Purpose::Try(_), ..) => Step::Yield,
            (Purpose::KeepAlive, _, Decided::Won) => Step::Renewed(cx.policy.ttl),
            (Purpose::KeepAlive, _, Decided::Lost) => Step::Gone,
            (Purpose::KeepAlive, _, Decided::Unanswered) => Step::NotRenewed,
            (Purpose::Release, ..) => Step::Released,
            (Purpose::Watch | Purpose::CleanUp | Purpose::Put, ..) => Step::Nothing,
        }
    }
}

impl crate::client::Recipe for Recipe {
    /// After the wait it goes on with the claim that it has.
    fn begin(&mut self, cx: Context<'_>) -> Step {
        match self.claim {
            Some(claim) if cx.now.mono >= claim.begins => {
                let confirm = self.confirm(claim, cx);
                self.ask(Part::Verify, confirm)
            }
            Some(_) | None => self.look(cx),
        }
    }

    fn answered(&mut self, purpose: Purpose, msg: &crate::Msg, cx: Context<'_>) -> Step {
        let crate::Msg::Reply { reply: crate::Reply::Handover(reply), .. } = msg else {
            return Step::Nothing;
        };
        let vote = match **reply {
            Reply::Says { epoch, taken } => {
                self.seen = (self.seen.0.max(epoch), self.seen.1 | taken);
                Vote::Yes
            }
            Reply::Done(done) => Vote::of(done),
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
        let claim = self.claim?;
        self.round = Some(Round::new(Purpose::KeepAlive, self.copies));
        Some(request(self.confirm(claim, cx)))
    }

    fn give_back(&mut self, cx: Context<'_>) -> Option<crate::Request> {
        let Claim { value, .. } = self.claim.take()?;
        self.round = Some(Round::new(Purpose::Release, self.copies));
        Some(request(Request::Clear { lock: cx.lock.clone(), value }))
    }

    fn put(&self, _key: Key, _value: u64) -> Option<crate::Request> {
        None
    }

    fn forget(&mut self) {
        self.claim = None;
        self.round = None;
    }

    fn asks_all(&self) -> bool {
        true
    }
}
