//! Who asks the lock service, in front of a store that does not decide by itself, whether a writer's grant is still
//! there: what has one is handed on to the store, what has none is turned away, and so is, for a while, what nobody can
//! be asked about.

use std::rc::Rc;

use kernel::{Input, Lift, Mono, Now, Outbox, ProcessId, Rng, Span};
use locks::{Answer, Question};
use stores::{Admission, Conflict, Refusal, Store, Token};

use crate::clients::first_request;
use crate::story::{Msg, Story, Timer};

/// How long it waits for an answer: less than a worker waits for the store, which would send its request again.
const PATIENCE: Span = Span::from_millis(800);

/// A doorman's configuration.
#[derive(Clone, Debug)]
pub struct DoormanConfig {
    /// The members of the lock service.
    pub members: Rc<[ProcessId]>,
    /// What it asks them about the lock that protects the store.
    pub question: Question,
}

/// A request that waits for an answer of the lock service.
#[derive(Clone, Copy, Debug)]
struct Waits {
    question: u64,
    token: Token,
    from: ProcessId,
    id: u32,
    op: stores::Op,
    /// How many members have been asked.
    asked: usize,
    until: Mono,
}

/// A doorman.
#[derive(Clone, Debug)]
pub struct Doorman {
    config: Rc<DoormanConfig>,
    next_id: u64,
    /// The member that is asked: the one that answered last.
    member: usize,
    waiting: Vec<Waits>,
}

impl Doorman {
    /// One that nobody has come to.
    pub fn new(config: Rc<DoormanConfig>) -> Self {
        Self { config, next_id: 0, member: 0, waiting: Vec::new() }
    }

    pub(crate) fn start(&self, mut rng: Rng) -> Self {
        Self { next_id: first_request(0, &mut rng), ..Self::new(self.config.clone()) }
    }

    /// How many requests wait for an answer of the lock service.
    pub fn waiting(&self) -> usize {
        self.waiting.len()
    }

    /// Takes what is its own; the rest is the store's.
    pub(crate) fn on<'a>(
        &mut self,
        store: &mut Store,
        input: Input<'a, Story>,
        now: Now,
        out: &mut impl Outbox<Story>,
    ) -> Option<Input<'a, Story>> {
        match input {
            Input::Message { from, msg: Msg::Store(stores::Msg::Request { id, op }) } => {
                let Some(token) = op.stamp().and_then(|stamp| stamp.token()) else { return Some(input) };
                let (id, op, until) = (*id, *op, now.mono + PATIENCE);
                self.ask(Waits { question: 0, token, from, id, op, asked: 0, until }, store, now, out);
            }
            Input::Message { msg: Msg::Lock(msg), .. } => self.answered(msg, store, now, out),
            Input::Refused { msg: Msg::Lock(msg), .. } => {
                if let Some(waits) = msg.asks().and_then(|id| self.take(id)) {
                    self.ask_another(waits, store, now, out);
                }
            }
            Input::Timer(Timer::Patience) => self.overdue(store, now, out),
            Input::Boot
            | Input::Message { .. }
            | Input::Refused { .. }
            | Input::Timer(_)
            | Input::Closed { .. } => {
                return Some(input);
            }
        }
        None
    }

    fn take(&mut self, question: u64) -> Option<Waits> {
        let place = self.waiting.iter().position(|waits| waits.question == question)?;
        Some(self.waiting.remove(place))
    }

    fn ask(&mut self, mut waits: Waits, store: &mut Store, now: Now, out: &mut impl Outbox<Story>) {
        if waits.asked == self.config.members.len() {
            return Self::decide(waits, Admission::Again(Conflict::LockService), store, now, out);
        }
        self.next_id += 1;
        waits.question = self.next_id;
        waits.asked += 1;
        let question = self.config.question.of_grant(locks::Token(waits.token.0));
        out.send(self.config.members[self.member], question.msg(waits.question, now));
        if self.waiting.is_empty() {
            out.arm(Timer::Patience, waits.until);
        }
        self.waiting.push(waits);
    }

    fn ask_another(&mut self, waits: Waits, store: &mut Store, now: Now, out: &mut impl Outbox<Story>) {
        self.member = (self.member + 1) % self.config.members.len();
        self.ask(waits, store, now, out);
    }

    fn answered(&mut self, msg: &locks::Msg, store: &mut Store, now: Now, out: &mut impl Outbox<Story>) {
        let answer = self.waiting.iter().find_map(|waits| {
            let token = locks::Token(waits.token.0);
            msg.shows_grant(waits.question, token).map(|answer| (waits.question, answer))
        });
        let Some((question, answer)) = answer else { return };
        let Some(waits) = self.take(question) else { return };
        match answer {
            Answer::Held => {
                let msg = stores::Msg::Request { id: waits.id, op: waits.op };
                let input = Input::Message { from: waits.from, msg: &msg };
                store.on(input, now, &mut Lift::<Story, _>::new(out));
            }
            Answer::Free | Answer::Stands { .. } => {
                let refusal = Refusal::NoGrant { token: waits.token };
                Self::decide(waits, Admission::Refuse(refusal), store, now, out);
            }
            Answer::Unknown => self.ask_another(waits, store, now, out),
        }
    }

    fn decide(waits: Waits, admission: Admission, store: &mut Store, now: Now, out: &mut impl Outbox<Story>) {
        let Waits { from, id, op, .. } = waits;
        store.turn_away((from, id, op), admission, now, &mut Lift::<Story, _>::new(out));
    }

    /// Those that no answer came for are put off, in the order in which they came; the next are for another member.
    fn overdue(&mut self, store: &mut Store, now: Now, out: &mut impl Outbox<Story>) {
        let (over, waiting) = self.waiting.drain(..).partition(|waits| waits.until <= now.mono);
        let over: Vec<Waits> = over;
        self.waiting = waiting;
        if !over.is_empty() {
            self.member = (self.member + 1) % self.config.members.len();
        }
        for waits in over {
            Self::decide(waits, Admission::Again(Conflict::LockService), store, now, out);
        }
        if let Some(until) = self.waiting.iter().map(|waits| waits.until).min() {
            out.arm(Timer::Patience, until);
        }
    }
}

