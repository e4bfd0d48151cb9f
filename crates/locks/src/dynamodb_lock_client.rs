//! Amazon's DynamoDB Lock Client.
//!
//! An item has an owner, a lease duration and a record version number that every write changes. A waiter that has seen
//! one version for the holder's lease duration, on its own monotonic clock, takes the lock over on condition that the
//! version is still that. The version is a random UUID: it has no order, and is no fencing token.
//!
//! Sources: `AmazonDynamoDBLockClient.java`, `LockItem.java`.

use crate::record::{Counts, Recipe, Records, Rules};

/// The table.
pub fn server() -> Records {
    Records::new(Counts::Nothing, 0)
}

/// The client. A heartbeat that finds another version than its own holds the lock no more, even if that was its own
/// write, whose answer was lost.
pub fn client() -> Recipe {
    Recipe::new(Rules { jitter: false, knows_itself: false, deletes: true })
}
