//! Where two plays part.

use kernel::SimTime;

use crate::play::Play;
use crate::tale::Event;

/// What happens in one of two plays only.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Parting {
    /// Events of the first that the second does not have, by their place in its tale.
    pub one: Vec<usize>,
    /// Events of the second that the first does not have.
    pub other: Vec<usize>,
    /// When they part.
    pub first: Option<SimTime>,
}

/// The same happens in both when it happens to the same process, is of the same kind and taken alike, at nearly the same
/// instant: another lock service answers sooner or later by some milliseconds, and nothing is another by that.
const NEARLY: u64 = 100_000;

/// Where two plays part. Each event is matched with one of the other play at the most.
pub fn parting(one: &Play, other: &Play) -> Parting {
    let mut free: Vec<bool> = vec![true; other.tale.len()];
    let mut parting = Parting::default();
    for (nth, event) in one.tale.iter().enumerate() {
        let is_same = |(place, candidate): &(usize, &Event)| {
            free[*place]
                && candidate.kind == event.kind
                && candidate.tone == event.tone
                && candidate.at.as_micros().abs_diff(event.at.as_micros()) <= NEARLY
                && other.name(candidate.process) == one.name(event.process)
        };
        match other.tale.iter().enumerate().find(is_same) {
            Some((place, _)) => free[place] = false,
            None => parting.one.push(nth),
        }
    }
    parting.other = (0..other.tale.len()).filter(|place| free[*place]).collect();
    let at = |play: &Play, places: &[usize]| places.first().and_then(|place| Some(play.tale.get(*place)?.at));
    parting.first = at(one, &parting.one).into_iter().chain(at(other, &parting.other)).min();
    parting
}
