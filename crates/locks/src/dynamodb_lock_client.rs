//! Amazon's DynamoDB Lock Client.
//!
//! An item has an owner, a lease duration and a record version number that every write changes. A waiter that has seen
//! one version for the holder's lease duration, on its own monotonic clock, takes the lock over on condition that the
//! version is still that. The version is a random UUID: it has no order, and is no fencing token.
//!
//! Sources: `AmazonDynamoDBLockClient.java`, `LockItem.java`.

use crate::record::{Counts, Patience, Recipe, Records, Rules};

/// The table.
pub fn server() -> Records {
    Records::new(Counts::Nothing, 0)
}

/// The client. It looks again a refresh period after each answer (`Thread.sleep(refreshPeriodInMilliseconds)`), and a lock
/// is free when `isExpired()`: when more than its lease is over since its version was first read. A heartbeat that finds another version than its own holds the lock no more, even if that was its own
/// write, whose answer was lost.
pub fn client() -> Recipe {
    Recipe::new(Rules {
        jitter: false,
        patience: Patience::More,
        knows_itself: false,
        tries_on: false,
        deletes: true,
    })
}
