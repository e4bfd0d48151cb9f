//! How much of each lease was left: as its holder believed, and as the authority had it on record.

use std::rc::Rc;

use kernel::{HostId, ProcessId, SimTime};

use super::{Corner, readings};
use crate::facts::{Belief, Clocks, Deadline, Lease, Stop};
use crate::play::Play;

/// One lease, from both sides.
#[derive(Clone, Debug, PartialEq)]
pub struct LeaseLines {
    /// Which lock.
    pub lock: Rc<str>,
    /// Whose.
    pub worker: ProcessId,
    /// The fencing token, where there is any.
    pub token: Option<u64>,
    /// What its holder believed, as often as it began to: its limits are its own stop readings.
    pub beliefs: Vec<Side>,
    /// What the authority had on record: its limits are the deadlines. `None`: it never knew of this lease.
    pub record: Option<Side>,
    /// Where one side had the lease and the other had not, in order.
    pub apart: Vec<Apart>,
}

/// A lease as one side had it.
#[derive(Clone, Debug, PartialEq)]
pub struct Side {
    /// Since when.
    pub from: SimTime,
    /// Until when; the end of the play when it lasted longer.
    pub until: SimTime,
    /// Whether it ended in the play.
    pub ended: bool,
    /// The readings at which it was to end, as they were set. None for what has no time limit.
    pub limits: Vec<Limit>,
    /// What was left until the limit in force, against the clock that this is a reading of. Below 0 where that clock was
    /// past it and nobody had acted on it yet.
    pub left: Vec<Corner>,
}

/// A reading at which a lease was to end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limit {
    /// On whose clock: the holder's host's, or that of the server which set it.
    pub host: HostId,
    /// Whether that is its wall clock; its monotonic clock otherwise.
    pub on_wall: bool,
    /// The reading, in microseconds.
    pub reading: i64,
    /// Since when it was in force.
    pub from: SimTime,
    /// Until when: the next one took its place, or its side ended.
    pub until: SimTime,
    /// When the clock really came to the reading, while it was in force.
    pub came: Option<SimTime>,
}

/// A stretch in which one side had the lease and the other had not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Apart {
    /// From when.
    pub from: SimTime,
    /// Until when.
    pub until: SimTime,
    /// Whether it was the holder that believed in it; otherwise it was on record alone.
    pub believed: bool,
}

/// Every lease of the play in the order in which they were granted, and behind them what holders believed in without any.
pub fn leases(play: &Play) -> Vec<LeaseLines> {
    let scene = Scene { play, clocks: Clocks::new(&play.trace), end: play.end() };
    let mut all: Vec<LeaseLines> = play.facts.leases.iter().map(|lease| scene.on_record(lease)).collect();
    for belief in &play.facts.beliefs {
        let side = scene.believed(belief);
        let of = |lease: &Lease| belief.is_in(lease) && lease.granted <= belief.from;
        match play.facts.leases.iter().rposition(of).and_then(|place| all.get_mut(place)) {
            Some(lines) => lines.beliefs.push(side),
            None => all.push(LeaseLines {
                lock: belief.lock.clone(),
                worker: belief.worker,
                token: belief.token,
                beliefs: vec![side],
                record: None,
                apart: Vec::new(),
            }),
        }
    }
    for lines in &mut all {
        lines.apart = apart(&lines.beliefs, lines.record.as_ref());
    }
    all
}

/// What sides are measured by.
struct Scene<'a> {
    play: &'a Play,
    clocks: Clocks<'a>,
    end: SimTime,
}

/// A limit as it was set, on whose clock, and when that came to it.
struct Set {
    at: SimTime,
    by: ProcessId,
    reading: i64,
    on_wall: bool,
    comes: SimTime,
}

