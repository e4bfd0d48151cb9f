//! The verdict: numbers folded from the facts.

use kernel::Span;

/// What came out, in numbers. Belief and truth are counted apart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Verdict {
    /// Time in which two workers both believed that they held the same lock.
    pub overlap: Span,
    /// Writes accepted after a newer grant of that lock had been issued.
    pub stale_accepted: u64,
    /// Those of them accepted after the newer holder had first touched that store.
    pub corrupting: u64,
    /// Stale writes refused.
    pub stale_rejected: u64,
    /// Writes of the rightful newest holder refused.
    pub valid_rejected: u64,
    /// Effects applied twice (an invoice charged twice).
    pub duplicates: u64,
    /// Grants whose token is not above every earlier token of that lock.
    pub token_regressions: u64,
    /// Acknowledged grants or writes that a later state forgot.
    pub lost_acks: u64,
    /// Reads answered with a value older than one already acknowledged.
    pub stale_reads: u64,
    /// Time with no holder while somebody wanted the lock.
    pub gap: Span,
    /// The longest such stretch.
    pub longest_takeover: Span,
    /// Live, connected holders that lost their lease.
    pub spurious_losses: u64,
    /// Claims left on a store with nobody to finish them.
    pub orphans: u64,
}
