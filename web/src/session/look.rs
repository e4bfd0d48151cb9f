//! Looking: where the playhead is, and which happening is looked at.

use kernel::{RecordId, SimTime};

use super::Session;
use crate::format::millis;

/// What can have led to a record, and what can follow from it; each in order.
pub(crate) struct Reach {
    pub(super) of: RecordId,
    pub(super) past: Vec<RecordId>,
    pub(super) future: Vec<RecordId>,
}

impl Reach {
    /// A word for how a record stands to it.
    pub(crate) fn word(&self, record: RecordId) -> &'static str {
        match () {
            () if record == self.of => "here",
            () if self.past.binary_search(&record).is_ok() => "before",
            () if self.future.binary_search(&record).is_ok() => "after",
            () => "beside",
        }
    }
}

impl Session {
    /// Moves the playhead, within the play.
    pub(crate) fn seek(self, at: SimTime) {
        let horizon = self.play.with_untracked(|play| play.horizon());
        self.playhead.set(at.min(horizon));
    }

    /// Looks at a record of the play at the playhead, or at none; at the same once more, at none.
    pub(crate) fn look_at(self, record: Option<RecordId>) {
        let record = record.filter(|record| self.happening.get_untracked() != Some(*record));
        let (play, at) = (self.play.get_untracked(), self.playhead.get_untracked());
        self.looked.set(record.map(|record| (play, at, record)));
    }

    /// The playhead, within the play.
    pub(crate) fn at(self) -> SimTime {
        self.playhead.get().min(self.play.with(|play| play.horizon()))
    }

    /// To the next instant at which something happens, or to the one before.
    pub(crate) fn step(self, forward: bool) {
        let now = self.playhead.get_untracked();
        let next = self.play.with_untracked(|play| {
            let instants: Vec<SimTime> = play.tale.iter().map(|event| event.at).collect();
            next(&instants, now, forward)
        });
        if let Some(at) = next {
            self.playhead.set(at);
        }
    }
}

/// The next of these instants that the page shows as another than `now`, or the one before. Of several that it shows as
/// the same, the last: then all that the page shows at this instant has happened.
fn next(instants: &[SimTime], now: SimTime, forward: bool) -> Option<SimTime> {
    let now = millis(now);
    if !forward {
        return instants.iter().rfind(|at| millis(**at) < now).copied();
    }
    let shown = instants.iter().map(|at| millis(*at)).find(|shown| *shown > now)?;
    instants.iter().rfind(|at| millis(**at) == shown).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 0 and 0.22 ms are the same to whoever reads the page, and so are the two events at 3 s.
    #[test]
    fn a_step_changes_what_is_shown() {
        let instants = [0, 220, 3_000_100, 3_000_400, 3_900_240].map(SimTime::from_micros);
        let step =
            |now: u64, forward| next(&instants, SimTime::from_micros(now), forward).map(SimTime::as_micros);
        for (now, back, on) in [
            (0, None, Some(3_000_400)),
            (3_000_100, Some(220), Some(3_900_240)),
            (3_000_400, Some(220), Some(3_900_240)),
            (3_500_000, Some(3_000_400), Some(3_900_240)),
            (3_900_240, Some(3_000_400), None),
        ] {
            assert_eq!((step(now, false), step(now, true)), (back, on), "from {now} µs");
        }
    }
}
