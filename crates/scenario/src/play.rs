//! Playing a scenario: run its world, keep its trace, fold what happened.

use std::fmt::Write as _;

use kernel::{Mono, ProcessId, SimTime, Trace, Wall, World};
use sha2::{Digest, Sha256};

use crate::actors::Actor;
use crate::cast::{Cast, cast};
use crate::facts::{Facts, fold};
use crate::story::Story;
use crate::tale::{self, Event, Headline};
use crate::verdict::{Verdict, verdict};
use crate::view::{ProcessView, process_view};
use document::model::Scenario;

/// A played scenario.
#[derive(Clone, Debug)]
pub struct Play {
    /// What was played.
    pub scenario: Scenario,
    /// Who was there.
    pub cast: Cast,
    /// What happened, record by record.
    pub trace: Trace<Story>,
    /// What happened, in the words of the subject.
    pub facts: Facts,
    /// What came out, in numbers.
    pub verdict: Verdict,
    /// What came out, in words.
    pub headline: Headline,
    /// The story that a person would tell.
    pub tale: Vec<Event>,
    /// Where the play was broken off because too much happened; `None`: it went to its end.
    pub broken_off: Option<SimTime>,
    /// How many inputs processes took.
    pub inputs_taken: u64,
    /// From these any instant is quickly reached.
    checkpoints: Checkpoints,
}

/// Every process's real state at an instant.
#[derive(Clone, Debug, PartialEq)]
pub struct View {
    /// The instant.
    pub at: SimTime,
    /// The processes, in order of their numbers.
    pub processes: Vec<ProcessView>,
}

/// A play in which more than this happens is broken off.
const INPUTS_MAX: u64 = 1_000_000;
/// And so is one in which this much happens without time going on: it never would.
const INPUTS_PER_INSTANT_MAX: u64 = 100_000;

/// Plays a scenario. The same scenario gives the same play, everywhere.
pub fn play(scenario: &Scenario) -> Play {
    let (cast, plan) = cast(scenario);
    let horizon = SimTime::ZERO + scenario.horizon.0;
    let mut world = World::new(plan);
    let mut trace = Trace::recording();
    let mut checkpoints = Checkpoints::new(&world);
    let mut guard = Guard::default();
    let mut broken_off = None;
    while actors::step(&mut world, &mut trace) {
        if checkpoints.take(&world) && guard.too_much(&world) {
            broken_off = Some(world.now());
            break;
        }
    }
    let end = broken_off.unwrap_or(horizon);
    let facts = fold(&trace, &cast);
    let verdict = verdict(&facts, &cast, end);
    let tale = tale::tale(&facts, &cast, scenario, end);
    let headline = tale::headline(&facts, &verdict, &cast, scenario, broken_off);
    Play {
        scenario: scenario.clone(),
        cast,
        trace,
        facts,
        verdict,
        headline,
        tale,
        broken_off,
        inputs_taken: world.inputs_taken(),
        checkpoints,
    }
}

/// Snapshots of a world, in order, ever so many inputs apart. A long play has them farther apart, and not more of them:
/// what they hold grows with what machines remember.
#[derive(Clone, Debug)]
struct Checkpoints {
    worlds: Vec<World<Actor>>,
    inputs_between: u64,
}

impl Checkpoints {
    const INPUTS_BETWEEN_AT_FIRST: u64 = 640;
    const WORLDS_MAX: usize = 64;

    fn new(world: &World<Actor>) -> Self {
        Self { worlds: vec![world.clone()], inputs_between: Self::INPUTS_BETWEEN_AT_FIRST }
    }

    fn last(&self) -> &World<Actor> {
        self.worlds.last().expect("the beginning is always kept")
    }

    /// Takes a snapshot, if it is time for one.
    fn take(&mut self, world: &World<Actor>) -> bool {
        let due = world.inputs_taken() >= self.last().inputs_taken() + self.inputs_between;
        if due {
            self.worlds.push(world.clone());
            if self.worlds.len() > Self::WORLDS_MAX {
                let mut keep = false;
                self.worlds.retain(|_| {
                    keep = !keep;
                    keep
                });
                self.inputs_between *= 2;
            }
        }
        due
    }

    /// The last one that was taken at or before an instant.
    fn before(&self, at: SimTime) -> &World<Actor> {
        let place = self.worlds.partition_point(|world| world.now() <= at);
        &self.worlds[place.saturating_sub(1)]
    }
}

/// Notices a play that does not come to its end.
#[derive(Default)]
struct Guard {
    instant: SimTime,
    inputs_before: u64,
}

impl Guard {
    fn too_much(&mut self, world: &World<Actor>) -> bool {
        if world.now() > self.instant {
            self.instant = world.now();
            self.inputs_before = world.inputs_taken();
        }
        world.inputs_taken() > INPUTS_MAX
            || world.inputs_taken() - self.inputs_before > INPUTS_PER_INSTANT_MAX
    }
}

impl Play {
    /// When the play ends.
    pub fn horizon(&self) -> SimTime {
        SimTime::ZERO + self.scenario.horizon.0
    }

    /// When it really ended: at the horizon, or where it was broken off.
    pub fn end(&self) -> SimTime {
        self.broken_off.unwrap_or_else(|| self.horizon())
    }

    /// A process's name.
    pub fn name(&self, process: ProcessId) -> &str {
        self.cast.name(process)
    }

    /// The world as it was at an instant, after all that happened then.
    pub fn world_at(&self, at: SimTime) -> World<Actor> {
        let at = self.broken_off.map_or(at, |end| at.min(end));
        let mut world = self.checkpoints.before(at).clone();
        actors::run_until(&mut world, at, &mut Trace::off());
        world
    }

    /// Every process's real state at an instant.
    pub fn view(&self, at: SimTime) -> View {
        let world = self.world_at(at);
        let processes =
            self.cast.members.iter().map(|member| process_view(&world, member, &self.cast)).collect();
        View { at, processes }
    }

    /// A host's clocks at an instant.
    pub fn clocks_at(&self, host: kernel::HostId, at: SimTime) -> (Mono, Wall) {
        self.trace
            .clock(host, at)
            .map_or((Mono::default(), Wall::default()), |line| (line.mono_at(at), line.wall_at(at)))
    }

    /// The trace as text, a line a record: what is the same everywhere.
    pub fn trace_lines(&self) -> impl Iterator<Item = String> {
        self.trace.records().iter().enumerate().map(|(index, record)| {
            let mut line = format!("{index} {} {}", record.at.as_micros(), self.name(record.process));
            for link in [record.cause, record.previous] {
                match link.index() {
                    Some(index) => write!(line, " {index}"),
                    None => write!(line, " -"),
                }
                .expect("a string takes all that is written to it");
            }
            write!(line, " {:?}", record.what).expect("a string takes all that is written to it");
            line
        })
    }

    /// A digest of the trace's text (SHA-256, in hex).
    pub fn digest(&self) -> String {
        let mut hash = Sha256::new();
        for line in self.trace_lines() {
            hash.update(line.as_bytes());
            hash.update(b"\n");
        }
        hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// About how much memory the play takes, in bytes: records and snapshots.
    pub fn bytes(&self) -> usize {
        let world = size_of::<World<Actor>>() + self.cast.members.len() * (size_of::<Actor>() + 512);
        self.trace.record_bytes() + self.checkpoints.worlds.len() * world
    }
}
