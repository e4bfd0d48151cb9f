//! Holding a play to what its document expects.

use kernel::{SimTime, Span};

use crate::facts::{Lease, Write};
use crate::play::Play;
use crate::report::{Number, numbers, writes};
use crate::tale::Event;
use document::Dur;
use document::model::{Expect, ExpectEvent, ExpectGrant, ExpectVerdict, ExpectWrite};
use document::text::{self, instant, length};

/// How one expectation came out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// What was expected: "stale_accepted = 1", "a write by A with token 7, refused".
    pub what: String,
    /// Whether it is so.
    pub ok: bool,
    /// What is so instead; empty when it is as expected.
    pub got: String,
}

/// How many candidates are told of when none is as expected.
const CANDIDATES_MAX: usize = 3;

/// Holds a play to all expectations of its scenario, each number of a verdict by itself. Instants and durations are
/// compared to the millisecond. A play that was broken off fails whatever it expects.
pub fn hold(play: &Play) -> Vec<Outcome> {
    let mut outcomes = Vec::new();
    if let Some(at) = play.broken_off {
        let what = "the play comes to its end".to_owned();
        outcomes.push(Outcome { what, ok: false, got: format!("it was broken off at {}", instant(at)) });
    }
    outcomes.extend(play.scenario.expect.iter().flat_map(|expect| hold_one(play, expect)));
    outcomes
}

/// Holds a play to one expectation.
pub(crate) fn hold_one(play: &Play, expect: &Expect) -> Vec<Outcome> {
    let Expect { verdict, grant, write, event } = expect;
    let verdict = verdict.iter().flat_map(|verdict| verdict_outcomes(play, verdict));
    verdict
        .chain(grant.iter().map(|grant| grant_outcome(play, grant)))
        .chain(write.iter().map(|write| write_outcome(play, write)))
        .chain(event.iter().map(|event| event_outcome(play, event)))
        .collect()
}

fn verdict_outcomes(play: &Play, expect: &ExpectVerdict) -> Vec<Outcome> {
    let wanted = wanted_numbers(expect);
    let got = numbers(&play.verdict);
    let pairs = got.into_iter().filter_map(|(name, got)| {
        let (_, wanted) = wanted.iter().find(|(wanted, _)| *wanted == name)?;
        Some((name, (*wanted)?, got))
    });
    pairs
        .map(|(name, wanted, got)| {
            let (same, wanted, got) = match (wanted, got) {
                (Number::Time(wanted), Number::Time(got)) => {
                    let same = millis(wanted) == millis(got);
                    (same, length(wanted), length(got))
                }
                (Number::Count(wanted), Number::Count(got)) => {
                    (wanted == got, wanted.to_string(), got.to_string())
                }
                (wanted, got) => (false, format!("{wanted:?}"), format!("{got:?}")),
            };
            outcome(format!("{name} = {wanted}"), same, || format!("{name} = {got}"))
        })
        .collect()
}

