//! A client of any kind.

use std::rc::Rc;

use kernel::{Input, Lift, Now, Outbox};

use super::{ClientSpeech, ClientTimer, Msg};
use crate::{GrantId, Key, Reading, Token, Word, etcd};

/// How a client was configured.
#[derive(Clone, Debug)]
pub enum ClientConfig {
    /// An etcd's.
    Etcd(Rc<etcd::ClientConfig>),
}

/// A client for one lock.
#[derive(Clone, Debug)]
pub enum Client {
    /// An etcd's.
    Etcd(etcd::Client),
}

/// The same call for whatever kind it is.
macro_rules! each {
    ($self:expr, $client:ident => $call:expr) => {
        match $self {
            Self::Etcd($client) => $call,
        }
    };
}

impl ClientConfig {
    /// A client that wants nothing yet. Its requests are numbered from `first_id`, which no earlier life of the process may
    /// have come to.
    pub fn client(&self, first_id: u64) -> Client {
        match self {
            Self::Etcd(config) => Client::Etcd(etcd::Client::new(config.clone(), first_id)),
        }
    }
}

impl Client {
    /// What it has to say to its worker, oldest first.
    pub fn next_word(&mut self) -> Option<Word> {
        each!(self, client => client.next_word())
    }
    /// The lock that it is for.
    pub fn lock(&self) -> &Key {
        each!(self, client => client.lock())
    }
    /// The grant by which it believes to hold the lock.
    pub fn holds(&self) -> Option<GrantId> {
        each!(self, client => client.holds())
    }
    /// The token that came with it, where the service hands out any.
    pub fn token(&self) -> Option<Token> {
        each!(self, client => client.token())
    }
    /// Its own stop time, while it holds.
    pub fn stop(&self) -> Option<Reading> {
        each!(self, client => client.stop())
    }
    /// Whether its stop time is still ahead. The check that a pause can make worthless.
    pub fn may_act(&self, now: Now) -> bool {
        each!(self, client => client.may_act(now))
    }
    /// Whether it waits for the lock.
    pub fn wants(&self) -> bool {
        each!(self, client => client.wants())
    }
    /// What it is doing, in a few words.
    pub fn doing(&self) -> &'static str {
        each!(self, client => client.doing())
    }

    /// Begins to take the lock. Nothing happens when it already does, or holds it.
    pub fn acquire(&mut self, now: Now, out: &mut impl Outbox<ClientSpeech>) {
        each!(self, client => client.acquire(now, &mut Lift::new(out)));
    }
    /// Gives the lock back. The belief ends here; the word comes when the service has answered, or cannot.
    pub fn release(&mut self, now: Now, out: &mut impl Outbox<ClientSpeech>) {
        each!(self, client => client.release(now, &mut Lift::new(out)));
    }
    /// Lets go because a store refused the token: the lock is lost, whatever the client believed.
    pub fn refused(&mut self, out: &mut impl Outbox<ClientSpeech>) {
        each!(self, client => client.refused(&mut Lift::new(out)));
    }
    /// Lets go because its own stop time has come, as a check before an act found.
    pub fn stop_acting(&mut self, out: &mut impl Outbox<ClientSpeech>) {
        each!(self, client => client.stop_acting(&mut Lift::new(out)));
    }
    /// Writes a plain key that no lease is bound to.
    pub fn put(&mut self, key: Key, value: u64, now: Now, out: &mut impl Outbox<ClientSpeech>) {
        each!(self, client => client.put(key, value, now, &mut Lift::new(out)));
    }

    /// Takes one input. What is meant for a client of another kind is not listened to.
    pub fn on(&mut self, input: Input<'_, ClientSpeech>, now: Now, out: &mut impl Outbox<ClientSpeech>) {
        match self {
            Self::Etcd(client) => {
                let input = match input {
                    Input::Boot => Input::Boot,
                    Input::Message { from, msg: Msg::Etcd(msg) } => Input::Message { from, msg },
                    Input::Refused { to, msg: Msg::Etcd(msg) } => Input::Refused { to, msg },
                    Input::Timer(ClientTimer::Etcd(timer)) => Input::Timer(timer),
                };
                client.on(input, now, &mut Lift::new(out));
            }
        }
    }
}
