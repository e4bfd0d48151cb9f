//! Holding: renewing, and knowing when to stop.

use kernel::{Mono, Now, Outbox, Span};

use super::calls::Call;
use super::{Client, ClientSpeech, ClientTimer, Purpose, Stage};
use crate::{Anchor, GiveUp, Gone, GrantId, HolderClock, Holds, Note, Reading, Token, Word};

/// A lock that the client believes to hold.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Held {
    pub(super) grant: GrantId,
    pub(super) token: Option<Token>,
    /// Before every act the holder compares its clock with this; `None`: nothing runs out.
    pub(super) stop: Option<Reading>,
    /// Its lease is over, and may have been extended: it waits to hear so.
    pub(super) in_jeopardy: bool,
}

impl Client {
    /// From when a lease counts whose request was sent and answered then.
    fn anchor_of(&self, sent: Now, answered: Now) -> Now {
        match self.config.policy.anchor {
            Anchor::Sent => sent,
            Anchor::Received => answered,
        }
    }

    /// The lease is there: it counts from the request that was answered, and is renewed from then on.
    pub(super) fn lease_begins(
        &mut self,
        ttl: Span,
        call: Option<&Call>,
        now: Now,
        out: &mut impl Outbox<ClientSpeech>,
    ) {
        let sent = call.map_or(now, |call| call.sent);
        self.ttl = ttl;
        self.counts_from = Some(self.anchor_of(sent, now));
        let due = match self.kind.recipe().grace() {
            Some(_) => now.mono, // The service holds the answer back.
            None => sent.mono + self.config.policy.renew_every,
        };
        out.arm(ClientTimer::Renew, due);
    }

    /// The reading so long after the lease began to count, on the clock that the holder times it on.
    fn reading_after(&self, span: Span) -> Option<Reading> {
        self.counts_from.map(|from| match self.config.policy.clock {
            HolderClock::Monotonic => Reading::Mono(from.mono + span),
            HolderClock::Wall => Reading::Wall(from.wall + span),
        })
    }

    fn stop_reading(&self) -> Option<Reading> {
        self.reading_after(self.ttl.less(self.config.policy.margin))
    }

    /// The reading at which the client lets go by itself, if its rule has one.
    fn give_up_reading(&self) -> Option<Reading> {
        match self.config.policy.give_up {
            GiveUp::StopTime => self.stop_reading(),
            GiveUp::Deadline | GiveUp::FirstError => self.reading_after(self.ttl),
            GiveUp::Never => None,
        }
    }

    /// Until when the service may hold the answer to a renewal back, where it does: until the lease that it is to extend
    /// counts as over.
    pub(super) fn answers_held_until(&mut self) -> Option<Mono> {
        self.kind.recipe().grace()?;
        self.counts_from.map(|from| from.mono + self.ttl.less(self.config.policy.margin))
    }

    fn counts_from(&self, now: Now) -> Mono {
        self.counts_from.unwrap_or(now).mono
    }

    /// The service says that the lock is its own. If that took so long that it would have to let go at once, it does not
    /// begin to hold.
    pub(super) fn hold(
        &mut self,
        grant: GrantId,
        token: Option<Token>,
        now: Now,
        out: &mut impl Outbox<ClientSpeech>,
    ) {
        if self.give_up_reading().is_some_and(|reading| reading.has_come(now)) {
            return self.abandon_try(now, out);
        }
        let stop = self.stop_reading();
        self.held = Some(Held { grant, token, stop, in_jeopardy: false });
        self.stage = Stage::Holding;
        let (lock, sent) = (self.config.lock.clone(), self.counts_from(now));
        out.note(Note::Holds(Box::new(Holds { lock, grant, token, sent, stop })));
        self.words.push_back(Word::Acquired { grant, token });
        if self.kind.recipe().connection().is_some() {
            // Asked again, a question would be another claim: what it stood in line with is answered.
            self.calls.retain(|call| call.purpose != Purpose::Watch);
            self.parked.retain(|parked| parked.purpose != Purpose::Watch);
            out.arm(ClientTimer::Renew, now.mono + self.config.policy.renew_every);
        }
        self.stop_due(now, out);
    }

    pub(super) fn renew_due(&mut self, now: Now, out: &mut impl Outbox<ClientSpeech>) {
        if self.kind.recipe().asks_all() {
            // Those of all servers that have not answered to the last renewal: it was decided without them.
            self.calls.retain(|call| call.purpose != Purpose::KeepAlive);
        }
        if self.has_call(Purpose::KeepAlive) {
            return;
        }
        if self.kind.recipe().tries_from_when_it_begins() {
            self.put_off_stop(now, out);
        }
        if let Some(request) = self.recipe(now, |recipe, cx| recipe.keep_alive(cx)) {
            self.call(Purpose::KeepAlive, request, now, out);
        }
    }

