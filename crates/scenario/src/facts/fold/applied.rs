//! Which effects of an item have been applied, as stretches that neither overlap nor touch.

/// The effects of one item that were applied.
#[derive(Default)]
pub(super) struct Applied(Vec<(u32, u32)>);

impl Applied {
    /// Applies effects from one to before another: how many of them had been applied before.
    pub(super) fn add(&mut self, mut from: u32, mut until: u32) -> u64 {
        if from >= until {
            return 0;
        }
        let overlap = |(f, u): &(u32, u32)| u64::from(until.min(*u).saturating_sub(from.max(*f)));
        let twice = self.0.iter().map(overlap).sum();
        // One stretch takes in all that it overlaps or touches: parts in a row stay one.
        self.0.retain(|&(f, u)| {
            let is_apart = u < from || f > until;
            if !is_apart {
                (from, until) = (from.min(f), until.max(u));
            }
            is_apart
        });
        self.0.push((from, until));
        twice
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn effects_that_were_applied_before_are_counted() {
        let mut applied = Applied::default();
        assert_eq!(applied.add(0, 99), 0);
        assert_eq!(applied.add(99, 198), 0);
        assert_eq!(applied.0, [(0, 198)], "parts in a row are one stretch");
        assert_eq!(applied.add(0, 5_000), 198);
        assert_eq!(applied.add(10, 10), 0);
    }

    #[test]
    fn it_is_a_set_of_effects() {
        let mut draws = 1_u32;
        let mut below = |bound: u32| {
            draws = draws.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (draws >> 16) % bound
        };
        for _ in 0..200 {
            let (mut applied, mut twin) = (Applied::default(), BTreeSet::new());
            for _ in 0..12 {
                let from = below(40);
                let until = from + below(15);
                let twice = (from..until).filter(|effect| !twin.insert(*effect)).count() as u64;
                assert_eq!(applied.add(from, until), twice);
            }
        }
    }
}
