//! A document's lesson against a play: where its steps stop, and whether its answers are true.

use document::anchor;
use document::model::{At, LessonStep};
use document::text::length;
use kernel::{Dialect as _, SimTime, What};

use crate::expect::{Outcome, hold_one};
use crate::play::Play;
use crate::story::Story;

/// The instant at which a step stops; `None` when the play ends before, or when what the step waits for does not happen.
pub fn instant(play: &Play, at: &At) -> Option<SimTime> {
    let at = match at {
        At::Instant(at) => SimTime::ZERO + at.0,
        At::After(after) => {
            let (who, topic) = anchor::split(&after.after)?;
            let process = play.cast.process(who).map(|process| play.cast.teller(process, topic.0));
            let mut notes = play.trace.records().iter().filter(|record| {
                let What::Noted(note) = &record.what else { return false };
                Story::topic(note) == Some(topic) && process.is_none_or(|process| process == record.process)
            });
            notes.nth(after.nth.checked_sub(1)? as usize)?.at + after.plus.0
        }
    };
    Some(at).filter(|at| *at <= play.horizon())
}

/// Holds a play to what the steps that show it say: that it comes to where they stop, and what bears their answers out.
/// `variant` is what was played.
pub fn hold(play: &Play, variant: Option<&str>) -> Vec<Outcome> {
    let steps = play.scenario.step.iter().enumerate();
    steps
        .filter(|(_, step)| step.variant.as_deref() == variant)
        .flat_map(|(index, step)| hold_step(play, index + 1, step))
        .collect()
}

fn hold_step(play: &Play, number: usize, step: &LessonStep) -> Vec<Outcome> {
    let stop = match &step.at {
        At::Instant(at) => length(at.0),
        At::After(after) => format!("\"{}\", number {}", after.after, after.nth),
    };
    let ok = instant(play, &step.at).is_some();
    let got = if ok { String::new() } else { "it never comes to that".to_owned() };
    let stops = Outcome { what: format!("step {number} of the lesson stops at {stop}"), ok, got };
    let expect = step.ask.iter().flat_map(|ask| &ask.expect);
    let answers = expect.flat_map(|expect| hold_one(play, expect)).map(|outcome| Outcome {
        what: format!("{} (it bears the answer of step {number} out)", outcome.what),
        ..outcome
    });
    std::iter::once(stops).chain(answers).collect()
}
