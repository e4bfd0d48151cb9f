//! A worker: an application that takes locks and works, by a short program.
//!
//! `program` is what a program is; `run` carries it out; `asking` is how it talks to stores; this file is the machine around
//! them.

mod asking;
mod hold;
mod program;
mod run;

use std::rc::Rc;

use kernel::{Input, Mono, Now, Outbox, ProcessId, Rng, Span, Topic};
use locks::{Gone, GrantId, Reading, Word};
use stores::{Seen, Token};

pub use self::hold::{Beside, Hold};
pub use self::program::Op;
use self::run::Waiting;
use crate::clients::{client_of, first_request};
use crate::sidecar::SideMsg;
use crate::story::{Msg, Story, Timer};

/// A worker's own timers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WorkerTimer {
    /// Go on with the program.
    Step,
    /// A store's answer is overdue.
    Overdue,
}

/// What a worker does when its lock or its write is taken from it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Then {
    /// It stops its program.
    Stop,
    /// It begins its program again.
    Restart,
    /// It goes on.
    Ignore,
}

/// What a worker does when a store does not answer: it cannot know whether its write was carried out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unanswered {
    /// It sends the write again.
    Resend,
    /// It reads the row first, and sends the write again only if that does not show it.
    Look,
}

/// A worker's configuration.
#[derive(Clone, Debug)]
pub struct WorkerConfig {
    /// When it begins, on its monotonic clock.
    pub start: Span,
    /// Whether its writes carry its token.
    pub attach_token: bool,
    /// How long it waits for a store's answer.
    pub store_timeout: Span,
    /// What it does when a store does not answer for so long.
    pub when_unanswered: Unanswered,
    /// What it does when a store refuses its write.
    pub when_refused: Then,
    /// What it does when its client has lost the lock.
    pub when_lost: Then,
    /// Its clients, one for each lock that it takes.
    pub clients: Vec<Rc<locks::ClientConfig>>,
    /// Who has them in its place, if anybody.
    pub sidecar: Option<ProcessId>,
    /// For each store that it uses, the place of the client whose lock protects that.
    pub protected_by: Vec<(ProcessId, usize)>,
    /// The stores that there are, with their kinds: each has a client library of its own.
    pub stores: Vec<(ProcessId, stores::Kind)>,
    /// The nodes of those that are journals.
    pub journals: Vec<(ProcessId, Rc<[ProcessId]>)>,
    /// What it does.
    pub program: Rc<[Op]>,
}

/// What a worker announces.
#[derive(Clone, Debug, PartialEq)]
pub enum WorkNote {
    /// It compared its clock with its stop time.
    Checked {
        /// Whether it goes on.
        passed: bool,
        /// The stop reading.
        stop: Option<Reading>,
    },
    /// It sends a request to a store.
    Asks {
        /// The store.
        store: ProcessId,
        /// Its number for the request.
        id: u32,
        /// What it asks.
        op: stores::Op,
        /// The grant that it acts under, whether its token is sent or not.
        under: Option<GrantId>,
    },
    /// It stops before the end of its program.
    Stopped {
        /// Why.
        why: Halt,
    },
    /// It begins its program again.
    Restarts {
        /// Why.
        why: Halt,
    },
    /// It has come to the end of its program.
    Finished,
}

/// Why a worker stops or begins again.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Halt {
    /// Its client lost the lock.
    LostLock(Gone),
    /// A store refused its write.
    Refused(stores::Refusal),
    /// Its check found that its stop time had come.
    StopTime,
}

impl WorkNote {
    pub(crate) fn topic(&self) -> Option<Topic> {
        let word = match self {
            Self::Checked { .. } => "checks",
            Self::Asks { op: stores::Op::Raise(_), .. } => "raises",
            Self::Asks { op: stores::Op::Write(..) | stores::Op::Part(..), .. } => "writes",
            Self::Asks { .. } => return None,
            Self::Stopped { .. } => "stops",
            Self::Restarts { .. } => "restarts",
            Self::Finished => "finishes",
        };
        Some(Topic(word))
    }
}

/// A worker's sides of the journals that there are. Each numbers its rounds from `first` on.
fn journals(config: &WorkerConfig, first: u32) -> Vec<(ProcessId, stores::journal::Client)> {
    let client = |nodes: &Rc<[ProcessId]>| stores::journal::Client::new(nodes.clone(), first);
    config.journals.iter().map(|(store, nodes)| (*store, client(nodes))).collect()
}

/// A grant that a worker acts under.
#[derive(Clone, Copy, Debug)]
struct Grant {
    id: GrantId,
    /// The token that came with it, if any.
    token: Option<Token>,
}

/// A worker.
#[derive(Clone, Debug)]
pub struct Worker {
    config: Rc<WorkerConfig>,
    clients: Vec<Hold>,
    /// The last grant of each client's lock: what it acts under, also when the client has lost it.
    grants: Vec<Option<Grant>>,
    /// The step that it is at.
    at: usize,
    /// How often each loop of the program went round.
    rounds: Vec<u32>,
    /// The next item of the work, as far as it knows.
    item: u32,
    /// How many of the next item's effects it has written.
    part: u32,
    /// What it last saw of each store that compares that.
    seen: Vec<(ProcessId, Seen)>,
    /// Its side of each journal.
    journals: Vec<(ProcessId, stores::journal::Client)>,
    waiting: Waiting,
    next_id: u32,
    /// The number of its connections, where a store knows it by one.
    connection: u32,
}

