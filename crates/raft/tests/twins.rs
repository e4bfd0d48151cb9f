//! Clever code against its dumb twin, under random inputs.

use proptest::prelude::*;
use raft::{App, Entry, Log, LogId, Payload, VOTERS_MAX, majority, reached_by_majority};

#[derive(Clone, Debug)]
struct Numbers;
impl App for Numbers {
    type Command = u64;
    type Snapshot = ();
}

/// The highest value that so many have reached, by trying every value.
fn reached_by_trying(reached: &[u64]) -> u64 {
    let has_majority = |value| reached.iter().filter(|&&r| r >= value).count() >= majority(reached.len());
    reached.iter().copied().filter(|&value| has_majority(value)).max().expect("the lowest is reached by all")
}

/// A log as a plain list from index 1; what is compacted away is still in the list, and only counted.
#[derive(Debug, Default)]
struct PlainLog {
    terms: Vec<u64>,
    compacted: usize,
}

impl PlainLog {
    fn term_at(&self, index: u64) -> Option<u64> {
        match index as usize {
            index if index < self.compacted || index > self.terms.len() => None,
            0 => Some(0),
            index => Some(self.terms[index - 1]),
        }
    }

    fn agrees_at_most(&self, index: u64, term: u64) -> LogId {
        let candidates = (0..=index).rev();
        for index in candidates {
            match self.term_at(index) {
                _ if index == 0 => break,
                None => return LogId { term: 0, index },
                Some(ours) if ours <= term => return LogId { term: ours, index },
                Some(_) => {}
            }
        }
        LogId::default()
    }
}

/// What can be done to a log.
#[derive(Clone, Debug)]
enum Act {
    /// Put entries of these term steps in place, beginning so far back from the end.
    Graft { back: usize, steps: Vec<u64> },
    /// Compact so many of the entries that are held.
    Compact(usize),
    /// Begin after a snapshot so far beyond the end.
    Restart(u64),
}

fn act() -> impl Strategy<Value = Act> {
    prop_oneof![
        6 => (0..6_usize, prop::collection::vec(0..3_u64, 0..5)).prop_map(|(back, steps)| Act::Graft { back, steps }),
        2 => (0..8_usize).prop_map(Act::Compact),
        1 => (1..4_u64).prop_map(Act::Restart),
    ]
}

fn entries(from: u64, terms: &[u64]) -> Vec<Entry<Numbers>> {
    let ids = terms.iter().zip(from..).map(|(&term, index)| LogId { term, index });
    ids.map(|id| Entry { id, payload: Payload::Command(id.term * 1000 + id.index) }).collect()
}

fn check(log: &Log<Numbers>, plain: &PlainLog) {
    let last = plain.terms.len() as u64;
    assert_eq!(log.last(), LogId { term: plain.term_at(last).unwrap(), index: last });
    assert_eq!(log.before().index, plain.compacted as u64);
    for index in 0..last + 3 {
        assert_eq!(log.term_at(index), plain.term_at(index), "at {index} of {plain:?}");
        let held = index > plain.compacted as u64 && index <= last;
        assert_eq!(log.get(index).is_some(), held, "at {index} of {plain:?}");
        if index > plain.compacted as u64 {
            let rest = plain.terms.get(index as usize - 1..).unwrap_or_default();
            let slice: Vec<u64> = log.slice(index, 2).iter().map(|entry| entry.id.term).collect();
            assert_eq!(slice, rest[..rest.len().min(2)]);
        }
        for term in 0..plain.terms.last().unwrap_or(&0) + 2 {
            if index <= last {
                assert_eq!(log.agrees_at_most(index, term), plain.agrees_at_most(index, term));
            }
            assert_eq!(log.holds(LogId { term, index }), plain.term_at(index) == Some(term));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_majority_reaches_what_trying_finds(reached in prop::collection::vec(0..8_u64, 1..=VOTERS_MAX)) {
        prop_assert_eq!(reached_by_majority(reached.iter().copied()), reached_by_trying(&reached));
    }

    #[test]
    fn a_log_is_a_list(acts in prop::collection::vec(act(), 1..20)) {
        let (mut log, mut plain) = (Log::<Numbers>::default(), PlainLog::default());
        for act in acts {
            let copy = (log.clone(), format!("{log:?}"));
            match act {
                Act::Graft { back, steps } => {
                    let from = (plain.terms.len() - back.min(plain.terms.len())).max(plain.compacted);
                    let mut term = if from == 0 { 1 } else { plain.terms[from - 1] };
                    let terms: Vec<u64> = steps.iter().map(|step| { term += step; term }).collect();
                    let entries = entries(from as u64 + 1, &terms);
                    let alike = plain.terms[from..].iter().zip(&terms).take_while(|(a, b)| a == b).count();
                    prop_assert_eq!(log.known(&entries), alike);
                    log.graft(&entries);
                    if !terms.is_empty() {
                        plain.terms.truncate(from);
                        plain.terms.extend(&terms);
                    }
                }
                Act::Compact(count) => {
                    let through = (plain.compacted + count).min(plain.terms.len());
                    log.compact(through as u64);
                    plain.compacted = through;
                }
                Act::Restart(beyond) => {
                    let term = plain.terms.last().unwrap_or(&1) + 1;
                    let last = LogId { term, index: plain.terms.len() as u64 + beyond };
                    log = Log::after(last);
                    plain.terms.resize(last.index as usize, term);
                    plain.compacted = last.index as usize;
                }
            }
            check(&log, &plain);
            prop_assert_eq!(format!("{:?}", copy.0), copy.1, "a copy does not see what happens to the log");
        }
    }
}