impl Scene<'_> {
    fn on_record(&self, lease: &Lease) -> LeaseLines {
        let ended = lease.ended.map(|(at, _)| at);
        let set = |deadline: &Deadline| {
            let Deadline { set, reading, on_wall, until, server, .. } = *deadline;
            Set { at: set, by: server, reading, on_wall, comes: until }
        };
        let record = self.side(lease.granted, ended, lease.deadlines.iter().map(set).collect());
        LeaseLines {
            lock: lease.lock.clone(),
            worker: lease.worker,
            token: lease.token,
            beliefs: Vec::new(),
            record: Some(record),
            apart: Vec::new(),
        }
    }

    fn believed(&self, belief: &Belief) -> Side {
        let ended = belief.ended.map(|(at, _)| at);
        let set = |stop: &Stop| {
            let Stop { set, reading, on_wall, at, .. } = *stop;
            Set { at: set, by: belief.worker, reading, on_wall, comes: at }
        };
        self.side(belief.from, ended, belief.stops.iter().map(set).collect())
    }

    fn side(&self, from: SimTime, ended: Option<SimTime>, sets: Vec<Set>) -> Side {
        let until = ended.unwrap_or(self.end);
        let mut side = Side { from, until, ended: ended.is_some(), limits: Vec::new(), left: Vec::new() };
        for (nth, set) in sets.iter().enumerate() {
            let Some(member) = self.play.cast.members.get(set.by.index()) else { continue };
            let next = sets.get(nth + 1).map_or(until, |next| next.at.min(until));
            let limit = Limit {
                host: member.host,
                on_wall: set.on_wall,
                reading: set.reading,
                from: set.at,
                until: next,
                came: Some(set.comes).filter(|comes| *comes <= next),
            };
            for corner in readings(self.clocks.lines(limit.host), limit.on_wall, limit.from, limit.until) {
                let left = Corner { at: corner.at, micros: limit.reading - corner.micros };
                if side.left.last() != Some(&left) {
                    side.left.push(left);
                }
            }
            side.limits.push(limit);
        }
        side
    }
}

type Stretch = (SimTime, SimTime);

fn apart(beliefs: &[Side], record: Option<&Side>) -> Vec<Apart> {
    let stretch = |side: &Side| (side.from, side.until);
    let believed: Vec<Stretch> = beliefs.iter().map(stretch).collect();
    let recorded: Vec<Stretch> = record.map(stretch).into_iter().collect();
    let say = |believed| move |(from, until)| Apart { from, until, believed };
    let mut apart: Vec<Apart> = without(&believed, &recorded).into_iter().map(say(true)).collect();
    apart.extend(without(&recorded, &believed).into_iter().map(say(false)));
    kernel::order::by_key(&mut apart, |apart| apart.from);
    apart
}

/// What of `these` is in none of `those`, which are in order and apart from one another.
fn without(these: &[Stretch], those: &[Stretch]) -> Vec<Stretch> {
    let mut left = Vec::new();
    for &(mut from, until) in these {
        for &(begin, end) in those {
            left.push((from, begin.min(until)));
            from = from.max(end);
        }
        left.push((from, until));
    }
    left.retain(|(from, until)| from < until);
    left
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ms(stretches: &[(u64, u64)]) -> Vec<Stretch> {
        stretches.iter().map(|&(a, b)| (SimTime::from_millis(a), SimTime::from_millis(b))).collect()
    }

    #[test]
    fn stretches_without_others() {
        for (these, those, left) in [
            (&[(0, 10)][..], &[][..], &[(0, 10)][..]),
            (&[(0, 10)], &[(0, 10)], &[]),
            (&[(0, 19)], &[(0, 13)], &[(13, 19)]),
            (&[(5, 10)], &[(0, 3)], &[(5, 10)]),
            (&[(5, 10)], &[(12, 13)], &[(5, 10)]),
            (&[(0, 10)], &[(2, 3), (5, 6)], &[(0, 2), (3, 5), (6, 10)]),
            (&[(0, 2), (5, 9)], &[(1, 6)], &[(0, 1), (6, 9)]),
        ] {
            assert_eq!(without(&ms(these), &ms(those)), ms(left), "{these:?} without {those:?}");
        }
    }
}
