//! Other users of the lock service: each write of theirs takes a revision, which is why tokens jump.

use std::rc::Rc;

use kernel::{Input, Mono, Now, Outbox, Rng, Span};

use super::WorkerTimer;
use crate::clients::{ForClient, first_request, for_client};
use crate::story::{Story, Timer};

/// Writes a plain key at given readings of its monotonic clock.
#[derive(Clone, Debug)]
pub struct Bystander {
    client: locks::Client,
    config: Rc<locks::ClientConfig>,
    times: Rc<[Span]>,
    next: usize,
}

impl Bystander {
    /// Writes at these times, in order.
    pub fn new(config: Rc<locks::ClientConfig>, times: Rc<[Span]>) -> Self {
        Self { client: config.client(0), config, times, next: 0 }
    }

    pub(crate) fn start(&self, mut rng: Rng) -> Self {
        let client = self.config.client(first_request(0, &mut rng));
        Self { client, next: 0, ..self.clone() }
    }

    pub(crate) fn on(&mut self, input: Input<'_, Story>, now: Now, out: &mut impl Outbox<Story>) {
        match input {
            Input::Boot | Input::Timer(Timer::Work(WorkerTimer::Step)) => self.write_what_is_due(now, out),
            Input::Message { .. } | Input::Refused { .. } | Input::Timer(_) | Input::Closed { .. } => {
                if let Some(input) = for_client(input) {
                    self.client.on(input, now, &mut ForClient { place: 0, out });
                }
                while self.client.next_word().is_some() {}
            }
        }
    }

    fn write_what_is_due(&mut self, now: Now, out: &mut impl Outbox<Story>) {
        while let Some(&at) = self.times.get(self.next) {
            let due = Mono::default() + at;
            if due > now.mono {
                out.arm(Timer::Work(WorkerTimer::Step), due);
                return;
            }
            self.next += 1;
            let key = "of-others".into();
            self.client.put(key, self.next as u64, now, &mut ForClient { place: 0, out });
        }
    }

    /// How many writes it has begun.
    pub fn begun(&self) -> usize {
        self.next
    }
}
