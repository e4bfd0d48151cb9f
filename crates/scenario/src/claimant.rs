//! Whose a claimed row is.

use kernel::ProcessId;

use crate::cast::Cast;
use crate::facts::{Belief, Facts, Lease, RowStep, Write, WriteKind};

/// Whose a claimed row is: by the token that it shows, or, where claims come without one, by the write that claimed it last.
#[derive(Clone, Copy)]
pub(crate) struct Claimant<'a> {
    lock: &'a str,
    owner: Option<u64>,
    claim: Option<&'a Write>,
}

impl<'a> Claimant<'a> {
    /// Of a row; `None` where no lock goes with the claim.
    pub(crate) fn of(facts: &'a Facts, cast: &'a Cast, row: &RowStep) -> Option<Self> {
        let (lock, claim) = (cast.lock_of(row.store)?, claim_of(facts, row));
        let acts_alone = row.owner.is_none() && claim.is_none_or(|claim| claim.under.is_none());
        (!acts_alone).then_some(Self { lock, owner: row.owner, claim })
    }

    fn is(self, lock: &str, token: Option<u64>, worker: ProcessId, grant: u64) -> bool {
        let claimed = |claim: &Write| (claim.worker, claim.under) == (worker, Some(grant));
        lock == self.lock
            && match self.owner {
                Some(_) => token == self.owner,
                None => self.claim.is_some_and(claimed),
            }
    }

    /// Whether it acted under this grant.
    pub(crate) fn has(self, lease: &Lease) -> bool {
        self.is(&lease.lock, lease.token, lease.worker, lease.grant)
    }

    /// Whether this was its belief.
    pub(crate) fn believes(self, belief: &Belief) -> bool {
        self.is(&belief.lock, belief.token, belief.worker, belief.grant)
    }
}

/// The last claim that a row shows.
pub(crate) fn claim_of<'a>(facts: &'a Facts, row: &RowStep) -> Option<&'a Write> {
    facts.writes.iter().rfind(|write| {
        write.store == row.store && write.kind == WriteKind::Raise && write.accepted && write.at <= row.at
    })
}
