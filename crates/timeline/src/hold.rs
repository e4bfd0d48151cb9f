//! What a hand does to a fault, as edits of the document.

use crate::{Part, Scale};
use kernel::{SimTime, Span};
use scenario::document::text::seconds;

/// A change of the document: a path, and the value that it gets as text.
pub type Edit = (String, String);

/// A fault as it was when a hand took hold of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Hold {
    /// Its id in the document.
    pub fault: String,
    /// Which part was taken.
    pub part: Part,
    /// From when it was in force.
    pub from: SimTime,
    /// Until when; `None`: to the end, or it is an instant.
    pub until: Option<SimTime>,
    /// When the play ends.
    pub horizon: SimTime,
    /// How long after what it waits for it strikes, when its instant is anchored: then that is what moves.
    pub plus: Option<Span>,
}

impl Hold {
    /// The edits that move the part by so many microseconds from where it was, rounded to `grain`.
    pub fn moved(&self, micros: i64, grain: Span) -> Vec<Edit> {
        let last = SimTime::from_micros(self.horizon.as_micros().saturating_sub(grain.as_micros()));
        let shifted = |at: SimTime| {
            let to = SimTime::from_micros(at.as_micros().saturating_add_signed(micros));
            Scale::rounded(to, grain)
        };
        match (self.part, self.until) {
            (Part::Body, _) | (Part::Start, None) => {
                vec![self.at(self.not_before(shifted(self.from).min(last)))]
            }
            (Part::Start, Some(until)) => {
                let latest = SimTime::from_micros(until.as_micros().saturating_sub(grain.as_micros()));
                let from = self.not_before(shifted(self.from).min(latest));
                vec![self.at(from), self.span(until.since(from))]
            }
            (Part::End, _) => {
                let until = shifted(self.until.unwrap_or(self.horizon)).min(self.horizon);
                vec![self.span(until.since(self.from).max(grain))]
            }
        }
    }

    /// How far to move so that what is moved comes to one of these instants, the nearest of those that are so near.
    pub fn snapped(&self, micros: i64, instants: &[SimTime], near: Span) -> Option<i64> {
        let base = match self.part {
            Part::Body | Part::Start => self.from,
            Part::End => self.until.unwrap_or(self.horizon),
        };
        let to = |at: SimTime| at.as_micros() as i64 - base.as_micros() as i64;
        let others = instants.iter().filter(|at| **at != self.from && Some(**at) != self.until);
        let nearest = others.map(|at| to(*at)).min_by_key(|to| to.abs_diff(micros));
        nearest.filter(|to| to.abs_diff(micros) <= near.as_micros())
    }

    /// What waits for something does not come before it.
    fn not_before(&self, at: SimTime) -> SimTime {
        let earliest =
            self.plus.map_or(SimTime::ZERO, |plus| SimTime::ZERO + self.from.since(SimTime::ZERO).less(plus));
        at.max(earliest)
    }

    fn at(&self, at: SimTime) -> Edit {
        if let Some(plus) = self.plus {
            let later = at.as_micros() as i64 - self.from.as_micros() as i64;
            let plus = plus.as_micros().saturating_add_signed(later);
            return (format!("fault.{}.at.plus", self.fault), duration(plus));
        }
        (format!("fault.{}.at", self.fault), duration(at.as_micros()))
    }

    fn span(&self, span: Span) -> Edit {
        (format!("fault.{}.for", self.fault), duration(span.as_micros()))
    }
}

/// A length of time as documents have it, to the millisecond: "4.2s".
pub fn duration(micros: u64) -> String {
    format!("{}s", seconds(micros as i64, 0))
}

#[cfg(test)]
mod tests {
    use super::*;

    const GRAIN: Span = Span::from_millis(50);

    fn hold(part: Part) -> Hold {
        Hold {
            fault: "a-pause".into(),
            part,
            from: SimTime::from_secs(4),
            until: Some(SimTime::from_secs(19)),
            horizon: SimTime::from_secs(60),
            plus: None,
        }
    }
    #[track_caller]
    fn check(hold: &Hold, millis: i64, expect: &[(&str, &str)]) {
        let edits = hold.moved(millis * 1_000, GRAIN);
        let edits: Vec<(&str, &str)> = edits
            .iter()
            .map(|(path, value)| (path.strip_prefix("fault.a-pause.").unwrap_or(path), value.as_str()))
            .collect();
        assert_eq!(edits, expect);
    }

    #[test]
    fn durations_are_as_short_as_they_can_be() {
        for (micros, text) in
            [(0, "0s"), (4_000_000, "4s"), (4_200_000, "4.2s"), (19_050_400, "19.05s"), (700, "0.001s")]
        {
            assert_eq!(duration(micros), text);
        }
    }

    #[test]
    fn the_body_moves_and_keeps_its_length() {
        check(&hold(Part::Body), -173, &[("at", "3.85s")]);
        check(&hold(Part::Body), -9_000, &[("at", "0s")]);
        check(&hold(Part::Body), 90_000, &[("at", "59.95s")]);
    }

    #[test]
    fn the_start_moves_and_the_end_stays() {
        check(&hold(Part::Start), -1_000, &[("at", "3s"), ("for", "16s")]);
        check(&hold(Part::Start), 30_000, &[("at", "18.95s"), ("for", "0.05s")]);
        check(&Hold { until: None, ..hold(Part::Start) }, 1_000, &[("at", "5s")]);
    }

    #[test]
    fn the_end_moves_and_the_start_stays() {
        check(&hold(Part::End), -7_000, &[("for", "8s")]);
        check(&hold(Part::End), -20_000, &[("for", "0.05s")]);
        check(&hold(Part::End), 90_000, &[("for", "56s")]);
        check(&Hold { until: None, ..hold(Part::End) }, -10_000, &[("for", "46s")]);
    }

    #[test]
    fn what_waits_for_something_moves_against_that() {
        let waits = |part| Hold { plus: Some(Span::from_secs(1)), ..hold(part) };
        check(&waits(Part::Body), 500, &[("at.plus", "1.5s")]);
        check(&waits(Part::Body), -9_000, &[("at.plus", "0s")]);
        check(&waits(Part::Start), -9_000, &[("at.plus", "0s"), ("for", "16s")]);
        check(&waits(Part::End), -7_000, &[("for", "8s")]);
    }

    #[test]
    fn what_is_moved_snaps_to_what_happens() {
        let instants = [4_000, 7_100, 19_000, 23_500].map(SimTime::from_millis);
        let near = Span::from_millis(300);
        let snapped = |part, millis: i64| hold(part).snapped(millis * 1_000, &instants, near);
        assert_eq!(snapped(Part::Body, 3_000), Some(3_100_000));
        assert_eq!(snapped(Part::Body, 3_500), None, "nothing is near");
        assert_eq!(snapped(Part::Body, 50), None, "not to itself");
        assert_eq!(snapped(Part::End, 4_300), Some(4_500_000));
    }
}