    /// It begins to renew. As much later as that is than planned is its stop time, also when that has come already.
    fn put_off_stop(&mut self, now: Now, out: &mut impl Outbox<ClientSpeech>) {
        let Some(from) = self.counts_from.filter(|_| self.config.policy.give_up == GiveUp::StopTime) else {
            return;
        };
        let late = now.mono.since(from.mono).less(self.config.policy.renew_every);
        if late == Span::ZERO {
            return;
        }
        self.counts_from = Some(Now { mono: from.mono + late, wall: from.wall + late });
        let stop = self.stop_reading();
        if let (Some(held), Some(stop)) = (&mut self.held, stop) {
            held.stop = Some(stop);
            let (lock, grant) = (self.config.lock.clone(), held.grant);
            out.note(Note::PutOff { lock, grant, sent: from.mono, stop, late });
            self.stop_due(now, out);
        }
    }

    pub(super) fn renewed(
        &mut self,
        ttl: Span,
        call: Option<&Call>,
        now: Now,
        out: &mut impl Outbox<ClientSpeech>,
    ) {
        self.lease_begins(ttl, call, now, out);
        let (stop, sent) = (self.stop_reading(), self.counts_from(now));
        let is_over = self.give_up_reading().is_some_and(|reading| reading.has_come(now));
        if let Some(held) = &mut self.held {
            held.stop = stop;
            let (lock, grant, token) = (self.config.lock.clone(), held.grant, held.token);
            if !held.in_jeopardy {
                if let Some(stop) = stop {
                    out.note(Note::Extended { lock, grant, sent, stop });
                }
            } else if !is_over {
                held.in_jeopardy = false;
                out.note(Note::Holds(Box::new(Holds { lock, grant, token, sent, stop })));
                self.words.push_back(Word::Safe);
            }
            self.stop_due(now, out);
        }
    }

    /// What it holds has another token from now on.
    pub(super) fn renumbered(&mut self, token: Token) {
        if let Some(held) = &mut self.held {
            held.token = Some(token);
            self.words.push_back(Word::Renumbered(token));
        }
    }

    /// A renewal came to nothing, and may come to something yet: it is tried again after a rest, unless the rule is to
    /// give up at once.
    pub(super) fn not_renewed(&mut self, now: Now, out: &mut impl Outbox<ClientSpeech>) {
        if self.held.is_some() && self.config.policy.give_up == GiveUp::FirstError {
            return self.lose(Gone::RenewalFailed, out);
        }
        out.arm(ClientTimer::Renew, now.mono + self.config.policy.retry);
    }

    /// Lets go when the time for it has come; looks again later otherwise (a stepped clock may not be there yet).
    pub(super) fn stop_due(&mut self, now: Now, out: &mut impl Outbox<ClientSpeech>) {
        let (Some(_), Some(reading)) = (self.held, self.give_up_reading()) else { return };
        let grace = self.kind.recipe().grace();
        if !reading.has_come(now) {
            return out.arm(ClientTimer::Stop, reading.comes_at(now));
        }
        match grace.map(|grace| reading.later(grace)) {
            Some(end) if !end.has_come(now) => {
                self.endanger(out);
                out.arm(ClientTimer::Stop, end.comes_at(now));
            }
            Some(_) => self.lose(Gone::GraceOver, out),
            None => self.lose(Gone::StopTime, out),
        }
    }

    /// What it holds is in jeopardy from now on, and it believes in it no more.
    fn endanger(&mut self, out: &mut impl Outbox<ClientSpeech>) {
        if let Some(held) = self.held.as_mut().filter(|held| !held.in_jeopardy) {
            held.in_jeopardy = true;
            let (lock, grant) = (self.config.lock.clone(), held.grant);
            out.note(Note::LetGo { lock, grant, why: Gone::Jeopardy });
        }
    }

    /// Looks at its clock whether what it holds is in jeopardy: then its worker has to wait.
    pub fn must_wait(&mut self, now: Now, out: &mut impl Outbox<ClientSpeech>) -> bool {
        let is_over = self.give_up_reading().is_some_and(|reading| reading.has_come(now));
        if is_over && self.kind.recipe().grace().is_some() {
            self.endanger(out);
        }
        self.is_in_jeopardy()
    }

    /// Loses the lock, and tells the worker.
    pub(super) fn lose(&mut self, why: Gone, out: &mut impl Outbox<ClientSpeech>) {
        self.stop_holding(why, out);
        self.forget(out);
        self.words.push_back(Word::Lost(why));
    }

    pub(super) fn stop_holding(&mut self, why: Gone, out: &mut impl Outbox<ClientSpeech>) {
        if let Some(held) = self.held.take() {
            out.note(Note::LetGo { lock: self.config.lock.clone(), grant: held.grant, why });
        }
    }
}