fn wanted_numbers(expect: &ExpectVerdict) -> [(&'static str, Option<Number>); 13] {
    let count = |number: Option<u64>| number.map(Number::Count);
    let time = |time: Option<Dur>| time.map(|time| Number::Time(time.0));
    [
        ("overlap", time(expect.overlap)),
        ("stale_accepted", count(expect.stale_accepted)),
        ("corrupting", count(expect.corrupting)),
        ("stale_rejected", count(expect.stale_rejected)),
        ("valid_rejected", count(expect.valid_rejected)),
        ("duplicates", count(expect.duplicates)),
        ("token_regressions", count(expect.token_regressions)),
        ("lost_acks", count(expect.lost_acks)),
        ("stale_reads", count(expect.stale_reads)),
        ("gap", time(expect.gap)),
        ("longest_takeover", time(expect.longest_takeover)),
        ("spurious_losses", count(expect.spurious_losses)),
        ("orphans", count(expect.orphans)),
    ]
}

fn grant_outcome(play: &Play, expect: &ExpectGrant) -> Outcome {
    let ExpectGrant { worker, token, at, until } = expect;
    let what = sentence(
        "a grant",
        [
            worker.as_ref().map(|worker| format!("to {worker}")),
            token.map(|token| format!("with token {token}")),
            at.map(|at| format!("at {}", length(at.0))),
            until.map(|until| format!("until {}", length(until.0))),
        ],
    );
    let first_until = |lease: &Lease| lease.deadlines.first().map(|deadline| deadline.until);
    let fits = |lease: &Lease| {
        vec![
            fit(worker.as_deref(), |name| name == play.name(lease.worker)),
            fit(*token, |token| Some(token) == lease.token),
            fit(*at, |at| is_at(at, lease.granted)),
            fit(*until, |until| first_until(lease).is_some_and(|instant| is_at(until, instant))),
        ]
    };
    let tell = |lease: &Lease| {
        let until = first_until(lease).map_or_else(String::new, |until| format!(" until {}", instant(until)));
        format!(
            "to {} with {} at {}{until}",
            play.name(lease.worker),
            text::token(lease.token),
            instant(lease.granted)
        )
    };
    among(what, "no grant at all", play.facts.leases.iter(), fits, tell)
}

fn write_outcome(play: &Play, expect: &ExpectWrite) -> Outcome {
    let ExpectWrite { store, worker, token, at, accepted, stale } = expect;
    let what = sentence(
        "a write",
        [
            worker.as_ref().map(|worker| format!("by {worker}")),
            store.as_ref().map(|store| format!("to {store}")),
            token.map(|token| format!("with token {token}")),
            at.map(|at| format!("at {}", length(at.0))),
            accepted.map(|accepted| accepted_word(accepted).to_owned()),
            stale.map(|stale| stale_word(stale).to_owned()),
        ],
    );
    let fits = |write: &&Write| {
        vec![
            fit(store.as_deref(), |name| name == play.name(write.store)),
            fit(worker.as_deref(), |name| name == play.name(write.worker)),
            fit(*token, |token| Some(token) == write.token),
            fit(*at, |at| is_at(at, write.at)),
            fit(*accepted, |accepted| accepted == write.accepted),
            fit(*stale, |stale| stale == write.stale),
        ]
    };
    let tell = |write: &&Write| {
        let (worker, store) = (play.name(write.worker), play.name(write.store));
        let token = write.token.map_or_else(|| "no token".to_owned(), |token| format!("token {token}"));
        let (accepted, stale) = (accepted_word(write.accepted), stale_word(write.stale));
        format!("by {worker} to {store} with {token} at {}, {accepted}, {stale}", instant(write.at))
    };
    let all: Vec<&Write> = writes(play).collect();
    among(what, "no write at all", all.iter(), fits, tell)
}

fn event_outcome(play: &Play, expect: &ExpectEvent) -> Outcome {
    let ExpectEvent { at, process, kind, contains } = expect;
    let what = sentence(
        "an event",
        [
            process.as_ref().map(|process| format!("of {process}")),
            kind.map(|kind| format!("of kind {}", kind.name())),
            at.map(|at| format!("at {}", length(at.0))),
            contains.as_ref().map(|text| format!("that tells {text:?}")),
        ],
    );
    let fits = |event: &Event| {
        vec![
            fit(process.as_deref(), |name| name == play.name(event.process)),
            fit(*kind, |kind| kind == event.kind),
            fit(*at, |at| is_at(at, event.at)),
            fit(contains.as_deref(), |text| event.text.contains(text)),
        ]
    };
    let tell = |event: &Event| {
        format!(
            "of {} ({}) at {}: {:?}",
            play.name(event.process),
            event.kind.name(),
            instant(event.at),
            event.text
        )
    };
    among(what, "no event at all", play.tale.iter(), fits, tell)
}

/// Looks for an entry that fits in everything; tells of those that fit in most when there is none.
fn among<'a, T: 'a>(
    what: String,
    none: &str,
    entries: impl Iterator<Item = &'a T>,
    fits: impl Fn(&T) -> Vec<Option<bool>>,
    tell: impl Fn(&T) -> String,
) -> Outcome {
    let mut candidates: Vec<(usize, &T)> = entries
        .map(|entry| (fits(entry).into_iter().filter(|fit| *fit == Some(false)).count(), entry))
        .collect();
    // Stable: among those that miss alike, the earlier come first.
    kernel::order::by_key(&mut candidates, |(misses, _)| *misses);
    let ok = candidates.first().is_some_and(|(misses, _)| *misses == 0);
    outcome(what, ok, || {
        let nearest: Vec<String> =
            candidates.iter().take(CANDIDATES_MAX).map(|(_, entry)| tell(entry)).collect();
        if nearest.is_empty() { none.to_owned() } else { nearest.join("; or ") }
    })
}

fn outcome(what: String, ok: bool, got: impl FnOnce() -> String) -> Outcome {
    let got = if ok { String::new() } else { got() };
    Outcome { what, ok, got }
}

/// Whether a wish is met; `None` when there is none.
fn fit<T>(wish: Option<T>, is_met: impl FnOnce(T) -> bool) -> Option<bool> {
    wish.map(is_met)
}

fn sentence<const N: usize>(noun: &str, parts: [Option<String>; N]) -> String {
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    if parts.is_empty() { noun.to_owned() } else { format!("{noun} {}", parts.join(", ")) }
}

const fn accepted_word(accepted: bool) -> &'static str {
    if accepted { "accepted" } else { "refused" }
}

const fn stale_word(stale: bool) -> &'static str {
    if stale { "stale" } else { "not stale" }
}

fn millis(span: Span) -> u64 {
    span.as_micros().saturating_add(500) / 1_000
}

fn is_at(wanted: Dur, at: SimTime) -> bool {
    millis(wanted.0) == millis(at.since(SimTime::ZERO))
}
