//! What of a lease a hand can take hold of: its deadline, its holder's stop time, its renewals. Each stands for a length that
//! the document has: the lease, the margin, the interval.

use kernel::{SimTime, Span};
use scenario::document::model::Scenario;
use scenario::document::text::length;
use scenario::facts::{Belief, DeadlineBy, Lease};

use crate::draft::Draft;
use crate::hold::{Edit, duration};
use crate::layout::Layout;
use crate::{Point, Scale};

/// Which length.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Timing {
    /// How long a lease is.
    Ttl,
    /// How long before its end its holder stops.
    Margin,
    /// How often its holder renews it.
    Interval,
}

/// A place where such a length can be taken hold of.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Grip {
    /// Which lane: the holder's.
    pub lane: usize,
    /// Which length.
    pub timing: Timing,
    /// The instant that it stands at.
    pub at: SimTime,
    /// Where that is.
    pub x: f64,
    /// Its top.
    pub top: f64,
    /// Its bottom.
    pub bottom: f64,
    /// By how much the length grows when the instant comes later by one: the third renewal is later by three intervals.
    pub share: f64,
}

/// A length as it was when a hand took hold of it.
#[derive(Clone, PartialEq, Debug)]
pub struct Pull {
    /// Where the document has it.
    pub path: String,
    timing: Timing,
    /// What it was.
    pub length: Span,
    share: f64,
}

pub(crate) fn add(draft: &mut Draft<'_>) {
    let facts = draft.scene.facts;
    for lease in &facts.leases {
        self::lease(draft, lease);
    }
    for belief in &facts.beliefs {
        stop(draft, belief);
    }
}

fn lease(draft: &mut Draft<'_>, lease: &Lease) {
    let row = draft.sizes.worker_rows.lease;
    let mut renewals = 0.0;
    for deadline in &lease.deadlines {
        if deadline.by == DeadlineBy::Renewal {
            renewals += 1.0;
            grip(draft, lease.worker, Timing::Interval, deadline.set, row, 1.0 / renewals);
        }
    }
    let until = lease.ended.map_or(draft.scene.horizon, |(at, _)| at);
    for deadline in lease.deadlines.iter().filter(|deadline| deadline.until <= until) {
        grip(draft, lease.worker, Timing::Ttl, deadline.until, row, 1.0);
    }
}

fn stop(draft: &mut Draft<'_>, belief: &Belief) {
    let until = belief.ended.map_or(draft.scene.horizon, |(at, _)| at);
    if let Some(stop) = belief.stops.last().filter(|stop| stop.at <= until) {
        let rows = draft.sizes.worker_rows;
        let (top, _) = rows.lease;
        let both = (top, rows.belief.0 + rows.belief.1 - top);
        grip(draft, belief.worker, Timing::Margin, stop.at, both, -1.0);
    }
}

fn grip(
    draft: &mut Draft<'_>,
    worker: kernel::ProcessId,
    timing: Timing,
    at: SimTime,
    (from_top, height): (f64, f64),
    share: f64,
) {
    let (Some((place, lane)), Some(x)) = (draft.lane(worker), draft.x(at)) else { return };
    let top = lane.rect.y + from_top;
    draft.layout.grips.push(Grip { lane: place, timing, at, x, top, bottom: top + height, share });
}

impl Layout {
    /// The grip at a point: of those within reach the nearest.
    pub fn grip_at(&self, p: Point, reach: f64) -> Option<usize> {
        let near = |grip: &Grip| {
            let dx = (grip.x - p.x).abs();
            (dx <= reach && p.y >= grip.top - 2.0 && p.y <= grip.bottom + 2.0).then_some(dx)
        };
        let reached = self.grips.iter().enumerate().filter_map(|(nth, grip)| Some((nth, near(grip)?)));
        reached.min_by(|(_, a), (_, b)| a.total_cmp(b)).map(|(nth, _)| nth)
    }
}

