//! A sweeper: finds claims that nobody will finish, through the index, and puts their rows back in the queue.
//!
//! It compares no timestamps of other machines: it asks the lock service whether a holder is alive, waits for a second
//! sighting, and its re-queue is conditional on the very claim that it saw. When the lock service does not answer, it
//! does nothing: an authority that is down must not look like a thousand dead holders. Nor must renewals that fail for all
//! holders at once: it can leave them time to come back, go slowly, and stop when too much looks orphaned.

mod round;

use std::rc::Rc;

use kernel::{Input, Mono, Now, Outbox, ProcessId, Ratio, Rng, Span, Topic};
use locks::{Answer as Holder, Question};
use stores::{Answer, Claim, Op, Owner};

use crate::clients::first_request;
use crate::story::{Msg, Story, Timer};

/// A sweeper's configuration.
#[derive(Clone, Debug)]
pub struct SweeperConfig {
    /// The members of the lock service.
    pub members: Rc<[ProcessId]>,
    /// The stores whose indexes it reads, each with what it asks the members, to learn whether the lock has a holder.
    pub stores: Vec<(ProcessId, Question)>,
    /// How often it looks.
    pub every: Span,
    /// How long after the first sighting a second one counts.
    pub again_after: Span,
    /// For how long it re-queues nothing after the lock service has answered again.
    pub grace: Span,
    /// How many rows it re-queues in one look.
    pub requeues_max: Option<u32>,
    /// It re-queues nothing when more than this share of several claims looks orphaned.
    pub brake: Option<Ratio>,
}

/// What a sweeper announces.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SweepNote {
    /// A claim whose lock nobody holds.
    OrphanSeen(ProcessId, Owner),
    /// The same once more, late enough: it asks the store to re-queue it.
    OrphanConfirmed(ProcessId, Owner),
    /// A claim whose lock somebody holds.
    Skipped(ProcessId, Owner),
    /// It does not re-queue what it could.
    HeldBack(HeldBack),
}

/// Why a sweeper re-queues less than it could.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum HeldBack {
    /// The lock service has only just answered again.
    Grace,
    /// Too much looks orphaned.
    Brake {
        /// How many claims look so.
        orphans: u32,
        /// Of how many.
        claims: u32,
    },
    /// It has re-queued as many as it may in one look.
    Limit {
        /// How many are left.
        left: u32,
    },
}

impl SweepNote {
    pub(crate) fn topic(self) -> Option<Topic> {
        match self {
            Self::OrphanSeen(..) => Some(Topic("sees an orphan")),
            Self::OrphanConfirmed(..) => Some(Topic("re-queues")),
            Self::Skipped(..) | Self::HeldBack(_) => None,
        }
    }
}

/// What it knows of one store.
#[derive(Clone, Copy, Debug, Default)]
struct Watch {
    /// The requests that it waits for: an answer to an earlier look's is not listened to.
    scan: Option<u64>,
    question: Option<(u64, Claim)>,
    /// Which member it asked last.
    asked: usize,
    seen: Option<(Claim, Mono)>,
    /// The version of the lock's record that it saw last, and since when, where the service keeps records.
    watched: Option<(u64, Mono)>,
    /// What this look has found.
    found: Option<Found>,
}

/// What a look has found at a store.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Found {
    /// A claim that somebody is alive for.
    Held,
    /// A claim that nobody is alive for, and too early to say.
    Orphan,
    /// The same, for the second time and late enough.
    Due(Claim),
}

/// A sweeper.
#[derive(Clone, Debug)]
pub struct Sweeper {
    config: Rc<SweeperConfig>,
    next_look: Mono,
    next_id: u64,
    watches: Vec<Watch>,
    member: usize,
    /// The lock service has not answered.
    unheard: bool,
    /// It re-queues nothing before that.
    grace_until: Option<Mono>,
}

impl Sweeper {
    /// A sweeper that has not looked yet.
    pub fn new(config: Rc<SweeperConfig>) -> Self {
        let watches = vec![Watch::default(); config.stores.len()];
        Self {
            config,
            next_look: Mono::default(),
            next_id: 0,
            watches,
            member: 0,
            unheard: false,
            grace_until: None,
        }
    }

    pub(crate) fn start(&self, mut rng: Rng) -> Self {
        Self { next_id: first_request(0, &mut rng) & 0xffff_ffff, ..Self::new(self.config.clone()) }
    }

