//! A request that goes to all servers at once, of which a majority counts.

use super::Purpose;

/// Answers so far.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Round {
    purpose: Purpose,
    of: usize,
    yes: usize,
    no: usize,
    silent: usize,
}

/// What one server said.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Vote {
    Yes,
    No,
    /// Nothing, in time.
    Silent,
}

impl Vote {
    pub(crate) fn of(is_yes: bool) -> Self {
        if is_yes { Self::Yes } else { Self::No }
    }
}

/// What a round came to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Decided {
    /// A majority said yes.
    Won,
    /// So many said no that no majority can say yes.
    Lost,
    /// Too few have answered for either.
    Unanswered,
}

/// How many of so many servers are a majority.
pub fn majority(servers: usize) -> usize {
    servers / 2 + 1
}

impl Round {
    /// Nobody has answered yet.
    pub(crate) fn new(purpose: Purpose, of: usize) -> Self {
        Self { purpose, of, yes: 0, no: 0, silent: 0 }
    }

    /// One server more has answered, or failed to: what that decides, if it decides the round, which is over then. Giving
    /// back is over when all have answered: it is asked of all, not of a majority.
    pub(crate) fn count(round: &mut Option<Self>, purpose: Purpose, vote: Vote) -> Option<Decided> {
        let counted = round.as_mut().filter(|round| round.purpose == purpose)?;
        *match vote {
            Vote::Yes => &mut counted.yes,
            Vote::No => &mut counted.no,
            Vote::Silent => &mut counted.silent,
        } += 1;
        let Self { of, yes, no, silent, .. } = *counted;
        let spare = of - majority(of);
        let decided = if purpose == Purpose::Release && yes + no + silent < of {
            return None;
        } else if yes >= majority(of) {
            Decided::Won
        } else if no > spare {
            Decided::Lost
        } else if no + silent > spare {
            Decided::Unanswered
        } else {
            return None;
        };
        *round = None;
        Some(decided)
    }
}
