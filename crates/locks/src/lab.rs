//! The lock of a laboratory: holder, expiry and token under a mutex, with one clock. What a test or a tutorial has in
//! one process, and right as long as that is all there is: it forgets everything when the process ends.

use kernel::{Mono, Now, Start};

use crate::claim::Book;
use crate::service::{Asker, Outcome, Service};
use crate::{Note, Reading, Token};

/// The locks, and the token of the last grant of any.
#[derive(Clone, Debug)]
pub struct Lab {
    held: Book,
    last: Token,
}

impl Lab {
    /// Locks that nobody has. The next grant has the token behind this one.
    pub fn new(last: Token) -> Self {
        Self { held: Book::default(), last }
    }

    /// The locks that somebody has.
    pub fn held(&self) -> &Book {
        &self.held
    }

    /// A claim is over at its very expiry.
    fn expire(&mut self, now: Now, out: &mut Outcome) {
        let now = Reading::Mono(now.mono);
        self.held.expire(|expiry| !expiry.is_after(now), out);
    }
}

impl Service for Lab {
    fn starts(&mut self, start: Start, _now: Now, out: &mut Outcome) {
        if start != Start::First {
            out.note(Note::CameUp { knows: Vec::new() });
        }
    }

    fn asked(&mut self, asker: Asker, request: &crate::Request, now: Now, out: &mut Outcome) {
        let crate::Request::Claim(request) = request else { return };
        self.expire(now, out);
        let taken = self.held.get(request.lock()).is_some();
        let last = &mut self.last;
        let mut token = || {
            *last = Token(last.0 + 1);
            Some(*last)
        };
        let expiry = |ttl, _| Reading::Mono(now.mono + ttl);
        let reply = self.held.answer((asker.client, request), taken, &expiry, &mut token, out);
        out.reply(asker, reply);
    }

    fn wakes_at(&self, now: Now) -> Option<Mono> {
        self.held.first_deadline().map(|first| first.comes_at(now))
    }

    fn woken(&mut self, now: Now, out: &mut Outcome) {
        self.expire(now, out);
    }
}