#[cfg(test)]
mod tests {
    use kernel::{Effect, Effects, Wall};
    use locks::{Request, consul};
    use stores::{Kind, Seen, SessionChecked, Stamp};

    use super::*;

    const A: ProcessId = ProcessId(7);
    const SERVERS: [ProcessId; 2] = [ProcessId(0), ProcessId(1)];

    /// A store and its doorman, whose clock is moved by hand, and what they say.
    struct Bench {
        store: Store,
        doorman: Doorman,
        millis: u64,
    }

    impl Bench {
        fn new() -> Self {
            let question = Question::consul(&"job".into());
            let config = DoormanConfig { members: SERVERS.into(), question };
            let store = Store::new(Kind::SessionChecked(SessionChecked), Span::ZERO);
            Self { store, doorman: Doorman::new(Rc::new(config)), millis: 0 }
        }

        /// Whom it asks with which number, what it answers to whom, in words.
        fn give(&mut self, input: Input<'_, Story>) -> Vec<String> {
            let micros = self.millis * 1_000;
            let now = Now { mono: Mono::from_micros(micros), wall: Wall::from_micros(micros as i64) };
            let mut out = Effects::<Story>::default();
            assert!(self.doorman.on(&mut self.store, input, now, &mut out).is_none());
            let said = |effect| match effect {
                Effect::Send { to, msg: Msg::Lock(locks::Msg::Request { id, request }) } => {
                    assert!(matches!(request, Request::Consul(_)));
                    Some(format!("asks {} no. {id}", to.0))
                }
                Effect::Send { msg: Msg::Store(stores::Msg::Reply { answer, .. }), .. } => {
                    Some(match &*answer {
                        stores::Answer::Accepted(_) => "accepted".to_owned(),
                        stores::Answer::Refused(refusal) => refusal.to_string(),
                        stores::Answer::Again(conflict) => conflict.to_string(),
                        stores::Answer::Replayed(_) | stores::Answer::Row(_) | stores::Answer::Index(_) => {
                            unreachable!("nobody reads here")
                        }
                    })
                }
                Effect::Send { .. }
                | Effect::Arm { .. }
                | Effect::Disarm(_)
                | Effect::Persist(_)
                | Effect::Note(_)
                | Effect::Connect { .. }
                | Effect::Disconnect { .. } => None,
            };
            out.0.into_iter().filter_map(said).collect()
        }

        fn raise(&mut self, token: u64) -> Vec<String> {
            let stamp = Stamp::new(Some(Token(token)), Seen::NOTHING);
            let msg = Msg::Store(stores::Msg::Request { id: 1, op: stores::Op::Raise(stamp) });
            self.give(Input::Message { from: A, msg: &msg })
        }

        fn hear(&mut self, id: u64, reply: locks::Reply) -> Vec<String> {
            let msg = Msg::Lock(locks::Msg::Reply { id, reply });
            self.give(Input::Message { from: SERVERS[0], msg: &msg })
        }
    }

    fn holder(token: Option<u64>) -> locks::Reply {
        consul::Reply::Got(token.map(locks::Token)).into()
    }

    const UNASKED: &str = "the lock service does not say whether the grant is there";

    #[test]
    fn a_doorman_lets_in_whom_the_lock_service_knows_and_nobody_elses_grant_counts() {
        let mut bench = Bench::new();
        assert_eq!(bench.raise(7), ["asks 0 no. 1"]);
        assert_eq!(bench.hear(1, holder(Some(7))), ["accepted"]);
        bench.raise(7);
        assert_eq!(bench.hear(2, holder(Some(12))), ["the lock service has no grant with token 7 any more"]);
        bench.raise(7);
        assert_eq!(bench.hear(3, holder(None)), ["the lock service has no grant with token 7 any more"]);
        assert!(bench.hear(3, holder(Some(7))).is_empty(), "an answer that comes twice");
    }

    #[test]
    fn a_doorman_asks_each_server_once_that_cannot_tell() {
        let mut bench = Bench::new();
        bench.raise(7);
        assert_eq!(bench.hear(1, locks::Reply::NoLeader), ["asks 1 no. 2"]);
        assert_eq!(bench.hear(2, locks::Reply::NoLeader), [UNASKED]);
        assert_eq!(bench.doorman.waiting(), 0);
    }

    #[test]
    fn a_doorman_waits_only_so_long_and_then_turns_to_another_server() {
        let mut bench = Bench::new();
        bench.raise(7);
        bench.millis = 500;
        bench.raise(7);
        bench.millis = 800;
        assert_eq!(bench.give(Input::Timer(Timer::Patience)), [UNASKED]);
        assert_eq!(bench.doorman.waiting(), 1, "the second has waited for 300 ms");
        assert!(bench.hear(1, holder(Some(7))).is_empty(), "too late");
        assert_eq!(bench.raise(7), ["asks 1 no. 3"]);
    }
}
