//! A lease in a PostgreSQL row: holder, deadline, and a token that is counted up.
//!
//! A claim is one statement, `INSERT … ON CONFLICT DO UPDATE … WHERE expires < clock_timestamp()`: the server's wall
//! clock decides, and nobody else's. The row is what keeps the token: where a release deletes it, the next token is 1.
//!
//! Sources: PostgreSQL's documentation of `INSERT`, and of `clock_timestamp()` and `now()`.

use kernel::{Map, Mono, Now, Span, Start};

use crate::claim::{Book, Reply, count_up};
use crate::service::{Asker, Outcome, Service};
use crate::{Key, Note, Reading, Token};

/// A moment behind a deadline: `expires < clock_timestamp()` is strict, and PostgreSQL counts microseconds.
const MICRO: Span = Span::from_micros(1);

/// What releasing a lock does to its row.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Release {
    /// The row stays, and with it the token.
    KeepsRow,
    /// The row goes.
    DeletesRow,
}

/// The rows.
#[derive(Clone, Debug)]
pub struct PostgresRow {
    held: Book,
    tokens: Map<Key, Token>,
    first: Token,
    release: Release,
}

impl PostgresRow {
    /// Rows that nobody holds, whose last token is `first` (0: there is no row).
    pub fn new(first: Token, release: Release) -> Self {
        Self { held: Book::default(), tokens: Map::new(), first, release }
    }

    /// The rows that somebody holds.
    pub fn held(&self) -> &Book {
        &self.held
    }

    fn expire(&mut self, now: Now, out: &mut Outcome) {
        let now = Reading::Wall(now.wall);
        self.held.expire(|expires| now.is_after(expires), out);
    }
}

impl Service for PostgresRow {
    fn starts(&mut self, start: Start, now: Now, out: &mut Outcome) {
        if start != Start::First {
            self.expire(now, out);
            out.note(Note::CameUp { knows: self.held.leases() });
        }
    }

    fn asked(&mut self, asker: Asker, request: &crate::Request, now: Now, out: &mut Outcome) {
        let crate::Request::Claim(request) = request else { return };
        self.expire(now, out);
        let (lock, first, tokens) = (request.lock(), self.first, &mut self.tokens);
        let taken = self.held.get(lock).is_some();
        let mut token = || Some(count_up(tokens, lock, first));
        let expires = |ttl, _| Reading::Wall(now.wall + ttl);
        let reply = self.held.answer((asker.client, request), taken, &expires, &mut token, out);
        if (reply, self.release) == (Reply::Released(true), Release::DeletesRow) {
            self.tokens.insert(lock.clone(), Token(0));
        }
        out.reply(asker, reply);
    }

    fn wakes_at(&self, now: Now) -> Option<Mono> {
        self.held.first_deadline().map(|first| first.comes_at(now) + MICRO)
    }

    fn woken(&mut self, now: Now, out: &mut Outcome) {
        self.expire(now, out);
    }
}
