//! The verdict's numbers with their names.

use kernel::Span;

use crate::verdict::Verdict;
use document::text::{count, length};

/// One of the verdict's numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Number {
    /// How often something happened.
    Count(u64),
    /// For how long.
    Time(Span),
}

impl Number {
    /// As people read it: "5,000", "15 s".
    pub fn text(self) -> String {
        match self {
            Self::Count(number) => count(number),
            Self::Time(span) => length(span),
        }
    }
}

/// The verdict's numbers, each by the name that documents and reports give it, in the order of reports.
pub fn numbers(verdict: &Verdict) -> [(&'static str, Number); 13] {
    let Verdict {
        overlap,
        stale_accepted,
        corrupting,
        stale_rejected,
        valid_rejected,
        duplicates,
        token_regressions,
        lost_acks,
        stale_reads,
        gap,
        longest_takeover,
        spurious_losses,
        orphans,
    } = *verdict;
    [
        ("overlap", Number::Time(overlap)),
        ("stale_accepted", Number::Count(stale_accepted)),
        ("corrupting", Number::Count(corrupting)),
        ("stale_rejected", Number::Count(stale_rejected)),
        ("valid_rejected", Number::Count(valid_rejected)),
        ("duplicates", Number::Count(duplicates)),
        ("token_regressions", Number::Count(token_regressions)),
        ("lost_acks", Number::Count(lost_acks)),
        ("stale_reads", Number::Count(stale_reads)),
        ("gap", Number::Time(gap)),
        ("longest_takeover", Number::Time(longest_takeover)),
        ("spurious_losses", Number::Count(spurious_losses)),
        ("orphans", Number::Count(orphans)),
    ]
}
