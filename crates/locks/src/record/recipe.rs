//! Watching a record, and taking it over when it has stood still for long enough.

use std::rc::Rc;

use kernel::{Mono, Span};

use super::{Kept, Put, Record, Reply, Request};
use crate::client::{Context, Part, Purpose, Step};
use crate::{Key, Wait};

/// How client libraries of this family differ.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rules {
    /// Whether a candidate rests for one to 2.2 times what its policy says, drawn; for just that otherwise.
    pub jitter: bool,
    /// When a record has stood still for long enough.
    pub patience: Patience,
    /// Whether a record that names this very client is its own at once: a holder that comes back.
    pub knows_itself: bool,
    /// Whether a holder that finds somebody else's name in the record goes on trying until its own stop time, and acts as
    /// a holder until then. That counts from when it began to try: one that was paused has all of it before it.
    pub tries_on: bool,
    /// Whether giving the lock back deletes the record; it stays without a holder otherwise, and says for how long.
    pub deletes: bool,
}

/// When a record has stood still for long enough to be taken over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Patience {
    /// When its duration was over as the try began.
    Whole,
    /// When more than its duration is over as the record is read once more.
    More,
}

/// What a client knows of the record.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Seen {
    version: u64,
    /// Since when it has had this version, as far as this client has seen.
    since: Mono,
}

/// A client's memory.
#[derive(Clone, Debug, PartialEq)]
pub struct Recipe {
    rules: Rules,
    seen: Option<Seen>,
    /// When the present try began.
    began: Mono,
    /// The version of the record that it wrote itself, while it holds or may hold.
    mine: Option<u64>,
}

/// What a record without a holder says of its duration (client-go writes a second).
const RELEASED: Span = Span::from_secs(1);

fn request(request: Request) -> crate::Request {
    crate::Request::Record(Rc::new(request))
}

fn put(version: Option<u64>, anew: bool, cx: Context<'_>) -> crate::Request {
    let record = Record { holder: Some(cx.me), duration: cx.policy.ttl };
    request(Request::Put(Put { lock: cx.lock.clone(), version, record, anew }))
}

impl Recipe {
    /// A client that has seen nothing yet.
    pub fn new(rules: Rules) -> Self {
        Self { rules, seen: None, began: Mono::default(), mine: None }
    }

    fn found(&mut self, kept: Option<&Kept>, cx: Context<'_>) -> Step {
        let Some(kept) = kept else { return Step::Ask(Part::Claim, put(None, true, cx)) };
        let now = cx.now.mono;
        let since = match self.seen {
            Some(Seen { version, since }) if version == kept.version => since,
            Some(_) | None => now,
        };
        self.seen = Some(Seen { version: kept.version, since });
        let is_own = kept.record.holder == Some(cx.me) && self.rules.knows_itself;
        // The record says for how long it wants to be left alone, this client's clock when that is over.
        let stood_still = match self.rules.patience {
            Patience::Whole => self.began.since(since) >= kept.record.duration,
            Patience::More => now.since(since) > kept.record.duration,
        };
        if is_own || kept.record.holder.is_none() || stood_still {
            Step::Ask(Part::Claim, put(Some(kept.version), !is_own, cx))
        } else {
            self.rest(cx)
        }
    }

    fn rest(&self, cx: Context<'_>) -> Step {
        match cx.policy.wait {
            Wait::Poll(every) if self.rules.jitter => {
                Step::RestFor(every + cx.draw(Span::from_micros(every.as_micros() * 6 / 5)))
            }
            Wait::Poll(every) => Step::RestFor(every),
            Wait::Watch | Wait::Queue => Step::Rest,
        }
    }
}

impl crate::client::Recipe for Recipe {
    fn begin(&mut self, cx: Context<'_>) -> Step {
        self.began = cx.now.mono;
        Step::Ask(Part::Look, request(Request::Get { lock: cx.lock.clone() }))
    }

    fn answered(&mut self, purpose: Purpose, msg: &crate::Msg, cx: Context<'_>) -> Step {
        let crate::Msg::Reply { reply: crate::Reply::Record(reply), .. } = msg else { return Step::Nothing };
        match (purpose, &**reply) {
            (Purpose::Try(_), Reply::Got(kept)) => self.found(kept.as_ref(), cx),
            (Purpose::Try(_), Reply::Written { version, grant, token }) => {
                self.mine = Some(*version);
                Step::Hold { grant: *grant, token: *token, lease: Some(cx.policy.ttl) }
            }
            (Purpose::Try(_), Reply::Conflict) => self.rest(cx),
            (Purpose::KeepAlive, Reply::Written { version, .. }) => {
                self.mine = Some(*version);
                Step::Renewed(cx.policy.ttl)
            }
            // It may be its own write, whose answer was lost: a client that knows itself looks.
            (Purpose::KeepAlive, Reply::Conflict) if self.rules.knows_itself => {
                Step::Renew(request(Request::Get { lock: cx.lock.clone() }))
            }
            (Purpose::KeepAlive, Reply::Got(Some(kept))) if kept.record.holder == Some(cx.me) => {
                self.mine = Some(kept.version);
                Step::Renew(put(self.mine, false, cx))
            }
            (Purpose::KeepAlive, Reply::Got(_)) if self.rules.tries_on => {
                Step::Failed("the record names somebody else")
            }
            (Purpose::KeepAlive, Reply::Conflict | Reply::Got(_)) => Step::Gone,
            (Purpose::Release, Reply::Written { .. } | Reply::Deleted | Reply::Conflict) => Step::Released,
            (_, Reply::Got(_) | Reply::Written { .. } | Reply::Deleted | Reply::Conflict) => Step::Nothing,
        }
    }

    fn told(&mut self, _cx: Context<'_>) -> Step {
        Step::Again
    }

    fn keep_alive(&mut self, cx: Context<'_>) -> Option<crate::Request> {
        self.mine.map(|version| put(Some(version), false, cx))
    }

    fn give_back(&mut self, cx: Context<'_>) -> Option<crate::Request> {
        let (version, lock) = (self.mine.take()?, cx.lock.clone());
        Some(request(if self.rules.deletes {
            Request::Delete { lock, version }
        } else {
            let record = Record { holder: None, duration: RELEASED };
            Request::Put(Put { lock, version: Some(version), record, anew: false })
        }))
    }

    fn put(&self, _key: Key, _value: u64) -> Option<crate::Request> {
        None
    }

    /// `sendHeartbeat` and `releaseLock` are synchronized on the lock's item.
    fn writes_in_turn(&self) -> bool {
        true
    }

    fn tries_from_when_it_begins(&self) -> bool {
        self.rules.tries_on
    }

    /// What it has seen of the record it goes on knowing.
    fn forget(&mut self) {
        self.mine = None;
    }
}
