//! A lease in a DynamoDB item: holder, expiry and epoch.
//!
//! DynamoDB has no clock to compare with: the claimer puts what its own wall clock reads into the condition, and the
//! expiry is what the holder's wall clock read. Two clocks that differ by more than the margin make two holders. The
//! epoch is on the item: whoever deletes that, as a TTL does, lets it begin at 1 again.
//!
//! Sources: DynamoDB's documentation of condition expressions and of TTL.

use kernel::{Map, Mono, Now, Span, Start, Wall};

use crate::claim::{Book, Request, count_up};
use crate::service::{Asker, Outcome, Service};
use crate::{Key, Note, Reading, Token};

/// The items.
#[derive(Clone, Debug)]
pub struct DynamodbItem {
    held: Book,
    epochs: Map<Key, Token>,
    first: Token,
    /// How far an expiry must be behind the claimer's clock.
    clock_margin: Span,
    /// How long after its expiry an item is deleted.
    deleted_after: Option<Span>,
}

impl DynamodbItem {
    /// Items that nobody holds, whose last epoch is `first` (0: there is no item).
    pub fn new(first: Token, clock_margin: Span, deleted_after: Option<Span>) -> Self {
        Self { held: Book::default(), epochs: Map::new(), first, clock_margin, deleted_after }
    }

    /// The items that somebody holds, or held last and did not release.
    pub fn held(&self) -> &Book {
        &self.held
    }

    /// Whether somebody whose clock reads this takes the item for held.
    fn is_held(&self, lock: &Key, at: Wall) -> bool {
        let at = Reading::Wall(at);
        self.held.get(lock).is_some_and(|claim| {
            let Reading::Wall(until) = claim.deadline else { unreachable!("expiries are dates") };
            !at.is_after(Reading::Wall(until + self.clock_margin))
        })
    }

    /// Deletes items whose TTL is over. (The real one gets round to it within two days.)
    fn delete(&mut self, now: Now, out: &mut Outcome) {
        let Some(after) = self.deleted_after else { return };
        let is_over = |deadline| matches!(deadline, Reading::Wall(until) if now.wall >= until + after);
        for lock in self.held.expire(is_over, out) {
            self.epochs.insert(lock, Token(0));
        }
    }
}

impl Service for DynamodbItem {
    fn starts(&mut self, start: Start, now: Now, out: &mut Outcome) {
        if start != Start::First {
            self.delete(now, out);
            out.note(Note::CameUp { knows: self.held.leases() });
        }
    }

    fn asked(&mut self, asker: Asker, request: &crate::Request, now: Now, out: &mut Outcome) {
        let crate::Request::Claim(request) = request else { return };
        self.delete(now, out);
        let lock = request.lock();
        let taken = match **request {
            Request::Claim { at, .. } | Request::Look { at, .. } => self.is_held(lock, at),
            Request::Renew { .. } | Request::Release { .. } => true,
        };
        let (first, epochs) = (self.first, &mut self.epochs);
        let mut epoch = || Some(count_up(epochs, lock, first));
        let until = |ttl, at: Wall| Reading::Wall(at + ttl);
        let reply = self.held.answer((asker.client, request), taken, &until, &mut epoch, out);
        out.reply(asker, reply);
    }

    fn wakes_at(&self, now: Now) -> Option<Mono> {
        let after = self.deleted_after?;
        self.held.first_deadline().map(|first| first.comes_at(now) + after)
    }

    fn woken(&mut self, now: Now, out: &mut Outcome) {
        self.delete(now, out);
    }
}
