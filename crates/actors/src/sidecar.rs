//! A sidecar: a process beside a worker, on the same host, that takes the worker's locks for it and renews them.
//!
//! Its renewals say that it runs, and nothing of the worker: a worker that is frozen keeps its locks. They talk by messages on
//! their host.

use std::rc::Rc;

use kernel::{Input, Now, Outbox, ProcessId, Rng, Start};
use locks::{GrantId, Key, Reading, Token, Word};

use crate::clients::{ForClient, client_of, first_request, for_client};
use crate::story::{Msg, Story, Timer};

/// What a worker and its sidecar say to each other. `place` is that of one of the worker's locks.
#[derive(Clone, Debug)]
pub enum SideMsg {
    /// From the worker: please do.
    Ask {
        /// Which lock.
        place: u8,
        /// The worker's number for it, of this lock.
        number: u32,
        /// What.
        ask: SideAsk,
    },
    /// From the sidecar: how things stand, and the word that its client gave.
    Tell {
        /// Which lock.
        place: u8,
        /// The last that the worker has asked; `None`: nothing yet.
        number: Option<u32>,
        /// How things stand.
        standing: Standing,
        /// The word, if any.
        word: Option<Word>,
    },
    /// From the sidecar: it has been started again, holds nothing, and knows of nothing that it was asked.
    Forgot,
}

/// What a worker asks of its sidecar.
#[derive(Clone, Debug)]
pub enum SideAsk {
    /// To take the lock.
    Acquire,
    /// To give it back.
    Release,
    /// To let it go: a store refused its token.
    Refused,
    /// To let it go: its stop time has come.
    StopActing,
    /// To write a plain key.
    Put(Key, u64),
}

impl SideAsk {
    /// Whether this word says that it was done.
    pub(crate) fn is_done(&self, word: &Word) -> bool {
        match self {
            Self::Acquire => matches!(word, Word::Acquired { .. }),
            Self::Release => *word == Word::Released,
            Self::Put(..) => *word == Word::PutDone,
            Self::Refused | Self::StopActing => false,
        }
    }
}

/// How a lock stands, as far as a sidecar knows.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Standing {
    /// The grant by which it is held.
    pub grant: Option<GrantId>,
    /// The token that came with it.
    pub token: Option<Token>,
    /// The stop time.
    pub stop: Option<Reading>,
    /// Whether it is waited for.
    pub wants: bool,
    /// Whether it is in jeopardy: nobody acts on it until it is safe, or lost.
    pub in_jeopardy: bool,
}

impl Standing {
    fn of(client: &locks::Client) -> Self {
        let (grant, token, stop) = (client.holds(), client.token(), client.stop());
        Self { grant, token, stop, wants: client.wants(), in_jeopardy: client.is_in_jeopardy() }
    }
}

/// A sidecar's configuration.
#[derive(Clone, Debug)]
pub struct SidecarConfig {
    /// Whose it is.
    pub worker: ProcessId,
    /// Its clients, one for each lock that the worker takes.
    pub clients: Vec<Rc<locks::ClientConfig>>,
}

/// A sidecar.
#[derive(Clone, Debug)]
pub struct Sidecar {
    config: Rc<SidecarConfig>,
    clients: Vec<locks::Client>,
    /// What it was asked last and what it has told, of each lock.
    told: Vec<(Option<u32>, Standing)>,
    start: Start,
}

impl Sidecar {
    /// One that has not begun.
    pub fn new(config: Rc<SidecarConfig>) -> Self {
        let clients: Vec<locks::Client> = config.clients.iter().map(|client| client.client(0)).collect();
        Self { told: vec![(None, Standing::default()); clients.len()], clients, config, start: Start::First }
    }

    pub(crate) fn start(&self, start: Start, mut rng: Rng) -> Self {
        let mut fresh = Self { start, ..Self::new(self.config.clone()) };
        for (place, config) in self.config.clients.iter().enumerate() {
            fresh.clients[place] = config.client(first_request(place as u8, &mut rng));
        }
        fresh
    }

    /// Its clients.
    pub fn clients(&self) -> &[locks::Client] {
        &self.clients
    }

    pub(crate) fn on(&mut self, input: Input<'_, Story>, now: Now, out: &mut impl Outbox<Story>) {
        match input {
            Input::Boot => match self.start {
                Start::First => (0..self.clients.len()).for_each(|place| self.tell(place, None, out)),
                Start::Again | Start::Restored => out.send(self.config.worker, SideMsg::Forgot),
            },
            Input::Message { msg: Msg::Side(said), .. } => {
                if let SideMsg::Ask { place, number, ask } = &**said {
                    self.asked(usize::from(*place), *number, ask, now, out);
                }
            }
            Input::Message { msg: Msg::Lock(msg), .. } | Input::Refused { msg: Msg::Lock(msg), .. } => {
                if let Some(id) = msg.of_request() {
                    self.client_input(client_of(id), input, now, out);
                }
            }
            Input::Timer(Timer::Client(place, _)) => self.client_input(usize::from(place), input, now, out),
            // Whose connection it was, each client knows.
            Input::Closed { .. } => {
                (0..self.clients.len()).for_each(|place| self.client_input(place, input, now, out));
            }
            Input::Message { .. } | Input::Refused { .. } | Input::Timer(_) => {}
        }
    }

    fn asked(&mut self, place: usize, number: u32, ask: &SideAsk, now: Now, out: &mut impl Outbox<Story>) {
        let Some(client) = self.clients.get_mut(place) else { return };
        self.told[place].0 = Some(number);
        let for_client = &mut ForClient { place: place as u8, out };
        match ask {
            SideAsk::Acquire => match client.holds() {
                // It holds for a worker that has been restarted meanwhile.
                Some(grant) => {
                    let token = client.token();
                    return self.tell(place, Some(Word::Acquired { grant, token }), out);
                }
                None => client.acquire(now, for_client),
            },
            SideAsk::Release => client.release(now, for_client),
            SideAsk::Refused => client.refused(for_client),
            SideAsk::StopActing => client.stop_acting(for_client),
            SideAsk::Put(key, value) => client.put(key.clone(), *value, now, for_client),
        }
        self.flush(place, out);
    }

    fn client_input(
        &mut self,
        place: usize,
        input: Input<'_, Story>,
        now: Now,
        out: &mut impl Outbox<Story>,
    ) {
        let (Some(client), Some(input)) = (self.clients.get_mut(place), for_client(input)) else { return };
        client.on(input, now, &mut ForClient { place: place as u8, out });
        self.flush(place, out);
    }

    /// Tells the worker what has changed.
    fn flush(&mut self, place: usize, out: &mut impl Outbox<Story>) {
        while let Some(word) = self.clients[place].next_word() {
            self.tell(place, Some(word), out);
        }
        if self.told[place].1 != Standing::of(&self.clients[place]) {
            self.tell(place, None, out);
        }
    }

    fn tell(&mut self, place: usize, word: Option<Word>, out: &mut impl Outbox<Story>) {
        let standing = Standing::of(&self.clients[place]);
        self.told[place].1 = standing;
        let (place, number) = (place as u8, self.told[place].0);
        out.send(self.config.worker, SideMsg::Tell { place, number, standing, word });
    }
}
