//! What is wrong with a scenario that has the right shape: names that nobody has, numbers out of range, settings that
//! contradict each other, and plays that would never end.

mod cost;
mod expectations;
mod faults;
mod lesson;
mod lock;
mod names;
mod network;
mod people;
mod programs;
mod stores;
mod workers;

use kernel::Span;

use self::people::People;
use super::duration::Dur;
use super::limits::*;
use super::model::Scenario;
use super::place::{Finding, Place};

/// Everything that is wrong with a scenario: as it was written, and with each worker's `like` resolved.
pub(super) fn check(raw: &Scenario, resolved: &Scenario) -> Vec<Finding> {
    let mut check = Check::new(raw, resolved);
    check.head();
    check.counts();
    check.names();
    check.network();
    check.lock();
    check.stores();
    check.workers();
    check.waits();
    check.sweepers();
    check.programs();
    check.faults();
    check.expectations();
    check.lesson();
    // Only of a scenario without contradictions can it be told what it costs.
    if check.findings.is_empty() {
        check.cost();
    }
    check.findings
}

/// What is wrong with the names of a scenario alone.
pub(super) fn names(raw: &Scenario) -> Vec<Finding> {
    let mut check = Check::new(raw, raw);
    check.names();
    check.findings
}

/// A check that is going on.
struct Check<'a> {
    /// As written: what is wrong with a worker is told once, and not of all that are like it.
    raw: &'a Scenario,
    /// As played.
    resolved: &'a Scenario,
    people: People<'a>,
    /// The locks that workers acquire, in the order in which they are first named.
    locks: Vec<&'a str>,
    findings: Vec<Finding>,
}

impl<'a> Check<'a> {
    fn new(raw: &'a Scenario, resolved: &'a Scenario) -> Self {
        let locks = resolved.locks();
        Self { raw, resolved, people: People::of(resolved), locks, findings: Vec::new() }
    }
}

impl Check<'_> {
    fn say(&mut self, place: Place, message: impl Into<String>) {
        self.findings.push(place.finding(message));
    }

    fn hint(&mut self, place: Place, message: impl Into<String>, hint: Option<String>) {
        self.findings.push(place.finding(message).hint(hint));
    }

    /// Something that is done again and again has to leave some time between.
    fn interval(&mut self, place: Place, every: Option<Dur>) {
        if let Some(every) = every.filter(|every| every.0 < INTERVAL_MIN) {
            self.say(place, format!("{every} is too short: at least {}", Dur(INTERVAL_MIN)));
        }
    }

    /// A delay that would outlast the longest play is a slip of the pen.
    fn delay(&mut self, place: Place, delay: Option<Dur>) {
        if let Some(delay) = delay.filter(|delay| delay.0 > DELAY_MAX) {
            self.say(place, format!("{delay} is too long: at most {}", Dur(DELAY_MAX)));
        }
    }

    fn head(&mut self) {
        let Scenario { version, title, horizon, seed, .. } = self.raw;
        let root = Place::root();
        if *version != VERSION {
            self.say(
                root.key("version"),
                format!("there is no version {version} of this format: write {VERSION}"),
            );
        }
        if title.trim().is_empty() {
            self.say(root.key("title"), "a title is wanted here");
        } else if title.chars().count() > TITLE_CHARS_MAX {
            self.say(root.key("title"), format!("a title has at most {TITLE_CHARS_MAX} characters"));
        }
        if horizon.0 == Span::ZERO {
            self.say(root.key("horizon"), "a play of no length shows nothing");
        } else if horizon.0 > HORIZON_MAX {
            self.say(root.key("horizon"), format!("{horizon} is too long: at most {}", Dur(HORIZON_MAX)));
        }
        if *seed >= EXACT_MAX {
            self.say(root.key("seed"), format!("{seed} is too large: below {EXACT_MAX}"));
        }
    }

    fn counts(&mut self) {
        let raw = self.raw;
        for (list, count, most) in [
            ("worker", raw.worker.len(), WORKERS_MAX),
            ("store", raw.store.len(), STORES_MAX),
            ("sweeper", raw.sweeper.len(), SWEEPERS_MAX),
            ("fault", raw.fault.len(), FAULTS_MAX),
            ("host", raw.host.len(), LIST_MAX),
            ("expect", raw.expect.len(), LIST_MAX),
            ("variant", raw.variant.len(), LIST_MAX),
            ("step", raw.step.len(), LIST_MAX),
        ] {
            self.count(Place::root().key(list), count, most);
        }
        self.count(Place::root().key("network").key("link"), raw.network.link.len(), LIST_MAX);
        let others = raw.lock.other_writes().len();
        self.count(Place::root().key("lock").key("other_writes"), others, OTHER_WRITES_MAX);
    }

    fn count(&mut self, place: Place, count: usize, most: usize) {
        if count > most {
            self.say(place, format!("{count} are too many: at most {most}"));
        }
    }
}
