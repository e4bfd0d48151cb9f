//! How a process has clients of the lock service in it: what of its inputs is theirs, where their effects go, and how their
//! requests are numbered.

use kernel::{Input, Keepalive, Mono, Outbox, ProcessId, Rng};

use crate::story::{Msg, Story, Timer};

/// What of an input is for a client of the lock service.
pub(crate) fn for_client(input: Input<'_, Story>) -> Option<Input<'_, locks::ClientSpeech>> {
    match input {
        Input::Message { from, msg: Msg::Lock(msg) } => Some(Input::Message { from, msg }),
        Input::Refused { to, msg: Msg::Lock(msg) } => Some(Input::Refused { to, msg }),
        Input::Timer(Timer::Client(_, timer)) => Some(Input::Timer(timer)),
        Input::Closed { peer, number } => Some(Input::Closed { peer, number }),
        Input::Boot | Input::Message { .. } | Input::Refused { .. } | Input::Timer(_) => None,
    }
}

/// The outbox of one of several clients in a process: its timers carry its place.
pub(crate) struct ForClient<'a, O> {
    pub(crate) place: u8,
    pub(crate) out: &'a mut O,
}

impl<O: Outbox<Story>> Outbox<locks::ClientSpeech> for ForClient<'_, O> {
    fn send(&mut self, to: ProcessId, msg: impl Into<locks::Msg>) {
        self.out.send(to, msg.into());
    }
    fn arm(&mut self, timer: locks::ClientTimer, due: Mono) {
        self.out.arm(Timer::Client(self.place, timer), due);
    }
    fn disarm(&mut self, timer: locks::ClientTimer) {
        self.out.disarm(Timer::Client(self.place, timer));
    }
    /// A client keeps nothing.
    fn persist(&mut self, _nothing: impl Into<()>) {}
    fn note(&mut self, note: impl Into<locks::Note>) {
        self.out.note(note.into());
    }
    fn connect(&mut self, peer: ProcessId, number: u64, keepalive: Keepalive) {
        self.out.connect(peer, number, keepalive);
    }
    fn disconnect(&mut self, peer: ProcessId, number: u64) {
        self.out.disconnect(peer, number);
    }
}

/// The number of the first request that the client with this place makes in this life of its process: no earlier life
/// came to it.
pub(crate) fn first_request(place: u8, rng: &mut Rng) -> u64 {
    u64::from(place) << 44 | rng.below(1 << 24) << 20
}

/// The place of the client that made the request with this number.
pub(crate) fn client_of(id: u64) -> usize {
    (id >> 44) as usize
}
