//! The stories' lessons: that they stop where something is to be seen, that their answers are borne out by the play, and
//! that no figure in them is made up.

use std::collections::BTreeSet;

use fencepost_tests::{Case, case, cases};
use kernel::{SimTime, Span};
use scenario::document::Dur;
use scenario::document::model::LessonStep;
use scenario::lesson::{hold, instant};
use scenario::{Play, stories};

use super::told::ms;

/// The stories that ask.
const LESSONS: [&str; 3] = ["billing", "redis-failover", "dynamodb-item"];

fn steps(story: &str) -> Vec<LessonStep> {
    case(story, None).play().scenario.step
}

#[test]
fn every_step_is_come_to_and_every_answer_is_borne_out() {
    let mut failures = Vec::new();
    for case in cases() {
        let failed = hold(&case.play(), case.variant.as_deref()).into_iter().filter(|outcome| !outcome.ok);
        failures
            .extend(failed.map(|outcome| format!("{}: {}, but {}", case.name(), outcome.what, outcome.got)));
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// An answer that holds whatever happens would hold nothing: with the fence off, what the lesson says of it is not so.
#[test]
fn a_wrong_answer_and_an_instant_that_never_comes_are_found() {
    let mut wrong = case("billing", None);
    wrong.document.set("store.billing.kind", "unfenced").unwrap();
    wrong.document.set("step.0.at", "{ after = \"A checks\", nth = 99 }").unwrap();
    let failed: Vec<String> = hold(&wrong.play(), None)
        .into_iter()
        .filter(|outcome| !outcome.ok)
        .map(|outcome| format!("{}: {}", outcome.what, outcome.got))
        .collect();
    assert_eq!(failed.len(), 2, "{failed:?}");
    assert_eq!(failed[0], "step 1 of the lesson stops at \"A checks\", number 99: it never comes to that");
    assert!(
        failed[1].contains("(it bears the answer of step ") && failed[1].contains("accepted"),
        "{failed:?}"
    );
}

#[test]
fn three_stories_ask_and_no_answer_is_always_in_the_same_place() {
    let asking: Vec<&str> = stories()
        .iter()
        .map(|story| story.name)
        .filter(|story| steps(story).iter().any(|step| step.ask.is_some()))
        .collect();
    let mut lessons = LESSONS.to_vec();
    lessons.sort_unstable_by_key(|story| stories().iter().position(|known| known.name == *story));
    assert_eq!(asking, lessons);
    for story in LESSONS {
        let places: BTreeSet<Option<usize>> = steps(story)
            .iter()
            .filter_map(|step| step.ask.as_ref())
            .map(|ask| ask.options.iter().position(|option| *option == ask.answer))
            .collect();
        assert!(places.len() > 1, "{story}: whoever always takes the same option is always right");
    }
}

/// A question is asked before what it asks for: what bears the answer out is not told of yet.
#[test]
fn a_question_comes_before_its_answer() {
    for story in LESSONS {
        for step in steps(story) {
            let Some(ask) = &step.ask else { continue };
            let play = case(story, step.variant.as_deref()).play();
            let at = ms(instant(&play, &step.at).unwrap());
            let instants = ask.expect.iter().flat_map(|expect| {
                let write = expect.write.as_ref().and_then(|write| write.at);
                let grant = expect.grant.as_ref().and_then(|grant| grant.at);
                [write, grant, expect.event.as_ref().and_then(|event| event.at)]
            });
            for answer in instants.flatten() {
                let answer = ms(SimTime::ZERO + answer.0);
                assert!(answer > at, "{story}: {:?} at {at} ms is answered at {answer} ms", ask.question);
            }
        }
    }
}

/// Every figure with a decimal point in what a lesson says is an instant or a length of its play or of one of its
/// variants': of what happens, of what is told of it, or of a clock where the lesson stops.
#[test]
fn no_figure_is_made_up() {
    let mut strange = Vec::new();
    for story in stories() {
        let own: Vec<Case> = cases().into_iter().filter(|case| case.story == story.name).collect();
        let plays: Vec<Play> = own.iter().map(Case::play).collect();
        let mut known: BTreeSet<u64> = plays.iter().flat_map(known).collect();
        known.extend(figures(story.text.split("[[step]]").next().unwrap_or_default()));
        for step in steps(story.name) {
            let place = own.iter().position(|case| case.variant == step.variant).unwrap();
            let at = instant(&plays[place], &step.at).unwrap();
            known.extend(clocks(&plays[place], at));
            let because = step.ask.as_ref().map_or("", |ask| &ask.because);
            for figure in decimals(&format!("{} {because}", step.say)) {
                if !known.contains(&figure) {
                    strange.push(format!("{}: {} in {:?}", story.name, figure as f64 / 1_000.0, step.say));
                }
            }
        }
    }
    assert!(strange.is_empty(), "{}", strange.join("\n"));
}

fn known(play: &Play) -> Vec<u64> {
    let told = play.tale.iter().flat_map(|event| {
        let mut told = figures(&event.text);
        told.push(ms(event.at));
        told
    });
    let blocks = play.facts.blocks.iter().flat_map(|block| [Some(block.from), block.until]).flatten().map(ms);
    told.chain(blocks).collect()
}

/// What every host's clocks show.
fn clocks(play: &Play, at: SimTime) -> Vec<u64> {
    let hosts = play.cast.members.iter().map(|member| play.clocks_at(member.host, at));
    hosts.map(|(_, wall)| (wall.as_micros() as u64 + 500) / 1_000).collect()
}

/// The numbers of a text as milliseconds, were they seconds; and the durations in it.
fn figures(text: &str) -> Vec<u64> {
    let words = text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '.'));
    words
        .filter_map(|word| {
            let word = word.trim_matches('.');
            let lasts = word.parse::<Dur>().ok().map(|Dur(span)| span);
            lasts.or_else(|| format!("{word}s").parse::<Dur>().ok().map(|Dur(span)| span))
        })
        .map(|span: Span| (span.as_micros() + 500) / 1_000)
        .collect()
}

/// The numbers with a decimal point, likewise.
fn decimals(text: &str) -> Vec<u64> {
    let words = text.split(|c: char| !(c.is_ascii_digit() || c == '.')).map(|word| word.trim_matches('.'));
    words.filter(|word| word.contains('.')).flat_map(figures).collect()
}
