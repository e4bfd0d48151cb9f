//! Majorities.

/// The most voters that a cluster can have.
pub const VOTERS_MAX: usize = 16;

/// How many of so many voters are a majority.
pub const fn majority(voters: usize) -> usize {
    voters / 2 + 1
}

/// The highest value that a majority of the voters has reached, given what each has reached: of match indices the
/// one that is replicated widely enough (etcd: `MajorityConfig.CommittedIndex`). Panics above [`VOTERS_MAX`] voters.
pub fn reached_by_majority(reached: impl Iterator<Item = u64>) -> u64 {
    // An insertion into a fixed array: there are few of them, and this must not allocate.
    let mut descending = [0; VOTERS_MAX];
    let mut count = 0;
    for value in reached {
        let mut place = count;
        while place > 0 && descending[place - 1] < value {
            descending[place] = descending[place - 1];
            place -= 1;
        }
        descending[place] = value;
        count += 1;
    }
    descending[count / 2]
}

/// Who voted how, by the voters' places.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Tally {
    granted: u16,
    refused: u16,
}

/// What a campaign has come to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Outcome {
    Won,
    Lost,
    Open,
}

impl Tally {
    /// Counts a voter's first answer; repetitions change nothing.
    pub(crate) fn count(&mut self, position: usize, granted: bool) {
        let bit = 1 << position;
        if (self.granted | self.refused) & bit == 0 {
            if granted {
                self.granted |= bit;
            } else {
                self.refused |= bit;
            }
        }
    }

    pub(crate) fn granted(&self, position: usize) -> bool {
        self.granted & (1 << position) != 0
    }

    /// Lost as soon as those that are left cannot make a majority.
    pub(crate) fn outcome(&self, voters: usize) -> Outcome {
        let needed = majority(voters);
        if self.granted.count_ones() as usize >= needed {
            Outcome::Won
        } else if voters - (self.refused.count_ones() as usize) < needed {
            Outcome::Lost
        } else {
            Outcome::Open
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_campaign_is_over_when_it_cannot_turn() {
        let mut tally = Tally::default();
        tally.count(0, true);
        tally.count(0, true);
        assert_eq!(tally.outcome(3), Outcome::Open, "one voter counts once");
        tally.count(1, false);
        assert_eq!(tally.outcome(3), Outcome::Open);
        tally.count(1, true);
        assert_eq!(tally.outcome(3), Outcome::Open, "and cannot change its mind");
        tally.count(2, true);
        assert_eq!(tally.outcome(3), Outcome::Won);
        let mut split = Tally::default();
        for (position, granted) in [true, true, false, false].into_iter().enumerate() {
            split.count(position, granted);
        }
        assert_eq!(split.outcome(4), Outcome::Lost, "two of four are no majority");
        assert_eq!(split.outcome(5), Outcome::Open);
    }
}
