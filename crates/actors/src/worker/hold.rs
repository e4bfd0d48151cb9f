//! A worker's side of one lock: a client of its own, or a sidecar that has one.

use std::collections::VecDeque;

use kernel::{Input, Now, Outbox, ProcessId};
use locks::{Gone, GrantId, Key, Reading, Token, Word};

use crate::clients::{ForClient, for_client};
use crate::sidecar::{SideAsk, SideMsg, Standing};
use crate::story::Story;

/// A worker's side of one lock.
#[derive(Clone, Debug)]
pub enum Hold {
    /// A client in its own process.
    Own(locks::Client),
    /// A sidecar.
    Beside(Beside),
}

/// What a worker knows of a lock that its sidecar takes for it.
#[derive(Clone, Debug)]
pub struct Beside {
    sidecar: ProcessId,
    lock: Key,
    standing: Standing,
    words: VecDeque<Word>,
    /// How many times it has asked.
    asked: u32,
    /// What it has asked and waits for.
    waits_for: Option<SideAsk>,
}

impl Beside {
    /// A lock that nothing is known of.
    pub fn new(sidecar: ProcessId, lock: Key) -> Self {
        let standing = Standing::default();
        Self { sidecar, lock, standing, words: VecDeque::new(), asked: 0, waits_for: None }
    }

    fn ask(&mut self, place: u8, ask: SideAsk, out: &mut impl Outbox<Story>) {
        self.asked += 1;
        out.send(self.sidecar, SideMsg::Ask { place, number: self.asked, ask });
    }

    /// Asks for something that there will be a word about.
    fn ask_for(&mut self, place: u8, ask: SideAsk, out: &mut impl Outbox<Story>) {
        self.waits_for = Some(ask.clone());
        self.ask(place, ask, out);
    }

    fn let_go(&mut self, place: u8, ask: SideAsk, out: &mut impl Outbox<Story>) {
        if self.standing.grant.is_some() {
            self.standing = Standing::default();
            self.ask(place, ask, out);
        }
    }

    /// Its sidecar has told how things stand, as of what it was asked last.
    pub(super) fn told(&mut self, number: Option<u32>, standing: Standing, word: Option<Word>) {
        if number.is_some_and(|number| number != self.asked) {
            return; // It has asked something else since.
        }
        self.standing = standing;
        if let Some(word) = word {
            self.waits_for.take_if(|ask| ask.is_done(&word));
            self.words.push_back(word);
        }
    }

    /// Its sidecar was started again, and knows of nothing: what was held is lost, and what is waited for is asked again.
    pub(super) fn forgotten(&mut self, place: u8, out: &mut impl Outbox<Story>) {
        let wants = matches!(self.waits_for, Some(SideAsk::Acquire));
        let had = std::mem::replace(&mut self.standing, Standing { wants, ..Standing::default() }).grant;
        if had.is_some() {
            self.words.push_back(Word::Lost(Gone::ToldGone));
        }
        if let Some(ask) = self.waits_for.clone() {
            self.ask(place, ask, out);
        }
    }
}

impl Hold {
    /// The lock that it is for.
    pub fn lock(&self) -> &Key {
        match self {
            Self::Own(client) => client.lock(),
            Self::Beside(beside) => &beside.lock,
        }
    }
    /// The grant by which it believes to hold the lock.
    pub fn holds(&self) -> Option<GrantId> {
        match self {
            Self::Own(client) => client.holds(),
            Self::Beside(beside) => beside.standing.grant,
        }
    }
    /// The token that came with it, where the service hands out any.
    pub fn token(&self) -> Option<Token> {
        match self {
            Self::Own(client) => client.token(),
            Self::Beside(beside) => beside.standing.token,
        }
    }
    /// The stop time, while it holds; `None` as well where nothing runs out.
    pub fn stop(&self) -> Option<Reading> {
        match self {
            Self::Own(client) => client.stop(),
            Self::Beside(beside) => beside.standing.stop,
        }
    }
    pub(super) fn wants(&self) -> bool {
        match self {
            Self::Own(client) => client.wants(),
            Self::Beside(beside) => beside.standing.wants,
        }
    }
    pub(super) fn may_act(&self, now: Now) -> bool {
        match self {
            Self::Own(client) => client.may_act(now),
            Self::Beside(_) => self.holds().is_some() && self.stop().is_none_or(|stop| !stop.has_come(now)),
        }
    }
    /// Whether it is in jeopardy: nobody acts on it until it is safe, or lost.
    pub fn is_in_jeopardy(&self) -> bool {
        match self {
            Self::Own(client) => client.is_in_jeopardy(),
            Self::Beside(beside) => beside.standing.in_jeopardy,
        }
    }
    /// Looks whether it is in jeopardy: then its worker has to wait. Of a sidecar's clock it knows what it was told.
    pub(super) fn must_wait(&mut self, place: u8, now: Now, out: &mut impl Outbox<Story>) -> bool {
        match self {
            Self::Own(client) => client.must_wait(now, &mut ForClient { place, out }),
            Self::Beside(beside) => beside.standing.in_jeopardy,
        }
    }
    pub(super) fn next_word(&mut self) -> Option<Word> {
        match self {
            Self::Own(client) => client.next_word(),
            Self::Beside(beside) => beside.words.pop_front(),
        }
    }
    /// What it is doing, in a few words.
    pub fn doing(&self) -> &'static str {
        match self {
            Self::Own(client) => client.doing(),
            Self::Beside(Beside { standing: Standing { wants: true, .. }, .. }) => "waits for its sidecar",
            Self::Beside(_) => "leaves it to its sidecar",
        }
    }

    pub(super) fn on(&mut self, place: u8, input: Input<'_, Story>, now: Now, out: &mut impl Outbox<Story>) {
        if let (Self::Own(client), Some(input)) = (self, for_client(input)) {
            client.on(input, now, &mut ForClient { place, out });
        }
    }
    pub(super) fn acquire(&mut self, place: u8, now: Now, out: &mut impl Outbox<Story>) {
        match self {
            Self::Own(client) => client.acquire(now, &mut ForClient { place, out }),
            Self::Beside(beside) => {
                beside.standing.wants = true;
                beside.ask_for(place, SideAsk::Acquire, out);
            }
        }
    }
    pub(super) fn release(&mut self, place: u8, now: Now, out: &mut impl Outbox<Story>) {
        match self {
            Self::Own(client) => client.release(now, &mut ForClient { place, out }),
            Self::Beside(beside) => {
                beside.standing = Standing::default();
                beside.ask_for(place, SideAsk::Release, out);
            }
        }
    }
    pub(super) fn refused(&mut self, place: u8, out: &mut impl Outbox<Story>) {
        match self {
            Self::Own(client) => client.refused(&mut ForClient { place, out }),
            Self::Beside(beside) => beside.let_go(place, SideAsk::Refused, out),
        }
    }
    pub(super) fn stop_acting(&mut self, place: u8, out: &mut impl Outbox<Story>) {
        match self {
            Self::Own(client) => client.stop_acting(&mut ForClient { place, out }),
            Self::Beside(beside) => beside.let_go(place, SideAsk::StopActing, out),
        }
    }
    pub(super) fn put(&mut self, place: u8, key: Key, value: u64, now: Now, out: &mut impl Outbox<Story>) {
        match self {
            Self::Own(client) => client.put(key, value, now, &mut ForClient { place, out }),
            Self::Beside(beside) => beside.ask_for(place, SideAsk::Put(key, value), out),
        }
    }
}
