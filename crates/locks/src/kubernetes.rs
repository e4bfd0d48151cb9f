//! A Kubernetes Lease object, and the leader election of client-go.
//!
//! The API server keeps the record and has no say in time: a candidate takes over when it has not seen the record
//! change for the lease's duration, on its own monotonic clock. `renewTime` is never compared with a clock. Every write
//! names the resource version that it replaces. What can be read as a token is `leaseTransitions`, which a holder that
//! comes back under its own name does not raise, and which starts anew when the object is deleted.
//!
//! Sources: `tools/leaderelection/leaderelection.go` and `resourcelock/leaselock.go` of client-go.

use crate::record::{Counts, Patience, Recipe, Records, Rules};

/// The API server, with leases that have seen so many transitions.
pub fn server(transitions: u64) -> Records {
    Records::new(Counts::Transitions, transitions)
}

/// client-go's leader election: what its policy says is RetryPeriod (`JitterFactor` is 1.2). Whether a record is old is
/// judged as of when the try began (`now := metav1.Now()`). A leader that cannot renew goes on trying, and leading, for
/// RenewDeadline, also when it has read that somebody else leads.
pub fn client() -> Recipe {
    Recipe::new(Rules {
        jitter: true,
        patience: Patience::Whole,
        knows_itself: true,
        tries_on: true,
        deletes: false,
    })
}