impl Worker {
    /// A worker that has not begun.
    pub fn new(config: Rc<WorkerConfig>) -> Self {
        let clients = config.clients.iter().map(|client| match config.sidecar {
            Some(sidecar) => Hold::Beside(Beside::new(sidecar, client.lock.clone())),
            None => Hold::Own(client.client(0)),
        });
        Self {
            clients: clients.collect(),
            grants: vec![None; config.clients.len()],
            at: 0,
            rounds: vec![0; program::loops(&config.program)],
            item: 0,
            part: 0,
            seen: Vec::new(),
            journals: journals(&config, 0),
            waiting: Waiting::ToBegin,
            next_id: 0,
            connection: 0,
            config,
        }
    }

    pub(crate) fn start(&self, mut rng: Rng) -> Self {
        let mut fresh = Self::new(self.config.clone());
        fresh.next_id = rng.below(1 << 30) as u32;
        fresh.connection = fresh.next_id;
        fresh.journals = journals(&self.config, fresh.next_id);
        for (place, config) in self.config.clients.iter().enumerate() {
            if let Hold::Own(client) = &mut fresh.clients[place] {
                *client = config.client(first_request(place as u8, &mut rng));
            }
        }
        fresh
    }

    /// The highest token that it believes to hold, which it does not in jeopardy; 0 for a grant that came without one.
    pub fn highest_token(&self) -> Option<u64> {
        let holding =
            self.clients.iter().filter(|client| client.holds().is_some() && !client.is_in_jeopardy());
        holding.map(|client| client.token().map_or(0, |token| token.0)).max()
    }
    /// Its clients.
    pub fn clients(&self) -> &[Hold] {
        &self.clients
    }
    /// The next item of the work, as far as it knows.
    pub fn item(&self) -> u32 {
        self.item
    }
    /// What it is doing, in a few words.
    pub fn doing(&self) -> String {
        self.waiting.text(self.config.program.get(self.at))
    }

    pub(crate) fn on(&mut self, input: Input<'_, Story>, now: Now, out: &mut impl Outbox<Story>) {
        match input {
            Input::Boot => {
                let start = Mono::default() + self.config.start;
                out.arm(Timer::Work(WorkerTimer::Step), start.max(now.mono));
            }
            Input::Timer(Timer::Work(WorkerTimer::Step)) => self.step_due(now, out),
            Input::Timer(Timer::Work(WorkerTimer::Overdue)) => self.overdue(now, out),
            Input::Message { msg: Msg::Store(stores::Msg::Reply { id, seen, answer }), .. } => {
                self.store_answered(*id, *seen, answer, now, out);
            }
            Input::Message { from, msg: Msg::Store(stores::Msg::Journal(msg)) } => {
                self.node_answered(from, msg, now, out);
            }
            Input::Message { msg: Msg::Lock(msg), .. } | Input::Refused { msg: Msg::Lock(msg), .. } => {
                if let Some(id) = msg.of_request() {
                    self.client_input(client_of(id), input, now, out);
                }
            }
            Input::Message { msg: Msg::Side(said), .. } => self.sidecar_said(said, now, out),
            Input::Timer(Timer::Client(place, _)) => self.client_input(usize::from(place), input, now, out),
            // Whose connection it was, each client knows.
            Input::Closed { .. } => {
                (0..self.clients.len()).for_each(|place| self.client_input(place, input, now, out));
            }
            Input::Message { .. } | Input::Refused { .. } | Input::Timer(_) => {}
        }
    }

    fn sidecar_said(&mut self, said: &SideMsg, now: Now, out: &mut impl Outbox<Story>) {
        match said {
            SideMsg::Tell { place, number, standing, word } => {
                let place = usize::from(*place);
                if let Some(Hold::Beside(beside)) = self.clients.get_mut(place) {
                    beside.told(*number, *standing, word.clone());
                    self.hear_client(place, now, out);
                }
            }
            SideMsg::Forgot => {
                for (place, hold) in self.clients.iter_mut().enumerate() {
                    if let Hold::Beside(beside) = hold {
                        beside.forgotten(place as u8, out);
                    }
                }
                (0..self.clients.len()).for_each(|place| self.hear_client(place, now, out));
            }
            SideMsg::Ask { .. } => {}
        }
    }

    fn client_input(
        &mut self,
        place: usize,
        input: Input<'_, Story>,
        now: Now,
        out: &mut impl Outbox<Story>,
    ) {
        let Some(client) = self.clients.get_mut(place) else { return };
        client.on(place as u8, input, now, out);
        self.hear_client(place, now, out);
    }

    fn hear_client(&mut self, place: usize, now: Now, out: &mut impl Outbox<Story>) {
        while let Some(word) = self.clients[place].next_word() {
            match word {
                Word::Acquired { grant, token } => {
                    self.granted(place, grant, token);
                    self.acquired(place, now, out);
                }
                Word::Renumbered(token) => {
                    if let Some(grant) = &mut self.grants[place] {
                        grant.token = Some(Token(token.0));
                    }
                }
                Word::Released => {
                    self.grants[place] = None;
                    self.released(place, now, out);
                }
                Word::PutDone => self.put_done(now, out),
                Word::Safe => self.safe(now, out),
                Word::Lost(why) => self.taken_from(self.config.when_lost, Halt::LostLock(why), now, out),
            }
        }
    }

    fn granted(&mut self, place: usize, grant: GrantId, token: Option<locks::Token>) {
        self.grants[place] = Some(Grant { id: grant, token: token.map(|token| Token(token.0)) });
    }

    /// The grant under which it acts on a store.
    fn grant_for(&self, store: ProcessId) -> Option<Grant> {
        let by = self.config.protected_by.iter().find(|(protected, _)| *protected == store);
        by.and_then(|(_, place)| self.grants[*place])
    }
}
