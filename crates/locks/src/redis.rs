//! Redis: `SET key value NX PX ms`, and scripts that compare the value before they renew or delete.
//!
//! A lock is a key with a random value and a deadline in milliseconds of the server's wall clock. There is no fencing
//! token; a counter that the same script increments can stand for one, for as long as the server forgets nothing.
//!
//! Sources: `src/{t_string,expire,db}.c` of Redis 7; "Distributed Locks with Redis" (redis.io).

use kernel::{Map, Mono, Now, Span, Start, Wall};

use crate::claim::{Book, count_up};
use crate::service::{Asker, Outcome, Service};
use crate::{Key, Note, Reading, Token};

const MILLI: Span = Span::from_millis(1);

/// What a Redis keeps.
#[derive(Clone, Debug)]
pub struct Redis {
    keys: Book,
    /// How far each lock's counter has counted, where claims are counted.
    counters: Option<Map<Key, Token>>,
    /// Where a counter that is not there yet begins.
    counted: Token,
}

/// In whole milliseconds, as the server counts.
fn in_millis(wall: Wall) -> Wall {
    Wall::from_micros(wall.as_micros().div_euclid(1_000) * 1_000)
}

fn deadline(now: Now, ttl: Span) -> Reading {
    Reading::Wall(in_millis(now.wall) + ttl)
}

impl Redis {
    /// An empty server. With a counter for each lock, which has come to `counted` already, or without.
    pub fn new(counts: bool, counted: Token) -> Self {
        Self { keys: Book::default(), counters: counts.then(Map::new), counted }
    }

    /// The keys that it holds, expired or not.
    pub fn keys(&self) -> &Book {
        &self.keys
    }

    /// Deletes the keys whose time is over: what an access does to its key, and a cycle to all. A key is gone when its
    /// deadline is behind, not yet when it has come (`expire.c`: `now > when`).
    pub(crate) fn expire(&mut self, now: Now, out: &mut Outcome) {
        let now = Reading::Wall(in_millis(now.wall));
        self.keys.expire(|deadline| now.is_after(deadline), out);
    }
}

impl Service for Redis {
    fn starts(&mut self, start: Start, now: Now, out: &mut Outcome) {
        if start != Start::First {
            self.expire(now, out); // Deadlines are dates: the time that it was down counts.
            out.note(Note::CameUp { knows: self.keys.leases() });
        }
    }

    fn asked(&mut self, asker: Asker, request: &crate::Request, now: Now, out: &mut Outcome) {
        let crate::Request::Claim(request) = request else { return };
        self.expire(now, out);
        // `SET lock value NX PX ttl`, in one script with the counter's `INCR`.
        let (lock, counted, counters) = (request.lock(), self.counted, &mut self.counters);
        let taken = self.keys.get(lock).is_some();
        let mut token = || counters.as_mut().map(|counters| count_up(counters, lock, counted));
        let until = |ttl, _| deadline(now, ttl);
        let reply = self.keys.answer((asker.client, request), taken, &until, &mut token, out);
        out.reply(asker, reply);
    }

    fn wakes_at(&self, now: Now) -> Option<Mono> {
        // The first millisecond that is behind the deadline.
        self.keys.first_deadline().map(|first| first.comes_at(now) + MILLI)
    }

    fn woken(&mut self, now: Now, out: &mut Outcome) {
        self.expire(now, out);
    }
}