impl Grip {
    /// Taken hold of, where `worker` is the name of the lane's process; `None` where the document has no such length.
    pub fn pull(&self, scenario: &Scenario, worker: &str) -> Option<Pull> {
        Some(Pull { share: self.share, ..Pull::of(scenario, self.timing, worker)? })
    }
}

impl Pull {
    /// A length of this worker's lease, not held anywhere; `None` where the document has none.
    pub fn of(scenario: &Scenario, timing: Timing, worker: &str) -> Option<Self> {
        let usual = scenario.lock.usual();
        let own = scenario.worker.iter().find(|each| each.name == worker)?;
        let renew = own.renew.as_ref().and_then(|renew| renew.every);
        let (path, length) = match timing {
            Timing::Ttl => ("lock.ttl".to_owned(), scenario.lock.ttl().0),
            Timing::Margin => {
                (format!("worker.{worker}.margin"), own.margin.map_or(usual.margin, |margin| margin.0))
            }
            Timing::Interval => {
                (format!("worker.{worker}.renew.every"), renew.map_or(usual.renew_every, |every| every.0))
            }
        };
        (timing != Timing::Ttl || length > Span::ZERO).then_some(Self { path, timing, length, share: 1.0 })
    }

    /// The edit that moves the instant by so many microseconds from where it was, the length rounded to `grain`.
    pub fn moved(&self, micros: i64, grain: Span) -> Vec<Edit> {
        self.by((micros as f64 * self.share).round() as i64, grain)
    }

    /// The edit that makes the length so many microseconds longer, rounded to `grain`.
    pub fn by(&self, micros: i64, grain: Span) -> Vec<Edit> {
        let to = SimTime::from_micros(self.length.as_micros().saturating_add_signed(micros));
        let to = Scale::rounded(to, grain).as_micros();
        let least = match self.timing {
            Timing::Margin => 0,
            Timing::Ttl | Timing::Interval => grain.as_micros(),
        };
        vec![(self.path.clone(), duration(to.max(least)))]
    }

    /// What it is, in words.
    pub fn sentence(&self) -> String {
        let length = length(self.length);
        match self.timing {
            Timing::Ttl => {
                format!("the lease ends here unless it is renewed; it is {length} long: drag to change that")
            }
            Timing::Margin => {
                format!("its holder stops here, {length} before the end: drag to change that margin")
            }
            Timing::Interval => format!("renewed, every {length}: drag to change that"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Options, fixture, layout};

    fn pull(timing: Timing, length: u64, share: f64) -> Pull {
        Pull { path: "p".into(), timing, length: Span::from_millis(length), share }
    }
    #[track_caller]
    fn check(pull: &Pull, millis: i64, to: &str) {
        assert_eq!(pull.moved(millis * 1_000, Span::from_millis(50)), [("p".to_owned(), to.to_owned())]);
    }

    #[test]
    fn a_length_follows_its_share_of_the_way() {
        check(&pull(Timing::Ttl, 10_000, 1.0), -2_520, "7.5s");
        check(&pull(Timing::Ttl, 10_000, 1.0), -12_000, "0.05s");
        check(&pull(Timing::Margin, 2_000, -1.0), 1_200, "0.8s");
        check(&pull(Timing::Margin, 2_000, -1.0), 9_000, "0s");
        check(&pull(Timing::Interval, 3_000, 1.0 / 3.0), 900, "3.3s");
    }

    #[test]
    fn what_is_near_is_reached_and_nothing_else() {
        let layout = fixture::with_scene(|scene| layout(scene, &Options::for_width(1_400.0)));
        let stop =
            layout.grips.iter().position(|grip| grip.timing == Timing::Margin).expect("A has a stop time");
        let grip = layout.grips[stop];
        let at = |dx: f64, y: f64| layout.grip_at(Point { x: grip.x + dx, y }, 6.0);
        let middle = (grip.top + grip.bottom) / 2.0;
        assert_eq!(at(1.0, middle).map(|nth| layout.grips[nth].lane), Some(grip.lane));
        assert_eq!(at(0.0, grip.bottom + 5.0), None);
    }
}
