//! A sweeper: finds claims that nobody will finish, through the index, and puts their rows back in the queue.
//!
//! It compares no timestamps of other machines: it asks the lock service whether a holder is alive, waits for a second
//! sighting, and its re-queue is conditional on the very claim that it saw. When the lock service does not answer, it
//! does nothing: an authority that is down must not look like a thousand dead holders.

use std::rc::Rc;

use kernel::{Input, Mono, Now, Outbox, ProcessId, Rng, Span, Topic};
use locks::{Answer as Holder, Question};
use stores::{Answer, Claim, Op, Token};

use crate::story::{Msg, Story, Timer, first_request};

/// A sweeper's configuration.
#[derive(Clone, Debug)]
pub struct SweeperConfig {
    /// The members of the lock service.
    pub members: Rc<[ProcessId]>,
    /// What it asks them, to learn whether the lock has a holder.
    pub question: Question,
    /// The store whose index it reads.
    pub store: ProcessId,
    /// How often it looks.
    pub every: Span,
    /// How long after the first sighting a second one counts.
    pub again_after: Span,
}

/// What a sweeper announces.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SweepNote {
    /// A claim whose lock nobody holds.
    OrphanSeen(ProcessId, Token),
    /// The same once more, late enough: it asks the store to re-queue it.
    OrphanConfirmed(ProcessId, Token),
    /// A claim whose lock somebody holds.
    Skipped(ProcessId, Token),
}

impl SweepNote {
    pub(crate) fn topic(self) -> Option<Topic> {
        match self {
            Self::OrphanSeen(..) => Some(Topic("sees an orphan")),
            Self::OrphanConfirmed(..) => Some(Topic("re-queues")),
            Self::Skipped(..) => None,
        }
    }
}

/// A sweeper.
#[derive(Clone, Debug)]
pub struct Sweeper {
    config: Rc<SweeperConfig>,
    next_look: Mono,
    next_id: u64,
    /// The requests that it waits for: an answer to an earlier look's is not listened to.
    scan: Option<u64>,
    question: Option<(u64, Claim)>,
    seen: Option<(Claim, Mono)>,
    /// The version of the lock's record that it saw last, and since when, where the service keeps records.
    watched: Option<(u64, Mono)>,
    member: usize,
}

impl Sweeper {
    /// A sweeper that has not looked yet.
    pub fn new(config: Rc<SweeperConfig>) -> Self {
        Self {
            config,
            next_look: Mono::default(),
            next_id: 0,
            scan: None,
            question: None,
            seen: None,
            watched: None,
            member: 0,
        }
    }

    pub(crate) fn start(&self, mut rng: Rng) -> Self {
        Self { next_id: first_request(0, &mut rng) & 0xffff_ffff, ..Self::new(self.config.clone()) }
    }

    /// The orphan that it has seen once.
    pub fn seen(&self) -> Option<Token> {
        self.seen.map(|(claim, _)| claim.owner())
    }

    pub(crate) fn on(&mut self, input: Input<'_, Story>, now: Now, out: &mut impl Outbox<Story>) {
        match input {
            Input::Boot => {
                self.next_look = now.mono;
                self.wait(now, out);
            }
            Input::Timer(Timer::Sweep) => self.look(now, out),
            Input::Message { msg: Msg::Store(stores::Msg::Reply { id, answer, .. }), .. } => {
                self.store_answered(*id, answer, now, out);
            }
            Input::Message { msg: Msg::Lock(msg), .. } => self.service_answered(msg, now, out),
            Input::Refused { msg: Msg::Lock(_), .. } => self.ask_another(now, out),
            Input::Message { .. } | Input::Refused { .. } | Input::Timer(_) | Input::Closed { .. } => {}
        }
    }

    fn wait(&mut self, now: Now, out: &mut impl Outbox<Story>) {
        while self.next_look <= now.mono {
            self.next_look = self.next_look + self.config.every;
        }
        out.arm(Timer::Sweep, self.next_look);
    }

    fn next_id(&mut self) -> u64 {
        self.next_id += 1;
        self.next_id
    }

    fn look(&mut self, now: Now, out: &mut impl Outbox<Story>) {
        let id = self.next_id();
        self.scan = Some(id);
        self.question = None;
        out.send(self.config.store, stores::Msg::Request { id: id as u32, op: Op::Scan });
        self.wait(now, out);
    }

    fn store_answered(&mut self, id: u32, answer: &Answer, now: Now, out: &mut impl Outbox<Story>) {
        if self.scan != Some(u64::from(id)) {
            return;
        }
        self.scan = None;
        match answer {
            Answer::Index(Some(claim)) => {
                let id = self.next_id();
                self.question = Some((id, *claim));
                self.ask(id, now, out);
            }
            Answer::Index(None) => self.seen = None,
            Answer::Accepted(_)
            | Answer::Replayed(_)
            | Answer::Refused(_)
            | Answer::Again(_)
            | Answer::Row(_) => {}
        }
    }

    fn ask(&self, id: u64, now: Now, out: &mut impl Outbox<Story>) {
        let member = self.config.members[self.member];
        out.send(member, self.config.question.msg(id, now));
    }

    /// The member that was asked is gone: the next one is asked, once each before the next look.
    fn ask_another(&mut self, now: Now, out: &mut impl Outbox<Story>) {
        let Some((_, claim)) = self.question else { return };
        self.member = (self.member + 1) % self.config.members.len();
        if self.member != 0 {
            let id = self.next_id();
            self.question = Some((id, claim));
            self.ask(id, now, out);
        }
    }

    /// A record that has stood still for long enough, as far as this sweeper has seen, is nobody's.
    fn judged(&mut self, answer: Holder, now: Now) -> Holder {
        let Holder::Stands { version, duration } = answer else {
            self.watched = None;
            return answer;
        };
        let since = match self.watched {
            Some((seen, since)) if seen == version => since,
            Some(_) | None => now.mono,
        };
        self.watched = Some((version, since));
        if now.mono.since(since) >= duration { Holder::Free } else { answer }
    }

    fn service_answered(&mut self, msg: &locks::Msg, now: Now, out: &mut impl Outbox<Story>) {
        let Some((asked, claim)) = self.question else { return };
        let Some(answer) = msg.answers(asked) else { return };
        let store = self.config.store;
        match self.judged(answer, now) {
            Holder::Held | Holder::Stands { .. } => {
                self.seen = None;
                out.note(SweepNote::Skipped(store, claim.owner()));
            }
            Holder::Free => match self.seen {
                Some((seen, at)) if seen == claim => {
                    if now.mono.since(at) >= self.config.again_after {
                        self.seen = None;
                        let id = self.next_id();
                        out.note(SweepNote::OrphanConfirmed(store, claim.owner()));
                        out.send(store, stores::Msg::Request { id: id as u32, op: Op::Requeue(claim) });
                    }
                }
                Some(_) | None => {
                    self.seen = Some((claim, now.mono));
                    out.note(SweepNote::OrphanSeen(store, claim.owner()));
                }
            },
            Holder::Unknown => return self.ask_another(now, out),
        }
        self.question = None;
    }
}