    /// The orphans that it has seen once.
    pub fn seen(&self) -> impl Iterator<Item = Owner> {
        self.watches.iter().filter_map(|watch| watch.seen.map(|(claim, _)| claim.owner()))
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
            Input::Refused { msg: Msg::Lock(msg), .. } => {
                let asked = |watch: &Watch| watch.question.is_some_and(|(id, _)| msg.asks() == Some(id));
                if let Some(place) = self.watches.iter().position(asked) {
                    self.ask_another(place, now, out);
                }
            }
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
        self.unheard |= self.watches.iter().any(|watch| watch.question.is_some());
        // A store that has not answered by now holds up nothing at the others.
        if self.watches.iter_mut().filter_map(|watch| watch.scan.take()).count() > 0 {
            self.conclude(now, out);
        }
        for place in 0..self.watches.len() {
            let id = self.next_id();
            let watch = &mut self.watches[place];
            (watch.scan, watch.question, watch.found) = (Some(id), None, None);
            let store = self.config.stores[place].0;
            out.send(store, stores::Msg::Request { id: id as u32, op: Op::Scan });
        }
        self.wait(now, out);
    }

    fn store_answered(&mut self, id: u32, answer: &Answer, now: Now, out: &mut impl Outbox<Story>) {
        let asked = |watch: &Watch| watch.scan == Some(u64::from(id));
        let Some(place) = self.watches.iter().position(asked) else { return };
        self.watches[place].scan = None;
        match answer {
            Answer::Index(Some(claim)) => {
                let id = self.next_id();
                self.watches[place].question = Some((id, *claim));
                self.ask(place, id, now, out);
            }
            Answer::Index(None) => {
                self.watches[place].seen = None;
                self.conclude(now, out);
            }
            Answer::Accepted(_)
            | Answer::Replayed(_)
            | Answer::Refused(_)
            | Answer::Again(_)
            | Answer::Row(_) => {}
        }
    }

    fn ask(&mut self, place: usize, id: u64, now: Now, out: &mut impl Outbox<Story>) {
        self.watches[place].asked = self.member;
        // Where there is no lock service there is no answer.
        let Some(&member) = self.config.members.get(self.member) else { return };
        out.send(member, self.config.stores[place].1.msg(id, now));
    }

    /// The member that was asked is gone: the next one is asked, once each before the next look.
    fn ask_another(&mut self, place: usize, now: Now, out: &mut impl Outbox<Story>) {
        let Watch { question: Some((_, claim)), asked, .. } = self.watches[place] else { return };
        // Of several questions to one member, the first that it does not answer goes on.
        if asked == self.member {
            self.member = (self.member + 1) % self.config.members.len();
        }
        if self.member != 0 {
            let id = self.next_id();
            self.watches[place].question = Some((id, claim));
            self.ask(place, id, now, out);
        }
    }

    /// A record that has stood still for long enough, as far as this sweeper has seen, is nobody's.
    fn judged(&mut self, place: usize, answer: Holder, now: Now) -> Holder {
        let watched = &mut self.watches[place].watched;
        let Holder::Stands { version, duration } = answer else {
            *watched = None;
            return answer;
        };
        let since = match *watched {
            Some((seen, since)) if seen == version => since,
            Some(_) | None => now.mono,
        };
        *watched = Some((version, since));
        if now.mono.since(since) >= duration { Holder::Free } else { answer }
    }

    fn service_answered(&mut self, msg: &locks::Msg, now: Now, out: &mut impl Outbox<Story>) {
        let answer = self.watches.iter().enumerate().find_map(|(place, watch)| {
            let (id, claim) = watch.question?;
            msg.answers(id).map(|answer| (place, claim, answer))
        });
        let Some((place, claim, answer)) = answer else { return };
        let store = self.config.stores[place].0;
        let answer = self.judged(place, answer, now);
        let again_after = self.config.again_after;
        let watch = &mut self.watches[place];
        let found = match answer {
            Holder::Held | Holder::Stands { .. } => {
                watch.seen = None;
                out.note(SweepNote::Skipped(store, claim.owner()));
                Found::Held
            }
            Holder::Free => match watch.seen {
                Some((seen, at)) if seen == claim => {
                    if now.mono.since(at) >= again_after {
                        Found::Due(claim)
                    } else {
                        Found::Orphan
                    }
                }
                Some(_) | None => {
                    watch.seen = Some((claim, now.mono));
                    out.note(SweepNote::OrphanSeen(store, claim.owner()));
                    Found::Orphan
                }
            },
            Holder::Unknown => return self.ask_another(place, now, out),
        };
        (watch.question, watch.found) = (None, Some(found));
        self.heard(now);
        self.conclude(now, out);
    }
}
